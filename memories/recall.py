"""Find the approved notes that help with a text, and quote them into a prompt as labelled, dated, capped hints."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from memories.embedding import embed_query
from memories.index import Filters, Hit, terms
from memories.index.versions import parse_version
from memories.lifetime import unexpired
from memories.models import Kind, Memory, Recall, RecallHit, Run, Status, Store
from memories.quotations import screen_quotation
from memories.resident import ready
from memories.rows import by_id
from memories.screening import normalise
from memories.wording import policy_of

FIELDS = ("id", "kind", "text", "source", "origin", "observed_at", "applies_to")
QUERY_LIMIT = 20_000
KEPT_QUERY = 500


@dataclass(frozen=True)
class Recalled:
    """A recalled note. `score` in 0..1 is `meaning_score`, from the cosine, plus `word_score`, from `words`."""

    id: int
    kind: str
    text: str
    source: str
    origin: str
    observed_at: datetime
    applies_to: str
    score: float = 0.0
    cosine: float = 0.0
    meaning_score: float = 0.0
    word_score: float = 0.0
    words: tuple[str, ...] = ()


def recall(
    store: Store,
    text: str,
    *,
    k: int = 3,
    kinds: Collection[str] = (),
    minimum_score: float | None = None,
    version: str = "",
    sources: Collection[str] = (),
    source_prefix: str = "",
    origin_at_least: str | None = None,
    observed_from: datetime | None = None,
    observed_to: datetime | None = None,
    exclude: Collection[int] = (),
) -> list[Recalled]:
    """Return the `k` best approved, unexpired notes of `store` for `text`, best first.

    A note forgotten or rejected before this call is never among them, one approved before it always counts. With
    `version`, only notes that hold for that product version. `minimum_score` is the store's own unless given.

    Raises:
        ValueError: `version` cannot be read, a kind or an origin is none, `k` is below one, or `minimum_score` is
            outside of 0..1.
        EmbedderError: the store's embedder cannot be used, or did not answer.
    """
    score = store.minimum_score if minimum_score is None else minimum_score
    _check(k, score, version)
    filters = Filters(
        kinds=tuple(kinds) or None,
        sources=tuple(sources) or None,
        source_prefix=source_prefix or None,
        origin_at_least=origin_at_least,
        version=version or None,
        observed_from=_seconds(observed_from),
        observed_to=_seconds(observed_to),
        exclude_ids=tuple(exclude),
        now=_seconds(timezone.now()),
    )
    asked = normalise(text[:QUERY_LIMIT])
    return _ranked(store, asked, k, filters, score) if asked else []


def _check(k: int, score: float, version: str) -> None:
    """Raise ValueError for what can be no look-up."""
    if k < 1:
        raise ValueError("Ask for at least one note.")
    if not 0 <= score <= 1:
        raise ValueError("A minimum score lies between 0 and 1.")
    if version:
        parse_version(version)


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp())


def _ranked(store: Store, text: str, k: int, filters: Filters, minimum_score: float) -> list[Recalled]:
    resident = ready(store)
    vector, words = embed_query(resident.embedder, text), terms(text)
    asked = k
    while True:
        hits = resident.index.search(vector, words, k=asked, filters=filters, minimum_score=minimum_score)
        found = _still_approved(store, hits)
        # Only a note that left between the ranking and this look at its row makes a second round needed.
        if len(found) >= k or len(hits) < asked:
            return found[:k]
        asked = 2 * asked


def _still_approved(store: Store, hits: Sequence[Hit]) -> list[Recalled]:
    rows = by_id(Memory, (*FIELDS, "store_id", "status"), [hit.id for hit in hits])
    approved = (store.pk, Status.APPROVED)
    return [recalled(rows[hit.id], hit) for hit in hits if hit.id in rows and rows[hit.id][-2:] == approved]


def recalled(row: Sequence[Any], hit: Hit) -> Recalled:
    """A note out of its FIELDS, which `row` begins with, and how it scored."""
    values = (*row[: len(FIELDS)], hit.score, hit.cosine, hit.meaning_part, hit.word_part, hit.words)
    return Recalled(*values)


def standing_preferences(store: Store, limit: int = 2) -> list[Recalled]:
    """The newest approved, unexpired preferences, which a prompt can always begin with."""
    alive = Memory.objects.filter(
        unexpired(store, timezone.now()), store=store, status=Status.APPROVED, kind=Kind.PREFERENCE
    )
    return [Recalled(*row) for row in alive.order_by("-observed_at", "-pk").values_list(*FIELDS)[:limit]]


def record_recall(store: Store, query: str, notes: Sequence[Recalled], *, run: Run | None, block_tokens: int) -> Recall:
    """Keep which notes were shown to which run, so that "why did it say that?" has an answer.

    A query that holds a secret or personal data is not kept; the notes it found are.
    """
    verdict = screen_quotation(query[:QUERY_LIMIT], policy_of(store))
    text = "" if verdict.decision == "refuse" else verdict.text[:KEPT_QUERY]
    with transaction.atomic():
        kept = Recall.objects.create(store=store, run=run, query=text, block_tokens=block_tokens, at=timezone.now())
        alive = set(Memory.objects.filter(store=store, pk__in=[note.id for note in notes]).values_list("pk", flat=True))
        RecallHit.objects.bulk_create(
            RecallHit(
                recall=kept,
                memory_id=note.id,
                rank=rank,
                score=note.score,
                cosine=note.cosine,
                word_score=note.word_score,
            )
            for rank, note in enumerate(notes, start=1)
            if note.id in alive
        )
    return kept
