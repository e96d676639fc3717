"""The steps of a review: what one person does to one note inside one transaction. `review` has the verbs."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from memories.access import role_of
from memories.audit import Actor, record
from memories.models import Action, EarlierText, Kind, Memory, Role, Status, Store
from memories.models.memory import REMOVED
from memories.quotations import DROPPED, look_beside
from memories.redact import holds_secret
from memories.resident import confirm_embedder
from memories.screening import Policy
from memories.wording import Wording, policy_or_default, risk_of, screen_stored

MAINTAINERS_ONLY = {Kind.PREFERENCE, Kind.PROCEDURE}


class Stale(Exception):
    """The note is not as the person saw it; `memory` is the note as it is now, None where it was forgotten."""

    def __init__(self, memory: Memory | None) -> None:
        super().__init__(_("Somebody else changed this note in the meantime: look at it again."))
        self.memory = memory


class NotAllowed(Exception):
    """This person may not take this decision; the message is one sentence for them."""


@dataclass(frozen=True)
class Edit:
    """What an edit leaves a note with: other words, None where it keeps them, and its own end."""

    wording: Wording | None
    expires_at: datetime | None


@dataclass(frozen=True)
class Desk:
    """One person at work in one transaction: all that they do in it has one moment and one revision."""

    store: Store
    actor: Actor
    operation: str
    role: Role | None
    now: datetime
    revision: int
    policy: Policy

    @classmethod
    def open(cls, store: Store, actor: Actor, operation: str = "") -> Self:
        """Call it first thing in the transaction."""
        revision, policy = store.next_revision(), policy_or_default(store)
        return cls(store, actor, operation, role_of(actor, store), timezone.now(), revision, policy)

    def take(self, memory_id: int, version: int, statuses: Set[Status]) -> Memory:
        """Lock a note. Raises Stale where it is gone, changed since `version`, or of none of `statuses`."""
        note = Memory.objects.select_for_update().filter(store=self.store, pk=memory_id).first()
        if note is None or note.version != version or note.status not in statuses:
            raise Stale(note)
        return note

    def check(self, note: Memory, *, own: bool = False) -> None:
        """Raise NotAllowed where the person may not decide; `own` lets a note's author through."""
        if self.role is None or self.role < Role.REVIEWER:
            raise NotAllowed(_("Only reviewers, maintainers and owners of this store can decide notes."))
        if note.kind in MAINTAINERS_ONLY and self.role < Role.MAINTAINER:
            raise NotAllowed(_("Only maintainers can decide preferences and procedures."))
        if self.store.two_person_review and not own and note.author_id is not None and note.author == self.actor.user:
            raise NotAllowed(_("You wrote this note: in this store somebody else has to decide it."))

    def approve(self, note: Memory, edit: Edit | None = None, *, replace: bool = False) -> None:
        self.check(note)
        wording = edit.wording if edit else None
        if edit is not None and self.store.two_person_review:
            raise NotAllowed(_("In this store two people decide: save the edit, then somebody else approves it."))
        if wording is None and note.embedding is None:
            raise NotAllowed(_("This note waits for its embedding: run `manage.py embed_waiting` first."))
        self._look_again(note, words_stay=wording is None)
        if edit is not None:
            self._edit(note, edit)
        if replace:
            note.replaces = self._replace(note)
        self._decide(note, Status.APPROVED)
        self._save(note)

    def reject(self, note: Memory, reason: str) -> None:
        self.check(note)
        self._decide(note, Status.REJECTED, reason)
        self._save(note)

    def undo(self, note: Memory, edit: Edit | None) -> None:
        """`edit` leads back to what the note was before the decision, where the decision changed that."""
        self.check(note)
        if edit is not None:
            # First what may fail: of many that are undone together, the others go on.
            self._apply(note, edit)
            note.earlier_texts.filter(version=note.version - 1).delete()
        # A rejection replaced nothing, though the note may have done so before it was put back into the inbox.
        if note.status == Status.APPROVED:
            self._restore_replaced(note)
        self._reopen(note)
        self._save(note)

    def edit(self, note: Memory, edit: Edit) -> None:
        self.check(note, own=True)
        self._edit(note, edit)
        if self.store.two_person_review:
            note.author = self.actor.user
            if note.status == Status.APPROVED:
                self._reopen(note)
        self._save(note)

    def _look_again(self, note: Memory, *, words_stay: bool) -> None:
        """Raise NotAllowed where the rules of today refuse the note, whatever those of its first day said."""
        flags, unfit = look_beside(note, self.policy)
        if unfit:
            raise NotAllowed(
                _(
                    "The evidence of this note holds something that must not be kept: "
                    "run `manage.py rescreen`, which drops it, or forget the note."
                )
            )
        if not words_stay:
            return
        verdict = screen_stored(note, self.policy)
        if verdict.decision == "refuse":
            said = [_(finding.sentence) for finding in verdict.findings if finding.severity == "refuse"]
            said.append(_("The filter's rules of today refuse this note: edit, reject or forget it."))
            raise NotAllowed(" ".join(dict.fromkeys(said)))
        if any(finding["severity"] == "refuse" for finding in note.findings):
            # Softer rules have come since: what they do not refuse must not stand as refused on an approved note.
            dropped = [finding for finding in note.findings if finding["rule"] == DROPPED.rule]
            note.findings = [*(finding.model_dump() for finding in (*verdict.findings, *flags)), *dropped]

    def _decide(self, note: Memory, status: Status, reason: str = "") -> None:
        note.status, note.reason = status, reason
        note.reviewer, note.decided_at = self.actor.user, self.now
        note.before_replaced = None

    def _reopen(self, note: Memory) -> None:
        note.status, note.reason = Status.PROPOSED, ""
        note.reviewer = note.decided_at = note.before_replaced = None

    def _save(self, note: Memory) -> None:
        note.version += 1
        note.changed_at, note.revision = self.now, self.revision
        note.save()

    def _edit(self, note: Memory, edit: Edit) -> None:
        EarlierText.objects.create(
            memory=note,
            # A history is no place for what the inbox must not keep.
            text=REMOVED if holds_secret(note.text, self.policy) else note.text,
            applies_to=note.applies_to,
            expires_at=note.expires_at,
            version=note.version,
            changed_by=self.actor.label,
            changed_at=self.now,
        )
        self._apply(note, edit)

    def _apply(self, note: Memory, edit: Edit) -> None:
        note.expires_at = edit.expires_at
        if edit.wording is not None:
            self._reword(note, edit.wording)

    def _reword(self, note: Memory, wording: Wording) -> None:
        confirm_embedder(self.store)
        note.text, note.applies_to, note.findings = wording.text, wording.applies_to, wording.findings
        note.embedding, note.terms = wording.embedding, wording.terms
        note.risk = risk_of(bool(note.findings), note.conflicts_with_id is not None, note.origin)

    def _replace(self, note: Memory) -> Memory | None:
        """Reject the note that `note` conflicts with; its texts stay on its own page until the sweep takes it."""
        old = note.conflicts_with and Memory.objects.select_for_update().filter(pk=note.conflicts_with.pk).first()
        if old is None or old.status == Status.REJECTED:
            return None
        self.check(old)
        before: dict[str, Any] = {"status": old.status, "reviewer": old.reviewer_id, "version": old.version + 1}
        before["decided_at"] = old.decided_at and old.decided_at.isoformat()
        self._decide(old, Status.REJECTED, _("Replaced by note %(number)d.") % {"number": note.pk})
        old.before_replaced = before
        self._save(old)
        self._record(old, Action.REJECTED, {"replaced_by": note.pk})
        return old

    def _restore_replaced(self, note: Memory) -> None:
        """Give the replaced note its earlier decision back; the inbox, where it was changed in the meantime."""
        old = note.replaces and Memory.objects.select_for_update().filter(pk=note.replaces.pk).first()
        note.replaces = None
        if old is None or old.before_replaced is None:
            return
        before = old.before_replaced
        self._reopen(old)
        fit = screen_stored(old, self.policy).decision != "refuse" and not look_beside(old, self.policy)[1]
        if fit and before["version"] == old.version and before["decided_at"]:
            old.status, old.decided_at = Status(before["status"]), parse_datetime(before["decided_at"])
            old.reviewer = User.objects.filter(pk=before["reviewer"]).first()
        self._save(old)
        self._record(old, Action.UNDONE, {"replaced_by": note.pk})

    def _record(self, note: Memory, action: Action, details: dict[str, Any]) -> None:
        record(self.store, self.actor, action, memory=note.pk, operation=self.operation, details=details)
