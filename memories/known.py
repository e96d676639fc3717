"""Is a draft already known? Compare it with the nearest notes of its kind, stored ones and those of its own batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from memories.embedding.base import Vectors
from memories.index import ResidentIndex, compare, pack_terms, terms
from memories.models import Memory, Status, Store
from memories.resident import ready, warm
from memories.rows import Values, by_id

# Enough that notes saying the same of other versions do not hide the one of this version.
NEAREST = 12
TEXTS = ("text", "applies_to", "status")
SAME = ("kind", "text", "applies_to")


class Candidate(NamedTuple):
    """What is compared: a draft with its vector, None while the embedder is out of reach."""

    kind: str
    text: str
    applies_to: str
    vector: Vectors | None


class Neighbour(NamedTuple):
    """A note that reads alike, by its id, or by its position in the batch where it has no id yet."""

    number: int
    in_batch: bool


@dataclass
class Relation:
    """What a draft repeats, or what it conflicts with; neither for something new."""

    repeats: Neighbour | None = None
    conflicts: Neighbour | None = None


@dataclass
class Known:
    """The notes of one store to compare with."""

    store: Store
    texts: dict[int, Values] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # A cold load takes a while, and must not hold the write transaction up.
        warm(self.store)

    def relate(self, batch: Sequence[Candidate]) -> list[Relation]:
        """Say for each of `batch` what it repeats or conflicts with; call it inside the transaction that writes.

        Later drafts are compared with earlier ones of the batch too.
        """
        near = self._nearest(batch)
        self.texts = by_id(Memory, TEXTS, {number for found in near for number, _cosine in found})
        cosines = _Cosines(batch)
        relations: list[Relation] = []
        for at, candidate in enumerate(batch):
            earlier = _kept(cosines.earlier(at, self.store.dedupe_threshold), candidate, relations, batch)
            relations.append(self._relation(candidate, near[at], earlier, batch))
        return relations

    def _nearest(self, batch: Sequence[Candidate]) -> list[list[tuple[int, float]]]:
        index = ready(self.store).index
        found = self._same_texts(batch, index)
        for kind in {one.kind for one in batch}:
            places = [at for at, one in enumerate(batch) if one.kind == kind and one.vector is not None]
            if places:
                matrix = np.stack([vector for at in places if (vector := batch[at].vector) is not None])
                threshold = self.store.dedupe_threshold
                near = index.nearest_many(matrix, kind=kind, k=NEAREST, minimum_cosine=threshold)
                for at, neighbours in zip(places, near, strict=True):
                    found[at] = neighbours
        return found

    def _same_texts(self, batch: Sequence[Candidate], index: ResidentIndex) -> list[list[tuple[int, float]]]:
        """Without a vector only the same words count, of the notes that the index holds and of those that wait too."""
        texts = {one.text for one in batch if one.vector is None}
        if not texts:
            return [[] for _one in batch]
        held = {number for text in texts for number in index.with_terms(pack_terms(terms(text)))}
        rows = by_id(Memory, SAME, held)
        # No index holds texts: among all notes of a large store the look would hold the write transaction up.
        waiting = Memory.objects.filter(store=self.store, embedding=None, text__in=texts).order_by("pk")
        rows |= {number: tuple(values) for number, *values in waiting.values_list("pk", *SAME)}
        numbers = {values: number for number, values in sorted(rows.items(), reverse=True)}
        keys = [None if one.vector is not None else (one.kind, one.text, one.applies_to) for one in batch]
        return [[(numbers[key], 1.0)] if key in numbers else [] for key in keys]

    def _relation(
        self,
        one: Candidate,
        near: Sequence[tuple[int, float]],
        earlier: Sequence[tuple[int, float]],
        batch: Sequence[Candidate],
    ) -> Relation:
        relation = Relation()
        for neighbour, cosine, text, applies_to, status in self._neighbours(near, earlier, batch):
            if applies_to != one.applies_to:
                continue  # The same words about another version are another note.
            found = compare(one.text, text, cosine, self.store.dedupe_threshold)
            if found == "duplicate":
                return Relation(repeats=neighbour)
            if found == "conflict" and relation.conflicts is None and status != Status.REJECTED:
                relation.conflicts = neighbour
        return relation

    def _neighbours(
        self, near: Sequence[tuple[int, float]], earlier: Sequence[tuple[int, float]], batch: Sequence[Candidate]
    ) -> Iterator[tuple[Neighbour, float, str, str, str]]:
        for number, cosine in near:
            if number in self.texts:
                yield Neighbour(number, in_batch=False), cosine, *self.texts[number]
        for at, cosine in earlier:
            yield Neighbour(at, in_batch=True), cosine, batch[at].text, batch[at].applies_to, Status.PROPOSED


class _Cosines:
    """Cosines between the drafts of a batch; the same words are near even without a vector."""

    def __init__(self, batch: Sequence[Candidate]) -> None:
        width = max((len(one.vector) for one in batch if one.vector is not None), default=1)
        self._matrix = np.zeros((len(batch), width), np.float32)
        for at, one in enumerate(batch):
            if one.vector is not None:
                self._matrix[at] = one.vector
        numbers = {text: number for number, text in enumerate({one.text for one in batch})}
        self._texts = np.array([numbers[one.text] for one in batch], np.int64)

    def earlier(self, at: int, minimum: float) -> list[tuple[int, float]]:
        """Positions and cosines of the drafts before position `at` that have at least the `minimum`."""
        cosines = self._matrix[:at] @ self._matrix[at]
        cosines[self._texts[:at] == self._texts[at]] = 1
        return [(int(other), float(cosines[other])) for other in np.flatnonzero(cosines >= minimum)]


def _kept(
    earlier: Sequence[tuple[int, float]],
    one: Candidate,
    relations: Sequence[Relation],
    batch: Sequence[Candidate],
) -> list[tuple[int, float]]:
    """Of earlier drafts those that will be notes of the same kind, nearest first."""
    kept = [pair for pair in earlier if relations[pair[0]].repeats is None and batch[pair[0]].kind == one.kind]
    return sorted(kept, key=lambda pair: -pair[1])[:NEAREST]
