"""What only one database engine has: the end of a deletion on disk, and looking for what it may have left."""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from pathlib import Path

from django.db import connection


def finish_deletion() -> str:
    """Move the write-ahead log into the database file and empty it, so that no deleted page stays in it.

    `secure_delete` has overwritten the pages themselves. Returns one sentence for the receipt.
    """
    if connection.vendor != "sqlite":
        return "The database server overwrites deleted rows at its next VACUUM."
    if connection.in_atomic_block:
        return "The write-ahead log is emptied when the surrounding transaction has ended."
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy = cursor.fetchone()[0]
    if busy:
        return "The write-ahead log was in use: the next sweep empties it."
    return "Deleted pages are overwritten and the write-ahead log is empty."


def compact() -> None:
    """Rebuild the database file from what is still in it, then empty the write-ahead log."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    finish_deletion()


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


def files_holding(needles: Iterable[bytes]) -> list[str]:
    """Names of the database's files that hold any of `needles`."""
    wanted = [needle for needle in needles if needle]
    return [path.name for path in database_files() if path.stat().st_size and _holds(path, wanted)]


def _holds(path: Path, needles: list[bytes]) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return any(content.find(needle) >= 0 for needle in needles)
