"""The page of one note, its restoring, what approval would change, and proposing by hand."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memories import review
from memories.audit import Actor
from memories.models import Action, AuditEvent, Kind, Memory, Refusal, Status, Store
from memories.propose import propose_many
from memories.queries import start_of
from memories.recall import recall, record_recall
from memories.schemas import Draft
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
    assert 'runs out after <u class="shared">30 seconds</u>' in page
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


# A note's own end


def send(client: Client, note: Memory, decision: str = "save", **fields: object) -> HttpResponse:
    sent = {"decision": decision, "at": "note", "version": note.version, "text": note.text, **fields}
    answer = client.post(reverse("decide", args=[note.store.slug, note.pk]), sent)
    note.refresh_from_db()
    return answer


def test_an_end_is_set_changed_and_removed_where_the_note_is_edited(ren: Client, store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    day = timezone.localdate() + timedelta(days=10)
    send(ren, note, expires_on=day)
    assert note.expires_at == start_of(day)
    for page in (page_of(note), reverse("inbox", args=[store.slug]) + f"?note={note.pk}"):
        shown = ren.get(page).content.decode()
        assert re.search(rf"ends <time[^>]*>{day.day} {day:%b} {day.year}, 00:00 UTC", shown)
    assert f'value="{day}"' in ren.get(page_of(note) + "?edit=1").content.decode()
    send(ren, note, expires_on=day + timedelta(days=1))
    assert note.expires_at == start_of(day + timedelta(days=1))
    send(ren, note, expires_on="")
    assert note.expires_at is None
    entries = AuditEvent.objects.filter(action=Action.EDITED).order_by("pk")
    assert [list(map(bool, entry.details["changes"]["expires_at"])) for entry in entries] == [
        [False, True], [True, True], [True, False],
    ]  # fmt: skip
    assert note.text == "Leases last 30 seconds."


def test_an_end_in_the_past_is_said_in_one_sentence_and_stays_typed(ren: Client, store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    for day in (timezone.localdate(), timezone.localdate() - timedelta(days=3)):
        answer = send(ren, note, expires_on=day)
        assert answer.status_code == 422
        assert "This end is past already: choose a later day, or none." in answer.content.decode()
        assert f'value="{day}"' in answer.content.decode()
    assert note.expires_at is None
    assert not AuditEvent.objects.filter(action=Action.EDITED).exists()


@pytest.mark.parametrize("day", ["soon", "9999-12-31", "0001-01-01", "2027-02-30"])
def test_an_end_that_is_no_day_is_not_taken(ren: Client, store: Store, cast: dict[str, User], day: str):
    note = approved(store, "Leases last 30 seconds.")
    assert send(ren, note, expires_on=day).status_code == 422
    assert note.expires_at is None


def test_an_end_that_is_left_as_it_is_keeps_its_hour_even_once_it_is_past(ren: Client, store: Store):
    note = approved(store, "Leases last 30 seconds.")
    for moment in (timezone.now() + timedelta(days=3, minutes=7), timezone.now() - timedelta(days=3)):
        Memory.objects.filter(pk=note.pk).update(expires_at=moment)
        note.refresh_from_db()
        send(ren, note, text=f"Leases last {note.version} seconds.", expires_on=timezone.localdate(moment))
        assert note.expires_at == moment


def test_an_end_set_on_an_old_page_is_stale(ren: Client, store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    answer = send(ren, note, version=note.version - 1, expires_on=timezone.localdate() + timedelta(days=3))
    assert answer.status_code == 409
    assert note.expires_at is None


@pytest.mark.parametrize(("name", "status"), [("tove", 403), ("sam", 404)])
def test_who_may_not_edit_sets_no_end(client: Client, store: Store, cast: dict[str, User], name: str, status: int):
    note = approved(store, "Leases last 30 seconds.")
    client.force_login({**cast, "sam": outsider()}[name])
    assert send(client, note, expires_on=timezone.localdate() + timedelta(days=3)).status_code == status
    assert note.expires_at is None


def test_a_changed_end_is_restored_as_words_are(ren: Client, store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    day = timezone.localdate() + timedelta(days=10)
    send(ren, note, expires_on=day)
    page = ren.get(page_of(note)).content.decode()
    assert "Restore it as it was before this change" in page
    assert re.search(r"ends <del>–</del> <ins><time", page)
    earlier = {"earlier": note.earlier_texts.get().version, "version": note.version}
    ren.post(reverse("restore", args=[store.slug, note.pk]), earlier)
    note.refresh_from_db()
    assert note.expires_at is None


def test_an_end_given_while_approving_goes_with_the_undo(ren: Client, store: Store, cast: dict[str, User]):
    note = proposed(store, "Leases last 30 seconds.")
    day = timezone.localdate() + timedelta(days=10)
    send(ren, note, "approve", expires_on=day)
    assert (note.status, note.expires_at) == (Status.APPROVED, start_of(day))
    assert AuditEvent.objects.filter(memory_number=note.pk, action=Action.APPROVED).count() == 1
    review.undo(store, note.pk, person("ren"), version=note.version)
    note.refresh_from_db()
    assert (note.status, note.expires_at) == (Status.PROPOSED, None)
    assert not note.earlier_texts.exists()


def test_a_note_whose_end_is_removed_is_recalled_again(ren: Client, store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    Memory.objects.filter(pk=note.pk).update(
        expires_at=timezone.now() - timedelta(days=3), revision=store.next_revision()
    )
    note.refresh_from_db()
    assert recall(store, "how long do leases last") == []
    assert "ended <time" in ren.get(page_of(note)).content.decode()
    send(ren, note, expires_on="")
    assert [hit.id for hit in recall(store, "how long do leases last")] == [note.pk]


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


@pytest.mark.parametrize(("name", "status"), [("ren", 422), ("mara", 302), ("olga", 302)])
@pytest.mark.parametrize("kind", ["preference", "procedure"])
def test_only_maintainers_are_offered_preferences_and_procedures(
    client: Client, store: Store, cast: dict[str, User], name: str, status: int, kind: str
):
    client.force_login(cast[name])
    form = client.get(reverse("propose", args=[store.slug])).content
    assert (f'value="{kind}"'.encode() in form) == (status == 302)
    answer = propose(client, store, text="Replies name the page they rely on.", kind=kind, source=f"user:{name}")
    assert answer.status_code == status
    assert store.memories.exists() == (status == 302)


@pytest.mark.parametrize("text", ["عقد الإيجار يدوم ثلاثين ثانية.", "リースは30秒続きます。", "Leases 🚀 last 30 s."])
def test_notes_in_any_script_are_shown_as_they_are(ren: Client, store: Store, text: str):
    answer = propose(ren, store, text=text)
    assert text in ren.get(answer.url).content.decode()


def test_a_note_leads_to_its_sources_and_runs_and_says_where_evidence_is_missing(ren: Client, store: Store):
    note = approved(store, "Leases last 30 seconds.", source="doc:leases", run="run-1")
    page = ren.get(page_of(note)).content.decode()
    assert "No evidence was handed in." in page
    assert 'href="/s/orbit/notes?source=doc%3Aleases"' in page
    evidence = page[page.index('id="sources-title"') : page.index('id="recalls-title"')]
    assert f'href="{reverse("run", args=[store.slug, note.run_id])}"' in evidence


def test_a_note_proposed_in_a_batch_leads_to_the_entry_of_the_batch(ren: Client, store: Store):
    texts = ("Leases last 30 seconds.", "The queue holds 500 jobs.")
    propose_many(store, [Draft(text=text, kind=Kind.FACT, source="doc:a") for text in texts], Actor.agent("writer"))
    page = ren.get(page_of(store.memories.earliest("pk"))).content.decode()
    link = re.search(r'href="(/s/orbit/activity[^"]*)">proposed together with others', page)
    assert link
    entries = ren.get(link[1].replace("&amp;", "&")).context["entries"]
    assert [event.count for event, _why in entries] == [2]


def test_a_rule_that_spoke_twice_is_listed_once(ren: Client, store: Store):
    note = proposed(store, "Probably the lease is 30 seconds, and perhaps the worker renews it.")
    assert [finding["rule"] for finding in note.findings].count("quality.guess") > 1
    page = ren.get(f"/s/orbit/notes/{note.pk}").content.decode()
    assert page.count('<div class="faint source">quality.guess</div>') == 1
