"""What only one database engine has: the end of a deletion on disk, and looking for what it may have left."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.db import OperationalError, connection
from django.utils.translation import gettext_noop

# A larger file takes so long to rebuild that others would wait: that is left to the sweep, at night.
REBUILT_AT_ONCE = 256 * 2**20

BLOCK = 16 * 2**20
# Milliseconds that emptying the log waits for readers: nobody can write meanwhile, and a paused export may read for long.
WAIT_FOR_READERS = 2_000

# What receipts say, kept in English and shown in the reader's language; those of an incomplete cleaning name the sweep.
BY_SERVER = gettext_noop("The database server overwrites deleted rows at its next VACUUM.")
NESTED = gettext_noop("The deletion was part of a larger transaction: the next `manage.py sweep` rebuilds the file.")
LARGE = gettext_noop(
    "Deleted rows are overwritten; the next `manage.py sweep` rebuilds the file, which is over 256 MiB."
)
IN_USE = gettext_noop("The write-ahead log was in use: the next `manage.py sweep` empties it.")
REBUILT = gettext_noop("The database file was rebuilt without the deleted rows, and the write-ahead log is empty.")


class Cleaning(NamedTuple):
    """Whether nothing of deleted rows is left in the database's files, and one sentence for the receipt."""

    complete: bool
    sentence: str


def finish_deletion(*, however_large: bool = False) -> Cleaning:
    """Rebuild the database file without what was deleted, then empty the write-ahead log.

    A file over 256 MiB is only rebuilt where `however_large` says so: nobody can write meanwhile.

    `secure_delete` overwrites the rows themselves, but a row that moved when its page was split or merged leaves a
    copy in the gap of the old page: only a rebuilt file has no such gaps.
    """
    if connection.vendor != "sqlite":
        return Cleaning(True, BY_SERVER)
    if connection.in_atomic_block:
        return Cleaning(False, NESTED)
    if not however_large and sum(path.stat().st_size for path in database_files()) > REBUILT_AT_ONCE:
        _empty_log()
        return Cleaning(False, LARGE)
    try:
        _rebuild()
    except OperationalError as error:
        # What deletion overwrote is at least out of the log, where the disk allows that much.
        with suppress(OperationalError):
            _empty_log()
        sentence = f"The database file could not be rebuilt ({error}): the next `manage.py sweep` tries again."
        return Cleaning(False, sentence)
    if not _empty_log():
        return Cleaning(False, IN_USE)
    return Cleaning(True, REBUILT)


def _rebuild() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")


def _empty_log() -> bool:
    """Move the write-ahead log into the database file; whether no reader was in the way."""
    with connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {WAIT_FOR_READERS}")
        try:
            return not cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")


def refresh_statistics() -> None:
    """Tell the query planner how the rows are spread; a sample, so it takes milliseconds at any size.

    Without it a list filtered by source may walk the index of a far more common part of the filter.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA analysis_limit=1000")
        cursor.execute("ANALYZE")


def database_files() -> list[Path]:
    """The files in which the database keeps rows; none where it is a server elsewhere."""
    if connection.vendor != "sqlite":
        return []
    main = Path(str(connection.settings_dict["NAME"]))
    return [
        path
        for path in (main, main.with_name(main.name + "-wal"), main.with_name(main.name + "-journal"))
        if path.is_file()
    ]


def found_in_files(needles: Iterable[bytes]) -> set[bytes]:
    """Those of `needles` that stand in a file of the database."""
    wanted, found = {needle for needle in needles if needle}, set[bytes]()
    for path in database_files():
        found |= _found_in(path, wanted - found)
    return found


def _found_in(path: Path, needles: set[bytes]) -> set[bytes]:
    overlap = max(map(len, needles), default=1) - 1
    descriptor = _opened(path, path.stat().st_ino)
    at, block, found = 0, b"", set[bytes]()
    while found < needles and (more := os.pread(descriptor, BLOCK, at)):
        # What lies across two reads is seen whole in the second.
        block = block[max(len(block) - overlap, 0) :] + more
        found |= {needle for needle in needles - found if needle in block}
        at += len(more)
    return found


@cache
def _opened(path: Path, _inode: int) -> int:
    """A descriptor of the file, kept open for the life of the process.

    Closing any descriptor of a file drops every lock that the process holds on it (POSIX). SQLite would not know, and
    the next process to leave would take itself for the last one and remove the write-ahead log still in use here.
    Source: "How To Corrupt An SQLite Database File", section 2.2, sqlite.org.
    """
    return os.open(path, os.O_RDONLY)
