"""Drafts out of JSON lines, however broken: one bad line never loses the others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from pydantic import ValidationError

from memories.schemas import Draft, explain

LONGEST_LINE = 1_000_000  # bytes; a draft takes a few hundred


@dataclass(frozen=True)
class Read:
    """One line of a file: the JSON it holds, or the rule and the sentence that say why it cannot be read."""

    number: int
    shape: Any = None
    rule: str = ""
    sentence: str = ""


@dataclass(frozen=True)
class Line:
    """One line of a file: the draft it holds, or the rule and the sentence that say why it holds none.

    `ignored` names the fields that drafts do not have: one of them may be a slip.
    """

    number: int
    draft: Draft | None
    rule: str = ""
    sentence: str = ""
    ignored: frozenset[str] = frozenset()


def read_lines(file: BinaryIO) -> Iterator[Line]:
    """Yield a `Line` for each line that is not blank, holding no more than one line in memory."""
    return map(_as_draft, read_shapes(file))


def read_shapes(file: BinaryIO) -> Iterator[Read]:
    """Yield what each line that is not blank holds, with no more than one line in memory."""
    number = 0
    while raw := file.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            _skip_rest(file)
            yield Read(number, rule="line.too-long", sentence="The line is longer than 1,000,000 bytes: shorten it.")
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if raw.strip():
            yield _read(number, raw)


def _skip_rest(file: BinaryIO) -> None:
    while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def _read(number: int, raw: bytes) -> Read:
    try:
        return Read(number, json.loads(raw.decode()))
    except UnicodeDecodeError:
        return Read(number, rule="line.not-utf8", sentence="The line is not UTF-8: save the file as UTF-8.")
    except (ValueError, RecursionError):  # ValueError also for a number of thousands of digits
        return Read(number, rule="line.not-json", sentence="The line is not JSON: write one object a line.")


def _as_draft(read: Read) -> Line:
    if read.rule:
        return Line(read.number, None, read.rule, read.sentence)
    try:
        draft = Draft.model_validate(read.shape)
        return Line(read.number, draft, ignored=frozenset(read.shape) - set(Draft.model_fields))
    except ValidationError as error:
        return Line(read.number, None, "line.not-a-draft", f"The line is no draft: {explain(error)}")
