"""Made-up notes by the hundred thousand, with the words, topics and identifiers of real ones."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from memories.embedding import Embedder, get_embedder
from memories.embedding.base import unit_rows

TOPIC_WORDS = 60
ROWS_PER_TOPIC = 200
GENERAL_SHARE = 0.45
BATCH = 5_000


class WideEmbedder:
    """WordLlama's vectors projected to a greater width, with noise, which keeps topics apart."""

    name = "wide"

    def __init__(self, width: int) -> None:
        self.width = width
        self._narrow = get_embedder("wordllama")
        self._random = np.random.default_rng(7)
        self._projection = self._random.standard_normal((self._narrow.width, width), dtype=np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors (n, width) of `texts`."""
        vectors = unit_rows(self._narrow.embed(texts) @ self._projection)
        noise = self._random.standard_normal(vectors.shape, dtype=np.float32)
        return unit_rows(vectors + noise * np.float32(0.3 / self.width**0.5))


class Corpus:
    """Notes of 8 to 20 words, some of a topic and some general, both by Zipf's law; a third name a ticket."""

    def __init__(self, rows: int, embedder: Embedder, seed: int = 7) -> None:
        self.rows, self.embed = rows, embedder.embed
        self._random = np.random.default_rng(seed)
        self._general = made_up_words(self._random, 8_000)
        pool = made_up_words(self._random, 40_000)
        topics = max(5, rows // ROWS_PER_TOPIC)
        self._topics = self._random.choice(len(pool), (topics, TOPIC_WORDS))
        self._pool = pool

    def batches(self) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        """Texts and their unit vectors (n, width), 5,000 at a time."""
        for start in range(0, self.rows, BATCH):
            texts = [self.note() for _ in range(min(BATCH, self.rows - start))]
            yield texts, self.embed(texts)

    def query(self, text: str) -> str:
        """A question about a note: half of its words, among general ones."""
        words = text.split()
        kept = self._random.choice(words, max(2, len(words) // 3), replace=False).tolist()
        general = [self._general[at] for at in self._ranks(3, len(self._general))]
        return " ".join([*general, *kept])

    def note(self) -> str:
        """One made-up note."""
        size = int(self._random.integers(8, 21))
        general = int(size * GENERAL_SHARE)
        topic = self._topics[self._random.integers(len(self._topics))]
        words = [self._general[at] for at in self._ranks(general, len(self._general))]
        words += [self._pool[topic[at]] for at in self._ranks(size - general, TOPIC_WORDS)]
        self._random.shuffle(words)
        if self._random.random() < 1 / 3:
            words.append(f"ORB-{self._random.integers(10_000)}")
        return " ".join(words)

    def _ranks(self, count: int, size: int) -> list[int]:
        # Zipf's law by inversion: the logarithm of the rank is uniform.
        ranks = np.exp(self._random.random(count) * np.log(size)) - 1
        return [int(rank) for rank in ranks]


def made_up_words(random: np.random.Generator, count: int) -> list[str]:
    """`count` pronounceable words; the earlier, the shorter."""
    onsets = "b c d f g h j k l m n p r s t v w br ch cl dr fl gr pl pr sh sl st th tr".split()  # noqa: SIM905
    middles = "a e i o u ai ea ee oo ou".split()  # noqa: SIM905
    syllables = [onset + middle for onset in onsets for middle in middles]
    sizes = np.minimum(4, 1 + np.log10(np.arange(1, count + 1)).astype(int))
    return ["".join(random.choice(syllables, size)) + str(random.choice(["", "n", "r", "s"])) for size in sizes]
