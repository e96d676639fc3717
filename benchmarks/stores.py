"""The three ways to recall that are compared: the floor, the naive store and the resident index."""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memories.embedding import pack
from memories.index import NEVER, ResidentIndex, Row, TermList, pack_terms, terms

Vectors = NDArray[np.float32]
Fetched = list[tuple[int, str, str]]
BATCH = 5_000


class Notes:
    """A SQLite file of notes with vectors and terms, as the product keeps them."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path)
        self.connection.execute(
            "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, source TEXT, vector BLOB, terms BLOB)"
        )

    def add(self, first_id: int, texts: Sequence[str], vectors: Vectors) -> None:
        """Insert and commit a batch of notes with ids from `first_id`."""
        rows = [
            (first_id + at, text, f"issue:{first_id + at}", pack(vector), pack_terms(terms(text)))
            for at, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]
        with self.connection:
            self.connection.executemany("INSERT INTO note VALUES (?, ?, ?, ?, ?)", rows)

    def fetch(self, ids: Iterable[int]) -> Fetched:
        """Id, text and source of each id, in the order of `ids`."""
        wanted = list(ids)
        marks = ",".join("?" * len(wanted))
        rows = self.connection.execute(
            f"SELECT id, text, source FROM note WHERE id IN ({marks})",
            wanted,
        )
        by_id = {row[0]: row for row in rows}
        return [by_id[note_id] for note_id in wanted]


def load(notes: Notes, width: int) -> ResidentIndex:
    """Stream all notes into a resident index."""
    index = ResidentIndex(width)
    count = notes.connection.execute("SELECT count(*) FROM note").fetchone()[0]
    index.reserve(count)
    cursor = notes.connection.execute("SELECT id, source, vector, terms FROM note")
    while batch := cursor.fetchmany(BATCH):
        index.put(
            Row(note_id, 0, 1, 2, 1_700_000_000, NEVER, "", (source,), vector, packed)
            for note_id, source, vector, packed in batch
        )
    return index


class Floor:
    """What no exact search can beat: the matrix in memory, one product, ten rows by id."""

    def __init__(self, notes: Notes, rows: int, width: int) -> None:
        self.notes = notes
        self.matrix = np.empty((rows, width), np.float32)
        for at, (data,) in enumerate(notes.connection.execute("SELECT vector FROM note ORDER BY id")):
            self.matrix[at] = np.frombuffer(data, "<f4")

    def recall(self, vector: Vectors, k: int) -> Fetched:
        """The k nearest notes."""
        cosines = self.matrix @ vector
        top = np.argpartition(cosines, -k)[-k:]
        return self.notes.fetch((top[np.argsort(-cosines[top])] + 1).tolist())


def naive_recall(notes: Notes, vector: Vectors, k: int) -> Fetched:
    """The k nearest notes, every vector read from the file."""
    rows = notes.connection.execute("SELECT id, vector FROM note").fetchall()
    cosines = np.frombuffer(b"".join(row[1] for row in rows), "<f4").reshape(len(rows), -1) @ vector
    top = np.argpartition(cosines, -k)[-k:]
    return notes.fetch(rows[at][0] for at in top[np.argsort(-cosines[top])])


def resident_recall(
    notes: Notes, index: ResidentIndex, vector: Vectors, query: str | None, k: int
) -> Fetched:
    """The k best notes by meaning, and by words where `query` is given; its terms are taken in here."""
    listed = terms(query) if query else NO_WORDS
    return notes.fetch(hit.id for hit in index.search(vector, listed, k=k))


NO_WORDS: TermList = terms("")
