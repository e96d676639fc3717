"""The sources of a store: what was learnt from each, counted no further than a page needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection
from django.db.models import Count as Counted
from django.db.models import Max
from django.db.models.expressions import RawSQL

from memories.counts import Count
from memories.index import ORIGINS
from memories.models import MemorySource, Origin, Status, Store
from memories.queries import LAST_SIGN

SIZE = 25
CAP = 500
SCHEMES = 12
TABLE = MemorySource._meta.db_table

# Walks from one name to the next in the index: DISTINCT would read every row of every source.
NAMES = f"""
WITH RECURSIVE name(source) AS (
  SELECT MIN(source) FROM {TABLE} WHERE store_id = %s AND source >= %s AND source < %s
  UNION ALL
  SELECT (SELECT MIN(source) FROM {TABLE} WHERE store_id = %s AND source > name.source AND source < %s)
  FROM name WHERE name.source IS NOT NULL
)
SELECT source FROM name WHERE source IS NOT NULL LIMIT %s
"""
# The latest rows of one source; a page joins one such query for each of its sources.
LATEST = (
    f"SELECT * FROM (SELECT id FROM {TABLE} "
    "WHERE store_id = %s AND source = %s ORDER BY observed_at DESC LIMIT %s) AS latest"
)


@dataclass
class Source:
    """One source: how many notes by status, the lowest origin among them, and when it last told something."""

    name: str
    by_status: Counter[str] = field(default_factory=Counter)
    origin: str = Origin.MAINTAINER.value
    last_seen: datetime | None = None

    @property
    def total(self) -> Count:
        counted = self.by_status.total()
        return Count(min(counted, CAP), more=counted > CAP)

    @property
    def statuses(self) -> list[tuple[str, Count]]:
        return [(str(status), Count(self.by_status[status], more=self.total.more)) for status in Status]


def sources(store: Store, *, prefix: str = "", after: str = "", size: int = SIZE) -> tuple[list[Source], str]:
    """Return one page of the sources that begin with `prefix`, by name, and the name the next page begins after."""
    names = _names(store, prefix, after, size + 1)
    page = {name: Source(name) for name in names[:size]}
    for name, status, origin, count, last_seen in _latest(store, list(page)):
        row = page[name]
        row.by_status[status] += count
        row.origin = max(row.origin, origin, key=ORIGINS.index)
        row.last_seen = max(filter(None, (row.last_seen, last_seen)))
    return list(page.values()), names[size - 1] if len(names) > size else ""


def _names(store: Store, prefix: str, after: str, limit: int) -> list[str]:
    start, end = f"{after}\x01" if after else prefix, prefix + LAST_SIGN
    with connection.cursor() as cursor:
        cursor.execute(NAMES, [store.pk, start, end, store.pk, end, limit])
        return [row[0] for row in cursor.fetchall()]


def _latest(store: Store, names: list[str]) -> Iterable[tuple[str, str, str, int, datetime]]:
    if not names:
        return []
    rows = RawSQL(
        " UNION ALL ".join([LATEST] * len(names)), [part for name in names for part in (store.pk, name, CAP + 1)]
    )
    grouped = MemorySource.objects.filter(pk__in=rows).order_by().values_list("source", "memory__status", "origin")
    return grouped.annotate(Counted("pk"), Max("observed_at"))


def schemes(store: Store) -> list[str]:
    """Return the schemes in use, stepping in the index from one to the first source behind it."""
    found: list[str] = []
    rows = MemorySource.objects.filter(store=store).order_by("source").values_list("source", flat=True)
    # Digits and letters sort behind the colon, so ";" is where the next scheme can begin.
    while len(found) < SCHEMES and (name := rows.filter(source__gte=f"{found[-1]};" if found else "").first()):
        found.append(name.partition(":")[0])
    return found
