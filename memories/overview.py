"""A few honest figures about a store: what came in, what was decided, what waits, what was refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from django.db.models import IntegerField, QuerySet, Subquery
from django.utils.translation import gettext as _

from memories.counts import Count, RowCount, capped_counts, commonest
from memories.models import Action, AuditEvent, Memory, Refusal, Status, Store
from memories.queries import start_of

DAYS = 30
LATEST = 5_000
DECISIONS = (Status.APPROVED, Status.REJECTED)
AGES = (1, 3, 7, 30)


class CountSum(Subquery):
    """The notes that some audit entries stand for, as a value in another query."""

    template = "(SELECT COALESCE(SUM(counted.count), 0) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()

    def __init__(self, events: QuerySet[AuditEvent]) -> None:
        super().__init__(events.order_by().values("count"))


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

    What was proposed is read in the record. Of decisions those count that stand: not what was undone, or forgotten.
    One query with a figure a day and status: grouping by date would call back into Python for every entry.
    """
    shown = [today - timedelta(days=days - 1 - number) for number in range(days)]
    figures = [figure for day in shown for figure in _of_day(store, start_of(day), start_of(day + timedelta(days=1)))]
    found = iter(Store.objects.filter(pk=store.pk).values_list(*figures).get())
    return [(day, Counter({status.value: next(found) for status in (Status.PROPOSED, *DECISIONS)})) for day in shown]


def _of_day(store: Store, start: datetime, end: datetime) -> list[Subquery]:
    """How many notes were proposed, approved and rejected between two moments."""
    proposals = AuditEvent.objects.filter(store=store, action=Action.PROPOSED, at__gte=start, at__lt=end)
    decided = Memory.objects.filter(store=store, decided_at__gte=start, decided_at__lt=end).order_by()
    return [CountSum(proposals), *(RowCount(decided.filter(status=status).values("pk")) for status in DECISIONS)]


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


def refusals_by_day(store: Store, rows: QuerySet[Refusal], today: date, days: int) -> list[tuple[date, Counter[str]]]:
    """How many of `rows` were refused on each of the last `days` days, in the reader's zone; one query."""
    shown = [today - timedelta(days=days - 1 - number) for number in range(days)]
    wanted = {
        day.isoformat(): rows.filter(at__gte=start_of(day), at__lt=start_of(day + timedelta(days=1))) for day in shown
    }
    counts = capped_counts(store, wanted)
    return [(day, Counter({Action.REFUSED.value: counts[day.isoformat()].number})) for day in shown]


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
    return list(capped_counts(store, wanted).items())


def standing(store: Store) -> dict[str, Count]:
    """How many notes there are in each status."""
    notes = Memory.objects.filter(store=store)
    return capped_counts(store, {status: notes.filter(status=status) for status in Status.values})
