"""The filter behind every list, bulk action, export and deletion."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict
from django.utils import timezone

from memories.audit import Actor
from memories.lifetime import unexpired
from memories.models import Memory, Run, Status, Store
from memories.propose import propose
from memories.queries import NoteFilter, start_of
from memories.schemas import Draft
from tests.helpers import approved, make_store, proposed

LEASE = "The worker holds its lease for 30 seconds by default."

pytestmark = pytest.mark.usefixtures("cast")


def texts(store: Store, **fields: Any) -> list[str]:
    return [note.text for note in NoteFilter(**fields).apply(store)]


def test_each_field_narrows_the_list(store: Store) -> None:
    lease = approved(store, LEASE, source="user:17", applies_to="3.x", days_old=10)
    run = Run.objects.create(store=store, identifier="r1", agent="atlas", started_at=timezone.now())
    queue = proposed(store, "Queues drain nightly.", kind="episode", run="r1")
    Memory.objects.filter(pk=queue.pk).update(findings=[{"rule": "x"}], conflicts_with=lease)
    proposed(make_store("travel"), LEASE)
    only_lease: list[dict[str, Any]] = [
        {"status": "approved"}, {"kind": "fact"}, {"source": "user:17"}, {"source_prefix": "user:"},
        {"text": "LEASE"}, {"applies_to": "3.x"}, {"observed_to": timezone.now().date() - timedelta(days=5)},
    ]  # fmt: skip
    only_queue: list[dict[str, Any]] = [
        {"status": "proposed"}, {"kind": "episode"}, {"flagged": True}, {"conflict": True}, {"run": run.pk},
        {"observed_from": timezone.now().date()}, {"text": " nightly "}, {"source": "doc:leases"},
    ]  # fmt: skip
    assert texts(store) == [queue.text, LEASE]
    for fields in only_lease:
        assert texts(store, **fields) == [LEASE], fields
    for fields in only_queue:
        assert texts(store, **fields) == [queue.text], fields
    assert texts(store, status="approved", kind="episode") == []


def test_later_sources_count_and_no_note_is_listed_twice(store: Store) -> None:
    approved(store, LEASE)
    for source in ("issue:4", "issue:5"):
        propose(store, Draft(text=LEASE, source=source), Actor.command("test"))
    assert texts(store, source_prefix="issue:") == [LEASE]
    assert texts(store, source="issue:5") == [LEASE]


def test_a_prefix_tells_upper_and_lower_case_apart_and_has_no_wildcards(store: Store) -> None:
    proposed(store, LEASE, source="doc:Ada_1")
    assert texts(store, source_prefix="doc:Ada_") == [LEASE]
    assert texts(store, source_prefix="doc:ada") == []
    assert texts(store, source_prefix="doc:Ad_") == []
    assert texts(store, source_prefix="doc:%") == []
    assert texts(store, source="DOC:Ada_1") == []


def test_words_are_looked_for_as_they_are(store: Store) -> None:
    proposed(store, "Load stays under 80% at night.")
    assert texts(store, text="80%") != []
    assert texts(store, text="8_%") == []


@pytest.mark.parametrize(
    ("sort", "order"), [("newest", [2, 0, 1]), ("oldest", [1, 0, 2]), ("added", [2, 1, 0]), ("risk", [1, 0, 2])]
)
def test_every_order_is_whole_and_stable(store: Store, sort: str, order: list[int]) -> None:
    notes = [proposed(store, f"Queue {days} drains at {days}.", days_old=days) for days in (5, 9, 1)]
    Memory.objects.filter(pk=notes[1].pk).update(risk=4)
    assert texts(store, sort=sort) == [notes[at].text for at in order]


def test_days_are_those_of_the_reader(store: Store) -> None:
    note = proposed(store, LEASE)
    Memory.objects.filter(pk=note.pk).update(observed_at=datetime(2026, 5, 1, 23, 30, tzinfo=UTC))
    assert texts(store, observed_to=date(2026, 5, 1)) == [LEASE]
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert texts(store, observed_from=date(2026, 5, 2)) == [LEASE]
        assert texts(store, observed_to=date(2026, 5, 1)) == []
        assert start_of(date(2026, 5, 2)) == datetime(2026, 5, 1, 22, tzinfo=UTC)


def test_a_query_string_and_back_is_the_same_filter() -> None:
    wanted = NoteFilter(kind="fact", text="ä & b=c", run=7, flagged=True, observed_from=date(2026, 5, 1), sort="oldest")
    query = QueryDict(mutable=True)
    query.update(wanted.as_query())
    assert NoteFilter.from_query(QueryDict(query.urlencode())) == wanted


def test_names_that_are_no_fields_and_empty_values_are_ignored() -> None:
    assert NoteFilter.from_query(QueryDict("page=3&kind=&text=%20&run=")).is_empty
    assert NoteFilter(sort="oldest").is_empty
    assert not NoteFilter(conflict=True).is_empty


@pytest.mark.parametrize(
    "query",
    [
        "kind=rumour", "status=forgotten", "origin=me", "sort=random", "run=seven", "run=-1", "run=" + "9" * 30,
        "observed_from=yesterday", "observed_to=9999-12-31", "observed_from=0001-01-01", "flagged=perhaps",
    ],
)  # fmt: skip
def test_a_value_that_makes_no_sense_is_one_sentence(query: str) -> None:
    with pytest.raises(ValueError) as error:
        NoteFilter.from_query(QueryDict(query))
    assert str(error.value).endswith(".")


@pytest.mark.parametrize(
    ("field", "most"), [("source", 200), ("source_prefix", 200), ("text", 2_000), ("applies_to", 60)]
)
def test_no_text_of_a_filter_is_longer_than_what_it_is_compared_with(store: Store, field: str, most: int) -> None:
    longest = NoteFilter.from_query(QueryDict(f"{field}={'%25' * most}"))
    assert list(longest.apply(store)) == []
    with pytest.raises(ValueError) as error:
        NoteFilter.from_query(QueryDict(f"{field}={'x' * (most + 1)}"))
    assert str(error.value) == f"{field}: give at most {most} characters."


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_the_first_and_last_days_can_be_asked_for_anywhere(store: Store, zone: str) -> None:
    proposed(store, LEASE)
    with timezone.override(ZoneInfo(zone)):
        assert texts(store, observed_from=date(1900, 1, 1), observed_to=date(9000, 1, 1)) == [LEASE]


def test_a_filter_reads_no_vectors(store: Store) -> None:
    proposed(store, LEASE)
    note = NoteFilter().apply(store).get()
    assert {"embedding", "terms"} <= note.get_deferred_fields()


def test_unexpired_agrees_with_both_ends_of_a_note(store: Store) -> None:
    notes = {
        "fresh": approved(store, LEASE),
        "old": approved(store, "Queues drain nightly.", days_old=365),
        "ended": approved(store, "Brokers speak TLS only."),
        "lasting": approved(store, "Dashboards show workers."),
    }
    now = timezone.now()
    Memory.objects.filter(pk=notes["ended"].pk).update(expires_at=now)
    Memory.objects.filter(pk=notes["lasting"].pk).update(expires_at=now + timedelta(seconds=1))
    alive = Memory.objects.filter(unexpired(store, now), status=Status.APPROVED)
    assert {note.pk for note in alive} == {notes["fresh"].pk, notes["lasting"].pk}
