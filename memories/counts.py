"""Counts that stay cheap in a large store: many of them in one query, each stopping at a cap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import IntegerField, Model, QuerySet, Subquery
from django.utils.formats import number_format

from memories.models import Store

CAP = 10_000
LOOKED_AT = 2_000


@dataclass(frozen=True, order=True)
class Count:
    """How many rows there are; `more` says that counting stopped, so there are at least `number`."""

    number: int
    more: bool = False

    def __str__(self) -> str:
        return number_format(self.number, force_grouping=True) + ("+" if self.more else "")

    def __bool__(self) -> bool:
        return self.number > 0


def counted(number: int, one: str, many: str = "") -> str:
    """How many there are, for a terminal: `1 note`, `2,000 notes`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


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


def numbers(statements: Sequence[str], asked: Sequence[Sequence[Any]]) -> list[int]:
    """The one number that each of `statements` finds, in their order, by one query to the database.

    They are plain SQL: the ORM takes longer to write a hundred of them than they run.
    """
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(statements), list(chain.from_iterable(asked)))
        return [row[0] for row in cursor.fetchall()]


def capped_statement(model: type[Model], condition: str) -> str:
    """Plain SQL that counts the rows which meet `condition`, up to a cap that is its last parameter."""
    return f"SELECT COUNT(*) FROM (SELECT 1 FROM {model._meta.db_table} WHERE {condition} LIMIT %s) AS counted"


def as_kept(moment: datetime) -> Any:
    """A moment as the database keeps it, for plain SQL."""
    return connection.ops.adapt_datetimefield_value(moment)


def commonest(rows: QuerySet[Any, Any], field: str, cap: int = LOOKED_AT, top: int = 10) -> list[tuple[Any, Count]]:
    """Return the values that `field` has most often among the first `cap` of `rows`, most frequent first."""
    found = list(rows.values_list(field, flat=True)[: cap + 1])
    counted = sorted(Counter(found[:cap]).items(), key=lambda pair: (-pair[1], str(pair[0])))
    return [(value, Count(number, more=len(found) > cap)) for value, number in counted[:top]]


def capped_count(rows: QuerySet[Any, Any], cap: int = CAP) -> Count:
    """Count `rows` up to `cap`."""
    return capped(rows.order_by().values("pk")[: cap + 1].count(), cap)
