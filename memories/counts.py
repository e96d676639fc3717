"""Counts that stay cheap in a large store: many of them in one query, each stopping at a cap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import IntegerField, QuerySet, Subquery
from django.utils.formats import number_format

from memories.models import Store

CAP = 10_000
LOOKED_AT = 5_000


@dataclass(frozen=True, order=True)
class Count:
    """How many rows there are; `more` says that counting stopped, so there are at least `number`."""

    number: int
    more: bool = False

    def __str__(self) -> str:
        return number_format(self.number, force_grouping=True) + ("+" if self.more else "")

    def __bool__(self) -> bool:
        return self.number > 0


class RowCount(Subquery):
    """The number of rows of a query, as a value in another one."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def capped(number: int, cap: int = CAP) -> Count:
    """Return the count that `number`, found by looking for at most `cap` + 1 rows, stands for."""
    return Count(min(number, cap), more=number > cap)


def capped_counts(store: Store, wanted: Mapping[str, QuerySet[Any, Any]], cap: int = CAP) -> dict[str, Count]:
    """Count the rows of every query in `wanted` by one query to the database."""
    if not wanted:
        return {}
    counts = [RowCount(rows.order_by().values("pk")[: cap + 1]) for rows in wanted.values()]
    found = Store.objects.filter(pk=store.pk).values_list(*counts).get()
    return {name: capped(number, cap) for name, number in zip(wanted, found, strict=True)}


def commonest(rows: QuerySet[Any, Any], field: str, cap: int = LOOKED_AT, top: int = 10) -> list[tuple[Any, Count]]:
    """Return the values that `field` has most often among the first `cap` of `rows`, most frequent first."""
    found = list(rows.values_list(field, flat=True)[: cap + 1])
    counted = sorted(Counter(found[:cap]).items(), key=lambda pair: (-pair[1], str(pair[0])))
    return [(value, Count(number, more=len(found) > cap)) for value, number in counted[:top]]


def capped_count(rows: QuerySet[Any, Any], cap: int = CAP) -> Count:
    """Count `rows` up to `cap`."""
    return capped(rows.order_by().values("pk")[: cap + 1].count(), cap)
