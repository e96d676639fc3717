"""A few honest figures about a store: what came in, what was decided, what waits, what was refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from memories.counts import Count, as_kept, capped_counts, commonest, numbers
from memories.models import Action, AuditEvent, Memory, Refusal, Status, Store
from memories.queries import start_of

DAYS = 30
LATEST = 2_000
AGES = (1, 3, 7, 30)
# Eight counts stand on the page beside the days.
COUNTED_TO = 5_000
# Refusals that one drawing counts: a flood of them must not slow the page that shows it.
DRAWN = 45_000


# One for each day and status, in one statement: the ORM takes longer to write ninety of them than they run.
PROPOSED_COUNTED = (
    f"SELECT COALESCE(SUM(count), 0) FROM {AuditEvent._meta.db_table} "
    "WHERE store_id = %s AND action = %s AND at >= %s AND at < %s"
)
DECIDED_COUNTED = (
    f"SELECT COUNT(*) FROM {Memory._meta.db_table} "
    "WHERE store_id = %s AND status = %s AND decided_at >= %s AND decided_at < %s"
)
COUNTED = {
    Action.PROPOSED.value: PROPOSED_COUNTED,
    Status.APPROVED.value: DECIDED_COUNTED,
    Status.REJECTED.value: DECIDED_COUNTED,
}


@dataclass(frozen=True)
class Writer:
    """A note writer with one version of its prompt, and what became of its latest notes."""

    model: str
    prompt_version: str
    by_status: Counter[str]

    @property
    def decided(self) -> int:
        return self.by_status[Status.APPROVED] + self.by_status[Status.REJECTED]

    @property
    def accepted(self) -> float | None:
        """Share of the decided notes that were approved; None where none was decided."""
        return self.by_status[Status.APPROVED] / self.decided if self.decided else None


def by_day(store: Store, today: date, days: int = DAYS) -> list[tuple[date, Counter[str]]]:
    """Notes proposed, approved and rejected on each of the last `days` days, in the reader's zone.

    What was proposed is summed in the record. Of decisions those count that stand: none that was undone, no note that
    was forgotten. A figure a day and status: grouping by date would call back into Python for every entry.
    """
    shown = _days_until(today, days)
    asked = [[store.pk, status, *_bounds(day)] for day in shown for status in COUNTED]
    found = iter(numbers(list(COUNTED.values()) * days, asked))
    return [(day, Counter({status: next(found) for status in COUNTED})) for day in shown]


def _days_until(today: date, days: int) -> list[date]:
    return [today - timedelta(days=days - 1 - number) for number in range(days)]


def _bounds(day: date) -> list[Any]:
    """The first moment of a day in the reader's zone, and that of the next one, as the database keeps them."""
    return [as_kept(start_of(day)), as_kept(start_of(day + timedelta(days=1)))]


def writers(store: Store) -> list[Writer]:
    """What became of the latest notes of runs, by who wrote them under which prompt; most notes first."""
    latest = Memory.objects.filter(store=store, run__isnull=False).order_by("-pk")
    rows = latest.values_list("run__writer_model", "run__writer_prompt_version", "status")[:LATEST]
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for model, version, status in rows:
        found[model, version][status] += 1
    return sorted((Writer(*key, counts) for key, counts in found.items()), key=lambda row: -row.by_status.total())


def refusals_by_rule(store: Store, now: datetime, days: int = DAYS) -> list[tuple[str, Count]]:
    """The rules that refused most in the last `days` days."""
    return commonest(refused_since(store, now - timedelta(days=days)), "rule")


def refused_since(store: Store, moment: datetime) -> QuerySet[Refusal]:
    """Refusals from `moment` on, newest first."""
    return Refusal.objects.filter(store=store, at__gte=moment).order_by("-at", "-id")


def drawn_to(days: int) -> int:
    """The most refusals that a day is counted to where so many days are drawn."""
    return DRAWN // days


def refusals_by_day(
    store: Store, today: date, days: int, conditions: Mapping[str, Any] | None = None
) -> list[tuple[date, Counter[str]]]:
    """How many drafts were refused, under `conditions` if any, on each of the last `days` days in the reader's zone.

    A day's figure ends at what `drawn_to` says.
    """
    shown = _days_until(today, days)
    start, end = start_of(today), start_of(today + timedelta(days=1))
    rows = Refusal.objects.filter(store=store, **(conditions or {})).filter(at__gte=start, at__lt=end)
    # Written once by the ORM for all days.
    sql, (*told, _start, _end) = rows.order_by().values("pk")[: drawn_to(days)].query.sql_with_params()
    statement = f"SELECT COUNT(*) FROM ({sql}) AS counted"
    found = numbers([statement] * days, [[*told, *_bounds(day)] for day in shown])
    return [(day, Counter({Action.REFUSED.value: count})) for day, count in zip(shown, found, strict=True)]


def queue_by_age(store: Store, now: datetime) -> list[tuple[str, Count]]:
    """How long the notes in the inbox have waited."""
    edges = [now - timedelta(days=days) for days in AGES]
    labels = [_("under a day"), _("1 to 3 days"), _("3 to 7 days"), _("7 to 30 days"), _("over 30 days")]
    bounds: list[dict[str, Any]] = [
        {"created_at__gt": edges[0]},
        *({"created_at__lte": later, "created_at__gt": sooner} for later, sooner in pairwise(edges)),
        {"created_at__lte": edges[-1]},
    ]
    waiting = Memory.objects.filter(store=store, status=Status.PROPOSED)
    wanted = {label: waiting.filter(**bound) for label, bound in zip(labels, bounds, strict=True)}
    return list(capped_counts(store, wanted, COUNTED_TO).items())


def standing(store: Store) -> dict[str, Count]:
    """How many notes there are in each status."""
    notes = Memory.objects.filter(store=store)
    return capped_counts(store, {status: notes.filter(status=status) for status in Status.values}, COUNTED_TO)
