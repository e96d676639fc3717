"""Take in what agents and people propose: screen, embed, compare with what is known, store or refresh."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Literal

from django.db import transaction
from django.utils import timezone

from memories.access import role_of
from memories.audit import Actor, record
from memories.embedding import EmbedderUnavailable, pack
from memories.index import pack_terms, terms
from memories.judging import RUN_IDENTIFIER, Judged, default_origin, judge
from memories.known import Known
from memories.models import Action, Memory, MemorySource, Origin, Refusal, Run, Status, Store
from memories.resident import EmbedderChanged, confirm_embedder, embedder_of, put_new
from memories.rows import insert
from memories.schemas import Draft
from memories.screening import Finding, screen_evidence
from memories.sightings import see_again
from memories.wording import policy_of, risk_of


@dataclass(frozen=True)
class Outcome:
    """What became of one draft: `id` is the new note or the known one that it repeats, `refusals` why there is none."""

    outcome: Literal["proposed", "duplicate", "conflict", "refused"]
    id: int | None = None
    rules: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    waiting: bool = False
    refusals: tuple[Finding, ...] = field(default=(), compare=False)


def propose(
    store: Store,
    draft: Draft,
    actor: Actor,
    *,
    origin: Origin | None = None,
    observed_at: datetime | None = None,
) -> Outcome:
    """Take in one draft; see `propose_many`."""
    return propose_many(store, [draft], actor, origin=origin, observed_at=observed_at)[0]


def propose_many(
    store: Store,
    drafts: Sequence[Draft],
    actor: Actor,
    *,
    origin: Origin | None = None,
    observed_at: datetime | None = None,
    within: Callable[[], None] | None = None,
) -> list[Outcome]:
    """Take in `drafts` in one transaction and return an outcome for each, in their order.

    Screening and embedding come before the transaction, so that the write stays short. Where the embedder cannot be
    reached the notes are kept without a vector, and `manage.py embed_waiting` finishes them.

    Args:
        origin: how far to trust all of them; without it, decided by the actor and each source.
        observed_at: when they were learnt; now, unless an earlier record says otherwise.
        within: called in the transaction, for what must be kept together with these notes or not at all.
    """
    intake = _Intake(store, actor, observed_at or timezone.now())
    judged = intake.judge(drafts, origin)
    try:
        intake.keep(judged, within)
    except EmbedderChanged:
        store.refresh_from_db()
        intake.keep(judged, within)
    return [_outcome(one) for one in judged]


class _Intake:
    """One batch of drafts on its way into one store."""

    def __init__(self, store: Store, actor: Actor, observed_at: datetime) -> None:
        self.store = store
        self.actor = actor
        self.observed_at = observed_at
        self.now = timezone.now()
        self.policy = policy_of(store)

    def judge(self, drafts: Sequence[Draft], origin: Origin | None) -> list[Judged]:
        role = role_of(self.actor, self.store)
        names = {draft.run for draft in drafts if RUN_IDENTIFIER.fullmatch(draft.run)}
        runs = self._runs(names) if names else {}
        return [
            judge(draft, self.policy, origin or default_origin(draft.source, role), runs.get(draft.run))
            for draft in drafts
        ]

    def keep(self, judged: Sequence[Judged], within: Callable[[], None] | None) -> None:
        """Embed, compare and write. Raises EmbedderChanged before anything is written."""
        kept = [one for one in judged if not one.refused]
        self._embed(kept)
        known = Known(self.store)
        with transaction.atomic():
            confirm_embedder(self.store)
            for one, relation in zip(kept, known.relate([one.candidate for one in kept]), strict=True):
                one.relation = relation
            if kept:
                self._store_new(kept)
                self._refresh(kept)
            self._record(judged)
            if within:
                within()

    def _embed(self, kept: Sequence[Judged]) -> None:
        """Give each its vector; none while the embedder is out of reach."""
        for one in kept:
            one.vector = None
        try:
            vectors = embedder_of(self.store).embed([one.text for one in kept])
        except EmbedderUnavailable:
            return
        for one, vector in zip(kept, vectors, strict=True):
            one.vector = vector

    def _store_new(self, kept: Sequence[Judged]) -> None:
        """Insert a note for each draft that repeats nothing."""
        self.store.next_revision()
        self._start_runs(kept)
        fresh = [one for one in kept if not one.relation.repeats]
        rows = [self._note(one) for one in fresh]
        for one, row, number in zip(fresh, rows, insert(Memory, rows), strict=True):
            one.number = row["id"] = number
        _link_conflicts(fresh, kept)
        insert(MemorySource, [self._source(one, row["id"]) for one, row in zip(fresh, rows, strict=True)])
        if len(fresh) == len(kept):
            transaction.on_commit(partial(put_new, self.store, self.store.revision, rows))

    def _refresh(self, kept: Sequence[Judged]) -> None:
        """Point the drafts that repeat something to that note, and let it be seen again."""
        repeating = [one for one in kept if one.relation.repeats]
        numbers = [_number(one, kept) for one in repeating]
        for one, number in zip(repeating, numbers, strict=True):
            one.number = number
        sightings = [MemorySource(**self._source(one, number)) for one, number in zip(repeating, numbers, strict=True)]
        see_again(sightings, Counter(numbers), self.store.revision)

    def _record(self, judged: Sequence[Judged]) -> None:
        """One audit entry for each thing that happened in the batch, and a row without text for each refusal."""
        notes = {Action.PROPOSED: list[int](), Action.SEEN_AGAIN: list[int]()}
        for one in judged:
            if one.number:
                notes[Action.SEEN_AGAIN if one.relation.repeats else Action.PROPOSED].append(one.number)
        for action, numbers in notes.items():
            if numbers:
                single = numbers[0] if len(numbers) == 1 else None
                details = {} if single else {"notes": numbers}
                record(self.store, self.actor, action, memory=single, count=len(numbers), details=details)
        if refused := [one for one in judged if one.refused]:
            rules = Counter(one.rules[0] for one in refused)
            record(self.store, self.actor, Action.REFUSED, count=len(refused), details={"rules": dict(rules)})
            Refusal.objects.bulk_create(self._refusal(one) for one in refused)

    def _start_runs(self, kept: Sequence[Judged]) -> None:
        """Begin a record of each run that is named for the first time."""
        names = {one.draft.run for one in kept if one.draft.run and one.run is None}
        if not names:
            return
        new = [
            Run(store=self.store, identifier=name, agent=self.actor.label[:100], started_at=self.now) for name in names
        ]
        Run.objects.bulk_create(new, ignore_conflicts=True)
        runs = self._runs(names)
        for one in kept:
            one.run = one.run or runs.get(one.draft.run)

    def _runs(self, identifiers: Collection[str]) -> dict[str, Run]:
        return {run.identifier: run for run in Run.objects.filter(store=self.store, identifier__in=identifiers)}

    def _note(self, one: Judged) -> dict[str, Any]:
        conflicts = one.relation.conflicts
        return {
            "store_id": self.store.pk,
            "kind": one.draft.kind,
            "text": one.text,
            "source": one.source,
            "origin": one.origin,
            "observed_at": self.observed_at,
            "expires_at": one.draft.expires_at,
            "applies_to": one.draft.applies_to,
            "status": Status.PROPOSED,
            "evidence": one.evidence,
            "proposer": self.actor.label,
            "author_id": self.actor.user and self.actor.user.pk,
            "run_id": one.run and one.run.pk,
            "findings": [finding.model_dump() for finding in one.findings],
            "risk": risk_of(bool(one.findings), bool(conflicts), one.origin),
            "conflicts_with_id": conflicts.number if conflicts and not conflicts.in_batch else None,
            "times_seen": 1,
            "width": self.store.width,
            "embedding": None if one.vector is None else pack(one.vector),
            "terms": pack_terms(terms(one.text)),
            "revision": self.store.revision,
            "created_at": self.now,
            "changed_at": self.now,
        }

    def _source(self, one: Judged, number: int) -> dict[str, Any]:
        return {
            "memory_id": number,
            "store_id": self.store.pk,
            "source": one.source,
            "origin": one.origin,
            "observed_at": self.observed_at,
            "evidence": one.evidence,
            "run_id": one.run and one.run.pk,
        }

    def _refusal(self, one: Judged) -> Refusal:
        # The source may be what was refused: it may be the secret.
        malformed = any(rule.startswith("source.") for rule in one.rules)
        sound = not malformed and screen_evidence(one.source, self.policy).decision != "refuse"
        return Refusal(
            store=self.store,
            at=self.now,
            rule=one.rules[0],
            rules=one.rules,
            source=one.source if sound else "",
            proposer=self.actor.label,
            run=one.run,
        )


def _link_conflicts(fresh: Sequence[Judged], kept: Sequence[Judged]) -> None:
    """Name the other note where a draft conflicts with one of its own batch, which has an id only now."""
    linked = [
        Memory(pk=one.number, conflicts_with_id=kept[conflicts.number].number)
        for one in fresh
        if (conflicts := one.relation.conflicts) and conflicts.in_batch
    ]
    if linked:
        Memory.objects.bulk_update(linked, ["conflicts_with"])


def _number(one: Judged, kept: Sequence[Judged]) -> int:
    """Id of the note that a draft repeats."""
    repeats = one.relation.repeats
    assert repeats is not None
    number = kept[repeats.number].number if repeats.in_batch else repeats.number
    assert number is not None
    return number


def _outcome(one: Judged) -> Outcome:
    if one.refused:
        refusing = tuple(finding for finding in one.findings if finding.severity == "refuse")
        sentences = tuple(dict.fromkeys(finding.sentence for finding in refusing))
        return Outcome("refused", rules=tuple(one.rules), sentences=sentences, refusals=refusing)
    conflict = "conflict" if one.relation.conflicts else "proposed"
    return Outcome(
        "duplicate" if one.relation.repeats else conflict,  # type: ignore[arg-type]
        id=one.number,
        rules=tuple(one.rules),
        sentences=tuple(dict.fromkeys(finding.sentence for finding in one.findings)),
        waiting=one.vector is None,
    )
