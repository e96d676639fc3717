from datetime import timedelta

import pytest
from django.utils import timezone

from memories.models import Action, AuditEvent, Receipt, Store
from memories.retention import calendar
from tests.rooms import browser, many, queries_of

pytestmark = pytest.mark.usefixtures("cast")


def weeks(store: Store, label: str) -> list[int]:
    (row,) = [row for row in calendar(store, timezone.now()).rows if row.label == label]
    return [week.number for week in row.weeks]


def test_the_calendar_puts_each_note_into_the_week_in_which_it_goes(store: Store) -> None:
    now = timezone.now()
    many(store, 1, observed_at=now - timedelta(days=365 - 3))
    many(store, 2, observed_at=now - timedelta(days=365 - 10), status="approved")
    many(store, 1, kind="episode", observed_at=now - timedelta(days=90 - 80))
    many(store, 1, expires_at=now + timedelta(days=1))
    many(store, 1, status="rejected", decided_at=now - timedelta(days=29))
    assert weeks(store, "fact")[:3] == [1, 2, 0]
    assert weeks(store, "episode")[11] == 1
    assert weeks(store, "own end date")[0] == 1
    assert weeks(store, "rejected notes")[0] == 1


def test_what_the_calendar_says_for_this_week_is_what_a_sweep_then_takes(store: Store) -> None:
    now = timezone.now()
    many(store, 30, kind="episode", observed_at=now - timedelta(days=87))
    many(store, 5, kind="episode", observed_at=now - timedelta(days=60))
    from memories.sweep import due_notes

    assert weeks(store, "episode")[0] == due_notes(store, now + timedelta(days=7)).count() == 30


def test_a_kind_that_is_kept_for_ever_has_no_row(store: Store) -> None:
    assert "preference" not in [row.label for row in calendar(store, timezone.now()).rows]


def test_the_calendar_is_one_query(store: Store, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(1):  # type: ignore[operator]
        calendar(store, timezone.now())


def test_the_page_names_what_is_due_and_a_maintainer_sweeps_it(store: Store) -> None:
    many(store, 2, kind="episode", observed_at=timezone.now() - timedelta(days=100), text="An old episode.")
    many(store, 1)
    page = browser("tove").get("/s/orbit/retention").content.decode()
    assert "An old episode." in page
    assert "Sweep now" not in page
    assert "is kept for 365 days" in page
    answer = browser("mara").post("/s/orbit/retention/sweep", follow=True)
    assert "2 notes were swept." in answer.content.decode()
    assert store.memories.count() == 1
    assert Receipt.objects.get().count == 2
    assert AuditEvent.objects.get(action=Action.SWEPT).count == 2
    assert "Show" in browser("tove").get("/s/orbit/retention").content.decode()


def test_a_maintainer_sweeps_so_many_at_once_and_is_told_of_the_rest(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.views.retention.CAP", 2)
    many(store, 3, kind="episode", observed_at=timezone.now() - timedelta(days=100))
    answer = browser("mara").post("/s/orbit/retention/sweep", follow=True)
    assert "2 notes were swept. What is still due goes with the next sweep." in answer.content.decode()
    assert store.memories.count() == 1


def test_sweeping_when_nothing_is_due_says_so(store: Store) -> None:
    answer = browser("mara").post("/s/orbit/retention/sweep", follow=True)
    assert "Nothing was due." in answer.content.decode()


def test_the_page_costs_as_many_queries_for_thirty_notes_as_for_one(store: Store) -> None:
    client, old = browser("tove"), timezone.now() - timedelta(days=100)
    many(store, 1, kind="episode", observed_at=old)
    client.get("/s/orbit/retention")
    one = queries_of(client, "/s/orbit/retention")
    many(store, 29, kind="episode", observed_at=old)
    assert queries_of(client, "/s/orbit/retention") == one


def test_sweeping_many_notes_takes_their_number_typed(store: Store) -> None:
    many(store, 11, kind="fact", expires_at=timezone.now() - timedelta(days=1))
    client = browser("mara")
    assert "Type 11 to confirm" in client.get("/s/orbit/retention").content.decode()
    for typed in ({}, {"typed": "10"}):
        answer = client.post("/s/orbit/retention/sweep", typed, follow=True)
        assert "Type 11 to confirm: nothing was swept." in answer.content.decode()
        assert store.memories.count() == 11
    client.post("/s/orbit/retention/sweep", {"typed": "11"})
    assert not store.memories.exists()


def test_the_next_sweep_says_what_decides_when_it_comes(store: Store) -> None:
    assert "<code>manage.py sweep</code>" in browser("tove").get("/s/orbit/retention").content.decode()
