"""JSON lines for commands that read whole, sound files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import CommandError


def read_objects(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and object of each line that is not blank; - is standard input.

    Raises:
        CommandError: the file cannot be read, or a line is no JSON object; the message names it.
    """
    with opened(name) as lines:
        for number, raw in enumerate(lines, start=1):
            if raw.strip():
                yield number, _object(name, number, raw)


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for -. Raises CommandError where it cannot be read."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(name).open("rb") as file:
            yield file
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from None


def _object(name: str, number: int, raw: bytes) -> dict[str, Any]:
    try:
        found = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise CommandError(f"{name}, line {number}: not a JSON object in UTF-8.") from None
    if not isinstance(found, dict):
        raise CommandError(f"{name}, line {number}: not a JSON object in UTF-8.")
    return found
