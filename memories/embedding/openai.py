"""Any OpenAI-compatible embedding service, through the official client."""

from collections.abc import Sequence

import numpy as np
import openai

from memories.embedding.base import EmbedderError, EmbedderUnavailable, Vectors, readable, refuse_blank, unit_rows

KNOWN_WIDTHS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
BATCH = 256


class OpenAIEmbedder:
    """Embeds in batches of 256; the client retries 429, 5xx and lost connections with backoff and jitter.

    `width` is asked of the service only when it differs from the model's own, because not every
    compatible server knows the setting. `timeout` is in seconds, for one attempt.
    """

    def __init__(
        self,
        model: str,
        width: int | None = None,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 20.0,
        retries: int = 4,
    ) -> None:
        self.name = f"openai:{model}"
        self.model = model
        own_width = KNOWN_WIDTHS.get(model)
        self.width = width or own_width or _width_is_needed(model)
        self._asked_width = self.width if own_width and self.width != own_width else openai.omit
        try:
            self._client = openai.OpenAI(api_key=api_key, base_url=base_url, timeout=timeout, max_retries=retries)
        except openai.OpenAIError as error:
            raise EmbedderError(f"The embedder {self.name} needs a key: set OPENAI_API_KEY.") from error

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`. Raises EmbedderError for 401, a refused request and a width that changed."""
        refuse_blank(texts)
        if not texts:
            return np.empty((0, self.width), dtype=np.float32)
        batches = [list(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate([self._batch(batch) for batch in batches])

    def _batch(self, texts: list[str]) -> Vectors:
        rows = self._ask(texts)
        widths = {len(row) for row in rows}
        if len(rows) != len(texts):
            raise EmbedderUnavailable(f"{self.name} answered {len(rows)} vectors for {len(texts)} texts.")
        if widths != {self.width}:
            raise EmbedderError(
                f"{self.name} answered vectors of width {', '.join(map(str, sorted(widths)))} where "
                f"{self.width} is expected: the model behind it changed, so name it anew and re-embed."
            )
        try:
            return unit_rows(np.array(rows, dtype=np.float32))
        except ValueError as error:
            raise EmbedderUnavailable(f"{self.name} answered a vector that is zero or not finite.") from error

    def _ask(self, texts: list[str]) -> list[list[float]]:
        try:
            answer = self._client.embeddings.create(
                model=self.model, input=list(map(readable, texts)), dimensions=self._asked_width
            )
            return [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]
        except openai.AuthenticationError as error:
            raise EmbedderError(f"{self.name} refused the key (401): set a valid OPENAI_API_KEY.") from error
        except openai.RateLimitError as error:
            raise EmbedderUnavailable(
                f"{self.name} asked to slow down (429) on every attempt: try again later."
            ) from error
        except openai.APITimeoutError as error:
            raise EmbedderUnavailable(f"{self.name} did not answer in time: try again later.") from error
        except (openai.APIConnectionError, openai.InternalServerError) as error:
            raise EmbedderUnavailable(f"{self.name} is out of reach or failing: try again later.") from error
        except openai.APIStatusError as error:
            raise EmbedderError(f"{self.name} refused the request ({error.status_code}).") from error
        except (ValueError, TypeError, AttributeError, openai.OpenAIError) as error:
            raise EmbedderUnavailable(f"{self.name} sent an answer that cannot be read.") from error


def _width_is_needed(model: str) -> int:
    raise EmbedderError(f"The width of {model} is not known here: state how wide its vectors are.")
