"""Decide what agents proposed: approve, edit, reject, undo, one note or many, through the same function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.access import role_of
from memories.audit import Actor, new_operation, record
from memories.models import Action, EarlierText, Kind, Memory, Role, Status, Store
from memories.wording import Refused, Wording, make_wording

Decision = Literal["approve", "reject", "undo"]
MAINTAINERS_ONLY = {Kind.PREFERENCE, Kind.PROCEDURE}
BATCH = 500

__all__ = ["BulkResult", "NotAllowed", "Refused", "Stale", "approve", "decide_many", "edit", "reject", "undo"]


class Stale(Exception):
    """The note is not as the person saw it; `memory` is the note as it is now, None where it was forgotten."""

    def __init__(self, memory: Memory | None) -> None:
        super().__init__(_("Somebody else changed this note in the meantime: look at it again."))
        self.memory = memory


class NotAllowed(Exception):
    """This person may not take this decision; the message is one sentence for them."""


@dataclass
class BulkResult:
    """What a bulk decision did: the decided notes, and the skipped ones by the sentence that says why."""

    operation: str
    done: list[int] = field(default_factory=list)
    skipped: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))


def approve(
    store: Store,
    memory_id: int,
    actor: Actor,
    *,
    version: int,
    text: str | None = None,
    applies_to: str | None = None,
    replace: bool = False,
) -> Memory:
    """Let a proposed note be recalled, with another wording where `text` or `applies_to` is given.

    `replace` rejects the note that it conflicts with, in the same transaction.

    Raises:
        Stale: it was decided, edited or forgotten since `version`.
        NotAllowed: the person's role, or being the note's author, forbids it.
        Refused: the new wording does not pass the filter.
    """
    wording = _new_wording(store, memory_id, text, applies_to)
    with transaction.atomic():
        note = _locked(store, memory_id, version, {Status.PROPOSED})
        _approve(note, store, actor, wording=wording, replace=replace)
        details = {"edited": wording is not None, "replaced": note.replaces_id}
        record(store, actor, Action.APPROVED, memory=note.pk, details=details)
    return note


def reject(store: Store, memory_id: int, actor: Actor, *, version: int, reason: str) -> Memory:
    """Turn a proposed note down; it is kept, unrecalled, until the sweep takes it. Raises as `approve` does."""
    with transaction.atomic():
        note = _locked(store, memory_id, version, {Status.PROPOSED})
        _reject(note, store, actor, reason=reason)
        record(store, actor, Action.REJECTED, memory=note.pk)
    return note


def undo(store: Store, memory_id: int, actor: Actor, *, version: int) -> Memory:
    """Put the last decision back: the note is proposed again, worded as before. Raises as `approve` does."""
    wording = _wording_before(store, memory_id)
    with transaction.atomic():
        note = _locked(store, memory_id, version, {Status.APPROVED, Status.REJECTED})
        _undo(note, store, actor, wording=wording)
        record(store, actor, Action.UNDONE, memory=note.pk)
    return note


def edit(store: Store, memory_id: int, actor: Actor, *, version: int, text: str, applies_to: str = "") -> Memory:
    """Word a note of any status anew and keep what it said. Raises as `approve` does.

    Where two people review, an approved note goes back to the inbox: its new words have one author and no reviewer.
    """
    wording = _new_wording(store, memory_id, text, applies_to)
    with transaction.atomic():
        note = _locked(store, memory_id, version, set(Status))
        _check_may_decide(note, store, actor, own=True)
        if wording is None:
            return note
        _reword(note, wording, actor)
        note.author = actor.user if store.two_person_review else note.author
        if store.two_person_review and note.status == Status.APPROVED:
            _set_status(note, Status.PROPOSED, None)
        _save(note, store)
        record(store, actor, Action.EDITED, memory=note.pk)
    return note


def decide_many(
    store: Store, notes: Sequence[tuple[int, int]], decision: Decision, actor: Actor, *, reason: str = ""
) -> BulkResult:
    """Take one decision on many notes, given as pairs of id and version; what is not eligible is skipped and said.

    Each batch is one transaction with one audit entry; all share the result's operation.
    """
    result = BulkResult(new_operation())
    for start in range(0, len(notes), BATCH):
        _decide_batch(store, notes[start : start + BATCH], decision, actor, reason, result)
    return result


def _decide_batch(
    store: Store,
    notes: Sequence[tuple[int, int]],
    decision: Decision,
    actor: Actor,
    reason: str,
    result: BulkResult,
) -> None:
    wordings = {pk: _wording_before(store, pk) for pk, _version in notes} if decision == "undo" else {}
    allowed = {Status.APPROVED, Status.REJECTED} if decision == "undo" else {Status.PROPOSED}
    steps: dict[Decision, Callable[[Memory], None]] = {
        "approve": lambda note: _approve(note, store, actor, wording=None, replace=False),
        "reject": lambda note: _reject(note, store, actor, reason=reason),
        "undo": lambda note: _undo(note, store, actor, wording=wordings.get(note.pk)),
    }
    action = {"approve": Action.APPROVED, "reject": Action.REJECTED, "undo": Action.UNDONE}[decision]
    done: list[int] = []
    with transaction.atomic():
        for pk, version in notes:
            try:
                steps[decision](_locked(store, pk, version, allowed))
                done.append(pk)
            except (Stale, NotAllowed) as problem:
                result.skipped[str(problem)].append(pk)
        if done:
            record(store, actor, action, count=len(done), operation=result.operation, details={"notes": done})
    result.done.extend(done)


def _locked(store: Store, memory_id: int, version: int, statuses: set[Status]) -> Memory:
    note = Memory.objects.select_for_update().filter(store=store, pk=memory_id).first()
    if note is None or note.version != version or note.status not in statuses:
        raise Stale(note)
    return note


def _check_may_decide(note: Memory, store: Store, actor: Actor, *, own: bool = False) -> None:
    role = role_of(actor, store)
    if role is None or role < Role.REVIEWER:
        raise NotAllowed(_("Only reviewers, maintainers and owners of this store can decide notes."))
    if note.kind in MAINTAINERS_ONLY and role < Role.MAINTAINER:
        raise NotAllowed(_("Only maintainers can decide preferences and procedures."))
    if store.two_person_review and not own and note.author_id is not None and note.author == actor.user:
        raise NotAllowed(_("You wrote this note: in this store somebody else has to decide it."))


def _approve(note: Memory, store: Store, actor: Actor, *, wording: Wording | None, replace: bool) -> None:
    _check_may_decide(note, store, actor)
    if wording is not None and store.two_person_review:
        raise NotAllowed(_("In this store two people decide: save the edit, then somebody else approves it."))
    if note.embedding is None and (wording is None or wording.embedding is None):
        raise NotAllowed(_("This note waits for its embedding: run `manage.py embed_waiting` first."))
    if wording is None and any(finding["severity"] == "refuse" for finding in note.findings):
        raise NotAllowed(_("The filter's rules of today refuse this note: edit, reject or forget it."))
    if wording is not None:
        _reword(note, wording, actor)
    if replace and note.conflicts_with_id is not None:
        note.replaces = _replace(note, store, actor)
    _set_status(note, Status.APPROVED, actor)
    _save(note, store)


def _reject(note: Memory, store: Store, actor: Actor, *, reason: str) -> None:
    _check_may_decide(note, store, actor)
    _set_status(note, Status.REJECTED, actor, reason)
    _save(note, store)


def _undo(note: Memory, store: Store, actor: Actor, *, wording: Wording | None) -> None:
    _check_may_decide(note, store, actor)
    if wording is not None and note.earlier_texts.filter(version=note.version - 1).delete()[0]:
        _apply(note, wording)
    if note.replaces is not None:
        _restore_replaced(note, store)
    _set_status(note, Status.PROPOSED, None)
    _save(note, store)


def _replace(note: Memory, store: Store, actor: Actor) -> Memory | None:
    """Reject the note that `note` conflicts with; its texts stay on its own page until the sweep takes it."""
    old = note.conflicts_with and Memory.objects.select_for_update().filter(pk=note.conflicts_with.pk).first()
    if old is None or old.status == Status.REJECTED:
        return None
    _check_may_decide(old, store, actor)
    _set_status(old, Status.REJECTED, actor, _("Replaced by note %(number)d.") % {"number": note.pk})
    _save(old, store)
    return old


def _restore_replaced(note: Memory, store: Store) -> None:
    old = note.replaces
    if old is not None and old.status == Status.REJECTED:
        old.status, old.reason = Status.APPROVED, ""
        _save(old, store)
    note.replaces = None


def _set_status(note: Memory, status: Status, actor: Actor | None, reason: str = "") -> None:
    note.status = status
    note.reviewer = actor.user if actor else None
    note.decided_at = timezone.now() if actor else None
    note.reason = reason.strip()[:300]


def _save(note: Memory, store: Store) -> None:
    note.version += 1
    note.changed_at = timezone.now()
    note.revision = store.next_revision()
    note.save()


def _reword(note: Memory, wording: Wording, actor: Actor) -> None:
    EarlierText.objects.create(
        memory=note,
        text=note.text,
        applies_to=note.applies_to,
        version=note.version,
        changed_by=actor.label,
        changed_at=timezone.now(),
    )
    _apply(note, wording)


def _apply(note: Memory, wording: Wording) -> None:
    note.text, note.applies_to, note.findings = wording.text, wording.applies_to, wording.findings
    note.embedding, note.terms = wording.embedding, wording.terms


def _new_wording(store: Store, memory_id: int, text: str | None, applies_to: str | None) -> Wording | None:
    """Screen and embed the new words before the transaction, which must stay short; None where nothing changes."""
    note = Memory.objects.filter(store=store, pk=memory_id).first()
    if note is None:
        raise Stale(None)
    text = note.text if text is None else text
    applies_to = note.applies_to if applies_to is None else applies_to.strip()
    if (text, applies_to) == (note.text, note.applies_to):
        return None
    return make_wording(store, text, note.kind, note.source, note.origin, applies_to)


def _wording_before(store: Store, memory_id: int) -> Wording | None:
    """The words a decision changed, embedded again; None where the last decision changed none."""
    note = Memory.objects.filter(store=store, pk=memory_id).first()
    earlier = note and note.earlier_texts.filter(version=note.version - 1).first()
    if not note or not earlier:
        return None
    return make_wording(store, earlier.text, note.kind, note.source, note.origin, earlier.applies_to)
