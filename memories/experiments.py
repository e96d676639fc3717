"""The experiments that the demo data was written for: what curation, versions and the filter change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import mean
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from memories.audit import Actor
from memories.block import count_tokens
from memories.demo import DATASETS, STORES, load_curated, read
from memories.embedding import measured
from memories.models import Membership, Memory, Role, Status, Store, VersionRule
from memories.propose import propose, propose_many
from memories.recall import recall
from memories.resident import drop_all
from memories.review import approve
from memories.schemas import Draft

K = 3
STORED_CHARACTERS = 600
EMBEDDER = "wordllama"


@dataclass
class Row:
    """One line of the table."""

    experiment: str
    result: str
    holds: bool


@dataclass
class Bench:
    """A store for one experiment, with the number of each curated note by its key."""

    store: Store
    mara: Actor
    keys: dict[str, int] = field(default_factory=dict)


def run_experiments() -> list[Row]:
    """Run them all in one transaction that is rolled back: nothing of them stays."""
    return [*orbit(), *small_store("travel"), *small_store("assistant")]


@contextmanager
def bench(dataset: str, **fields: Any) -> Iterator[Bench]:
    """A store with the curated notes of `dataset`, gone again at the end."""
    try:
        with transaction.atomic():
            store = Store.objects.create(
                slug=f"experiment-{dataset}",
                name=dataset,
                embedder=EMBEDDER,
                dedupe_threshold=measured(EMBEDDER).dedupe,
                minimum_score=STORES[dataset]["minimum_score"],
                **{"fact_days": None, "episode_days": None, "version_rule": VersionRule.OPTIONAL, **fields},
            )
            user = User.objects.create(username=f"experiment-{timezone.now().timestamp()}")
            Membership.objects.create(store=store, user=user, role=Role.MAINTAINER)
            made = Bench(store, Actor.person(user))
            for row in read(DATASETS / dataset / "curated.jsonl"):
                made.keys[row["key"]] = load_curated(store, row, made.mara).pk
            yield made
            transaction.set_rollback(True)
    finally:
        drop_all()


def orbit() -> list[Row]:
    queries = read(DATASETS / "orbit" / "queries.jsonl")
    repeats = [query for query in queries if query["id"].startswith("repeat-")]
    with bench("orbit") as curated:
        found, tokens = _repeats(curated, repeats)
        result = f"recall@3 {found}/{len(repeats)}, {tokens:.0f} tokens of notes a block"
        rows = [Row("curated notes", result, found == len(repeats))]
        rows += [_guard(curated, queries), _poison(curated)]
    unscreened = {"policy": {"maximum_length": 1_000, "families": dict.fromkeys(FAMILIES, "rest")}}
    with bench("orbit", **unscreened) as everything:
        _store_docs(everything)
        worse, larger = _repeats(everything, repeats)
    result = (
        f"recall@3 {worse}/{len(repeats)}, {larger:.0f} tokens of notes a block, {larger / tokens:.1f} times as many"
    )
    rows.insert(1, Row("every doc page stored as well", result, worse < found and larger > 2 * tokens))
    return rows


FAMILIES = ("hygiene", "instruction", "credential", "personal", "quality")


def _repeats(made: Bench, repeats: list[dict[str, Any]]) -> tuple[int, float]:
    """How many repeats recall their original's note, and the mean tokens of the notes in their blocks."""
    found, tokens = 0, []
    for query in repeats:
        notes = recall(made.store, query["query"], k=K, minimum_score=0.0)
        found += any(made.keys[key] in {note.id for note in notes} for key in query["relevant"])
        tokens.append(sum(count_tokens(note.text) for note in notes))
    return found, mean(tokens)


def _store_docs(made: Bench) -> None:
    """Keep the start of every doc page as a note, as a memory without curation would."""
    for page in sorted((DATASETS / "orbit" / "docs").glob("*.md")):
        draft = Draft(text=page.read_text(encoding="utf-8")[:STORED_CHARACTERS], source=f"doc:{page.stem}")
        outcome = propose(made.store, draft, Actor.command("experiments"))
        note = Memory.objects.get(pk=outcome.id or 0)
        if note.status == Status.PROPOSED:
            approve(made.store, note.pk, made.mara, version=note.version)


def _guard(made: Bench, queries: list[dict[str, Any]]) -> Row:
    """The note on 2.x outranks the one on 3.x, unless the question says which version it is about."""
    query = next(query for query in queries if query["id"] == "concurrency-3x")
    old, new = made.keys["concurrency-2x"], made.keys["concurrency-3x"]
    unguarded = [note.id for note in recall(made.store, query["query"], k=5)]
    guarded = [note.id for note in recall(made.store, query["query"], k=5, version=query["version"])]
    first = old in unguarded and (new not in unguarded or unguarded.index(old) < unguarded.index(new))
    without = "outranks" if first else "does not outrank"
    within = "absent" if old not in guarded else "present"
    return Row(
        "version guard",
        f"without it the 2.x note {without} the 3.x note; with it the 2.x note is {within}",
        first and old not in guarded and new in guarded,
    )


def _poison(made: Bench) -> Row:
    rows = [row for row in read(DATASETS / "orbit" / "proposals.jsonl") if row.get("expect") == "refused"]
    drafts = [Draft.model_validate({**row, "run": ""}) for row in rows]
    outcomes = propose_many(made.store, drafts, Actor.agent("atlas"))
    refused = sum(outcome.outcome == "refused" for outcome in outcomes)
    return Row("poisoned and secret drafts", f"{refused} of {len(rows)} refused", refused == len(rows))


def small_store(dataset: str) -> list[Row]:
    """Each question recalls what it should, and nothing where nothing fits."""
    rows = []
    with bench(dataset) as made:
        for query in read(DATASETS / dataset / "queries.jsonl"):
            numbers = {note.id for note in recall(made.store, query["query"], k=K)}
            wanted = {made.keys[key] for key in query["relevant"]}
            names = [key for key, number in made.keys.items() if number in numbers]
            holds = wanted <= numbers if wanted else not numbers
            rows.append(Row(f"{dataset}: “{query['query']}”", ", ".join(names) or "nothing", holds))
    return rows
