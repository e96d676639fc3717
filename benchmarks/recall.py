"""Recall against its floor: `python -m benchmarks.recall --help`."""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.notes import Corpus
from benchmarks.stores import Floor, Notes, load, naive_recall, resident_recall
from memories.embedding import pack
from memories.index import NEVER, ResidentIndex, Row, pack_terms, terms

Figures = dict[str, Any]
K = 10
QUERIES = 60
LONG_QUERY = 2_000


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each size and width, print a JSON object a line, and draw the picture if asked."""
    options = _options(arguments)
    sizes = [*options.sizes, *([1_000_000] if options.million else [])]
    lines = []
    for width in options.widths:
        for rows in sizes:
            if rows * width <= options.most_values:
                lines.append(measure(rows, width))
                print(json.dumps(lines[-1]), flush=True)
    if options.picture:
        from benchmarks.picture import draw

        draw(lines, options.picture)


def measure(rows: int, width: int) -> Figures:
    """All figures of one size and width. Times are milliseconds, memory is bytes a byte of vectors."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Notes(Path(folder) / "notes.sqlite3")
        corpus = Corpus(rows, width)
        samples = _fill(notes, corpus)
        before, started = resident_bytes(), time.perf_counter()
        index = load(notes, width)
        seconds = time.perf_counter() - started
        figures: Figures = {"rows": rows, "width": width, "load_seconds": round(seconds, 3)}
        figures["memory"] = round((resident_bytes() - before) / (rows * width * 4), 3)
        return figures | _timed(notes, index, corpus, samples) | _changes(index, corpus, samples)


def _fill(notes: Notes, corpus: Corpus) -> list[str]:
    samples: list[str] = []
    first_id = 1
    for texts, vectors in corpus.batches():
        notes.add(first_id, texts, vectors)
        first_id += len(texts)
        samples += texts[: max(1, QUERIES * len(texts) // corpus.rows + 1)]
    return samples[:QUERIES]


def _timed(notes: Notes, index: ResidentIndex, corpus: Corpus, samples: list[str]) -> Figures:
    queries = [corpus.query(text) for text in samples]
    long_queries = [_long(at, samples) for at in range(len(samples))]
    vectors = corpus.embed(queries)
    floor = Floor(notes, corpus.rows, corpus.width)
    ways: dict[str, Callable[[int], object]] = {
        "floor": lambda at: floor.recall(vectors[at], K),
        "meaning": lambda at: resident_recall(notes, index, vectors[at], None, K),
        "words": lambda at: resident_recall(notes, index, vectors[at], queries[at], K),
        "long": lambda at: resident_recall(notes, index, vectors[at], long_queries[at], K),
    }
    figures = _rounds(ways, len(queries))
    figures |= _percentiles(
        "naive", [_clock(partial(naive_recall, notes, vectors[at], K)) for at in range(3)]
    )
    for way in ("naive", "meaning", "words", "long"):
        figures[f"{way}_to_floor"] = round(figures[f"{way}_p50"] / figures["floor_p50"], 3)
    return figures | {
        "recall@10_meaning": _agreement(index, vectors, [""] * len(queries)),
        "recall@10_words": _agreement(index, vectors, queries),
        "recall@10_long": _agreement(index, vectors, long_queries),
    }


def _rounds(ways: dict[str, Callable[[int], object]], queries: int) -> Figures:
    """Take turns, so that what else the machine does falls on all ways alike."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for at in range(queries):
        for name, way in ways.items():
            way(at)
            times[name].append(_clock(partial(way, at)))
    figures: Figures = {}
    for name, values in times.items():
        figures |= _percentiles(name, values)
    return figures


def _changes(index: ResidentIndex, corpus: Corpus, samples: list[str]) -> Figures:
    """Times of a duplicate check, of adding one note and of forgetting one."""
    vectors = corpus.embed(samples)
    added = [
        Row(corpus.rows + at, 0, 1, 2, 0, NEVER, "", (), pack(vector), pack_terms(terms(text)))
        for at, (text, vector) in enumerate(zip(samples, vectors, strict=True), start=1)
    ]
    calls: dict[str, list[Callable[[], object]]] = {
        "duplicate_check": [
            partial(index.nearest, v, kind="fact", k=3, minimum_cosine=0.85) for v in vectors
        ],
        "add": [partial(index.put, [row]) for row in added],
        "forget": [partial(index.remove, [row.id]) for row in added],
    }
    figures: Figures = {}
    for name, each in calls.items():
        figures |= _percentiles(name, [_clock(call) for call in each])
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


def _clock(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def _percentiles(name: str, milliseconds: Sequence[float]) -> Figures:
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return {f"{name}_p50": round(float(p50), 3), f"{name}_p95": round(float(p95), 3)}


def resident_bytes() -> int:
    """Memory of this process that lies in RAM; Linux tells it exactly, elsewhere the peak must do."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * 4096
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sizes", type=_numbers, default=[1_000, 10_000, 100_000], help="notes, e.g. 1000,10000"
    )
    parser.add_argument("--million", action="store_true", help="measure 1,000,000 notes too (about 4 GB)")
    parser.add_argument("--widths", type=_numbers, default=[256, 1536], help="values a vector, e.g. 256,1536")
    parser.add_argument("--most-values", type=int, default=300_000_000, help="skip what needs more values")
    parser.add_argument("--picture", type=Path, help="write a picture (SVG or PNG) of the figures")
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


if __name__ == "__main__":
    main()
