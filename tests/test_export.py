"""Exports for data requests: whole, streamed, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from memories.audit import Actor
from memories.export import COLUMNS, FIRST_CHUNK, FORMATS, _cell, _csv_lines, export
from memories.models import Memory, Store
from memories.propose import propose
from memories.review import edit
from memories.schemas import Draft
from tests.helpers import approved, person, proposed
from tests.rooms import many

LEASE = "The worker holds its lease for 30 seconds by default."
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def exported(format: Any = "json") -> Any:
    text = "".join(export(Memory.objects.order_by("pk"), format))
    if format == "json":
        return json.loads(text)
    if format == "jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_holds_everything_that_is_kept_of_a_note(store: Store, cast: dict[str, User]) -> None:
    note = approved(store, LEASE, evidence="lasts 30 s", applies_to="3.x", source="user:17")
    propose(store, Draft(text=LEASE, source="issue:4", applies_to="3.x"), Actor.agent("atlas"))
    edit(store, note.pk, person("mara"), version=note.version, text="Leases last half a minute.", applies_to="3.x")
    (row,) = exported()
    assert set(row) == set(COLUMNS)
    assert (row["text"], row["status"], row["applies_to"]) == ("Leases last half a minute.", "approved", "3.x")
    assert [each["text"] for each in row["earlier_texts"]] == [LEASE]
    assert [each["source"] for each in row["sources"]] == ["user:17", "issue:4"]
    assert row["sources"][0]["evidence"] == "lasts 30 s"
    assert row["reviewer"] == "mara"


def test_every_format_tells_the_same(store: Store) -> None:
    for text in ("Leases — „half a minute“, 30 s; or so.", "租约持续三十秒 🙃", "=1+1 is no formula"):
        proposed(store, text)
    whole = exported()
    assert exported("jsonl") == whole
    rows = exported("csv")
    assert [row["id"] for row in rows] == [str(row["id"]) for row in whole]
    assert [json.loads(row["sources"]) for row in rows] == [row["sources"] for row in whole]
    assert rows[2]["text"] == "'=1+1 is no formula"


def test_an_export_of_nothing_is_still_whole(store: Store) -> None:
    assert exported("json") == []
    assert exported("jsonl") == []
    assert "".join(export(Memory.objects.none(), "csv")).count("\n") == 1


@pytest.mark.parametrize("format", FORMATS)
def test_an_export_takes_queries_by_the_page_and_not_by_the_note(store: Store, format: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            exported(format)
        return len(captured)

    proposed(store, LEASE)
    few = queries()
    for number in range(30):
        proposed(store, f"Queue {number} of site {number * 31} drains at {number}.")
    assert queries() == few


def test_the_first_piece_of_an_export_waits_for_few_notes(store: Store) -> None:
    many(store, FIRST_CHUNK + 5)
    pieces = list(export(Memory.objects.order_by("pk"), "jsonl"))
    assert [piece.count("\n") for piece in pieces if piece] == [FIRST_CHUNK, 5]


@given(st.text(alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from("=+-@\t\r\n ;,\"'"))))
def test_no_cell_is_taken_for_a_formula_and_none_is_lost(text: str) -> None:
    line = _csv_lines([dict.fromkeys(COLUMNS, text)])
    (cells,) = csv.reader(io.StringIO(line, newline=""))
    assert set(cells) == {_cell(text)}
    assert not cells[0].lstrip(" ").startswith(STARTS)
    assert cells[0].replace("'", "") == text.replace("'", "")


@given(st.text(alphabet='a;,"= +\t', max_size=30), st.sampled_from(";\t"))
def test_a_spreadsheet_that_parts_cells_elsewhere_finds_no_formula_either(text: str, delimiter: str) -> None:
    line = _csv_lines([dict.fromkeys(COLUMNS, text)])
    for cells in csv.reader(io.StringIO(line, newline=""), delimiter=delimiter):
        assert not any(cell.lstrip(' "\t').startswith(("=", "+", "-", "@")) for cell in cells)


@pytest.mark.parametrize("text", ["a-b; c=d, e@f", "-- no", '"quoted"', "it's; so", "x;y"])
def test_text_that_is_no_formula_stays_as_it_is(text: str) -> None:
    assert _cell(text).removeprefix("'") == text


def test_a_data_request_takes_no_note_of_a_source_that_begins_the_same(store: Store, cast: object) -> None:
    mine = proposed(store, "Prefers window seats on trains.", source="user:17")
    proposed(store, "Eats neither meat nor fish.", source="user:170")
    out = io.StringIO()
    call_command("export_notes", store=store.slug, source="user:17", stdout=out)
    assert [json.loads(line)["id"] for line in out.getvalue().splitlines()] == [mine.pk]


@pytest.mark.parametrize("format", FORMATS)
def test_a_download_begins_before_any_note_is_looked_up(store: Store, format: Any) -> None:
    many(store, 2)
    with CaptureQueriesContext(connection) as asked:
        next(export(Memory.objects.order_by("pk"), format))
    assert len(asked) == 0
