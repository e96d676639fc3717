import csv
import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from memories.models import Action, AuditEvent, SavedView, Store
from tests.helpers import approved, proposed
from tests.rooms import browser, many, queries_of

pytestmark = pytest.mark.usefixtures("cast")


def exported(answer: Any) -> str:
    return b"".join(answer.streaming_content).decode()


def test_the_list_shows_what_the_filter_chooses(store: Store) -> None:
    approved(store, "The lease of a job is 30 seconds.")
    proposed(store, "Cron entries run in local time.", source="doc:cron")
    page = browser("tove").get("/s/orbit/notes?source=doc:cron").content.decode()
    assert "Cron entries run" in page
    assert "The lease of a job" not in page


def test_a_filter_that_cannot_be_read_is_explained(store: Store) -> None:
    answer = browser("tove").get("/s/orbit/notes?status=forgotten")
    assert answer.status_code == 422
    assert "choose one of proposed, approved, rejected" in answer.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "text=%00",
        "text=%F0%9F%98%80",
        "run=9" + "9" * 30,
        "observed_from=yesterday",
        "source=" + "x" * 5000,
        "after=~~~",
    ],
)
def test_odd_queries_never_break_the_page(store: Store, query: str) -> None:
    many(store, 1)
    assert browser("tove").get(f"/s/orbit/notes?{query}").status_code in {200, 422}


def test_searching_by_meaning_ranks_recallable_notes_only(store: Store) -> None:
    approved(store, "The lease of a job is 30 seconds.")
    proposed(store, "A lease can be renewed by its job.")
    page = browser("tove").get("/s/orbit/notes?like=lease of a job").content.decode()
    assert "The lease of a job is 30 seconds." in page
    assert "A lease can be renewed" not in page


def test_nothing_matches_and_nothing_there_are_two_pages(store: Store) -> None:
    client = browser("tove")
    assert "No notes yet" in client.get("/s/orbit/notes").content.decode()
    many(store, 1)
    assert "Nothing matches" in client.get("/s/orbit/notes?kind=episode").content.decode()


def test_the_list_costs_as_many_queries_for_thirty_notes_as_for_one(store: Store) -> None:
    client = browser("olga")
    many(store, 1)
    client.get("/s/orbit/notes")
    one = queries_of(client, "/s/orbit/notes?kind=fact")
    many(store, 29)
    assert queries_of(client, "/s/orbit/notes?kind=fact") == one


def test_a_reader_sees_no_boxes_to_tick(store: Store) -> None:
    many(store, 1)
    assert 'name="note"' not in browser("tove").get("/s/orbit/notes").content.decode()
    assert 'name="note"' in browser("ren").get("/s/orbit/notes").content.decode()


def test_a_notes_text_is_escaped(store: Store) -> None:
    many(store, 1, text="<b>bold</b> claims")
    assert "<b>bold" not in browser("tove").get("/s/orbit/notes").content.decode()


def test_the_export_holds_exactly_what_the_filter_shows(store: Store) -> None:
    many(store, 60, source="doc:leases")
    many(store, 3, source="user:17")
    rows = exported(browser("mara").get("/s/orbit/notes/export?source=user:17&format=jsonl")).splitlines()
    assert [json.loads(row)["source"] for row in rows] == ["user:17"] * 3
    everything = exported(browser("mara").get("/s/orbit/notes/export?format=csv"))
    assert len(list(csv.DictReader(io.StringIO(everything)))) == 63


def test_an_export_is_written_down_without_the_text_looked_for(store: Store) -> None:
    many(store, 2)
    exported(browser("mara").get("/s/orbit/notes/export?text=renews&kind=fact&format=json"))
    event = AuditEvent.objects.get(action=Action.EXPORTED)
    assert event.count == 2
    assert event.details["filter"] == {"kind": "fact"}
    assert "renews" not in json.dumps(event.details)


def test_an_unknown_format_is_refused_with_the_known_ones(store: Store) -> None:
    answer = browser("mara").get("/s/orbit/notes/export?format=xlsx")
    assert answer.status_code == 422
    assert "jsonl, json, csv" in answer.content.decode()
    assert not AuditEvent.objects.filter(action=Action.EXPORTED).exists()


def test_a_view_is_saved_for_everybody_and_shows_its_filter(store: Store, cast: dict[str, User]) -> None:
    answer = browser("ren").post(
        "/s/orbit/notes/views", {"name": "  Open   facts ", "kind": "fact", "status": "proposed"}
    )
    assert answer["Location"] == "/s/orbit/notes?status=proposed&kind=fact"
    assert "Open facts" in browser("tove").get("/s/orbit/notes").content.decode()
    assert AuditEvent.objects.get(action=Action.VIEWS).details == {"saved": "Open facts"}


def test_a_view_of_the_same_name_is_replaced(store: Store) -> None:
    for kind in ("fact", "episode"):
        browser("ren").post("/s/orbit/notes/views", {"name": "Mine", "kind": kind})
    assert SavedView.objects.get().query == "kind=episode"


@pytest.mark.parametrize("fields", [{"name": "All"}, {"name": "", "kind": "fact"}, {"name": "x" * 61, "kind": "fact"}])
def test_a_view_without_a_name_or_a_filter_is_not_saved(store: Store, fields: dict[str, str]) -> None:
    browser("ren").post("/s/orbit/notes/views", fields)
    assert not SavedView.objects.exists()


def test_deleting_a_view_leaves_its_notes(store: Store) -> None:
    many(store, 1)
    browser("ren").post("/s/orbit/notes/views", {"name": "Mine", "kind": "fact"})
    browser("ren").post(f"/s/orbit/notes/views/{SavedView.objects.get().pk}/delete")
    assert not SavedView.objects.exists()
    assert store.memories.count() == 1


def test_a_search_by_meaning_draws_a_line_where_recall_stops(store: Store) -> None:
    store.minimum_score = 0.5
    store.save()
    approved(store, "The lease of a job is 30 seconds.")
    approved(store, "Cron entries run in local time.", source="doc:cron")
    page = browser("tove").get("/s/orbit/notes?like=lease of a job").content.decode()
    assert "1 note near this question" in " ".join(page.split())
    line = page.index("below the minimum score of this store, 0.50")
    assert page.index("The lease of a job is 30") < line < page.index("Cron entries run")


def test_a_search_by_meaning_offers_no_order_and_no_counts(store: Store) -> None:
    many(store, 2)
    client = browser("tove")
    for query, offered in (("", True), ("?like=note", False)):
        page = client.get(f"/s/orbit/notes{query}").content.decode()
        assert ('name="sort"' in page) == ('class="count"' in page[page.index('class="facets"') :]) == offered


def test_both_doors_to_the_form_for_a_note_have_one_name(store: Store) -> None:
    assert all(
        "Propose a note" in browser("ren").get(f"/s/orbit/{page}").content.decode() for page in ("inbox", "notes")
    )
