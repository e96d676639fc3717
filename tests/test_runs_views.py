import pytest

from memories.models import Recall, RecallHit, Refusal, Run, Store
from tests.helpers import NOW, approved, proposed
from tests.rooms import browser, queries_of

pytestmark = pytest.mark.usefixtures("cast")


def make_run(store: Store, number: int) -> Run:
    return Run.objects.create(
        store=store, identifier=f"run-{number}", agent="atlas", task=f"Triage issue {number}", started_at=NOW,
        sources=["issue:4"], input_tokens=12345,
    )  # fmt: skip


def test_a_run_shows_what_it_was_reminded_of_and_what_it_left(store: Store) -> None:
    run = make_run(store, 1)
    shown = approved(store, "The lease of a job is 30 seconds.")
    left = proposed(store, "Cron entries follow local time.", source="issue:4", run="run-1")
    recall = Recall.objects.create(store=store, run=run, query="how long is a lease", at=NOW)
    RecallHit.objects.create(recall=recall, memory=shown, rank=1, score=0.5, cosine=0.6, word_score=0.2)
    Refusal.objects.create(store=store, at=NOW, rule="personal.email", rules=["personal.email"], run=run, proposer="x")
    page = browser("tove").get(f"/s/orbit/runs/{run.pk}").content.decode()
    for words in ("how long is a lease", shown.text, left.text, "personal.email", "12,345"):
        assert words in page


def test_a_run_whose_notes_are_forgotten_still_opens(store: Store) -> None:
    run = make_run(store, 1)
    Recall.objects.create(store=store, run=run, query="", at=NOW)
    page = browser("tove").get(f"/s/orbit/runs/{run.pk}").content.decode()
    assert "has been forgotten since" in page
    assert "query not kept" in page


def test_the_list_counts_notes_by_status(store: Store) -> None:
    make_run(store, 1)
    proposed(store, "Cron entries follow local time.", source="issue:4", run="run-1")
    page = browser("tove").get("/s/orbit/runs").content.decode()
    assert "Triage issue 1" in page
    assert "<dt>waiting</dt><dd>1</dd>" in page


def test_the_list_costs_as_many_queries_for_thirty_runs_as_for_one(store: Store) -> None:
    client = browser("tove")
    make_run(store, 0)
    client.get("/s/orbit/runs")
    one = queries_of(client, "/s/orbit/runs")
    for number in range(1, 30):
        make_run(store, number)
    assert queries_of(client, "/s/orbit/runs") == one


def test_a_run_page_costs_as_many_queries_for_thirty_recalls_as_for_one(store: Store) -> None:
    run, note, client = make_run(store, 1), approved(store, "The lease of a job is 30 seconds."), browser("tove")

    def remind() -> None:
        recall = Recall.objects.create(store=store, run=run, query="lease", at=NOW)
        RecallHit.objects.create(recall=recall, memory=note, rank=1, score=0.5, cosine=0.6, word_score=0.2)

    remind()
    one = queries_of(client, f"/s/orbit/runs/{run.pk}")
    for _time in range(29):
        remind()
    assert queries_of(client, f"/s/orbit/runs/{run.pk}") == one
