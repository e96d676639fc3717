"""Plain rows: what goes in comes out as the models would have it, in any number and order."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError

from memories.models import AuditEvent, Memory, Origin, Status, Store
from memories.rows import by_id, insert
from tests.helpers import proposed

AT = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)


def entry(store: Store, **fields: Any) -> dict[str, Any]:
    return {"store_id": store.pk, "at": AT, "actor": "command:test", "action": "proposed", **fields}


def test_values_come_back_as_the_model_reads_them(store: Store) -> None:
    details = {"rules": {"quality.empty": 2}, "words": ["ö", "労働者", "🙃", "'; --", "%s"]}
    (number,) = insert(AuditEvent, [entry(store, details=details, memory_number=2**40)])
    kept = AuditEvent.objects.get(pk=number)
    assert (kept.store, kept.at, kept.details, kept.memory_number) == (store, AT, details, 2**40)


def test_what_is_not_given_gets_the_default_of_its_field(store: Store) -> None:
    (number,) = insert(AuditEvent, [entry(store)])
    kept = AuditEvent.objects.get(pk=number)
    assert (kept.user, kept.memory_number, kept.count, kept.operation, kept.details) == (None, None, 1, "", {})


def test_more_rows_than_one_statement_takes_keep_their_order(store: Store) -> None:
    numbers = insert(AuditEvent, [entry(store, count=count) for count in range(1, 1_000)])
    counts = dict(AuditEvent.objects.values_list("pk", "count"))
    assert [counts[number] for number in numbers] == list(range(1, 1_000))


def test_no_rows_are_no_statement(store: Store, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert insert(AuditEvent, []) == []


def test_the_database_still_refuses_what_a_constraint_forbids(store: Store) -> None:
    with pytest.raises(IntegrityError):
        insert(AuditEvent, [entry(store, action="rumour")])


def test_rows_are_found_by_id_with_values_as_the_model_reads_them(store: Store) -> None:
    notes = [proposed(store, f"Queue {number} of site {number * 31} is drained nightly.") for number in (1, 2)]
    names = ("text", "observed_at", "origin", "status", "findings", "run_id")
    found = by_id(Memory, names, [note.pk for note in notes] + [10**9])
    assert found == {note.pk: tuple(getattr(note, name) for name in names) for note in notes}
    assert {values[2:4] for values in found.values()} == {(Origin.AGENT_DERIVED, Status.PROPOSED)}


def test_any_number_of_ids_can_be_asked_for(store: Store) -> None:
    note = proposed(store, "Queue 7 is drained nightly.")
    assert list(by_id(Memory, ("text",), range(note.pk, note.pk + 40_000))) == [note.pk]
    assert by_id(Memory, ("text",), []) == {}
