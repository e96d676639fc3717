"""What the sweeps to come will take, week by week, as the store's periods and its notes are now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.translation import gettext as _

from memories.counts import Count, capped_counts
from memories.models import Kind, Memory, Status, Store

WEEKS = 12
CAP = 1_000
WEEK = timedelta(days=7)


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
    wanted = {
        f"{label}/{number}": Memory.objects.filter(_between(condition, field, start - kept), store=store)
        for label, (condition, field, kept) in reasons.items()
        for number, start in enumerate(starts)
    }
    counts = capped_counts(store, wanted, CAP)
    return Calendar(starts, [Row(label, [counts[f"{label}/{n}"] for n in range(weeks)]) for label in reasons])


def _reasons(store: Store) -> dict[str, tuple[Q, str, timedelta]]:
    """For each reason: which notes, the date that counts, and how long after it they go."""
    found: dict[str, tuple[Q, str, timedelta]] = {}
    for kind, label in Kind.choices:
        if days := store.days_kept(kind):
            # Every status is named so that the index on status, kind and date answers.
            condition = Q(kind=kind, status__in=Status.values)
            found[str(label)] = (condition, "observed_at", timedelta(days=days))
    if store.rejected_days:
        rejected = Q(status=Status.REJECTED)
        found[_("rejected notes")] = (rejected, "decided_at", timedelta(days=store.rejected_days))
    found[_("own end date")] = (Q(), "expires_at", timedelta())
    return found


def _between(condition: Q, field: str, start: datetime) -> Q:
    return condition & Q(**{f"{field}__gt": start, f"{field}__lte": start + WEEK})
