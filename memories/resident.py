"""The index each process keeps of each store, caught up with the database before every use."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import F

from memories.embedding import Embedder, EmbedderError, get_embedder
from memories.embedding.base import UNIT_TOLERANCE
from memories.index import KINDS, NEVER, ORIGINS, STATUSES, ResidentIndex, Row, code_of
from memories.models import Memory, MemorySource, Removal, Store

log = logging.getLogger(__name__)
CHUNK = 2_000
# An index further behind than so many revisions is loaded anew, so older removals are needed by no process. Twice as
# many are kept: one that began to catch up in time ends long before the rest of them has passed.
FURTHEST_BEHIND = 25_000
REMOVALS_KEPT = 2 * FURTHEST_BEHIND
FIELDS = (
    "id", "kind", "status", "origin", "observed_at", "expires_at", "applies_to", "source", "times_seen",
    "embedding", "terms",
)  # fmt: skip


@dataclass(frozen=True)
class Ready:
    """A store's index as of now, and the embedder whose vectors it holds."""

    index: ResidentIndex
    embedder: Embedder


class Settings(NamedTuple):
    """What an index depends on besides its rows: a change of any of it means loading anew."""

    embedder: str
    width: int
    fact_days: int | None
    preference_days: int | None
    episode_days: int | None
    procedure_days: int | None


# Plain SQL: it is asked before every recall, and compiling the query would take longer than the answer.
NOW = f"SELECT revision, {', '.join(Settings._fields)} FROM memories_store WHERE id = %s"


@dataclass
class _Resident:
    settings: Settings | None = None
    index: ResidentIndex = field(default_factory=lambda: ResidentIndex(1))
    revision: int = -1
    lock: Lock = field(default_factory=Lock)


_residents: dict[int, _Resident] = {}


def ready(store: Store) -> Ready:
    """Return the store's index, holding every change that was committed before this call.

    Raises:
        EmbedderError: the store names an embedder that cannot be used here; the message says what to do.
    """
    index, settings = _caught_up(store)
    return Ready(index, get_embedder(settings.embedder, settings.width))


def _caught_up(store: Store) -> tuple[ResidentIndex, Settings]:
    """The store's index with every change committed before this call, and the settings that it was built with."""
    resident = _residents.get(store.pk) or _residents.setdefault(store.pk, _Resident())
    with resident.lock:
        revision, settings = _now(store)
        while settings != resident.settings or revision != resident.revision:
            # A load that failed half way begins again from nothing, too.
            begun = 0 <= resident.revision <= revision <= resident.revision + FURTHEST_BEHIND
            if settings != resident.settings or not begun:
                resident.settings, resident.revision = settings, -1
                resident.index = ResidentIndex(settings.width)
            _catch_up(resident, settings, store.pk, revision)
            # Where the embedder changed while the rows were read, some of their vectors are of the new one.
            _later, settings = _now(store)
        return resident.index, settings


def _now(store: Store, suffix: str = "") -> tuple[int, Settings]:
    with connection.cursor() as cursor:
        cursor.execute(f"{NOW} {suffix}", [store.pk])
        row = cursor.fetchone()
    if row is None:
        raise Store.DoesNotExist("The store is gone.")
    return row[0], Settings(*row[1:])


def warm(store: Store) -> None:
    """Load the store's index where this process has none yet."""
    if store.pk not in _residents:
        ready(store)


def embedder_of(store: Store) -> Embedder:
    """The embedder that the store names."""
    return get_embedder(store.embedder, store.width)


class EmbedderChanged(EmbedderError):
    """The store changed its embedder while vectors of the old one were being made."""

    def __init__(self) -> None:
        super().__init__("The store has just changed its embedder: do the same once more.")


def confirm_embedder(store: Store) -> None:
    """Make sure that the store still names the embedder that `store` was loaded with.

    Call it inside the transaction that keeps new vectors. Raises EmbedderChanged.
    """
    lock = connection.ops.for_update_sql() if connection.features.has_select_for_update else ""
    _revision, settings = _now(store, lock)
    if settings[:2] != (store.embedder, store.width):
        raise EmbedderChanged


def put_new(store: Store, revision: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Put notes just committed into the index that this process holds, instead of reading them back.

    Only where nothing else has changed since that index was caught up; else the next `ready` sees to it.

    Args:
        revision: the store's revision that these notes came with; they were its only changes.
        rows: the values of FIELDS, of each.
    """
    resident = _residents.get(store.pk)
    if resident is None:
        return
    with resident.lock:
        settings = resident.settings
        if settings and settings[:2] == (store.embedder, store.width) and resident.revision == revision - 1:
            # Their vectors have just been packed, which refuses what cannot be used.
            values = [tuple(row[name] for name in FIELDS) for row in rows if row["embedding"] is not None]
            resident.index.put([_row(each, (), settings) for each in values])
            resident.revision = revision


def scrub(store: Store) -> None:
    """Drop forgotten notes from the index that this process holds, if it holds one, without waiting for a recall.

    Nothing is embedded for that: a deletion comes to its end where the embedder can no longer be used.
    """
    if store.pk in _residents:
        _caught_up(store)


def drop_old_removals(store: Store) -> None:
    """Let go of removals that no process needs any more: each has read them, or loads the store anew."""
    revision, _settings = _now(store)
    Removal.objects.filter(store=store, revision__lte=revision - REMOVALS_KEPT).delete()


def drop_all() -> None:
    """Let go of every index, as a fresh process would start."""
    _residents.clear()


def _catch_up(resident: _Resident, settings: Settings, store_id: int, revision: int) -> None:
    """Take in what changed up to `revision`, or a little later: what is read twice changes nothing.

    Removals are read after the rows, so a note forgotten in between goes again. What had gone before a first load began
    is in none of its rows.
    """
    since = revision if resident.revision < 0 else resident.revision
    rows = Memory.objects.filter(store_id=store_id, revision__gt=resident.revision, embedding__isnull=False)
    if resident.revision < 0:
        resident.index.reserve(rows.count())
    # Few changes are read in the order of their index: for the order of ids a database would walk all notes.
    order = "pk" if resident.revision < 0 else "revision"
    values = rows.order_by(order).values_list(*FIELDS).iterator(chunk_size=CHUNK)
    while chunk := list(islice(values, CHUNK)):
        resident.index.put(_as_rows(chunk, settings))
    gone = Removal.objects.filter(store_id=store_id, revision__gt=since)
    resident.index.remove(gone.values_list("memory_number", flat=True))
    resident.revision = revision


def _as_rows(chunk: Sequence[tuple[Any, ...]], settings: Settings) -> Iterator[Row]:
    extra = _extra_sources([number for number, *_rest, seen, _vector, _terms in chunk if seen > 1])
    for values, usable in zip(chunk, usable_vectors([values[-2] for values in chunk], settings.width), strict=True):
        number = values[0]
        if usable:
            yield _row(values, extra.get(number, ()), settings)
        else:
            log.warning("Note %d has a vector that cannot be used and is not recalled: run `manage.py health`.", number)


def _row(values: tuple[Any, ...], further_sources: Sequence[str], settings: Settings) -> Row:
    number, kind, status, origin, observed_at, expires_at, applies_to, source, _seen, vector, terms = values
    return Row(
        id=number,
        kind=code_of(KINDS, kind),
        status=code_of(STATUSES, status),
        origin=code_of(ORIGINS, origin),
        observed_at=int(observed_at.timestamp()),
        expires_at=_end(observed_at, expires_at, getattr(settings, f"{kind}_days")),
        applies_to=applies_to,
        sources=(source, *further_sources),
        vector=bytes(vector),
        terms=bytes(terms),
    )


def usable_vectors(vectors: Sequence[bytes | memoryview], width: int) -> list[bool]:
    """Whether each stored vector has `width` float32 values, all finite, and unit length."""
    lengths = np.zeros(len(vectors))
    right = [at for at, vector in enumerate(vectors) if len(vector) == 4 * width]
    if right:
        matrix = np.frombuffer(b"".join(vectors[at] for at in right), "<f4").reshape(len(right), width)
        lengths[right] = np.linalg.norm(matrix, axis=1)
    return [bool(usable) for usable in np.abs(lengths - 1) <= UNIT_TOLERANCE]


def _extra_sources(numbers: Sequence[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    if not numbers:
        return found
    later = MemorySource.objects.filter(memory_id__in=numbers).exclude(source=F("memory__source"))
    for number, source in later.values_list("memory_id", "source"):
        found.setdefault(number, []).append(source)
    return found


def _end(observed_at: datetime, expires_at: datetime | None, days: int | None) -> int:
    """Second in which a note ends: by its own date or its kind's time to live, whichever comes first."""
    ends = [expires_at] if expires_at else []
    if days:
        ends.append(observed_at + timedelta(days=days))
    return int(min(ends).timestamp()) if ends else NEVER
