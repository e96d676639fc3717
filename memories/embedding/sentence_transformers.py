"""Any model of the sentence-transformers library, which is an extra: it brings PyTorch."""

from collections.abc import Sequence

from memories.embedding.base import EmbedderError, Vectors, readable, refuse_blank, unit_rows


class SentenceTransformersEmbedder:
    """Runs `model` (a name or a folder, as the library reads it) in this process."""

    def __init__(self, model: str, width: int | None = None) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise EmbedderError(
                "The sentence-transformers library is not installed: pip install sentence-transformers."
            ) from error
        self.name = f"sentence-transformers:{model}"
        try:
            self._model = SentenceTransformer(model, truncate_dim=width)
        except (OSError, ValueError) as error:
            raise EmbedderError(
                f"{self.name} cannot be loaded: name a model that is on this machine or can be fetched, or its folder."
            ) from error
        # The method that tells it has had two names.
        self.width: int = self._model.encode("width").shape[-1]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        refuse_blank(texts)
        return unit_rows(self._model.encode(list(map(readable, texts)), convert_to_numpy=True).reshape(-1, self.width))
