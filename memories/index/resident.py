"""The index a process keeps of one store: every row's vector, words and filter columns, held in memory."""

from collections.abc import Iterable, Sequence
from threading import RLock
from typing import NamedTuple

import numpy as np

from memories.embedding.base import Vectors
from memories.index.codes import Filters
from memories.index.columns import Columns, Mask, Row
from memories.index.postings import Postings
from memories.index.scoring import WORD_WEIGHT, combined, weigh, word_scores
from memories.index.terms import TermList, unpack_terms


class Hit(NamedTuple):
    """A ranked row: `score` in 0..1 is `meaning_part` (from the cosine) plus `word_part` (from `words`)."""

    id: int
    score: float
    cosine: float
    words: tuple[str, ...]
    meaning_part: float
    word_part: float


class ResidentIndex:
    """Rows of one store in memory. Safe to share between threads: each call sees all of a change or none."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._lock = RLock()
        self._slot_of: dict[int, int] = {}
        self._free: list[int] = []
        self._used = 0
        self._vectors: Vectors = np.zeros((0, width), np.float32)
        self._terms: list[bytes] = []
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
    ) -> list[Hit]:
        """The `k` best of the rows that `filters` admits, best first, ties by id.

        `vector` is a unit float32 vector of shape (width,). Raises ValueError for another width.
        """
        self._check_width(vector)
        with self._lock:
            mask = self._columns.admitted(filters or Filters(), self._used)
            slots = np.flatnonzero(mask)
            found = self._postings.lookup(query_terms.hashes)
            words = word_scores(found, weigh(found, len(self)), self._used)[slots]
            cosines = self._vectors[: self._used] @ vector
            cosines = cosines[slots]
            scores = combined(cosines, words)
            best = np.lexsort((self._columns.ids[slots], -scores))[:k]
            return [
                self._hit(int(slots[at]), float(cosines[at]), float(words[at]), query_terms)
                for at in best
                if scores[at] >= minimum_score
            ]

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
        cosines = self._vectors[: self._used] @ vector
        slots = np.flatnonzero(mask & (cosines >= minimum))
        best = slots[np.argsort(-cosines[slots], kind="stable")[:k]]
        return [(int(self._columns.ids[slot]), float(cosines[slot])) for slot in best]

    def _hit(self, slot: int, cosine: float, word_score: float, query: TermList) -> Hit:
        held = np.isin(query.hashes, unpack_terms(self._terms[slot]).hashes)
        words = tuple(dict.fromkeys(word for word, has in zip(query.words, held, strict=True) if has))
        meaning, word_part = (
            max(cosine, 0.0) / (1 + WORD_WEIGHT),
            WORD_WEIGHT * word_score / (1 + WORD_WEIGHT),
        )
        return Hit(int(self._columns.ids[slot]), meaning + word_part, cosine, words, meaning, word_part)

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
            for slot in slots:
                self._terms[slot] = b""
            self._free.extend(slots)

    def _read_vectors(self, rows: Sequence[Row]) -> Vectors:
        for row in rows:
            if len(row.vector) != 4 * self.width:
                raise ValueError(
                    f"Row {row.id} has a vector of width {len(row.vector) / 4:g}, this index holds {self.width}."
                )
        joined = b"".join(row.vector for row in rows)
        return np.frombuffer(joined, "<f4").reshape(len(rows), self.width).astype(np.float32, copy=False)

    def _check_width(self, vectors: Vectors) -> None:
        if vectors.shape[-1] != self.width or vectors.dtype != np.float32:
            raise ValueError(
                f"The index holds float32 vectors of width {self.width}; it was asked with "
                f"{vectors.dtype} of width {vectors.shape[-1]}."
            )
