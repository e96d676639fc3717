"""Decide what agents proposed: approve, edit, reject, undo, one note or many, through the same function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit import Actor, new_operation, record
from memories.deciding import MAINTAINERS_ONLY, Desk, Edit, NotAllowed, Stale
from memories.embedding import EmbedderError
from memories.models import Action, Memory, Origin, Status, Store
from memories.quotations import look_beside, screen_quotation
from memories.wording import Refused, make_wording, policy_of, screen_stored

Decision = Literal["approve", "reject", "undo"]
# A note's own end: a moment, none, or the one that it has.
End = datetime | Literal["keep"] | None
ACTIONS: dict[Decision, Action] = {"approve": Action.APPROVED, "reject": Action.REJECTED, "undo": Action.UNDONE}
OPEN = {Status.PROPOSED}
DECIDED = {Status.APPROVED, Status.REJECTED}
BATCH = 500
LONGEST_REASON = 300
BY_SETTING = Actor("setting:user_notes_need_review")
KEPT_UNREVIEWED = "Kept without review, as the store's settings say for what users state about themselves."

__all__ = [
    "MAINTAINERS_ONLY",
    "BulkResult",
    "NotAllowed",
    "Refused",
    "Stale",
    "approve",
    "decide_many",
    "edit",
    "keep_unreviewed",
    "reject",
    "undo",
]


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
    expires_at: End = "keep",
    replace: bool = False,
) -> Memory:
    """Let a proposed note be recalled, edited where `text`, `applies_to` or `expires_at` is given.

    `replace` rejects the note that it conflicts with, in the same transaction.

    Raises:
        Stale: it was decided, edited or forgotten since `version`.
        NotAllowed: the person's role, or being the note's author, forbids it; or the end given lies in the past.
        Refused: the new wording does not pass the filter.
        EmbedderError: the new wording cannot be embedded now.
    """
    edited = _new_edit(store, memory_id, text, applies_to, expires_at)
    with transaction.atomic():
        desk = Desk.open(store, actor)
        note = desk.take(memory_id, version, OPEN)
        changes = _changes(note, edited)
        desk.approve(note, edited, replace=replace)
        details = {"edited": edited is not None, "replaced": note.replaces_id, **changes}
        record(store, actor, Action.APPROVED, memory=note.pk, details=details)
    return note


def reject(store: Store, memory_id: int, actor: Actor, *, version: int, reason: str) -> Memory:
    """Turn a proposed note down; it is kept, unrecalled, until the sweep takes it.

    Raises as `approve` does; NotAllowed also for a reason that holds what must not be kept.
    """
    reason = _fit_reason(store, reason)
    with transaction.atomic():
        desk = Desk.open(store, actor)
        note = desk.take(memory_id, version, OPEN)
        desk.reject(note, reason)
        record(store, actor, Action.REJECTED, memory=note.pk)
    return note


def undo(store: Store, memory_id: int, actor: Actor, *, version: int) -> Memory:
    """Put the last decision back: the note is proposed again, as it was before it, and a note it replaced is back.

    What was edited since the decision stays, and so do the words where the earlier ones could not be kept.
    Raises as `approve` does.
    """
    before = _edit_before(store, memory_id)
    with transaction.atomic():
        desk = Desk.open(store, actor)
        note = desk.take(memory_id, version, DECIDED)
        desk.undo(note, before)
        record(store, actor, Action.UNDONE, memory=note.pk)
    return note


def edit(
    store: Store,
    memory_id: int,
    actor: Actor,
    *,
    version: int,
    text: str,
    applies_to: str = "",
    expires_at: End = "keep",
) -> Memory:
    """Word a note of any status anew, or give it another end, and keep what it was. Raises as `approve` does.

    Where two people review, an approved note goes back to the inbox: its new words have one author and no reviewer.
    """
    edited = _new_edit(store, memory_id, text, applies_to, expires_at)
    with transaction.atomic():
        desk = Desk.open(store, actor)
        note = desk.take(memory_id, version, set(Status))
        if edited is None:
            desk.check(note, own=True)
            return note
        changes = _changes(note, edited)
        desk.edit(note, edited)
        record(store, actor, Action.EDITED, memory=note.pk, details=changes)
    return note


def keep_unreviewed(store: Store, memory_id: int) -> bool:
    """Approve what a user stated about themselves where the store asks for no review of it; return whether it did.

    The one approval without a person: the store's owner took the decision beforehand, for facts and episodes that the
    filter has no doubt about and that contradict nothing. Where two people review, every note waits for one.
    """
    if store.user_notes_need_review or store.two_person_review:
        return False
    stated = Memory.objects.filter(origin=Origin.USER_STATED, status=Status.PROPOSED).exclude(kind__in=MAINTAINERS_ONLY)
    sound = stated.filter(findings=[], conflicts_with=None, embedding__isnull=False)
    with transaction.atomic():
        note = sound.select_for_update().filter(store=store, pk=memory_id).first()
        if note is None or _doubted_today(store, note):
            return False
        note.status, note.reason = Status.APPROVED, KEPT_UNREVIEWED
        note.decided_at = note.changed_at = timezone.now()
        note.version += 1
        note.revision = store.next_revision()
        note.save()
        record(store, BY_SETTING, Action.APPROVED, memory=note.pk)
    return True


def _doubted_today(store: Store, note: Memory) -> bool:
    """Whether the present policy objects to the note or its evidence, which may be older than the policy."""
    policy = policy_of(store)
    return bool(screen_stored(note, policy).findings) or any(look_beside(note, policy))


def decide_many(
    store: Store, notes: Sequence[tuple[int, int]], decision: Decision, actor: Actor, *, reason: str = ""
) -> BulkResult:
    """Take one decision on many notes, given as pairs of id and version; what is not eligible is skipped and said.

    Each batch is one transaction with one audit entry; all share the result's operation.
    """
    result = BulkResult(new_operation())
    try:
        reason = _fit_reason(store, reason)
    except NotAllowed as problem:
        result.skipped[str(problem)] = [number for number, _version in notes]
        return result
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
    edits = _edits_before(store, notes, result) if decision == "undo" else dict.fromkeys(notes)
    done: list[int] = []
    with transaction.atomic():
        desk = Desk.open(store, actor, result.operation)
        steps: dict[Decision, Callable[[Memory], None]] = {
            "approve": desk.approve,
            "reject": lambda note: desk.reject(note, reason),
            "undo": lambda note: desk.undo(note, edits[note.pk, note.version]),
        }
        for number, version in edits:
            try:
                steps[decision](desk.take(number, version, DECIDED if decision == "undo" else OPEN))
                done.append(number)
            except (Stale, NotAllowed, EmbedderError) as problem:
                result.skipped[str(problem)].append(number)
        if done:
            details = {"notes": done}
            record(store, actor, ACTIONS[decision], count=len(done), operation=result.operation, details=details)
    result.done.extend(done)


def _edits_before(
    store: Store, notes: Sequence[tuple[int, int]], result: BulkResult
) -> dict[tuple[int, int], Edit | None]:
    """What leads each note back, without those whose words can be had no more, which are skipped and said."""
    edits: dict[tuple[int, int], Edit | None] = {}
    for number, version in notes:
        try:
            edits[number, version] = _edit_before(store, number)
        except (Refused, EmbedderError) as problem:
            result.skipped[str(problem)].append(number)
    return edits


def _new_edit(
    store: Store, memory_id: int, text: str | None, applies_to: str | None, expires_at: End = "keep"
) -> Edit | None:
    """Screen and embed the new words before the transaction, which must stay short; None where nothing changes."""
    note = Memory.objects.filter(store=store, pk=memory_id).first()
    if note is None:
        raise Stale(None)
    end = note.expires_at if expires_at == "keep" else expires_at
    if end is not None and end != note.expires_at and end <= timezone.now():
        raise NotAllowed(_("This end is past already: choose a later day, or none."))
    edited = _edit_to(store, note, text, applies_to, end)
    return edited if edited.wording is not None or end != note.expires_at else None


def _edit_to(store: Store, note: Memory, text: str | None, applies_to: str | None, end: datetime | None) -> Edit:
    """What makes `note` say `text`, hold for `applies_to` and end at `end`."""
    text = note.text if text is None else text
    applies_to = note.applies_to if applies_to is None else applies_to.strip()
    if (text, applies_to) == (note.text, note.applies_to):
        return Edit(None, end)
    wording = make_wording(store, note, text, applies_to)
    same = (wording.text, applies_to) == (note.text, note.applies_to)
    return Edit(None if same else wording, end)


def _edit_before(store: Store, memory_id: int) -> Edit | None:
    """What leads back to before the last decision; None where it edited nothing, or an edit came after."""
    note = Memory.objects.filter(store=store, pk=memory_id).first()
    if note is None or note.decided_at is None:
        return None
    earlier = note.earlier_texts.filter(version=note.version - 1, changed_at=note.decided_at).first()
    if earlier is None or earlier.is_removed:
        return None
    return _edit_to(store, note, earlier.text, earlier.applies_to, earlier.expires_at)


def _changes(note: Memory, edited: Edit | None) -> dict[str, Any]:
    """What the record says of an edit: the end that it changes. It holds no words."""
    if edited is None or edited.expires_at == note.expires_at:
        return {}
    ends = [moment and moment.isoformat(timespec="minutes") for moment in (note.expires_at, edited.expires_at)]
    return {"changes": {"expires_at": ends}}


def _fit_reason(store: Store, reason: str) -> str:
    """A reason in its normal form. Raises NotAllowed for one that holds a secret or personal data."""
    verdict = screen_quotation(reason, policy_of(store))
    if verdict.decision == "refuse":
        raise NotAllowed(_("This reason holds something that must not be kept: say it without quoting."))
    return verdict.text[:LONGEST_REASON]
