"""A store of real size: made-up notes with the runs, recalls, refusals and entries that come with so many."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from random import Random
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Model
from django.utils import timezone

from memories.audit import Actor
from memories.fill import SENTENCES, fill
from memories.models import (
    Action,
    AuditEvent,
    Membership,
    Memory,
    PinnedQuery,
    Recall,
    RecallHit,
    Receipt,
    Refusal,
    Role,
    Run,
    SavedView,
    Store,
)
from memories.storage import refresh_statistics

Row = TypeVar("Row", bound=Model)
Some = TypeVar("Some")
BATCH = 5_000
SLUG = "real-size"
DAYS = 80
RULES = ("credential.token", "personal.phone", "instruction.planted", "quality.vague", "shape.length")
DECISIONS = {"approved": Action.APPROVED, "rejected": Action.REJECTED, "proposed": Action.PROPOSED}
FINDING = {"rule": "quality.vague", "severity": "flag", "sentence": "It names no part.", "start": 0, "end": 3}


def real_size(notes: int, said: Callable[[str], object]) -> Store:
    """Make the store, with `notes` notes, and its people: Ada, who decides all day, and Bo, who only reads."""
    store = Store.objects.create(slug=SLUG, name="Real size", embedder="wordllama", width=256)
    ada, bo = (User.objects.create(username=name) for name in ("ada", "bo"))
    for person in (ada, bo):
        Membership.objects.create(store=store, user=person, role=Role.OWNER)
    said("notes")
    fill(store, notes, Actor.command("fill"))
    chance = Random(notes)  # noqa: S311 - the same store each time
    said("runs")
    _runs(store, notes // 50, chance)
    _mark(store)
    said("audit entries")
    _keep(AuditEvent, _entries(store, ada))
    said("recalls, refusals and receipts")
    _recalls(store, notes // 10, chance)
    _keep(Refusal, _refusals(store, notes // 10, chance))
    _keep(Receipt, _receipts(store, notes // 1_000))
    _small_things(store)
    refresh_statistics()
    return store


def _batched(rows: Iterable[Some]) -> Iterator[list[Some]]:
    waiting = iter(rows)
    while batch := list(islice(waiting, BATCH)):
        yield batch


def _keep(model: type[Row], rows: Iterable[Row]) -> list[Row]:
    kept = []
    for batch in _batched(rows):
        kept += model._default_manager.bulk_create(batch)
    return kept


def _ago(chance: Random) -> datetime:
    return timezone.now() - timedelta(minutes=chance.randrange(60 * 24 * DAYS))


def _runs(store: Store, count: int, chance: Random) -> None:
    """Runs, and what they proposed: four notes in ten come from runs, a few of which proposed very many."""
    first = _keep(Run, (_run(store, number, _ago(chance)) for number in range(count)))[0].pk
    for batch in _batched(_numbers(store)):
        by_run = defaultdict(list)
        for note in batch[: BATCH * 2 // 5]:
            by_run[first + int(count ** chance.random()) - 1].append(note)
        with transaction.atomic():
            for run, notes in by_run.items():
                Memory.objects.filter(pk__in=notes).update(run=run)


def _numbers(store: Store, **chosen: str) -> list[int]:
    return list(store.memories.filter(**chosen).order_by("pk").values_list("pk", flat=True))


def _run(store: Store, number: int, at: datetime) -> Run:
    return Run(
        store=store,
        identifier=f"run-{number}",
        agent="triage",
        model="made-up-large",
        writer_model=f"made-up-{number % 3}",
        writer_prompt_version=f"v{number % 4}",
        task=SENTENCES[number % len(SENTENCES)],
        task_source=f"issue:{number}",
        sources=[f"issue:{number}"],
        steps=9,
        calls=7,
        input_tokens=21_000,
        output_tokens=1_800,
        stop_reason="finished",
        started_at=at,
        finished_at=at + timedelta(minutes=3),
    )


def _mark(store: Store) -> None:
    """Doubts and conflicts, on one waiting note in thirty each and on no other."""
    waiting = _numbers(store, status="proposed")
    marks: list[dict[str, Any]] = [{"findings": [FINDING], "risk": 4}, {"conflicts_with": F("pk") - 1, "risk": 2}]
    for number, fields in enumerate(marks, start=1):
        for batch in _batched(waiting[number::30]):
            Memory.objects.filter(pk__in=batch).update(**fields, applies_to="3.x", evidence="As it was said.")


def _entries(store: Store, person: User) -> Iterable[AuditEvent]:
    # All at once: while rows are still being read, nothing can be moved out of the write-ahead log.
    rows = list(store.memories.order_by("observed_at").values_list("pk", "status", "observed_at"))
    for pk, status, at in rows:
        yield AuditEvent(
            store=store,
            at=at,
            actor="agent:triage" if status == "proposed" else "person:ada",
            user=None if status == "proposed" else person,
            action=DECISIONS[status],
            memory_number=pk,
            operation=f"bulk-{pk // 1_000}" if pk % 3 == 0 else "",
        )


def _recalls(store: Store, count: int, chance: Random) -> None:
    """Recalls of two or three notes each; one note is shown by every tenth of them."""
    runs, notes = _numbers_of_runs(store), _numbers(store, status="approved")
    for batch in _batched(range(count)):
        kept = _keep(Recall, (_recall(store, number, runs, chance) for number in batch))
        _keep(RecallHit, (hit for recall in kept for hit in _hits(recall, notes, chance)))


def _numbers_of_runs(store: Store) -> list[int]:
    return list(store.runs.values_list("pk", flat=True))


def _recall(store: Store, number: int, runs: Sequence[int], chance: Random) -> Recall:
    query = SENTENCES[number % len(SENTENCES)].removeprefix("The ")
    return Recall(store=store, run_id=chance.choice(runs), query=query, block_tokens=120, at=_ago(chance))


def _hits(recall: Recall, notes: list[int], chance: Random) -> Iterator[RecallHit]:
    shown = chance.choices(notes, k=2) + (notes[:1] if recall.pk % 10 == 0 else [])
    for rank, note in enumerate(dict.fromkeys(shown), start=1):
        yield RecallHit(recall=recall, memory_id=note, rank=rank, score=0.6, cosine=0.7, word_score=0.2)


def _refusals(store: Store, count: int, chance: Random) -> Iterable[Refusal]:
    runs = _numbers_of_runs(store)
    for number in range(count):
        rule, source = chance.choice(RULES), f"issue:{int(2_000 ** chance.random())}"
        yield Refusal(
            store=store,
            at=_ago(chance),
            rule=rule,
            rules=[rule],
            source=source,
            proposer="agent:triage",
            run_id=runs[number % len(runs)],
        )


def _receipts(store: Store, count: int) -> Iterable[Receipt]:
    now = timezone.now()
    for number in range(count):
        asked: dict[str, Any] = {"by": "sweep"} if number % 10 == 0 else {"by": "source", "source": f"user:{number}"}
        yield Receipt(
            store=store,
            operation=f"{number:032x}",
            at=now,
            actor="person:ada",
            asked=asked,
            count=3,
            finished_at=now,
        )


def _small_things(store: Store) -> None:
    note = store.memories.filter(status="approved").order_by("pk")[0]
    SavedView.objects.bulk_create(
        SavedView(store=store, name=f"View {number}", query="status=proposed") for number in range(10)
    )
    PinnedQuery.objects.bulk_create(
        PinnedQuery(store=store, memory=note, query=sentence.removeprefix("The ")) for sentence in SENTENCES[:10]
    )
