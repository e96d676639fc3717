"""The page of one note, its restoring, what approval would change, and proposing by hand."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from memories import review
from memories.models import Memory, Refusal, Status, Store
from memories.recall import recall, record_recall
from tests.helpers import approved, outsider, person, proposed
from tests.test_inbox_views import HTMX, queries_of

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def ren(client: Client, cast: dict[str, User]) -> Client:
    client.force_login(cast["ren"])
    return client


def page_of(note: Memory) -> str:
    return reverse("note", args=[note.store.slug, note.pk])


def reworded(store: Store) -> Memory:
    """A note that Mara has edited once."""
    note = proposed(store, "Leases last 30 seconds.", evidence="the lease is 30 seconds")
    return review.edit(
        store, note.pk, person("mara"), version=note.version, text="Leases last 60 seconds.", applies_to=""
    )


def test_a_note_shows_how_it_was_worded_by_whom(ren: Client, store: Store, cast: dict[str, User]):
    page = ren.get(page_of(reworded(store))).content.decode()
    assert "Leases last <del>30</del><ins>60</ins> seconds." in page
    assert "changed by mara" in page


def test_a_note_shows_its_evidence_and_who_recalled_it(ren: Client, store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.", evidence="every lease runs out after 30 seconds")
    record_recall(store, "How long do leases last?", recall(store, "leases last"), run=None, block_tokens=40)
    page = ren.get(page_of(note)).content.decode()
    assert "runs out after <mark>30 seconds</mark>" in page
    assert "How long do leases last?" in page
    assert "1 time" in page


def test_times_are_in_the_readers_zone_with_utc_on_hover(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    ren.cookies["zone"] = "Asia/Tokyo"
    page = ren.get(page_of(note)).content.decode()
    assert f'title="{note.observed_at:%Y-%m-%d %H:%M} UTC"' in page
    assert " JST</time>" in page


@pytest.mark.parametrize(("name", "status"), [("tove", 200), ("ren", 200), ("sam", 404), ("", 302)])
def test_who_may_look(client: Client, store: Store, cast: dict[str, User], name: str, status: int):
    note = proposed(store, "Leases last 30 seconds.")
    if name:
        client.force_login({**cast, "sam": outsider()}[name])
    assert client.get(page_of(note)).status_code == status
    assert client.get(reverse("impact", args=[store.slug, note.pk])).status_code == status


def test_a_note_of_another_store_is_not_found(ren: Client, store: Store):
    outsider()
    note = proposed(Store.objects.get(slug="travel"), "The night train leaves at nine.", source="doc:trains")
    assert ren.get(reverse("note", args=[store.slug, note.pk])).status_code == 404


def test_the_number_of_queries_does_not_grow_with_what_is_kept(ren: Client, store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    record_recall(store, "How long do leases last?", recall(store, "leases last"), run=None, block_tokens=40)
    few = queries_of(ren, page_of(note))
    for number in range(15):
        record_recall(store, f"Leases {number}?", recall(store, "leases last"), run=None, block_tokens=40)
        note = review.edit(
            store, note.pk, person("mara"), version=note.version, text=f"Leases last {number} seconds.", applies_to=""
        )
    assert queries_of(ren, page_of(note)) <= few + 1


# Edit and restore


def test_an_approved_note_is_edited_on_its_page(ren: Client, store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    assert b"<textarea" in ren.get(page_of(note) + "?edit=1").content
    fields = {"decision": "save", "at": "note", "version": note.version, "text": "Leases last 60 seconds."}
    answer = ren.post(reverse("decide", args=[store.slug, note.pk]), fields)
    note.refresh_from_db()
    assert answer.url == page_of(note)
    assert (note.text, note.status) == ("Leases last 60 seconds.", Status.APPROVED)


def test_an_edit_that_came_too_late_keeps_what_was_typed(ren: Client, store: Store, cast: dict[str, User]):
    note = reworded(store)
    fields = {"decision": "save", "at": "note", "version": note.version - 1, "text": "Leases last 90 seconds."}
    answer = ren.post(reverse("decide", args=[store.slug, note.pk]), fields)
    assert answer.status_code == 409
    assert "Leases last 90 seconds.</textarea>" in answer.content.decode()
    assert "Leases last 60 seconds." in answer.content.decode()


def test_earlier_words_can_be_restored(ren: Client, store: Store, cast: dict[str, User]):
    note = reworded(store)
    earlier = note.earlier_texts.get()
    fields = {"earlier": earlier.version, "version": note.version}
    answer = ren.post(reverse("restore", args=[store.slug, note.pk]), fields)
    note.refresh_from_db()
    assert answer.url == page_of(note)
    assert note.text == "Leases last 30 seconds."
    assert note.earlier_texts.count() == 2


@pytest.mark.parametrize("fields", [{}, {"earlier": "99"}, {"earlier": "x"}])
def test_words_that_never_were_cannot_be_restored(
    ren: Client, store: Store, cast: dict[str, User], fields: dict[str, str]
):
    note = reworded(store)
    answer = ren.post(reverse("restore", args=[store.slug, note.pk]), {"version": note.version, **fields})
    assert answer.status_code == 404


def test_restoring_on_an_old_page_shows_the_note_as_it_is_now(ren: Client, store: Store, cast: dict[str, User]):
    note = reworded(store)
    fields = {"earlier": note.earlier_texts.get().version, "version": note.version - 1}
    answer = ren.post(reverse("restore", args=[store.slug, note.pk]), fields)
    note.refresh_from_db()
    assert answer.status_code == 409
    assert note.text == "Leases last 60 seconds."


def test_a_reader_cannot_restore(client: Client, store: Store, cast: dict[str, User]):
    note = reworded(store)
    client.force_login(cast["tove"])
    address = reverse("restore", args=[store.slug, note.pk])
    assert client.post(address, {"earlier": 1, "version": note.version}).status_code == 403


# What approval would change


def test_a_recall_that_would_now_show_the_note_is_named_with_what_falls_below_it(
    ren: Client, store: Store, cast: dict[str, User]
):
    weaker = approved(store, "Workers renew a lease now and then.", source="doc:workers")
    record_recall(
        store, "How many seconds do leases last?", recall(store, "lease seconds last"), run=None, block_tokens=9
    )
    note = proposed(store, "Leases last 30 seconds.")
    answer = ren.get(reverse("impact", args=[store.slug, note.pk]), **HTMX)
    (change,) = answer.context["changes"]
    assert (change.rank, change.below) == (1, [weaker])
    assert b"would show it at rank 1" in answer.content


def test_a_note_that_no_recall_asked_for_changes_nothing(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    page = ren.get(reverse("impact", args=[store.slug, note.pk]))
    assert b"None of the latest recalls would show it." in page.content
    assert b"<html" in page.content


def test_a_note_past_its_time_to_live_changes_nothing(ren: Client, store: Store, cast: dict[str, User]):
    record_recall(store, "How many seconds do leases last?", [], run=None, block_tokens=0)
    note = proposed(store, "Leases last 30 seconds.", days_old=400)
    assert ren.get(reverse("impact", args=[store.slug, note.pk])).context["changes"] == []


# Propose by hand


def propose(client: Client, store: Store, **fields: str):
    draft = {"text": "Leases last 30 seconds.", "kind": "fact", "source": "doc:leases", **fields}
    return client.post(reverse("propose", args=[store.slug]), draft)


def test_a_person_proposes_and_comes_to_the_note(ren: Client, store: Store):
    answer = propose(ren, store, evidence="see the page on leases")
    note = store.memories.get()
    assert answer.url == page_of(note)
    assert (note.status, note.proposer, note.author) == (
        Status.PROPOSED,
        "person:ren",
        User.objects.get(username="ren"),
    )


def test_what_is_already_known_is_said(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    answer = propose(ren, store)
    assert answer.url == page_of(note)
    assert b"Already known" in ren.get(answer.url).content


def test_a_refusal_keeps_the_form_and_leaves_no_text_behind(ren: Client, store: Store):
    answer = propose(ren, store, text=f"The deploy token is {SECRET}.")
    assert answer.status_code == 422
    assert b"nothing was kept" in answer.content
    assert b"The deploy token is [removed]" in answer.content
    assert SECRET.encode() not in answer.content
    assert store.memories.count() == 0
    assert all(SECRET not in str(vars(row)) for row in [*Refusal.objects.all(), *store.audit_events.all()])


@pytest.mark.parametrize(
    "fields",
    [
        {"text": ""},
        {"text": "\u200b\u200d\u2060"},
        {"text": "x" * 3_000},
        {"kind": "rumour"},
        {"source": "leases"},
        {"source": "doc:" + "x" * 10_000},
        {"source": ""},
        {"applies_to": "later than the last one but before the next"},
        {"evidence": "x" * 1_000},
        {"text": "Leases\x00 last."},
    ],
)
def test_bad_input_is_refused_with_the_form(ren: Client, store: Store, fields: dict[str, str]):
    answer = propose(ren, store, **fields)
    assert answer.status_code == 422
    assert b"<form" in answer.content
    assert store.memories.count() == 0


@pytest.mark.parametrize(("name", "status"), [("tove", 403), ("ren", 200), ("mara", 200), ("sam", 404), ("", 302)])
def test_who_may_propose(client: Client, store: Store, cast: dict[str, User], name: str, status: int):
    if name:
        client.force_login({**cast, "sam": outsider()}[name])
    assert client.get(reverse("propose", args=[store.slug])).status_code == status


@pytest.mark.parametrize("text", ["عقد الإيجار يدوم ثلاثين ثانية.", "リースは30秒続きます。", "Leases 🚀 last 30 s."])
def test_notes_in_any_script_are_shown_as_they_are(ren: Client, store: Store, text: str):
    answer = propose(ren, store, text=text)
    assert text in ren.get(answer.url).content.decode()
