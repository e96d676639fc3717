"""Which rows hold which terms: an inverted index that grows in place and forgets on the spot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memories.index.terms import PACKED

Slots = NDArray[np.int32]
Hashes = NDArray[np.uint32]
Impacts = NDArray[np.float16]

SATURATION = 0.9
LENGTH_INFLUENCE = 0.5
TYPICAL_LENGTH = 32.0
MOST_IMPACT = SATURATION + 1
GROWTH = 4


def impacts(counts: NDArray[np.floating], lengths: NDArray[np.floating] | float) -> NDArray[np.floating]:
    """Term-frequency part of BM25, in 0..MOST_IMPACT, for counts in texts of `lengths` terms.

    Lengths are set against a fixed typical length, not the collection's mean, so that a row's part never
    changes when others come and go. Source: Robertson & Zaragoza 2009, "The Probabilistic Relevance
    Framework: BM25 and Beyond", with k1 = SATURATION and b = LENGTH_INFLUENCE.
    """
    dampening = SATURATION * (1 - LENGTH_INFLUENCE + LENGTH_INFLUENCE * lengths / TYPICAL_LENGTH)
    return counts * MOST_IMPACT / (counts + dampening)


@dataclass(frozen=True)
class _Segment:
    """Postings in term order: those of `vocabulary[i]` lie at `starts[i]:starts[i + 1]`."""

    vocabulary: Hashes
    starts: NDArray[np.int64]
    slots: Slots
    impacts: Impacts

    def hashes(self) -> Hashes:
        return np.repeat(self.vocabulary, np.diff(self.starts))


class Postings:
    """Segments of postings, each at least GROWTH times the next: few to search, few to rewrite."""

    def __init__(self) -> None:
        self._segments: list[_Segment] = []

    def add(self, slots: Slots, packed: Sequence[bytes]) -> None:
        """Add the packed term lists of rows that hold no postings yet."""
        entries = np.frombuffer(b"".join(packed), PACKED)
        sizes = np.fromiter((len(data) // PACKED.itemsize for data in packed), np.int64, len(packed))
        owner = np.repeat(np.arange(len(packed)), sizes)
        counts = entries["count"].astype(np.float32)
        lengths = np.bincount(owner, counts, len(packed)).astype(np.float32)
        parts = impacts(counts, lengths[owner]).astype(np.float16)
        self._push(np.ascontiguousarray(entries["hash"]), slots[owner], parts)

    def remove(self, slots: Slots, capacity: int) -> None:
        """Take every posting of `slots` out, and with it every term that no other row holds."""
        gone = np.zeros(capacity, dtype=np.bool_)
        gone[slots] = True
        for number, segment in enumerate(self._segments):
            hit = np.flatnonzero(gone[segment.slots])
            if len(hit):
                self._segments[number] = _without(segment, hit)
                segment.slots[hit] = 0

    def lookup(self, hashes: Hashes) -> "Found":
        """Where the postings of each term lie."""
        spans = [_spans(segment, hashes) for segment in self._segments if len(segment.vocabulary)]
        return Found([segment for segment in self._segments if len(segment.vocabulary)], spans, len(hashes))

    def _push(self, hashes: Hashes, slots: Slots, parts: Impacts) -> None:
        while self._segments and len(self._segments[-1].slots) < GROWTH * len(slots):
            older = self._segments.pop()
            hashes = np.concatenate([older.hashes(), hashes])
            slots = np.concatenate([older.slots, slots])
            parts = np.concatenate([older.impacts, parts])
        self._segments.append(_sealed(hashes, slots, parts))


class Found:
    """Postings of the terms of one query, term number `i` being the i-th hash that was looked up."""

    def __init__(
        self,
        segments: Sequence[_Segment],
        spans: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
        size: int,
    ) -> None:
        self._segments = segments
        self._spans = spans
        # Number of rows that hold each term, shape (terms,).
        self.rows_with = np.zeros(size, np.int64)
        for starts, ends in spans:
            self.rows_with += ends - starts

    def of_term(self, number: int) -> Iterator[tuple[Slots, Impacts]]:
        """Slots and impacts of one term, a pair for each segment that has it."""
        for segment, (starts, ends) in zip(self._segments, self._spans, strict=True):
            if starts[number] < ends[number]:
                span = slice(starts[number], ends[number])
                yield segment.slots[span], segment.impacts[span]


def _spans(segment: _Segment, hashes: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    at = np.searchsorted(segment.vocabulary, hashes)
    known = segment.vocabulary[np.minimum(at, len(segment.vocabulary) - 1)] == hashes
    starts = segment.starts[at]
    ends = np.where(known, segment.starts[np.minimum(at + 1, len(segment.vocabulary))], starts)
    return starts, ends


def _without(segment: _Segment, postings: NDArray[np.intp]) -> _Segment:
    sizes = np.diff(segment.starts)
    np.subtract.at(sizes, np.searchsorted(segment.starts, postings, side="right") - 1, 1)
    left = sizes > 0
    return _Segment(
        segment.vocabulary[left],
        np.concatenate([[0], np.cumsum(sizes[left])]),
        np.delete(segment.slots, postings),
        np.delete(segment.impacts, postings),
    )


def _sealed(hashes: Hashes, slots: Slots, parts: Impacts) -> _Segment:
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    changes = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    firsts = np.concatenate([np.zeros(min(len(ordered), 1), np.int64), changes])
    return _Segment(ordered[firsts], np.append(firsts, len(ordered)), slots[order], parts[order])
