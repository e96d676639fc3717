"""Rows in and out as plain values: on the hottest ways, instances and compiled queries cost more than the database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BinaryField, CharField, Field, ForeignKey, IntegerField, Model, TextField

Values = tuple[Any, ...]
AT_ONCE = 900
PLAIN_FIELDS = (BinaryField, CharField, ForeignKey, IntegerField, TextField)
PLAIN_TYPES = frozenset({bytes, int, str, type(None)})


class Column(NamedTuple):
    """A column with its quoted name, and its default as the database takes it. Of a plain one the database takes
    Python's own numbers, strings and bytes as they are."""

    field: Field[Any, Any]
    name: str
    default: Any
    plain: bool


def insert(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Insert `rows` and return their ids, in the same order.

    Args:
        rows: values by attribute name (`store_id`, not `store`), all with the same names; the rest gets its default.
    """
    ids: list[int] = []
    if not rows:
        return ids
    database = connections[DEFAULT_DB_ALIAS]
    columns, values = _columns(model), _values(model, rows)
    size = (database.features.max_query_params or len(rows) * len(columns)) // len(columns)
    into = f"INSERT INTO {model._meta.db_table} ({', '.join(column.name for column in columns)}) VALUES "
    marks = f"({', '.join(['%s'] * len(columns))})"
    with database.cursor() as cursor:
        for start in range(0, len(rows), size):
            chunk = values[start : start + size]
            statement = f"{into}{', '.join([marks] * len(chunk))} RETURNING id"
            cursor.execute(statement, list(chain.from_iterable(chunk)))
            ids += [number for (number,) in cursor.fetchall()]
    return ids


def by_id(model: type[Model], names: tuple[str, ...], ids: Collection[int]) -> dict[int, Values]:
    """Values of the fields `names` (attribute names) of the rows with `ids`; an id without a row is left out."""
    database = connections[DEFAULT_DB_ALIAS]
    wanted, found = list(ids), dict[int, Values]()
    select, converters = _selection(model, names)
    with database.cursor() as cursor:
        for start in range(0, len(wanted), AT_ONCE):
            chunk = wanted[start : start + AT_ONCE]
            cursor.execute(f"{select} ({', '.join(['%s'] * len(chunk))})", chunk)
            for number, *values in cursor.fetchall():
                for at, convert in converters:
                    values[at] = convert(values[at], None, database)
                found[number] = tuple(values)
    return found


@cache
def _columns(model: type[Model]) -> list[Column]:
    """All columns but the key."""
    database = connections[DEFAULT_DB_ALIAS]
    return [
        Column(
            field,
            database.ops.quote_name(str(field.column)),
            field.get_db_prep_save(field.get_default(), database),
            isinstance(field, PLAIN_FIELDS),
        )
        for field in model._meta.concrete_fields
        if not field.primary_key
    ]


def _values(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> list[Values]:
    """A tuple for each row, in the order of the columns."""
    database = connections[DEFAULT_DB_ALIAS]
    by_column = [
        _prepared(column, [row[column.field.attname] for row in rows], database)
        if column.field.attname in rows[0]
        else [column.default] * len(rows)
        for column in _columns(model)
    ]
    return list(zip(*by_column, strict=True))


def _prepared(column: Column, values: list[Any], database: BaseDatabaseWrapper) -> list[Any]:
    """As the database takes them; what the rows of a batch share, such as a time, is prepared once."""
    if column.plain and PLAIN_TYPES.issuperset(map(type, values)):
        return values
    distinct = {id(value): value for value in values}
    prepared = {number: column.field.get_db_prep_save(value, database) for number, value in distinct.items()}
    return [prepared[id(value)] for value in values]


@cache
def _selection(model: type[Model], names: tuple[str, ...]) -> tuple[str, list[tuple[int, Any]]]:
    """The statement up to its list of ids, and what turns values of the database, by place, into Python's."""
    database, table = connections[DEFAULT_DB_ALIAS], model._meta.db_table
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in names]
    columns = [database.ops.quote_name(str(field.column)) for field in fields]
    converters = [
        (at, convert)
        for at, field in enumerate(fields)
        for convert in database.ops.get_db_converters(field.get_col(table)) + field.get_db_converters(database)
    ]
    return f"SELECT id, {', '.join(columns)} FROM {table} WHERE id IN", converters
