"""All figures of one size and width, beside the floor of the same run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from benchmarks.notes import Corpus
from benchmarks.product import BATCH, BATCHES, SINGLE, proposals
from benchmarks.stores import Floor, Notes, add, naive_recall, new_store, resident_recall
from benchmarks.timing import Figures, clock, in_turns, percentiles, resident_bytes
from memories.embedding import pack
from memories.index import NEVER, ResidentIndex, Row, pack_terms, terms
from memories.models import Store
from memories.recall import recall
from memories.resident import embedder_of, ready

K = 10
QUERIES = 60
LONG_QUERY = 2_000
# Below, memory that the process had already decides.
MEASURABLE = 50_000_000


def measure(folder: Path, rows: int, width: int) -> Figures:
    """Times are milliseconds, memory is bytes a byte of vectors, `load` the machine's load average at the end."""
    path = folder / f"{rows}x{width}.sqlite3"
    store = new_store(path, width)
    corpus = Corpus(rows, embedder_of(store))
    samples = _fill(store, corpus)
    figures: Figures = {"rows": rows, "width": width}
    if rows:
        figures |= _loaded(store, rows)
        figures |= _recalls(store, Notes(path), corpus, samples) | _changes(store, corpus, samples)
    figures |= proposals(store, [corpus.note() for _ in range(SINGLE + BATCH * BATCHES)])
    connection.close()
    path.unlink()
    return figures | {"load": round(os.getloadavg()[0], 1)}


def _fill(store: Store, corpus: Corpus) -> list[str]:
    samples: list[str] = []
    for texts, vectors in corpus.batches():
        add(store, texts, vectors)
        samples += texts[: max(1, QUERIES * len(texts) // corpus.rows + 1)]
    return samples[:QUERIES]


def _loaded(store: Store, rows: int) -> Figures:
    """Time and memory of a cold load. The connection's page cache is not the index, so it is closed before counting."""
    connection.close()
    before, started = resident_bytes(), time.perf_counter()
    ready(store)
    seconds = time.perf_counter() - started
    connection.close()
    figures: Figures = {"load_seconds": round(seconds, 3)}
    vectors = rows * store.width * 4
    if vectors >= MEASURABLE:
        figures["memory"] = round((resident_bytes() - before) / vectors, 3)
    return figures


def _recalls(store: Store, notes: Notes, corpus: Corpus, samples: list[str]) -> Figures:
    queries = [corpus.query(text) for text in samples]
    long_queries = [_long(at, samples) for at in range(len(samples))]
    vectors, index = corpus.embed(queries), ready(store).index
    floor = Floor(notes, corpus.rows, store.width)
    ways: dict[str, Callable[[int], object]] = {
        "floor": lambda at: floor.recall(vectors[at], K),
        "meaning": lambda at: resident_recall(notes, index, vectors[at], None, K),
        "words": lambda at: resident_recall(notes, index, vectors[at], queries[at], K),
        "words_long": lambda at: resident_recall(notes, index, vectors[at], long_queries[at], K),
        "recall": lambda at: recall(store, queries[at], k=K, minimum_score=0),
        "recall_long": lambda at: recall(store, long_queries[at], k=K, minimum_score=0),
    }
    figures = in_turns(ways, len(queries))
    figures |= percentiles("naive", [clock(partial(naive_recall, notes, vectors[at], K)) for at in range(3)])
    for way in ("naive", *ways):
        if way != "floor":
            figures[f"{way}_to_floor"] = round(figures[f"{way}_p50"] / figures["floor_p50"], 3)
    return figures | {
        "recall@10_meaning": _agreement(index, vectors, [""] * len(queries)),
        "recall@10_words": _agreement(index, vectors, queries),
        "recall@10_long": _agreement(index, vectors, long_queries),
    }


def _changes(store: Store, corpus: Corpus, samples: list[str]) -> Figures:
    """Times of a duplicate check, of adding one note and of forgetting one, in the index alone."""
    index, vectors = ready(store).index, corpus.embed(samples)
    added = [
        Row(corpus.rows + at, 0, 1, 2, 0, NEVER, "", (), pack(vector), pack_terms(terms(text)))
        for at, (text, vector) in enumerate(zip(samples, vectors, strict=True), start=1)
    ]
    calls: dict[str, list[Callable[[], object]]] = {
        "duplicate_check": [partial(index.nearest, v, kind="fact", k=3, minimum_cosine=0.8) for v in vectors],
        "add": [partial(index.put, [row]) for row in added],
        "forget": [partial(index.remove, [row.id]) for row in added],
    }
    figures: Figures = {}
    for name, each in calls.items():
        figures |= percentiles(name, [clock(call) for call in each])
    return figures


def _agreement(index: ResidentIndex, vectors: NDArray[np.float32], queries: Sequence[str]) -> float:
    """Mean share of the exact ten best that the usual search finds."""
    shares = []
    for vector, query in zip(vectors, queries, strict=True):
        listed = terms(query)
        exact = {hit.id for hit in index.search(vector, listed, k=K, exact=True)}
        shares.append(len(exact & {hit.id for hit in index.search(vector, listed, k=K)}) / len(exact))
    return round(float(np.mean(shares)), 4)


def _long(at: int, samples: list[str]) -> str:
    """A query of 2,000 characters that begins with one note."""
    return " ".join([*samples[at:], *samples, *samples])[:LONG_QUERY]
