"""Text in, unit vectors out: one interface over every embedder a store can name."""

import hashlib
import os
from collections import OrderedDict
from functools import lru_cache
from threading import Lock

from memories.embedding.base import (
    Embedder,
    EmbedderError,
    EmbedderUnavailable,
    Thresholds,
    Vectors,
    pack,
    unpack,
)

__all__ = [
    "CHOICES",
    "MEASURED",
    "Embedder",
    "EmbedderError",
    "EmbedderUnavailable",
    "Thresholds",
    "Vectors",
    "default_width",
    "embed_query",
    "get_embedder",
    "measured",
    "pack",
    "unpack",
]

# By the family of the name, before its colon. The first two are measured (table in docs/recall.md); for a
# model of your own run `tune_dedupe` and `evaluate recall`, these only start you off.
MEASURED: dict[str, Thresholds] = {
    "wordllama": Thresholds(dedupe=0.80, minimum_score=0.17),
    "hashed": Thresholds(dedupe=0.70, minimum_score=0.17),
    "openai": Thresholds(dedupe=0.85, minimum_score=0.20),
    "onnx": Thresholds(dedupe=0.85, minimum_score=0.20),
    "sentence-transformers": Thresholds(dedupe=0.85, minimum_score=0.20),
}
CHOICES = "hashed, wordllama, openai:<model>, onnx:<folder> or sentence-transformers:<model>"
CACHED_QUERIES = 1024
_queries: OrderedDict[tuple[str, int, bytes], Vectors] = OrderedDict()
_queries_lock = Lock()


def measured(name: str) -> Thresholds:
    """Thresholds to start embedder `name` with. Raises EmbedderError for a family that is not known."""
    family = name.partition(":")[0]
    if family not in MEASURED:
        raise _unknown(name)
    return MEASURED[family]


def _unknown(name: str) -> EmbedderError:
    return EmbedderError(f"There is no embedder {name!r}: use {CHOICES}.")


def default_width(name: str) -> int:
    """Width of the vectors that embedder `name` gives unless told otherwise. Raises EmbedderError."""
    family, _, model = name.partition(":")
    if name in ("hashed", "wordllama"):
        return 256
    if family == "openai" and model:
        from memories.embedding.openai import KNOWN_WIDTHS

        if model in KNOWN_WIDTHS:
            return KNOWN_WIDTHS[model]
    return get_embedder(name).width


def get_embedder(name: str, width: int | None = None) -> Embedder:
    """Embedder `name`, one of CHOICES; kept for reuse.

    OPENAI_API_KEY and OPENAI_BASE_URL are read at each call. Raises EmbedderError for an unknown name, a
    width the embedder does not have, or a missing key or library.
    """
    if width is not None and width < 1:
        raise EmbedderError(f"The width of a vector is a positive whole number, not {width}.")
    return _built(name, width, os.environ.get("OPENAI_API_KEY"), os.environ.get("OPENAI_BASE_URL"))


@lru_cache(maxsize=8)
def _built(name: str, width: int | None, api_key: str | None, base_url: str | None) -> Embedder:
    family, _, model = name.partition(":")
    if name == "hashed":
        from memories.embedding.hashed import HashedEmbedder

        return HashedEmbedder(width or 256)
    if name == "wordllama":
        from memories.embedding.wordllama import WIDTH, WordLlamaEmbedder

        return WordLlamaEmbedder(width or WIDTH)
    if family == "openai" and model:
        from memories.embedding.openai import OpenAIEmbedder

        return OpenAIEmbedder(model, width, api_key=api_key, base_url=base_url)
    if family == "onnx" and model:
        from memories.embedding.onnx import OnnxEmbedder

        return OnnxEmbedder(model, width)
    if family == "sentence-transformers" and model:
        from memories.embedding.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(model, width)
    raise _unknown(name)


def embed_query(embedder: Embedder, text: str) -> Vectors:
    """Vector of shape (width,) of a query, remembered for the latest 1,024 queries of this process.

    Notes are never embedded through here, so that no vector of a note outlives its forgetting. Only a
    digest of the query is kept, never its text. Raises what `Embedder.embed` raises.
    """
    key = (embedder.name, embedder.width, hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    with _queries_lock:
        if key in _queries:
            _queries.move_to_end(key)
            return _queries[key]
    vector: Vectors = embedder.embed([text])[0]
    with _queries_lock:
        _queries[key] = vector
        if len(_queries) > CACHED_QUERIES:
            _queries.popitem(last=False)
    return vector
