"""WordLlama: static word-piece vectors carried inside its wheel, pooled here."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from memories.embedding.base import EmbedderError, Vectors, readable, refuse_blank, unit_rows

WIDTH = 256
MOST_CHARACTERS = 20_000
TITLE_WEIGHT = 0.5


class WordLlamaEmbedder:
    """Mean of the word-piece vectors of a text; text past 20,000 characters is not read.

    Of a text of several lines the first is its title: its own mean is added with weight TITLE_WEIGHT.
    """

    def __init__(self, width: int = WIDTH) -> None:
        if width != WIDTH:
            raise EmbedderError(f"wordllama carries vectors of width {WIDTH} only: leave the width unset.")
        self.name = "wordllama"
        self.width = width
        model = _load()
        self._tokenizer = model.tokenizer
        self._tokenizer.no_padding()
        self._vectors: Vectors = model.embedding

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        refuse_blank(texts)
        if not texts:
            return np.empty((0, self.width), dtype=np.float32)
        clipped = [text.strip()[:MOST_CHARACTERS] for text in texts]
        matrix = self._pooled(clipped)
        titled = [at for at, text in enumerate(clipped) if "\n" in text]
        if titled:
            titles = self._pooled([clipped[at].split("\n", 1)[0] for at in titled])
            matrix[titled] = unit_rows(matrix[titled] + TITLE_WEIGHT * titles)
        return matrix

    def _pooled(self, texts: list[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch_fast([readable(text) for text in texts], add_special_tokens=False)
        return unit_rows(np.stack([self._vectors[entry.ids].sum(axis=0) for entry in encoded]))


def _load() -> Any:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    import wordllama

    # Importing wordllama calls logging.basicConfig(); an application decides about its own log.
    root.handlers[:] = handlers
    root.setLevel(level)
    # Its loader looks for the tokenizer in a wrong folder and would download it: name the right one.
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True, dim=WIDTH)
