"""One-bit sketches: which side of zero each value of a vector lies on, scanned by counting bits."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from memories.embedding.base import Vectors

WORD = 64
FEWEST_BITS = 512
BLOCK = 32_768
# Bits of three words add up to at most 192: the sum of a group fits into a byte.
GROUP = 3
DEVIATIONS = 3.5
# Bits that may differ between equal vectors: values next to zero, multiplied out in another order.
ROUNDED = 4


class Sketches:
    """Sign bits of the vectors at slots 0.., 64 to a word, one array for each word so that a scan streams.

    A vector of 512 values or more gives a bit a value, a narrower one is first turned by random rotations
    until there are 512: at 256 values that halves the candidates needed. A sketch takes a 32nd of the bytes
    of a wide vector, a 16th at 256 values.
    """

    def __init__(self, width: int) -> None:
        turns = -(-FEWEST_BITS // width)
        self._rotations = _rotations(width, turns) if turns > 1 else None
        self._bits = width * turns
        self._words = [np.zeros(0, np.uint64) for _ in range(-(-self._bits // WORD))]

    def grow(self, capacity: int) -> None:
        """Make room for `capacity` slots."""
        for word in self._words:
            word.resize(capacity, refcheck=False)

    def write(self, slots: list[int], vectors: Vectors) -> None:
        """Keep the signs of `vectors` (n, width) at `slots`."""
        for word, signs in zip(self._words, self._signs(vectors).T, strict=True):
            word[slots] = signs

    def clear(self, slots: list[int]) -> None:
        """Leave nothing of the vectors at `slots`."""
        for word in self._words:
            word[slots] = 0

    def cosines(self, vector: Vectors, used: int) -> NDArray[np.float32]:
        """Estimated cosine of a vector to each of the first `used` slots, shape (used,).

        A share h of differing signs estimates the angle pi x h (Charikar 2002, "Similarity Estimation
        Techniques from Rounding Algorithms"); its cosine is taken by a cubic that is within 0.01.
        """
        query = self._signs(vector[np.newaxis])[0]
        estimates = np.empty(used, np.float32)
        for start in range(0, used, BLOCK):
            block = slice(start, min(start + BLOCK, used))
            estimates[block] = _cosine_of(self._differing(query, block), self._bits)
        return estimates

    def near(self, vector: Vectors, minimum: float, used: int) -> NDArray[np.intp]:
        """Those of the first `used` slots whose cosine to a vector may reach `minimum`, and a few others.

        Each group of words rules more of them out, so that little is read of most. A row is missed where its signs
        differ by 3.5 standard deviations more than its angle says: none of 4,000 that just reached .8 was.
        """
        query = self._signs(vector[np.newaxis])[0]
        firsts = range(0, len(query), GROUP)
        most = [_most_differing(min((first + GROUP) * WORD, self._bits), minimum) for first in firsts]
        blocks = [slice(start, min(start + BLOCK, used)) for start in range(0, used, BLOCK)]
        return np.concatenate([np.zeros(0, np.intp), *(self._near(query, most, block) for block in blocks)])

    def _near(self, query: NDArray[np.uint64], most: Sequence[float], block: slice) -> NDArray[np.intp]:
        differing = self._group(query, 0, block).astype(np.uint16)
        left = np.flatnonzero(differing <= most[0])
        differing = differing.take(left)
        slots: NDArray[np.intp] = left + block.start
        for first, limit in zip(range(GROUP, len(query), GROUP), most[1:], strict=True):
            differing += self._group(query, first, slots)
            left = np.flatnonzero(differing <= limit)
            differing, slots = differing.take(left), slots.take(left)
        return slots

    def _differing(self, query: NDArray[np.uint64], which: slice | NDArray[np.intp]) -> NDArray[np.uint16]:
        total = self._group(query, 0, which).astype(np.uint16)
        for first in range(GROUP, len(query), GROUP):
            total += self._group(query, first, which)
        return total

    def _group(self, query: NDArray[np.uint64], first: int, which: slice | NDArray[np.intp]) -> NDArray[np.uint8]:
        """Number of differing bits in the group of words that begins with number `first`."""
        group: NDArray[np.uint8] = np.bitwise_count(self._words[first][which] ^ query[first])
        for number in range(first + 1, min(first + GROUP, len(query))):
            group += np.bitwise_count(self._words[number][which] ^ query[number])
        return group

    def _signs(self, vectors: Vectors) -> NDArray[np.uint64]:
        turned = vectors if self._rotations is None else _products(vectors, self._rotations)
        packed = np.zeros((len(vectors), len(self._words) * (WORD // 8)), np.uint8)
        bits = np.packbits(turned > 0, axis=1)
        packed[:, : bits.shape[1]] = bits
        return packed.view(np.uint64)


@lru_cache(maxsize=4)
def _rotations(width: int, turns: int) -> Vectors:
    """Random rotations one below the other, (width x turns, width); the same ones in every process."""
    random = np.random.default_rng(0)
    turned = [np.linalg.qr(random.standard_normal((width, width)))[0] for _ in range(turns)]
    return np.concatenate(turned).astype(np.float32)


def _products(vectors: Vectors, rotations: Vectors) -> Vectors:
    if len(vectors) > 1:
        return vectors @ rotations.T
    # A batch is worth the BLAS threads, a single query is not.
    turned: Vectors = np.vecdot(rotations, vectors)
    return turned[np.newaxis]


def _most_differing(bits: int, minimum: float) -> float:
    """Most differing bits of two vectors whose cosine is `minimum`: each differs with probability angle / pi."""
    share = float(np.arccos(min(max(minimum, -1.0), 1.0))) / np.pi
    return bits * share + DEVIATIONS * float(np.sqrt(bits * share * (1 - share))) + ROUNDED


def _cosine_of(differing: NDArray[np.uint16], bits: int) -> NDArray[np.float32]:
    # cos(pi h) = sin(pi/2 x) with x = 1 - 2h, and sin by an odd polynomial fitted on -1..1.
    x = differing.astype(np.float32)
    x *= np.float32(-2 / bits)
    x += np.float32(1)
    curve = x * x
    curve *= np.float32(-0.5621)
    curve += np.float32(1.5532)
    curve *= x
    return curve
