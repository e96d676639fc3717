"""The index a process keeps of one store: every row's vector, words and filter columns, held in memory."""

from collections.abc import Iterable, Sequence
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.embedding.base import Vectors
from memories.index.codes import Filters
from memories.index.columns import Columns, Mask, Row
from memories.index.postings import Postings
from memories.index.scoring import (
    READ_SHARE,
    Scores,
    Weights,
    combined,
    matches,
    weigh,
    word_scores,
)
from memories.index.sketch import Sketches
from memories.index.terms import TermList

# Rows looked at exactly after the sketch scan, and rows whose common words are counted.
FEWEST_CANDIDATES = 800
MOST_CANDIDATES = 10_000
CANDIDATE_SHARE = 1 / 48
LATE_ROWS = 64
# Below every score: cosines end at -1.
LEFT_OUT = np.float32(-2)


class Hit(NamedTuple):
    """A ranked row: `score` in 0..1 is `meaning_part` (from the cosine) plus `word_part` (from `words`)."""

    id: int
    score: float
    cosine: float
    words: tuple[str, ...]
    meaning_part: float
    word_part: float


class ResidentIndex:
    """Rows of one store in memory. Safe to share between threads: each call sees all of a change or none.

    Products are taken with vecdot, which needs no BLAS threads: those of several workers starve each other.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._lock = RLock()
        self._slot_of: dict[int, int] = {}
        self._free: list[int] = []
        self._used = 0
        self._vectors: Vectors = np.zeros((0, width), np.float32)
        self._terms: list[bytes] = []
        self._sketches = Sketches(width)
        self._columns = Columns()
        self._postings = Postings()

    def __len__(self) -> int:
        return len(self._slot_of)

    def __contains__(self, row_id: int) -> bool:
        return row_id in self._slot_of

    def reserve(self, rows: int) -> None:
        """Make room for `rows` rows at once, before a load whose size is known."""
        with self._lock:
            self._grow(rows)

    def put(self, rows: Iterable[Row]) -> None:
        """Insert rows, or replace those of the same id; of two with one id the later counts.

        Raises ValueError for a vector of another width, before anything is changed.
        """
        batch = list({row.id: row for row in rows}.values())
        if not batch:
            return
        vectors = self._read_vectors(batch)
        with self._lock:
            self._forget([row.id for row in batch if self._changes_words(row)])
            fresh = [row.id not in self._slot_of for row in batch]
            slots = [self._slot(row.id) for row in batch]
            self._columns.write(slots, batch)
            self._vectors[slots] = vectors
            self._sketches.write(slots, vectors)
            self._add_terms([(slot, row.terms) for slot, row, new in zip(slots, batch, fresh, strict=True) if new])

    def remove(self, ids: Iterable[int]) -> None:
        """Forget rows: vector, words and columns are overwritten. Unknown ids are no error."""
        with self._lock:
            self._forget([row_id for row_id in set(ids) if row_id in self._slot_of])

    def search(
        self,
        vector: Vectors,
        query_terms: TermList,
        *,
        k: int,
        filters: Filters | None = None,
        minimum_score: float = 0.0,
        exact: bool = False,
    ) -> list[Hit]:
        """The `k` best of the rows that `filters` admits, best first, ties by id.

        `exact` looks at every admitted row instead of the best estimates: the measure of the usual way.
        `vector` is a unit float32 vector of shape (width,), `query_terms` comes from `terms`. Raises
        ValueError for another width and for a filter that cannot be read.
        """
        self._check_width(vector)
        with self._lock:
            mask = self._columns.admitted(filters or Filters(), self._used)
            found = self._postings.lookup(query_terms.hashes)
            weights = weigh(query_terms, found, len(self), np.inf if exact else READ_SHARE)
            words = word_scores(found, weights, self._used)
            slots = np.flatnonzero(mask) if exact else self._candidates(vector, mask, words)
            cosines = self._cosines(slots, vector)
            top = _best(combined(cosines, words[slots]), max(LATE_ROWS, 4 * k))
            hits = self._hits(slots[top], cosines[top], query_terms, weights, k)
        return [hit for hit in hits if hit.score >= minimum_score]

    def score(self, row_id: int, vector: Vectors, query_terms: TermList) -> Hit | None:
        """How one row of any status scores for a query, None where it is not held; as cheap with many rows as with few.

        Raises ValueError as `search` does.
        """
        self._check_width(vector)
        with self._lock:
            if (slot := self._slot_of.get(row_id)) is None:
                return None
            slots = np.array([slot])
            weights = weigh(query_terms, self._postings.lookup(query_terms.hashes), len(self), READ_SHARE)
            return self._hits(slots, np.vecdot(self._vectors[slots], vector), query_terms, weights, 1)[0]

    def nearest(self, vector: Vectors, *, kind: str, k: int, minimum_cosine: float) -> list[tuple[int, float]]:
        """Ids and cosines of the `k` rows of `kind` nearest to a unit vector, whatever their status."""
        return self.nearest_many(vector[np.newaxis], kind=kind, k=k, minimum_cosine=minimum_cosine)[0]

    def nearest_many(
        self, matrix: Vectors, *, kind: str, k: int, minimum_cosine: float
    ) -> list[list[tuple[int, float]]]:
        """`nearest` for each row of a (n, width) matrix of unit vectors."""
        self._check_width(matrix)
        with self._lock:
            mask = self._columns.of_kind(kind, self._used)
            return [self._nearest(vector, mask, k, minimum_cosine) for vector in matrix]

    def _nearest(self, vector: Vectors, mask: Mask, k: int, minimum: float) -> list[tuple[int, float]]:
        slots = self._sketches.near(vector, minimum, self._used)
        slots = slots[mask[slots]]
        if len(slots) > MOST_CANDIDATES:
            slots = self._candidates(vector, mask, None)
        cosines = np.vecdot(self._vectors[slots], vector)
        near = np.flatnonzero(cosines >= minimum)
        slots, cosines = slots[near], cosines[near]
        order = np.lexsort((self._columns.ids[slots], -cosines))[: max(k, 0)]
        return [(int(self._columns.ids[slots[at]]), float(cosines[at])) for at in order]

    def _cosines(self, slots: NDArray[np.intp], vector: Vectors) -> Scores:
        """Cosines of the rows in `slots`, block after block: one copy of all their vectors would double the index."""
        cosines = np.empty(len(slots), np.float32)
        for start in range(0, len(slots), MOST_CANDIDATES):
            block = slots[start : start + MOST_CANDIDATES]
            np.vecdot(self._vectors[block], vector, out=cosines[start : start + len(block)])
        return cosines

    def _candidates(self, vector: Vectors, mask: Mask, words: Scores | None) -> NDArray[np.intp]:
        """Slots worth an exact look: all that the mask admits, or those of the best estimates."""
        admitted = int(np.count_nonzero(mask))
        # So few are looked at sooner than the sketches of all the others are passed by.
        if admitted <= _share(self._used):
            return np.flatnonzero(mask)
        estimates = self._sketches.cosines(vector, self._used)
        if words is not None:
            estimates = combined(estimates, words)
        np.copyto(estimates, LEFT_OUT, where=~mask)
        return _best(estimates, _share(admitted))

    def _hits(self, slots: NDArray[np.intp], cosines: Scores, query: TermList, weights: Weights, k: int) -> list[Hit]:
        """The k best of `slots` by all of the query's terms, those too common for `word_scores` included."""
        found = matches(query, [self._terms[slot] for slot in slots.tolist()])
        words = found @ weights.each
        ids = self._columns.ids[slots]
        order = np.lexsort((ids, -combined(cosines, words)))[: max(k, 0)]
        cosines, words, counted = cosines[order], words[order], found[order] * weights.each > 0
        columns = (ids[order], combined(cosines, words), cosines, combined(cosines, 0), combined(0, words))
        return [
            Hit(row_id, score, cosine, query.written(which.nonzero()[0].tolist()), meaning, word_part)
            for which, row_id, score, cosine, meaning, word_part in zip(
                counted, *(column.tolist() for column in columns), strict=True
            )
        ]

    def _changes_words(self, row: Row) -> bool:
        slot = self._slot_of.get(row.id)
        return slot is not None and self._terms[slot] != row.terms

    def _slot(self, row_id: int) -> int:
        if row_id not in self._slot_of:
            if self._free:
                self._slot_of[row_id] = self._free.pop()
            else:
                self._slot_of[row_id] = self._used
                self._used += 1
                if self._used > len(self._vectors):
                    self._grow(self._used + self._used // 8 + 64)
        return self._slot_of[row_id]

    def _grow(self, capacity: int) -> None:
        if capacity > len(self._vectors):
            # The allocator moves large blocks by remapping pages, so growing by an eighth copies nothing.
            self._vectors.resize((capacity, self.width), refcheck=False)
            self._terms.extend([b""] * (capacity - len(self._terms)))
            self._sketches.grow(capacity)
            self._columns.grow(capacity)

    def _add_terms(self, pairs: Sequence[tuple[int, bytes]]) -> None:
        for slot, data in pairs:
            self._terms[slot] = data
        if pairs:
            self._postings.add(np.array([slot for slot, _ in pairs], np.int32), [data for _, data in pairs])

    def _forget(self, ids: Sequence[int]) -> None:
        slots = [self._slot_of.pop(row_id) for row_id in ids]
        if slots:
            self._postings.remove(np.array(slots, np.int32), len(self._vectors))
            self._columns.clear(slots)
            self._vectors[slots] = 0
            self._sketches.clear(slots)
            for slot in slots:
                self._terms[slot] = b""
            self._free.extend(slots)

    def _read_vectors(self, rows: Sequence[Row]) -> Vectors:
        for row in rows:
            if len(row.vector) != 4 * self.width:
                raise ValueError(
                    f"Row {row.id} has a vector of {len(row.vector)} bytes where {4 * self.width} are due."
                )
        joined = b"".join(row.vector for row in rows)
        return np.frombuffer(joined, "<f4").reshape(len(rows), self.width).astype(np.float32, copy=False)

    def _check_width(self, vectors: Vectors) -> None:
        if vectors.shape[-1] != self.width or vectors.dtype != np.float32:
            raise ValueError(
                f"The index holds float32 vectors of width {self.width}; it was asked with "
                f"{vectors.dtype} of width {vectors.shape[-1]}."
            )


def _share(rows: int) -> int:
    """How many of `rows` rows are looked at exactly."""
    return min(max(FEWEST_CANDIDATES, int(rows * CANDIDATE_SHARE)), MOST_CANDIDATES)


def _best(scores: Scores, count: int) -> NDArray[np.intp]:
    """Positions of about the `count` highest of `scores`, in order of position; never fewer than `count`."""
    if len(scores) <= count:
        return np.arange(len(scores))
    # A sample tells the cut well enough, and spares partitioning all scores; a fifth more is asked for, so
    # that the true cut rarely lies below.
    step = max(1, count // 128)
    sample = scores[::step]
    # Partitioning values that are mostly alike takes many times as long.
    sample = sample[sample > LEFT_OUT]
    rank = int(1.2 * count / step)
    if rank <= len(sample):
        best = np.flatnonzero(scores >= np.partition(sample, -rank)[-rank])
        if count <= len(best) <= 1.5 * count:
            return best
    return np.argpartition(scores, -count)[-count:]
