import html
import re

import pytest

from memories.explain import Question, explain_recall
from memories.models import Kind, PinnedQuery, Recall, Status, Store
from memories.pinned import pin
from memories.review import reject
from tests.helpers import approved, person, proposed
from tests.rooms import browser, queries_of

pytestmark = pytest.mark.usefixtures("cast")
LEASE = "The lease of a job is 30 seconds."
CRON = "Cron entries follow local time."


def reasons(store: Store, **question: object) -> dict[str, str]:
    found = explain_recall(store, Question("the lease of a job", **question))  # type: ignore[arg-type]
    return {left.note.text: left.why for left in found.left_out}


def test_the_page_shows_rank_scores_words_and_the_exact_block(store: Store) -> None:
    approved(store, LEASE)
    page = browser("tove").get("/s/orbit/recall?text=the lease of a job").content.decode()
    assert "1 note is recalled" in page
    assert "<mark>lease</mark>" in page
    assert "[fact · doc:leases · agent_derived ·" in page
    assert "tokens" in page


def test_looking_is_not_recorded_as_a_recall(store: Store) -> None:
    approved(store, LEASE)
    browser("tove").get("/s/orbit/recall?text=lease")
    assert not Recall.objects.exists()


def test_nothing_recalled_leaves_the_prompt_alone(store: Store) -> None:
    approved(store, LEASE)
    page = browser("tove").get("/s/orbit/recall?text=lease&minimum_score=1").content.decode()
    assert "Nothing is recalled" in page
    assert "nothing is added to the prompt" in page


def test_each_left_out_note_says_why(store: Store) -> None:
    approved(store, LEASE)
    waiting = proposed(store, "The lease of a job may be renewed by its worker.")
    rejected = proposed(store, "The lease of a job is a number of minutes, 7 of them.", source="issue:1")
    reject(store, rejected.pk, person("mara"), version=rejected.version, reason="wrong")
    old = approved(store, "The lease of a job is written to the broker.", days_old=400, source="issue:2")
    found = reasons(store)
    assert found[waiting.text] == "It waits in the inbox: only approved notes are recalled."
    assert found[rejected.text] == "It was rejected."
    assert found[old.text] == "It is older than the 365 days that this store keeps its kind."


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ({"kinds": ("episode",)}, "Its kind was not asked for."),
        ({"version": "2.1"}, "It holds for 3.x, not for 2.1."),
        ({"origin_at_least": "maintainer"}, "Its origin is trusted less than “maintainer”."),
        ({"source_prefix": "issue:"}, "None of its sources begins with issue:."),
        ({"minimum_score": 1.0}, "It scores below the minimum of 1.00."),
    ],
)
def test_a_condition_that_was_not_met_is_named(store: Store, question: dict[str, object], why: str) -> None:
    note = approved(store, LEASE, applies_to="3.x")
    assert reasons(store, **question) == {note.text: why}


def test_what_is_left_out_follows_and_names_no_note_that_is_shown(store: Store) -> None:
    hit, client = approved(store, LEASE), browser("tove")
    waiting = proposed(store, "The lease of a job may be renewed by its worker.")
    page = client.get("/s/orbit/recall?text=the lease of a job&k=1").content.decode()
    assert waiting.text not in page
    (later,) = re.findall(r'hx-get="([^"]*)"\s+hx-trigger="load"', page)
    part = client.get(html.unescape(later)).content.decode()
    assert waiting.text in part
    assert hit.text not in part
    assert "It waits in the inbox" in part


def test_without_script_what_is_left_out_is_a_link_away(store: Store) -> None:
    approved(store, LEASE)
    waiting, client = proposed(store, "The lease of a job may be renewed by its worker."), browser("tove")
    page = client.get("/s/orbit/recall?text=the lease of a job&k=1").content.decode()
    (link,) = re.findall(r'href="(\?[^"]*why=1)"', page)
    whole = client.get("/s/orbit/recall" + html.unescape(link)).content.decode()
    assert waiting.text in whole
    assert "1 note is recalled" in whole


@pytest.mark.parametrize("query", ["", "text=", "text=lease&k=0", "text=lease&shown=x&shown=" + "9" * 40])
def test_odd_questions_about_what_is_left_out_are_answered(store: Store, query: str) -> None:
    approved(store, LEASE)
    assert browser("tove").get(f"/s/orbit/recall/left-out?{query}").status_code == 200


def test_a_recall_by_source_costs_as_many_queries_for_five_left_out_notes_as_for_one(store: Store) -> None:
    client, url = browser("tove"), "/s/orbit/recall/left-out?text=the lease of a job&source_prefix=issue:"
    approved(store, LEASE)
    one = queries_of(client, url)
    for number in range(4):
        approved(store, f"The lease of a job of queue {number} is {number} minutes.", source=f"doc:queue-{number}")
    assert queries_of(client, url) == one


def test_a_note_below_the_first_k_says_so(store: Store) -> None:
    approved(store, LEASE)
    approved(store, "Cron entries follow the worker.", source="doc:cron")
    assert reasons(store, k=1, minimum_score=0.0) == {"Cron entries follow the worker.": "It ranks below the first 1."}


@pytest.mark.parametrize(
    "query", ["text=lease&version=latest", "text=lease&k=0", "text=lease&minimum_score=7", "text=x&observed_from=soon"]
)
def test_a_condition_that_cannot_be_read_is_explained(store: Store, query: str) -> None:
    assert browser("tove").get(f"/s/orbit/recall?{query}").status_code == 422


def test_an_empty_question_recalls_nothing(store: Store) -> None:
    approved(store, LEASE)
    assert browser("tove").get("/s/orbit/recall?text=").status_code == 200


def test_a_pinned_query_holds_until_its_note_is_gone_from_recall(store: Store) -> None:
    note = approved(store, LEASE)
    browser("ren").post("/s/orbit/recall/pin", {"query": "the lease of a job", "note": note.pk, "must": "recall"})
    assert "All of them hold." in browser("tove").get("/s/orbit/recall/pinned").content.decode()
    store.memories.filter(pk=note.pk).update(status=Status.REJECTED, revision=store.next_revision())
    assert "1 query does not hold." in browser("tove").get("/s/orbit/recall/pinned").content.decode()


def test_a_query_may_be_pinned_as_one_that_must_never_recall(store: Store) -> None:
    note = proposed(store, LEASE, kind=Kind.FACT)
    browser("ren").post("/s/orbit/recall/pin", {"query": "the lease of a job", "note": note.pk, "must": "never"})
    assert not PinnedQuery.objects.get().must_recall
    assert "All of them hold." in browser("tove").get("/s/orbit/recall/pinned").content.decode()


def test_pinned_queries_are_checked_a_few_at_a_time_and_what_was_found_is_carried_along(store: Store) -> None:
    note, waiting = approved(store, LEASE), proposed(store, CRON, source="doc:cron")
    for query, pinned in (("how long is a lease", waiting), ("the lease of a job", note), ("job leases", note)):
        pin(store, person("mara"), query, pinned, must_recall=True)
    first = browser("tove").get("/s/orbit/recall/pinned").content.decode()
    assert "1 query does not hold." in first
    assert "job leases" not in first
    (further,) = set(re.findall(r'href="(\?after=[^"]*)"', first))
    last = browser("tove").get("/s/orbit/recall/pinned" + html.unescape(further)).content.decode()
    assert "job leases" in last
    assert "1 query does not hold." in last
    assert "?after=" not in last


def test_the_page_of_pinned_queries_costs_as_many_queries_for_thirty_as_for_two(store: Store) -> None:
    note, client = approved(store, LEASE), browser("tove")

    def pinned(numbers: range) -> int:
        for number in numbers:
            pin(store, person("mara"), f"how long is lease {number}", note, must_recall=True)
        return queries_of(client, "/s/orbit/recall/pinned")

    few = pinned(range(2))
    assert pinned(range(2, 30)) <= few


def test_the_same_query_is_pinned_to_a_note_once(store: Store) -> None:
    note = approved(store, LEASE)
    for _time in range(2):
        answer = browser("ren").post("/s/orbit/recall/pin", {"query": "lease", "note": note.pk}, follow=True)
    assert "pinned to this note already" in answer.content.decode()
    assert PinnedQuery.objects.count() == 1


def test_a_query_with_a_secret_is_not_pinned(store: Store) -> None:
    note = approved(store, LEASE)
    token = "ghp_" + "a1B2" * 9
    answer = browser("ren").post("/s/orbit/recall/pin", {"query": f"use {token}", "note": note.pk}, follow=True)
    assert token not in answer.content.decode()
    assert not PinnedQuery.objects.exists()


@pytest.mark.parametrize("note", ["", "x", "0", "99999", "٣", "9" * 30])
def test_pinning_to_no_note_is_not_found(store: Store, note: str) -> None:
    assert browser("ren").post("/s/orbit/recall/pin", {"query": "lease", "note": note}).status_code == 404


@pytest.mark.parametrize("page", ["recall", "recall/left-out"])
def test_beside_a_pin_stands_that_it_asks_without_the_conditions(store: Store, page: str) -> None:
    approved(store, LEASE)
    proposed(store, "The lease of a job may be renewed by its worker.")
    client, said = browser("ren"), "A pin asks without the conditions."
    assert said not in client.get(f"/s/orbit/{page}?text=the lease of a job&k=5").content.decode()
    assert said in client.get(f"/s/orbit/{page}?text=the lease of a job&version=3.1").content.decode()


def test_a_pinned_query_leads_back_to_where_it_was_asked(store: Store) -> None:
    pin(store, person("ren"), "a lease & its end", approved(store, LEASE), must_recall=True)
    page = browser("ren").get("/s/orbit/recall/pinned").content.decode()
    assert 'href="/s/orbit/recall?text=a%20lease%20%26%20its%20end"' in page
