"""What lies beside one note on the desk: its nearest notes with what differs, and the recalls it would change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Prefetch
from django.utils import timezone

from memories.embedding import embed_query, unpack
from memories.index import Difference, Hit, differences, terms
from memories.lifetime import end_of
from memories.models import Memory, Recall, Store
from memories.resident import ready

NEAREST = 4
# A cosine below which notes share a topic at best.
NEAR_ENOUGH = 0.55
# Looking for closer ones first rules out most of a large store, and usually finds enough.
CLOSE = 0.9
RECALLS_LOOKED_AT = 12
USUAL_RECALL = 3


class Near(NamedTuple):
    """A note of the same kind that reads alike."""

    note: Memory
    cosine: float
    differences: tuple[Difference, ...]
    conflict: bool


def nearest(store: Store, note: Memory) -> list[Near]:
    """The notes nearest to `note`, whatever their status, the one it conflicts with first.

    Raises:
        EmbedderError: the store's embedder cannot be used; the message says what to do.
    """
    if note.embedding is None:
        return []
    index = ready(store).index
    vector = unpack(bytes(note.embedding), store.width)
    found: list[tuple[int, float]] = []
    for minimum in (CLOSE, NEAR_ENOUGH):
        found = index.nearest(vector, kind=note.kind, k=NEAREST + 1, minimum_cosine=minimum)
        if len(found) > NEAREST:
            break
    cosines = {pk: cosine for pk, cosine in found if pk != note.pk}
    if note.conflicts_with_id:
        cosines.setdefault(note.conflicts_with_id, 0.0)
    rows = Memory.objects.filter(store=store, pk__in=cosines).defer("embedding", "terms")
    near = [_near(note, other, cosines[other.pk]) for other in rows]
    return sorted(near, key=lambda one: (not one.conflict, -one.cosine))[:NEAREST]


def _near(note: Memory, other: Memory, cosine: float) -> Near:
    return Near(other, cosine, differences(note.text, other.text), other.pk == note.conflicts_with_id)


@dataclass(frozen=True)
class Change:
    """A recall made lately that would show the note at `rank` if it were asked again, above `below`."""

    recall: Recall
    rank: int
    below: list[Memory]


def changes(store: Store, note: Memory) -> list[Change]:
    """Which of the latest recalls would show `note` once it is approved, judged by the scores they had.

    Raises:
        EmbedderError: the store's embedder cannot be used, or did not answer.
    """
    if note.embedding is None or _ended(store, note):
        return []
    resident = ready(store)
    notes = Prefetch("hits__memory", Memory.objects.defer("embedding", "terms"))
    recalls = Recall.objects.filter(store=store).exclude(query="").prefetch_related(notes)
    found = []
    for recall in recalls[:RECALLS_LOOKED_AT]:
        vector = embed_query(resident.embedder, recall.query)
        hit = resident.index.score(note.pk, vector, terms(recall.query))
        if hit and hit.score >= store.minimum_score and (change := _change(recall, note, hit)):
            found.append(change)
    return found


def _ended(store: Store, note: Memory) -> bool:
    end = end_of(note.observed_at, note.expires_at, store.days_kept(note.kind))
    return end is not None and end <= timezone.now()


def _change(recall: Recall, note: Memory, hit: Hit) -> Change | None:
    hits = [one for one in recall.hits.all() if one.memory_id != note.pk]
    above = [one for one in hits if one.score >= hit.score]
    if len(above) >= max(USUAL_RECALL, len(hits)):
        return None
    return Change(recall, len(above) + 1, [one.memory for one in hits if one.score < hit.score])
