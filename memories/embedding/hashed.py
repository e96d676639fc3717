"""Signed feature hashing: no model, no meaning, always there. For tests and comparisons."""

import zlib
from collections.abc import Sequence

import numpy as np
import regex

from memories.embedding.base import Vectors, refuse_blank, unit_rows

WORD = regex.compile(r"\w+(?:[.\-]\w+)*")


class HashedEmbedder:
    """Each word adds +1 or -1 to one of `width` slots; `_`, `.` and `-` stay inside words.

    Source: Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning".
    """

    def __init__(self, width: int = 256) -> None:
        self.name = "hashed"
        self.width = width

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        refuse_blank(texts)
        matrix = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in zip(matrix, texts, strict=True):
            self._add(row, text)
        return unit_rows(matrix)

    def _add(self, row: Vectors, text: str) -> None:
        folded = text.casefold()
        for word in WORD.findall(folded) or [folded]:
            self._count(row, word)
        if not row.any():
            # Words of opposite sign met in one slot: the text as a whole still needs a direction.
            self._count(row, folded)

    def _count(self, row: Vectors, word: str) -> None:
        code = zlib.crc32(word.encode("utf-8", "surrogatepass"))
        row[(code >> 1) % self.width] += 1 if code & 1 else -1
