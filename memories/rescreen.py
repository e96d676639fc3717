"""Look at stored notes again when the filter's rules have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import transaction
from django.utils import timezone

from memories.audit import Actor, new_operation, record
from memories.models import Action, Memory, Status, Store
from memories.screening import Policy, Verdict, screen
from memories.wording import policy_of

BATCH = 500
DOUBT = 4
SCREENED = ("version", "status", "text", "kind", "source", "origin", "applies_to", "findings")


@dataclass(frozen=True)
class Failing:
    """A stored note that fails a rule which nobody has looked at yet."""

    id: int
    version: int
    status: str
    verdict: Verdict


def screened(store: Store, policy: Policy, limit: int | None = None) -> Iterator[tuple[Memory, Verdict]]:
    """Yield the proposed and approved notes, newest first, with what `policy` says of each."""
    notes = Memory.objects.filter(store=store).exclude(status=Status.REJECTED).order_by("-pk")
    for note in notes.only(*SCREENED)[:limit].iterator(BATCH):
        yield (
            note,
            screen(note.text, note.kind, policy, source=note.source, origin=note.origin, applies_to=note.applies_to),
        )


def newly_failing(store: Store, policy: Policy) -> Iterator[Failing]:
    """Yield the proposed and approved notes, newest first, that `policy` doubts by a rule not found on them before.

    A flag that a person approved stays settled; a refusal never does.
    """
    for note, verdict in screened(store, policy):
        settled = {(finding["rule"], finding["severity"]) for finding in note.findings}
        if any((finding.rule, finding.severity) not in settled for finding in verdict.findings):
            yield Failing(note.pk, note.version, note.status, verdict)


def rescreen(store: Store, actor: Actor) -> int:
    """Put every newly failing note back into the inbox with what is wrong with it; returns how many.

    An approved one is recalled no more until a person looks. Each batch is one transaction with one audit entry.
    """
    operation, count = new_operation(), 0
    failing = newly_failing(store, policy_of(store))
    while batch := list(islice(failing, BATCH)):
        count += _put_back(store, batch, actor, operation)
    return count


def _put_back(store: Store, batch: Sequence[Failing], actor: Actor, operation: str) -> int:
    done = []
    with transaction.atomic():
        revision = store.next_revision()
        for failing in batch:
            note = Memory.objects.select_for_update().filter(pk=failing.id, version=failing.version).first()
            if note is None:
                continue
            note.findings = [finding.model_dump() for finding in failing.verdict.findings]
            note.risk |= DOUBT
            note.status, note.reviewer, note.decided_at, note.reason = Status.PROPOSED, None, None, ""
            note.before_replaced = None
            note.version += 1
            note.revision, note.changed_at = revision, timezone.now()
            note.save()
            done.append(note.pk)
        if done:
            record(store, actor, Action.RESCREENED, count=len(done), operation=operation, details={"notes": done})
    return len(done)
