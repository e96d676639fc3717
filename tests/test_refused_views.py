import html
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memories import bursts, overview
from memories.counts import Count
from memories.models import Refusal, Run, Store
from memories.overview import refusals_by_day
from memories.propose import propose
from memories.queries import start_of
from memories.schemas import Draft
from tests.helpers import NOW, make_store, person
from tests.rooms import browser, queries_of

pytestmark = pytest.mark.usefixtures("cast")
URL = "/s/orbit/refused"


def refuse(
    store: Store,
    rule: str = "personal.email",
    *,
    days_old: int = 0,
    run: Run | None = None,
    source: str = "issue:4",
    proposer: str = "agent:atlas",
    at: datetime | None = None,
) -> None:
    Refusal.objects.create(
        store=store, at=at or timezone.now() - timedelta(days=days_old), rule=rule, rules=[rule], run=run,
        source=source, proposer=proposer,
    )  # fmt: skip


def noon(days_ago: int) -> datetime:
    """Noon, so that an hour more or less is the same day."""
    return timezone.now().replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(days=days_ago)


def groups(client: Client, url: str) -> list[tuple[str, int]]:
    """Source and size of every group on a page."""
    return [(burst.source, burst.count.number) for burst in client.get(url).context["page"].rows]


def all_pages(client: Client, url: str) -> list[list[tuple[str, int]]]:
    pages, after = [], ""
    while True:
        page = client.get(url, {"days": 90, "after": after}).context["page"]
        pages.append([(burst.source, burst.count.number) for burst in page.rows])
        if not page.after:
            return pages
        after = page.after


def test_a_refused_draft_shows_its_rule_and_not_its_text(store: Store) -> None:
    secret = "ghp_" + "a1B2" * 9
    propose(store, Draft(text=f"The bot signs in with {secret}", source="doc:bots"), person("ren"))
    page = browser("ren").get(URL).content.decode()
    assert "credential." in page
    assert "doc:bots" in page
    assert secret not in page
    assert "signs in" not in page


def test_refusals_are_counted_by_rule_source_and_run(store: Store) -> None:
    run = Run.objects.create(store=store, identifier="run-1", agent="atlas", started_at=NOW)
    for _time in range(3):
        refuse(store, "personal.email", run=run)
    refuse(store, "quality.guess")
    context = browser("ren").get(URL).context
    assert context["rules"] == [("personal.email", Count(3)), ("quality.guess", Count(1))]
    assert context["sources"] == [("issue:4", Count(4))]
    assert context["runs"] == [(run.pk, "run-1", Count(3)), (None, None, Count(1))]


def test_a_rule_and_a_period_narrow_the_list(store: Store) -> None:
    refuse(store, "personal.email")
    refuse(store, "quality.guess", days_old=20)
    client = browser("ren")
    assert groups(client, f"{URL}?rule=personal.email") == [("issue:4", 1)]
    assert groups(client, f"{URL}?days=7") == [("issue:4", 1)]
    assert groups(client, f"{URL}?days=soon") == [("issue:4", 1), ("issue:4", 1)]


def test_a_burst_from_one_source_is_one_group(store: Store) -> None:
    run = Run.objects.create(store=store, identifier="run-1", agent="atlas", started_at=NOW)
    other = Run.objects.create(store=store, identifier="run-2", agent="atlas", started_at=NOW)
    for minute in range(4):
        refuse(store, at=noon(1) + timedelta(minutes=minute), run=other if minute == 3 else run)
    refuse(store, "quality.guess", at=noon(1) - timedelta(minutes=9))
    response = browser("ren").get(URL)
    [burst] = response.context["page"].rows
    assert (burst.source, burst.proposer, burst.count) == ("issue:4", "agent:atlas", Count(5))
    assert (burst.first, burst.last) == (noon(1) - timedelta(minutes=9), noon(1) + timedelta(minutes=3))
    assert burst.rules == [("personal.email", 4), ("quality.guess", 1)]
    assert (burst.runs, burst.run_name) == (2, "run-2")
    page = response.content.decode()
    assert "11:51" in page
    assert "12:03 UTC" in page
    assert "and 1 more run" in page


def test_another_source_proposer_or_day_is_another_group(store: Store) -> None:
    refuse(store, at=noon(1))
    refuse(store, at=noon(1), source="issue:5")
    refuse(store, at=noon(1), proposer="command:propose")
    refuse(store, at=noon(2))
    refuse(store, at=noon(2), source="")
    client = browser("ren")
    assert sorted(groups(client, URL)) == [("", 1), ("issue:4", 1), ("issue:4", 1), ("issue:4", 1), ("issue:5", 1)]
    assert "(malformed)" in client.get(URL).content.decode()


def test_a_day_is_one_of_the_readers_calendar(store: Store) -> None:
    before_midnight = noon(2).replace(hour=23, minute=30)
    refuse(store, at=before_midnight)
    refuse(store, at=before_midnight + timedelta(hours=1))
    client = browser("ren")
    assert len(groups(client, URL)) == 2
    client.cookies["zone"] = "Asia/Tokyo"
    assert groups(client, URL) == [("issue:4", 2)]


def test_a_group_opens_into_its_single_refusals(store: Store) -> None:
    for minute in range(3):
        refuse(store, at=noon(1) + timedelta(minutes=minute))
    refuse(store, at=noon(1), source="issue:5")
    refuse(store, at=noon(2))
    client = browser("ren")
    [query] = [query for burst, query in client.get(URL).context["groups"] if burst.count == Count(3)]
    rows = client.get(f"{URL}?{query}").context["page"].rows
    assert [row.at for row in rows] == [noon(1) + timedelta(minutes=minute) for minute in (2, 1, 0)]
    refuse(store, at=noon(1), source="")
    [query] = [query for burst, query in client.get(URL).context["groups"] if burst.source == ""]
    assert [row.source for row in client.get(f"{URL}?{query}").context["page"].rows] == [""]
    assert "Nothing matches" in client.get(f"{URL}?on=2026-01-01").content.decode()


def test_a_source_and_a_run_narrow_the_page_as_a_rule_does(store: Store) -> None:
    run = Run.objects.create(store=store, identifier="run-1", agent="atlas", started_at=NOW)
    refuse(store, "personal.email", run=run)
    refuse(store, "quality.guess", source="issue:5")
    refuse(store, "quality.guess", source="")
    client = browser("ren")
    assert groups(client, f"{URL}?source=issue:5") == [("issue:5", 1)]
    assert groups(client, f"{URL}?source=malformed") == [("", 1)]
    assert groups(client, f"{URL}?run={run.pk}") == [("issue:4", 1)]
    assert sorted(groups(client, f"{URL}?run=0")) == [("", 1), ("issue:5", 1)]
    assert groups(client, f"{URL}?rule=quality.guess&source=issue:4") == []
    assert len(groups(client, f"{URL}?run=nonsense")) == 3
    narrowed = client.get(f"{URL}?run={run.pk}")
    assert narrowed.context["rules"] == [("personal.email", Count(1))]
    assert len(narrowed.context["runs"]) == 2, "what else could be chosen in its place"
    assert narrowed.context["daily"].totals == [1]
    assert f'href="/s/orbit/runs/{run.pk}"' in narrowed.content.decode()


def test_pages_carry_the_filter_along(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bursts, "SIZE", 2)
    for number in range(5):
        refuse(store, "personal.email" if number else "quality.guess", source=f"issue:{number}", at=noon(number + 1))
    page = browser("ren").get(f"{URL}?rule=personal.email&days=7").content.decode()
    assert "?days=7&amp;rule=personal.email&amp;after=" in page


@pytest.mark.parametrize(("size", "looked_at"), [(50, 10_000), (2, 10_000), (50, 3), (1, 1), (3, 7)])
def test_no_group_is_shown_twice_or_left_out_where_a_page_ends(
    store: Store, monkeypatch: pytest.MonkeyPatch, size: int, looked_at: int
) -> None:
    monkeypatch.setattr(bursts, "SIZE", size)
    monkeypatch.setattr(bursts, "LOOKED_AT", looked_at)
    # Sources in turns, so that every page ends inside of groups; pairs at the same moment, as a batch has them.
    for number in range(24):
        at = noon(1 + number // 12) + timedelta(minutes=number % 12 // 2)
        refuse(store, source=f"issue:{number % 3}~{number % 3}", at=at)
    pages = all_pages(browser("ren"), URL)
    shown = [source for page in pages for source, _count in page]
    assert sorted(shown) == sorted(2 * ["issue:0~0", "issue:1~1", "issue:2~2"])
    if looked_at > 24:
        assert [count for page in pages for _source, count in page] == [4] * 6


def test_a_group_too_large_to_count_says_at_least(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bursts, "LOOKED_AT", 3)
    for minute in range(9):
        refuse(store, at=noon(1) + timedelta(minutes=minute))
    page = browser("ren").get(URL).context["page"]
    assert [burst.count for burst in page.rows] == [Count(4, more=True)]
    further = browser("ren").get(URL, {"after": page.after})
    assert further.context["page"].unfinished
    assert further.context["page"].rows == []
    assert "groups on the pages before" in further.content.decode()


@pytest.mark.parametrize(
    "after", ["x", "2026-11-02T00:00:00+00:00~4", "9999-12-31T00:00:00+00:00\na\nb", "99\n\n", "\n\n"]
)
def test_a_cursor_that_cannot_be_read_is_none(store: Store, after: str) -> None:
    refuse(store)
    assert len(browser("ren").get(URL, {"after": after}).context["page"].rows) == 1


def test_refusals_of_another_store_are_not_counted(store: Store) -> None:
    other = make_store("travel")
    theirs = Run.objects.create(store=other, identifier="their-run", agent="atlas", started_at=NOW)
    refuse(other, run=theirs, source="issue:77")
    refuse(store)
    client = browser("ren")
    assert groups(client, URL) == [("issue:4", 1)]
    for query in (f"run={theirs.pk}", "source=issue:77", f"on={timezone.localdate()}&source=issue:77"):
        response = client.get(f"{URL}?{query}")
        assert list(response.context["page"].rows) == []
        assert "their-run" not in response.content.decode()


def test_refusals_are_drawn_by_day(store: Store) -> None:
    refuse(store, "personal.email")
    refuse(store, "personal.email", days_old=3)
    refuse(store, "quality.guess", days_old=3)
    bars = browser("ren").get(URL).context["daily"].bars
    assert [bar.count for bar in bars] == [2, 1]


def test_a_clean_period_says_so(store: Store) -> None:
    assert "every draft passed the filter" in browser("ren").get(URL).content.decode()


def test_the_page_costs_as_many_queries_for_thirty_refusals_as_for_one(store: Store) -> None:
    client = browser("ren")
    refuse(store, "personal.email")
    client.get(URL)
    one = queries_of(client, URL)
    for number in range(29):
        refuse(store, "personal.email", source=f"issue:{number}", days_old=number % 3)
    assert queries_of(client, URL) == one


def test_a_flooded_day_is_drawn_as_high_as_is_counted_and_the_page_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser("ren")
    monkeypatch.setattr(overview, "DRAWN", 90)
    for _number in range(5):
        refuse(store, at=noon(1))
    refuse(store, at=noon(2))
    page = client.get(f"{URL}?days=30").content.decode()
    assert "4 drafts refused and more: a day is counted to 3" in page
    assert "6 drafts refused" in client.get(f"{URL}?days=7").content.decode()


def test_each_day_counts_what_meets_the_conditions_and_nothing_else(store: Store) -> None:
    run = Run.objects.create(store=store, identifier="r", agent="atlas", started_at=NOW)
    refuse(store, at=noon(1))
    refuse(store, "quality.vague", at=noon(1), run=run)
    refuse(store, at=noon(3), source="doc:cron")
    day = start_of(timezone.localdate() - timedelta(days=1))
    for conditions, expected in (
        ({}, [1, 0, 2, 0]),
        ({"rule": "personal.email"}, [1, 0, 1, 0]),
        ({"run__isnull": True, "source": "issue:4"}, [0, 0, 1, 0]),
        ({"run": run.pk}, [0, 0, 1, 0]),
        ({"at__gte": day, "at__lt": day + timedelta(days=1)}, [0, 0, 2, 0]),
    ):
        days = refusals_by_day(store, timezone.localdate(), 4, conditions)
        assert [counts["refused"] for _day, counts in days] == expected


def test_a_rule_is_named_with_what_it_objects_to(store: Store) -> None:
    refuse(store, "kind.agent-preference", at=noon(1))
    said = "Preferences and procedures come from maintainers only."
    client = browser("ren")
    assert said in client.get(URL).content.decode()
    assert said in client.get("/s/orbit/overview").content.decode()
    [(_burst, opened)] = client.get(URL).context["groups"]
    page = client.get(f"{URL}?{opened}").content.decode()
    assert said in page
    assert f'href="?{html.escape(opened)}"><time' in client.get(URL).content.decode()


def test_the_bars_of_the_overview_open_the_refusals_for_who_may_see_them(store: Store) -> None:
    refuse(store, "quality.guess", at=noon(1))
    link = 'href="/s/orbit/refused?days=30&amp;rule=quality.guess"'
    assert link in browser("ren").get("/s/orbit/overview").content.decode()
    assert link not in browser("tove").get("/s/orbit/overview").content.decode()
