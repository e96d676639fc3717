from collections import Counter
from datetime import date, timedelta

import pytest
from django.utils import timezone

from memories.charts import bars_by_day, shares
from memories.counts import Count
from memories.models import AuditEvent, Memory, Run, Store
from memories.overview import by_day, queue_by_age, writers
from memories.review import reject, undo
from tests.helpers import NOW, approved, person, proposed
from tests.rooms import browser, many, queries_of

pytestmark = pytest.mark.usefixtures("cast")


def test_days_count_notes_not_entries(store: Store) -> None:
    proposed(store, "The lease of a job is 30 seconds.")
    AuditEvent.objects.update(count=12)
    days = by_day(store, timezone.localdate())
    assert len(days) == 30
    assert days[-1][1]["proposed"] == 12


def test_a_decision_that_was_undone_is_no_decision_of_the_day(store: Store) -> None:
    approved(store, "The lease of a job is 30 seconds.")
    wrong = proposed(store, "Cron entries follow local time.", source="doc:cron")
    for _again in range(2):
        wrong = reject(store, wrong.pk, person("mara"), version=wrong.version, reason="")
        wrong = undo(store, wrong.pk, person("mara"), version=wrong.version)
    today = by_day(store, timezone.localdate())[-1][1]
    assert (today["approved"], today["rejected"]) == (1, 0)
    reject(store, wrong.pk, person("mara"), version=wrong.version, reason="")
    assert by_day(store, timezone.localdate())[-1][1]["rejected"] == 1


def test_a_day_is_a_day_of_the_readers_zone(store: Store) -> None:
    proposed(store, "The lease of a job is 30 seconds.")
    AuditEvent.objects.update(at="2026-11-01T23:30:00Z")
    with timezone.override("Europe/Berlin"):
        days = dict(by_day(store, date(2026, 11, 2)))
    assert days[date(2026, 11, 2)]["proposed"] == 1


def test_acceptance_is_the_share_of_the_decided(store: Store) -> None:
    Run.objects.create(
        store=store, identifier="r", agent="atlas", writer_model="m", writer_prompt_version="7", started_at=NOW
    )
    approved(store, "The lease of a job is 30 seconds.", run="r")
    wrong = proposed(store, "Cron entries follow local time.", run="r", source="doc:cron")
    reject(store, wrong.pk, person("mara"), version=wrong.version, reason="")
    proposed(store, "Queues are named in lower case.", run="r", source="doc:queues")
    (writer,) = writers(store)
    assert (writer.model, writer.prompt_version, writer.accepted) == ("m", "7", 0.5)


def test_waiting_notes_are_sorted_by_how_long_they_wait(store: Store) -> None:
    now = timezone.now()
    many(store, 2)
    for days in (2, 5, 20, 90):
        many(store, 1, created_at=now - timedelta(days=days))
    many(store, 3, status="approved", created_at=now)
    assert [count for _label, count in queue_by_age(store, now)] == [Count(2), Count(1), Count(1), Count(1), Count(1)]


def test_bars_stand_on_the_base_and_never_leave_the_drawing() -> None:
    days = [(date(2026, 11, day), Counter({"approved": day, "rejected": 3})) for day in range(1, 31)]
    chart = bars_by_day(days, ["approved", "rejected"])
    assert chart.highest >= 33
    for bar in chart.bars:
        assert chart.top - 0.2 <= bar.y <= bar.y + bar.height <= chart.base + 0.2
        assert chart.left <= bar.x <= bar.x + bar.width <= chart.width


def test_an_empty_chart_has_a_scale_and_no_bars() -> None:
    chart = bars_by_day([(date(2026, 11, 1), Counter())], ["approved"])
    assert (chart.bars, chart.highest) == ([], 2)
    assert shares([]) == []


def test_the_page_draws_and_tells_the_same_figures(store: Store) -> None:
    approved(store, "The lease of a job is 30 seconds.")
    page = browser("tove").get("/s/orbit/overview").content.decode()
    assert "<svg" in page
    assert "1 note in 30 days" in page
    assert "The figures by day" in page


def test_an_empty_store_has_an_overview_too(store: Store) -> None:
    assert browser("tove").get("/s/orbit/overview").status_code == 200


def test_the_page_costs_as_many_queries_for_thirty_notes_as_for_one(store: Store) -> None:
    client = browser("tove")
    proposed(store, "The lease of a job is 30 seconds.")
    client.get("/s/orbit/overview")
    one = queries_of(client, "/s/orbit/overview")
    many(store, 29)
    assert queries_of(client, "/s/orbit/overview") == one
    assert Memory.objects.count() == 30
