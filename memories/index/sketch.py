"""One-bit sketches: which side of zero each value of a vector lies on, scanned by counting bits."""

import numpy as np
from numpy.typing import NDArray

from memories.embedding.base import Vectors

BITS = 64
BLOCK = 32_768


class Sketches:
    """Sign bits of the vectors at slots 0.., 64 to a word, one array for each word so that a scan streams.

    A sketch takes a 32nd of its vector's bytes.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._words = [np.zeros(0, np.uint64) for _ in range(-(-width // BITS))]

    def grow(self, capacity: int) -> None:
        """Make room for `capacity` slots."""
        for word in self._words:
            word.resize(capacity, refcheck=False)

    def write(self, slots: list[int], vectors: Vectors) -> None:
        """Keep the signs of `vectors` (n, width) at `slots`."""
        for word, bits in zip(self._words, self._signs(vectors).T, strict=True):
            word[slots] = bits

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
            estimates[block] = _cosine_of(self._differing(query, block), self.width)
        return estimates

    def _differing(self, query: NDArray[np.uint64], block: slice) -> NDArray[np.uint16]:
        total = np.zeros(block.stop - block.start, np.uint16)
        for word, bits in zip(self._words, query, strict=True):
            total += np.bitwise_count(word[block] ^ bits)
        return total

    def _signs(self, vectors: Vectors) -> NDArray[np.uint64]:
        packed = np.zeros((len(vectors), len(self._words) * (BITS // 8)), np.uint8)
        bits = np.packbits(vectors > 0, axis=1)
        packed[:, : bits.shape[1]] = bits
        return packed.view(np.uint64)


def _cosine_of(differing: NDArray[np.uint16], width: int) -> NDArray[np.float32]:
    # cos(pi h) = sin(pi/2 x) with x = 1 - 2h, and sin by an odd polynomial fitted on -1..1.
    x = differing.astype(np.float32)
    x *= np.float32(-2 / width)
    x += np.float32(1)
    curve = x * x
    curve *= np.float32(-0.5621)
    curve += np.float32(1.5532)
    curve *= x
    return curve
