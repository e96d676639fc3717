"""The ways to recall that are compared: the floor, the naive store, the resident index and the product itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from numpy.typing import NDArray

from benchmarks.notes import WideEmbedder
from memories import embedding
from memories.embedding import Embedder, pack
from memories.index import ResidentIndex, TermList, pack_terms, terms
from memories.models import Kind, Memory, MemorySource, Origin, Status, Store
from memories.resident import drop_all
from memories.rows import insert

Vectors = NDArray[np.float32]
Fetched = list[tuple[int, str, str]]
NARROW = 256


def new_store(path: Path, width: int) -> Store:
    """A store in a new database. Past WordLlama's width its embedder is one that only this process has."""
    drop_all()
    connection.close()
    connection.settings_dict["NAME"] = str(path)
    call_command("migrate", verbosity=0)
    name = "wordllama" if width == NARROW else "wide"
    return Store.objects.create(slug="bench", name="Benchmark", embedder=name, width=width, dedupe_threshold=0.8)


@contextmanager
def wide_embedder() -> Iterator[None]:
    """Let stores name WideEmbedder, as if a service with such vectors were at hand and took no time."""
    built, wide = embedding._built, cache(WideEmbedder)

    def or_wide(name: str, width: int | None, *settings: str | None) -> Embedder:
        return wide(width) if name == "wide" and width else built(name, width, *settings)

    with patch.object(embedding, "_built", or_wide):
        yield


def add(store: Store, texts: Sequence[str], vectors: Vectors) -> None:
    """Insert and commit a batch of approved notes."""
    now = timezone.now()
    with transaction.atomic():
        revision = store.next_revision()
        shared = {"store_id": store.pk, "origin": Origin.AGENT_DERIVED, "observed_at": now}
        notes = [
            shared
            | {
                "kind": Kind.FACT,
                "text": text,
                "source": f"issue:{number}",
                "status": Status.APPROVED,
                "decided_at": now,
                "proposer": "command:bench",
                "width": store.width,
                "embedding": pack(vector),
                "terms": pack_terms(terms(text)),
                "revision": revision,
                "created_at": now,
                "changed_at": now,
            }
            for number, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]
        ids = insert(Memory, notes)
        sources = [shared | {"memory_id": pk, "source": note["source"]} for pk, note in zip(ids, notes, strict=True)]
        insert(MemorySource, sources)


class Notes:
    """The table of notes, read without Django, as a hand-written store would."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path)

    def fetch(self, ids: Iterable[int]) -> Fetched:
        """Id, text and source of each id, in the order of `ids`."""
        wanted = list(ids)
        marks = ",".join("?" * len(wanted))
        rows = self.connection.execute(f"SELECT id, text, source FROM memories_memory WHERE id IN ({marks})", wanted)
        by_id = {row[0]: row for row in rows}
        return [by_id[note_id] for note_id in wanted]


class Floor:
    """What no exact search can beat: the matrix in memory, one product, ten rows by id."""

    def __init__(self, notes: Notes, rows: int, width: int) -> None:
        self.notes = notes
        self.ids = np.empty(rows, np.int64)
        self.matrix = np.empty((rows, width), np.float32)
        vectors = notes.connection.execute("SELECT id, embedding FROM memories_memory ORDER BY id")
        for at, (note_id, data) in enumerate(vectors):
            self.ids[at] = note_id
            self.matrix[at] = np.frombuffer(data, "<f4")

    def recall(self, vector: Vectors, k: int) -> Fetched:
        """The k nearest notes."""
        cosines = self.matrix @ vector
        top = np.argpartition(cosines, -k)[-k:]
        return self.notes.fetch(self.ids[top[np.argsort(-cosines[top])]].tolist())


def naive_recall(notes: Notes, vector: Vectors, k: int) -> Fetched:
    """The k nearest notes, every vector read from the file."""
    rows = notes.connection.execute("SELECT id, embedding FROM memories_memory").fetchall()
    cosines = np.frombuffer(b"".join(row[1] for row in rows), "<f4").reshape(len(rows), -1) @ vector
    top = np.argpartition(cosines, -k)[-k:]
    return notes.fetch(rows[at][0] for at in top[np.argsort(-cosines[top])])


def resident_recall(notes: Notes, index: ResidentIndex, vector: Vectors, query: str | None, k: int) -> Fetched:
    """The k best notes by meaning, and by words where `query` is given; its terms are taken in here."""
    listed = terms(query) if query else NO_WORDS
    return notes.fetch(hit.id for hit in index.search(vector, listed, k=k))


NO_WORDS: TermList = terms("")
