"""Keyset paging: a page begins behind a row, not behind a number of rows, so page 10,000 costs what page 1 costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)
Order = tuple[str, ...]
SIZE = 50
SEPARATOR = "~"


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows in their order, with the cursors of the pages `before` and `after` them; empty where there is none.

    `unfinished`: the search stopped before the page was full; it goes on at `after`.
    """

    rows: list[Row]
    before: str = ""
    after: str = ""
    unfinished: bool = False


def page(rows: QuerySet[Row], order: Order, *, after: str = "", before: str = "", size: int = SIZE) -> Page[Row]:
    """Return one page of `rows`; `order` ends in a unique field. A cursor that cannot be read counts as none."""
    start = read_cursor(rows.model, order, before or after)
    backwards = bool(before) and start is not None
    way = reverse(order) if backwards else order
    found = behind(rows, way, start, size + 1) if start else list(rows.order_by(*way)[: size + 1])
    return as_page(found, order, size, begun=start is not None, backwards=backwards)


def as_page(found: list[Row], order: Order, size: int, *, begun: bool, backwards: bool) -> Page[Row]:
    """Make a page of rows in the order they were read, one more than `size` where there are more.

    `begun`: they were read from a cursor on; `backwards`: from it towards the start of `order`.
    """
    more, found = len(found) > size, found[:size]
    if backwards:
        found.reverse()
    return Page(
        found,
        before=cursor(found[0], order) if found and (more if backwards else begun) else "",
        after=cursor(found[-1], order) if found and (more or backwards) else "",
    )


def behind(rows: QuerySet[Row], order: Order, values: Sequence[Any], count: int) -> list[Row]:
    """The first `count` rows after the row with `values`: those alike in the first field, then the others.

    Each part is a range of an index. In one query, a database would walk past all the rows that are alike.
    """
    found: list[Row] = []
    for place in reversed(range(len(order))):
        alike = dict(zip(names(order)[:place], values, strict=False))
        part = rows.filter(beyond(order[place:][:1], values[place:][:1]), **alike).order_by(*order)
        found += part[: count - len(found)]
        if len(found) == count:
            break
    return found


def names(order: Order) -> list[str]:
    """The fields of `order` without their directions."""
    return [field.removeprefix("-") for field in order]


def reverse(order: Order) -> Order:
    """The same order, last row first."""
    return tuple(field[1:] if field.startswith("-") else f"-{field}" for field in order)


def cursor(row: Model, order: Order) -> str:
    """Return the place of `row` in `order`, fit for a link."""
    return write_cursor([getattr(row, name) for name in names(order)])


def write_cursor(values: Sequence[Any]) -> str:
    return SEPARATOR.join(value.isoformat() if isinstance(value, datetime) else str(value) for value in values)


def read_cursor(model: type[Model], order: Order, text: str) -> list[Any] | None:
    """Return the values that a cursor names, or None where it names none."""
    parts = text.split(SEPARATOR)
    if not text or len(parts) != len(order):
        return None
    try:
        fields = [model._meta.get_field(name) for name in names(order)]
        return [_within_time(field.to_python(part)) for field, part in zip(fields, parts, strict=True)]  # type: ignore[union-attr]
    except (ValidationError, OverflowError):
        return None


def _within_time(value: Any) -> Any:
    """A moment in UTC, anything else as it is. Raises OverflowError for a moment that has no place in UTC."""
    if not isinstance(value, datetime):
        return value
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def beyond(order: Order, values: Sequence[Any]) -> Q:
    """Rows that come after the row with `values` in lexicographic `order`.

    The range on the first field is implied by the rest; databases need it spelled out to start in an index.
    """
    found, same = Q(), Q()
    for field, value in zip(order, values, strict=True):
        name, after = field.removeprefix("-"), "lt" if field.startswith("-") else "gt"
        found |= same & Q(**{f"{name}__{after}": value})
        same &= Q(**{name: value})
    first = order[0].removeprefix("-") + ("__lte" if order[0].startswith("-") else "__gte")
    return Q(**{first: values[0]}) & found
