"""What an embedder is, how its vectors are stored, and what can go wrong."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

UNIT_TOLERANCE = 1e-3


class EmbedderError(Exception):
    """The embedder cannot do what was asked; asking again will not help."""


class EmbedderUnavailable(EmbedderError):
    """The embedder did not answer in time; the same request may work later."""


class Thresholds(NamedTuple):
    """Cosine from which two notes may be the same, and the score from which a recalled note is of use."""

    dedupe: float
    minimum_score: float


class Embedder(Protocol):
    """Text in, unit vectors out."""

    name: str
    width: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed `texts` as a C-ordered float32 matrix of shape (len(texts), width), rows of unit length.

        Raises EmbedderError for a text that is blank, EmbedderUnavailable when a service is out of reach.
        """
        ...


def pack(vector: Vectors) -> bytes:
    """Store one vector as little-endian float32, 4 bytes a value. Raises ValueError as `unpack` does."""
    return _checked(np.asarray(vector, dtype="<f4")).tobytes()


def unpack(data: bytes, width: int) -> Vectors:
    """Read what `pack` wrote, as a float32 vector of shape (width,).

    Raises ValueError for a wrong width and for a vector that is zero, not finite or not of unit length.
    """
    if len(data) != 4 * width:
        raise ValueError(f"A vector of width {width} takes {4 * width} bytes, this one has {len(data)}.")
    return _checked(np.frombuffer(data, dtype="<f4")).astype(np.float32, copy=False)


def unit_rows(matrix: NDArray[np.floating]) -> Vectors:
    """Scale each row of a (n, width) matrix to unit length. Raises ValueError for a zero or infinite row."""
    rows = np.array(matrix, dtype=np.float32, order="C")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise ValueError("A vector is zero or not finite, so it has no direction to compare.")
    rows /= lengths
    return rows


def refuse_blank(texts: Sequence[str]) -> None:
    """Raise EmbedderError when a text holds nothing that could be embedded."""
    for position, text in enumerate(texts, start=1):
        if not text.strip():
            raise EmbedderError(f"Text {position} of {len(texts)} is blank: there is nothing to embed.")


def readable(text: str) -> str:
    """`text` without lone surrogates, which JSON can carry and neither a tokenizer nor a server takes."""
    return text.encode("utf-8", "replace").decode()


def _checked(vector: Vectors) -> Vectors:
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length):
        raise ValueError("The vector holds values that are not finite numbers.")
    if vector.ndim != 1 or abs(length - 1) > UNIT_TOLERANCE:
        raise ValueError(f"A stored vector has unit length, this one has length {length:.4g}: normalise it.")
    return vector
