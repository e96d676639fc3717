"""Look at stored notes again when the filter's rules have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memories.audit import Actor, new_operation, record
from memories.models import Action, Memory, Status, Store
from memories.quotations import DROPPED, look_beside, was_dropped
from memories.screening import Finding, Policy, screen
from memories.storage import Cleaning, finish_deletion
from memories.wording import DOUBTED, policy_of

BATCH = 500
SCREENED = ("version", "status", "text", "kind", "source", "origin", "applies_to", "evidence", "findings")


@dataclass(frozen=True)
class Screened:
    """A stored note, what the rules say of it and of its quotations, and which of these must not be kept."""

    note: Memory
    findings: list[Finding]
    unfit: set[str]

    @property
    def fails_anew(self) -> bool:
        """Whether there is something that nobody has looked at yet; of a rejected note, that must not be kept.

        A flag that a person approved stays settled; a refusal never does.
        """
        settled = {(finding["rule"], finding["severity"]) for finding in self.note.findings}
        doubted = any((finding.rule, finding.severity) not in settled for finding in self.findings)
        return bool(self.unfit) or (doubted and self.note.status != Status.REJECTED)


@dataclass
class Rescreened:
    """How many notes went back into the inbox, how many lost a quotation, and what became of its bytes on disk."""

    put_back: int = 0
    emptied: int = 0
    cleaning: Cleaning | None = None


def screened(notes: QuerySet[Memory], policy: Policy) -> Iterator[Screened]:
    """Yield `notes` with what `policy` says of each."""
    for note in notes.only(*SCREENED).prefetch_related("sources").iterator(BATCH):
        verdict = screen(
            note.text, note.kind, policy, source=note.source, origin=note.origin, applies_to=note.applies_to
        )
        flags, unfit = look_beside(note, policy)
        dropped = [DROPPED] if unfit or was_dropped(note) else []
        yield Screened(note, [*verdict.findings, *flags, *dropped], unfit)


def newly_failing(store: Store, policy: Policy) -> Iterator[Screened]:
    """Yield the notes, newest first, that `policy` doubts by a rule not found on them before."""
    notes = Memory.objects.filter(store=store).order_by("-pk")
    return (one for one in screened(notes, policy) if one.fails_anew)


def rescreen(store: Store, actor: Actor) -> Rescreened:
    """Put every newly failing note back into the inbox with what is wrong with it.

    An approved one is recalled no more until a person looks. Quotations that must not be kept go for good, those of
    rejected notes too. Each batch is one transaction with one audit entry.
    """
    operation, done = new_operation(), Rescreened()
    failing = newly_failing(store, policy_of(store))
    while batch := list(islice(failing, BATCH)):
        _put_back(store, batch, actor, operation, done)
    if done.emptied:
        done.cleaning = finish_deletion(however_large=True)
    return done


def _put_back(store: Store, batch: Sequence[Screened], actor: Actor, operation: str, done: Rescreened) -> None:
    back, emptied = [], []
    with transaction.atomic():
        revision = store.next_revision()
        for failing in batch:
            seen = Memory.objects.filter(pk=failing.note.pk, version=failing.note.version)
            note = seen.select_for_update().first()
            if note is None:
                continue
            if failing.unfit:
                _empty(note, failing.unfit)
                emptied.append(note.pk)
            if note.status != Status.REJECTED:
                _reopen(note)
                back.append(note.pk)
            note.findings = [finding.model_dump() for finding in failing.findings]
            note.risk |= DOUBTED
            note.version += 1
            note.revision, note.changed_at = revision, timezone.now()
            note.save()
        if touched := sorted({*back, *emptied}):
            details = {"notes": touched, "evidence_dropped": emptied}
            record(store, actor, Action.RESCREENED, count=len(touched), operation=operation, details=details)
    done.put_back += len(back)
    done.emptied += len(emptied)


def _reopen(note: Memory) -> None:
    note.status, note.reviewer, note.decided_at, note.reason = Status.PROPOSED, None, None, ""
    note.before_replaced = None


def _empty(note: Memory, unfit: set[str]) -> None:
    """Let go of quotations that must not be kept, wherever the note has them."""
    note.sources.filter(evidence__in=unfit).update(evidence="")
    if note.evidence in unfit:
        note.evidence = ""
