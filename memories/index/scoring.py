"""One score out of two signals, on one absolute scale from 0 to 1."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.index.postings import MOST_IMPACT, Found

WORD_WEIGHT = 2.0

Scores = NDArray[np.float32]


class Weights(NamedTuple):
    """What each query term can add to a word score: `idf` over `most`, the sum that a perfect row reaches."""

    idf: Scores
    most: float


def weigh(found: Found, rows: int) -> Weights:
    """Inverse document frequencies of the query's terms among `rows` rows.

    A term that no row holds counts with the highest weight, so that a query of unknown words scores low.
    Source: the BM25 idf with 1 added inside the logarithm, which keeps it positive (as Lucene has it).
    """
    with_term = found.rows_with
    idf = np.log1p((rows - with_term + 0.5) / (with_term + 0.5)).astype(np.float32)
    return Weights(idf, max(float(idf.sum()) * MOST_IMPACT, 1e-9))


def word_scores(found: Found, weights: Weights, used: int) -> Scores:
    """BM25 of each of `used` slots divided by the most that the query could score: shape (used,), 0..1."""
    scores = np.zeros(used, np.float32)
    for number, idf in enumerate(weights.idf / np.float32(weights.most)):
        for slots, parts in found.of_term(number):
            scores[slots] += parts.astype(np.float32) * idf
    return scores


def combined(cosines: Scores, words: Scores) -> Scores:
    """(max(cosine, 0) + WORD_WEIGHT x word score) / (1 + WORD_WEIGHT): 1 for the query's own text."""
    return (np.maximum(cosines, 0) + np.float32(WORD_WEIGHT) * words) / np.float32(1 + WORD_WEIGHT)
