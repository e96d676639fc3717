"""Refusals in bursts, newest first.

A burst is what one proposer handed in from one source on one day of the reader's calendar. Whatever its size it is one
group, on one page: where a page ends inside of a burst, the next one passes over the rest of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count as Counted
from django.db.models import Exists, IntegerField, Max, Min, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from memories.counts import Count
from memories.models import Refusal, Run
from memories.paging import beyond, reverse
from memories.queries import start_of

SIZE = 50
# A page reads so many refusals at most: where a burst is larger, its count says "at least".
LOOKED_AT = 2_000
ORDER = ("-at", "-source", "-proposer")
# No source and no proposer holds a line break.
SEPARATOR = "\n"


class Place(NamedTuple):
    """Where a refusal stands in ORDER."""

    at: datetime
    source: str
    proposer: str


@dataclass(frozen=True)
class Burst:
    """One group: how often each rule refused, and how many runs took part, the newest of them by number and name."""

    source: str
    proposer: str
    day: date
    first: datetime
    last: datetime
    count: Count
    runs: int
    run: int | None
    run_name: str = ""
    rules: list[tuple[str, int]] = field(default_factory=list)

    @property
    def place(self) -> Place:
        return Place(self.last, self.source, self.proposer)


@dataclass(frozen=True)
class Bursts:
    """A page of groups. `unfinished`: all that was read belongs to groups shown before; the rest begins `after` it."""

    rows: list[Burst]
    after: str = ""
    unfinished: bool = False
    before: str = ""


def bursts(rows: QuerySet[Refusal], since: datetime, after: str = "") -> Bursts:
    """The groups of `rows`, refusals of one store, from `since` on that begin behind the cursor `after`.

    Each query has one bound at either end: of two, SQLite may walk an index from the wider one.
    """
    now = timezone.now()
    start = read_cursor(after, since, now)
    left = rows.filter(beyond(ORDER, start) if start else Q(at__lt=now + timedelta(days=1)))
    all_left = left.filter(at__gte=since).order_by(*ORDER).values_list(*Place._fields)
    cut = next((Place(*row) for row in all_left[LOOKED_AT:][:1]), None)
    window = _unseen(left.filter(_until(cut) if cut else Q(at__gte=since)), rows, start)
    days = _days(start.at if start else now, cut.at if cut else since)
    found = _groups(window.annotate(day=_number_of(days)), days, days[-1] if cut else None)
    page, more = found[:SIZE], len(found) > SIZE
    end = page[-1].place if more else cut
    return Bursts(page, write_cursor(end) if end else "", unfinished=bool(cut) and not page)


def _unseen(left: QuerySet[Refusal], rows: QuerySet[Refusal], start: Place | None) -> QuerySet[Refusal]:
    """Without the rest of those groups that an earlier page showed."""
    if start is None:
        return left
    day = timezone.localdate(start.at)
    same = rows.order_by().filter(source=OuterRef("source"), proposer=OuterRef("proposer"))
    shown = same.filter(_until(start), at__lt=start_of(day + timedelta(days=1)))
    return left.filter(Q(at__lt=start_of(day)) | ~Exists(shown))


def _until(place: Place) -> Q:
    """Up to and including `place`, as one range of an index."""
    return Q(at__gte=place.at) & (beyond(reverse(ORDER), place) | Q(**place._asdict()))


def _days(newest: datetime, oldest: datetime) -> list[date]:
    last, first = timezone.localdate(newest), timezone.localdate(oldest)
    return [last - timedelta(days=number) for number in range((last - first).days + 1)]


def _number_of(days: Sequence[date]) -> RawSQL:
    """The place in `days`, newest first, of the day that a refusal came on; the ORM takes longer to write it down."""
    cases = " ".join(f"WHEN {Refusal._meta.db_table}.at >= %s THEN {number}" for number in range(len(days)))
    starts = [connection.ops.adapt_datetimefield_value(start_of(day)) for day in days]
    return RawSQL(f"CASE {cases} ELSE {len(days) - 1} END", starts, output_field=IntegerField())


def _groups(window: QuerySet[Refusal], days: Sequence[date], cut: date | None) -> list[Burst]:
    key = ("day", "source", "proposer")
    sizes = {"count": Counted("pk"), "first": Min("at"), "last": Max("at"), "runs": Counted("run", distinct=True)}
    rows = window.values(*key).annotate(**sizes, newest_run=Max("run")).order_by("-last", "-source", "-proposer")
    found = list(rows[: SIZE + 1])
    sources = {row["source"] for row in found}
    counted = window.filter(source__in=sources).values_list(*key, "rule").annotate(count=Counted("pk"))
    rules = defaultdict(list)
    for day, source, proposer, rule, count in counted.order_by("-count", "rule"):
        rules[day, source, proposer].append((rule, count))
    names = dict(Run.objects.filter(pk__in=_numbers(found)).values_list("pk", "identifier"))
    return [
        Burst(
            row["source"],
            row["proposer"],
            days[row["day"]],
            row["first"],
            row["last"],
            Count(row["count"], more=days[row["day"]] == cut),
            row["runs"],
            row["newest_run"],
            names.get(row["newest_run"], ""),
            rules[row["day"], row["source"], row["proposer"]],
        )
        for row in found
    ]


def _numbers(found: Iterable[dict[str, Any]]) -> set[int]:
    return {row["newest_run"] for row in found if row["newest_run"] is not None}


def write_cursor(place: Place) -> str:
    """Return the cursor of `place`, fit for a link once it is encoded."""
    return SEPARATOR.join((place.at.isoformat(), place.source, place.proposer))


def read_cursor(text: str, since: datetime, now: datetime) -> Place | None:
    """Return the place that a cursor names, or None where it names none in this time."""
    parts = text.split(SEPARATOR)
    if len(parts) != len(ORDER):
        return None
    try:
        at = parse_datetime(parts[0])
    except ValueError:
        return None
    return Place(at, parts[1], parts[2]) if at and timezone.is_aware(at) and since <= at <= now else None
