"""Made-up notes by the million, for trying things out at real size. They pass no filter and no review."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from itertools import product
from typing import Any

from django.db import transaction
from django.utils import timezone

from memories.audit import Actor, record
from memories.embedding import Vectors, pack
from memories.index import pack_terms, terms
from memories.models import Action, Kind, Memory, MemorySource, Origin, Status, Store
from memories.resident import embedder_of
from memories.rows import insert

BATCH = 2_000
PARTS = ("worker", "broker", "scheduler", "dashboard", "exporter", "gateway", "cache", "queue", "importer", "mailer")
EVENTS = (
    "drops its lease", "restarts", "logs a warning", "keeps the old value", "reads the wrong table",
    "waits for a lock", "sends the report twice", "ignores the setting", "needs a second attempt", "answers late",
)  # fmt: skip
CAUSES = (
    "after a failover", "when the clock goes back", "behind a proxy", "under memory pressure", "during an upgrade",
    "with a full disk", "on the first day of the month", "while the index is rebuilt", "for long jobs", "at night",
)  # fmt: skip
SENTENCES = [f"The {part} {event} {cause}" for part, event, cause in product(PARTS, EVENTS, CAUSES)]
STATUSES = [Status.APPROVED] * 18 + [Status.PROPOSED, Status.REJECTED]
KINDS = [Kind.FACT] * 14 + [Kind.EPISODE] * 4 + [Kind.PREFERENCE, Kind.PROCEDURE]
ORIGINS = [Origin.AGENT_DERIVED] * 17 + [Origin.UNTRUSTED, Origin.USER_STATED, Origin.MAINTAINER]
SOURCES = 2_000


def fill(store: Store, count: int, actor: Actor, progress: Callable[[int], object] | None = None) -> None:
    """Add `count` made-up notes to `store`, in batches of one transaction each."""
    chance = random.Random(count)  # noqa: S311 - the same notes each time
    for start in range(0, count, BATCH):
        size = min(BATCH, count - start)
        _add_batch(store, start, size, actor, chance)
        if progress:
            progress(size)


def _add_batch(store: Store, start: int, size: int, actor: Actor, chance: random.Random) -> None:
    texts = [f"{chance.choice(SENTENCES)}, as seen in case {start + number}." for number in range(size)]
    vectors = embedder_of(store).embed(texts)
    now = timezone.now()
    with transaction.atomic():
        same = {"store_id": store.pk, "proposer": actor.label, "width": store.width}
        same["revision"] = store.next_revision()
        notes = [same | _note(text, vector, now, chance) for text, vector in zip(texts, vectors, strict=True)]
        ids = insert(Memory, notes)
        insert(MemorySource, [_source(pk, note) for pk, note in zip(ids, notes, strict=True)])
        record(store, actor, Action.PROPOSED, count=size)


def _note(text: str, vector: Vectors, now: datetime, chance: random.Random) -> dict[str, Any]:
    learnt = now - timedelta(minutes=chance.randrange(60 * 24 * 80))
    status = chance.choice(STATUSES)
    return {
        "kind": chance.choice(KINDS),
        "text": text,
        # As in real stores, a few sources tell most: the first tells one note in eleven.
        "source": f"issue:{int(SOURCES ** chance.random())}",
        "origin": chance.choice(ORIGINS),
        "observed_at": learnt,
        "status": status,
        "decided_at": None if status == Status.PROPOSED else learnt,
        "embedding": pack(vector),
        "terms": pack_terms(terms(text)),
        "created_at": learnt,
        "changed_at": learnt,
    }


def _source(memory_id: int, note: Mapping[str, Any]) -> dict[str, Any]:
    return {"memory_id": memory_id} | {name: note[name] for name in ("store_id", "source", "origin", "observed_at")}
