"""Everything that is kept about some notes, streamed for a data request."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal

from django.db.models import QuerySet, prefetch_related_objects

from memories.models import Memory

Format = Literal["jsonl", "json", "csv"]
FORMATS: tuple[Format, ...] = ("jsonl", "json", "csv")
# Notes that are looked up, with what hangs on them, before the first piece goes out, and before each later one.
FIRST_CHUNK, CHUNK = 50, 500
COLUMNS = (
    "id", "kind", "text", "status", "source", "sources", "origin", "observed_at", "expires_at", "applies_to",
    "evidence", "proposer", "reviewer", "decided_at", "reason", "earlier_texts", "created_at",
)  # fmt: skip
# A spreadsheet runs a cell that begins with one of these as a formula; an apostrophe before it says that it is text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
# Where a spreadsheet parts cells at `;` or tabs, a formula can begin in the middle of one of ours.
INNER_FORMULA = re.compile(r"""([;\t][\s"]*)(?=[=+\-@＝＋－＠])""")


def export(notes: QuerySet[Memory], format: Format) -> Iterator[str]:
    """Yield the export of `notes` piece by piece: memory stays flat however many there are."""
    writers = {"jsonl": _json_lines, "json": _json, "csv": _csv}
    return writers[format](_chunks(notes))


def _chunks(notes: QuerySet[Memory]) -> Iterator[list[dict[str, Any]]]:
    rows = notes.select_related("reviewer").defer("embedding", "terms").iterator(chunk_size=FIRST_CHUNK)
    size = FIRST_CHUNK
    while chunk := list(islice(rows, size)):
        prefetch_related_objects(chunk, "sources", "earlier_texts")
        yield [_row(note) for note in chunk]
        size = CHUNK


def _row(note: Memory) -> dict[str, Any]:
    return {
        "id": note.pk,
        "kind": note.kind,
        "text": note.text,
        "status": note.status,
        "source": note.source,
        "sources": [
            {"source": row.source, "observed_at": row.observed_at.isoformat(), "evidence": row.evidence}
            for row in note.sources.all()
        ],
        "origin": note.origin,
        "observed_at": note.observed_at.isoformat(),
        "expires_at": note.expires_at.isoformat() if note.expires_at else None,
        "applies_to": note.applies_to,
        "evidence": note.evidence,
        "proposer": note.proposer,
        "reviewer": note.reviewer.get_username() if note.reviewer else None,
        "decided_at": note.decided_at.isoformat() if note.decided_at else None,
        "reason": note.reason,
        "earlier_texts": [
            {"text": earlier.text, "until": earlier.changed_at.isoformat()} for earlier in note.earlier_texts.all()
        ],
        "created_at": note.created_at.isoformat(),
    }


def _json_lines(chunks: Iterable[list[dict[str, Any]]]) -> Iterator[str]:
    # An empty piece sends the answer's headers, so that a download begins although its first note may lie deep.
    yield ""
    for rows in chunks:
        yield "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _json(chunks: Iterable[list[dict[str, Any]]]) -> Iterator[str]:
    yield "["
    for number, rows in enumerate(chunks):
        yield (",\n" if number else "\n") + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    yield "\n]\n"


def _csv(chunks: Iterable[list[dict[str, Any]]]) -> Iterator[str]:
    yield _csv_lines([dict(zip(COLUMNS, COLUMNS, strict=True))])
    for rows in chunks:
        yield _csv_lines(rows)


def _csv_lines(rows: Iterable[dict[str, Any]]) -> str:
    buffer = io.StringIO()
    csv.DictWriter(buffer, COLUMNS).writerows({name: _cell(row[name]) for name in COLUMNS} for row in rows)
    return buffer.getvalue()


def _cell(value: object) -> str:
    """Text of one CSV cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = INNER_FORMULA.sub(r"\1'", text)
    return "'" + text if text.lstrip(' "').startswith(FORMULA_STARTS) else text
