"""One score out of two signals, on one absolute scale from 0 to 1."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.index.postings import MOST_IMPACT, Found, impacts
from memories.index.terms import PACKED, TermList, unpack_terms

# Measured on the development data; docs/recall.md has the table.
WORD_WEIGHT = 2.5
TITLE_WEIGHT = 1.75
MOST_TERMS = 24
# Postings read for one query, as a share of the rows, before common terms wait for the last candidates.
READ_SHARE = 0.5

Scores = NDArray[np.float32]


class Weights(NamedTuple):
    """What the query's terms add to a word score, 0 for terms that do not count, summing to 1 / MOST_IMPACT.

    `early` numbers the terms that are read from their postings; the common rest waits for `matches`.
    """

    each: Scores
    early: list[int]


def weigh(query: TermList, found: Found, rows: int, read_share: float = READ_SHARE) -> Weights:
    """Weights of the query's terms among `rows` rows: the MOST_TERMS of most weight count.

    Inverse document frequency, more for words of a title. A term that no row holds counts as the rarest,
    so that a query of unknown words scores low. Source: the BM25 idf with 1 added inside the logarithm,
    which keeps it positive (as Lucene has it).
    """
    held = found.rows_with
    each = np.log1p((rows - held + 0.5) / (held + 0.5)).astype(np.float32)
    each[query.in_title] *= TITLE_WEIGHT
    order = np.argsort(-each, kind="stable")
    each[order[MOST_TERMS:]] = 0
    each /= max(float(each.sum()) * MOST_IMPACT, 1e-9)
    counted = [number for number in order[:MOST_TERMS].tolist() if held[number]]
    reads = np.cumsum(held[counted])
    early = max(1, int(np.searchsorted(reads, read_share * rows, side="right")))
    return Weights(each, counted[:early])


def word_scores(found: Found, weights: Weights, used: int) -> Scores:
    """BM25 of the early terms for each of `used` slots, over the most that the query could score: 0..1."""
    scores = np.zeros(used, np.float32)
    for number in weights.early:
        for slots, parts in found.of_term(number):
            np.add.at(scores, slots, parts.astype(np.float32) * weights.each[number])
    return scores


def matches(query: TermList, packed: Sequence[bytes]) -> Scores:
    """Impact of each query term in each row, from the rows' packed term lists: shape (rows, terms)."""
    entries = unpack_terms(b"".join(packed))
    sizes = [len(data) // PACKED.itemsize for data in packed]
    owner = np.repeat(np.arange(len(packed)), sizes)
    counts = entries.counts.astype(np.float32)
    parts = impacts(counts, np.bincount(owner, counts, len(packed)).astype(np.float32)[owner])
    found = np.zeros((len(packed), len(query.hashes)), np.float32)
    if len(query.hashes):
        at = np.minimum(np.searchsorted(query.hashes, entries.hashes), len(query.hashes) - 1)
        known = query.hashes[at] == entries.hashes
        found[owner[known], at[known]] = parts[known]
    return found


def combined(cosines: Scores | float, words: Scores | float) -> Scores:
    """(max(cosine, 0) + WORD_WEIGHT x word score) / (1 + WORD_WEIGHT): 0 for nothing in common.

    A row that says all of the query and nothing else comes near 1, whatever the store holds, so a minimum
    score keeps its meaning as the store grows.
    """
    return (np.maximum(cosines, 0) + np.float32(WORD_WEIGHT) * words) / np.float32(1 + WORD_WEIGHT)
