from datetime import timedelta

import pytest
from django.utils import timezone

from memories.counts import Count
from memories.models import Refusal, Run, Store
from memories.propose import propose
from memories.schemas import Draft
from tests.helpers import NOW, person
from tests.rooms import browser, queries_of

pytestmark = pytest.mark.usefixtures("cast")
URL = "/s/orbit/refused"


def refuse(store: Store, rule: str, *, days_old: int = 0, run: Run | None = None) -> None:
    Refusal.objects.create(
        store=store, at=timezone.now() - timedelta(days=days_old), rule=rule, rules=[rule], run=run,
        source="issue:4", proposer="agent:atlas",
    )  # fmt: skip


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
    assert len(client.get(f"{URL}?rule=personal.email").context["page"].rows) == 1
    assert len(client.get(f"{URL}?days=7").context["page"].rows) == 1
    assert len(client.get(f"{URL}?days=soon").context["page"].rows) == 2


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
    for _time in range(29):
        refuse(store, "personal.email")
    assert queries_of(client, URL) == one
