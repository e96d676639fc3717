"""What the sweeps to come will take, week by week, as the store's periods and its notes are now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from memories.counts import Count, as_kept, capped, capped_statement, numbers
from memories.models import Kind, Memory, Status, Store

WEEKS = 12
CAP = 1_000
WEEK = timedelta(days=7)
# Every status is named so that the index on status, kind and date answers.
STATUSES = ", ".join(["%s"] * len(Status.values))
OF_A_KIND = capped_statement(
    Memory, f"store_id = %s AND status IN ({STATUSES}) AND kind = %s AND observed_at > %s AND observed_at <= %s"
)
REJECTED = capped_statement(Memory, "store_id = %s AND status = %s AND decided_at > %s AND decided_at <= %s")
ENDED = capped_statement(Memory, "store_id = %s AND expires_at > %s AND expires_at <= %s")


@dataclass(frozen=True)
class Row:
    """One reason for which notes go, and how many go in each week to come."""

    label: str
    weeks: list[Count]

    @property
    def total(self) -> Count:
        return Count(sum(week.number for week in self.weeks), more=any(week.more for week in self.weeks))


@dataclass(frozen=True)
class Calendar:
    """The starts of the weeks to come, and a row for each reason; a note that meets two reasons is in both rows."""

    starts: list[datetime]
    rows: list[Row]


def calendar(store: Store, now: datetime, weeks: int = WEEKS) -> Calendar:
    """Count what becomes due in each of the next `weeks` weeks, in one query."""
    starts = [now + WEEK * number for number in range(weeks)]
    reasons = _reasons(store)
    statements = [reason.statement for reason in reasons for _start in starts]
    asked = [
        [*reason.parameters, as_kept(start - reason.kept), as_kept(start - reason.kept + WEEK), CAP + 1]
        for reason in reasons
        for start in starts
    ]
    found = iter(numbers(statements, asked))
    return Calendar(starts, [Row(reason.label, [capped(next(found), CAP) for _start in starts]) for reason in reasons])


class Reason(NamedTuple):
    """Why notes go: a name, which of them in plain SQL up to two dates, and how long after these they go."""

    label: str
    statement: str
    parameters: list[Any]
    kept: timedelta


def _reasons(store: Store) -> list[Reason]:
    found: list[Reason] = []
    for kind, label in Kind.choices:
        if days := store.days_kept(kind):
            found.append(Reason(str(label), OF_A_KIND, [store.pk, *Status.values, kind], timedelta(days=days)))
    if store.rejected_days:
        kept = timedelta(days=store.rejected_days)
        found.append(Reason(_("rejected notes"), REJECTED, [store.pk, Status.REJECTED.value], kept))
    return [*found, Reason(_("own end date"), ENDED, [store.pk], timedelta())]
