"""Drafts out of JSON lines: one bad line never loses the others, and says what is wrong with it."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.intake import LONGEST_LINE, Line, read_lines

GOOD = b'{"text": "Leases last 30 seconds.", "source": "doc:leases"}'


def lines(*raw: bytes, end: bytes = b"\n") -> list[Line]:
    return list(read_lines(io.BytesIO(end.join(raw))))


def test_a_sound_line_is_a_draft_with_its_number() -> None:
    (line,) = lines(GOOD)
    assert line.draft is not None
    assert (line.number, line.draft.text, line.draft.kind) == (1, "Leases last 30 seconds.", "fact")


def test_fields_that_drafts_do_not_have_are_named() -> None:
    found = lines(GOOD, b'{"text": "x", "evidnce": "y", "id": 4}')
    assert [line.ignored for line in found] == [frozenset(), {"evidnce", "id"}]


def test_an_empty_file_has_no_lines() -> None:
    assert lines() == []
    assert lines(b"", b"   ", b"\t\r") == []


def test_blank_lines_count_but_hold_nothing() -> None:
    assert [line.number for line in lines(b"", GOOD, b"  ", GOOD)] == [2, 4]


def test_byte_order_mark_and_windows_line_ends_are_no_hindrance() -> None:
    found = lines(b"\xef\xbb\xbf" + GOOD, GOOD, b"", end=b"\r\n")
    assert [line.draft is not None for line in found] == [True, True]


@pytest.mark.parametrize(
    ("bad", "rule"),
    [
        (b'{"text": "\xff\xfe"}', "line.not-utf8"),
        (GOOD.decode().encode("utf-16"), "line.not-utf8"),
        (b"Leases last 30 seconds.", "line.not-json"),
        (b'{"text": "Leases"', "line.not-json"),
        (GOOD + GOOD, "line.not-json"),
        (b"[" * 100_000, "line.not-json"),
        (b'{"text": ' + b"7" * 5_000 + b"}", "line.not-json"),
        (b'"Leases"', "line.not-a-draft"),
        (b"[]", "line.not-a-draft"),
        (b"null", "line.not-a-draft"),
        (b"{}", "line.not-a-draft"),
        (b'{"text": 7}', "line.not-a-draft"),
        (b'{"text": NaN}', "line.not-a-draft"),
        (b'{"text": "a", "source": {"scheme": "doc"}}', "line.not-a-draft"),
        (b'{"text": "\\ud800 half a letter", "source": "doc:a"}', "line.not-a-draft"),
        (json.dumps({"text": "long " * 9_000}).encode(), "line.not-a-draft"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_read(bad: bytes, rule: str) -> None:
    first, middle, last = lines(GOOD, bad, GOOD) if b"\n" not in bad else (*lines(GOOD), *lines(bad)[:1], *lines(GOOD))
    assert first.draft is not None
    assert last.draft is not None
    assert (middle.draft, middle.rule) == (None, rule)
    assert middle.sentence.endswith(".")
    assert "\n" not in middle.sentence


def test_a_line_of_fifty_megabytes_is_skipped_and_the_next_one_read() -> None:
    found = lines(b'{"text": "' + b"x" * 50_000_000 + b'"}', GOOD)
    assert [(line.number, line.rule) for line in found] == [(1, "line.too-long"), (2, "")]


@pytest.mark.parametrize("size", [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 2 * LONGEST_LINE])
def test_the_lines_around_the_limit_keep_their_numbers(size: int) -> None:
    found = lines(GOOD.ljust(size - 1), GOOD, GOOD)
    assert [line.number for line in found] == [1, 2, 3]
    assert found[1].draft is not None
    assert (found[0].draft is None) == (size > LONGEST_LINE)


def test_a_value_is_never_repeated_in_the_sentence() -> None:
    token = "ghp_" + "a1B2" * 9
    (line,) = lines(json.dumps({"text": "a", "source": [token]}).encode())
    assert token not in line.sentence


@given(st.binary(max_size=200))
def test_whatever_comes_in_every_line_is_a_draft_or_has_its_sentence(raw: bytes) -> None:
    for line in read_lines(io.BytesIO(raw)):
        assert (line.draft is None) == bool(line.rule and line.sentence)
