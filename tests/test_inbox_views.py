"""The inbox: what it shows, what a decision does, and what happens when two people decide."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memories import desk, review
from memories.models import Action, AuditEvent, Memory, Origin, Status, Store
from tests.helpers import approved, outsider, person, proposed

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def ren(client: Client, cast: dict[str, User]) -> Client:
    client.force_login(cast["ren"])
    return client


def inbox(store: Store, query: str = "") -> str:
    return reverse("inbox", args=[store.slug]) + query


def decide(client: Client, note: Memory, query: str = "", **fields: object):
    address = reverse("decide", args=[note.store.slug, note.pk]) + query
    extra = HTMX if fields.pop("htmx", False) else {}
    return client.post(address, {"version": note.version, **fields}, **extra)


def tick(client: Client, store: Store, notes: list[Memory], **fields: object):
    ticked = [f"{note.pk}:{note.version}" for note in notes]
    return client.post(reverse("decide-ticked", args=[store.slug]), {"ticked": ticked, **fields}, **HTMX)


# What it shows


def test_the_inbox_shows_a_note_beside_its_evidence_and_what_differs_from_the_nearest(ren: Client, store: Store):
    approved(store, "A worker sends a heartbeat every 10 seconds by default.")
    note = proposed(
        store,
        "A worker sends a heartbeat every 30 seconds by default.",
        source="issue:4",
        evidence="we saw a heartbeat every 30 seconds in the log",
    )
    page = ren.get(inbox(store)).content.decode()
    assert '<u class="shared">heartbeat every 30 seconds</u>' in page
    assert 'every <b class="differs">10</b> seconds' in page
    assert "issue:4" in page
    assert f'name="version" value="{note.version}"' in page


def test_what_the_filter_says_of_a_flagged_note_stands_above_the_buttons(ren: Client, store: Store):
    note = proposed(store, "Retries probably stop after five attempts.", source="doc:retries")
    page = ren.get(inbox(store)).content.decode()
    assert page.index(note.findings[0]["sentence"]) < page.index('class="desk-actions"')


def test_the_same_words_for_other_versions_are_named_as_such(ren: Client, store: Store):
    approved(store, "Leases last 30 seconds.", applies_to="2.x")
    note = proposed(store, "Leases last 30 seconds.", applies_to="3.x")
    proposed(store, "Leases last 40 seconds.", applies_to="3.x", source="issue:4")
    page = ren.get(inbox(store, f"?note={note.pk}")).content.decode()
    assert page.count("same words, other versions") == 1


def test_an_edit_keeps_the_evidence_in_sight(ren: Client, store: Store):
    proposed(store, "Leases last 30 seconds.", evidence="a lease lasts 30 seconds")
    page = ren.get(inbox(store, "?edit=1")).content.decode()
    assert page.index("</textarea>") < page.index('<blockquote class="quotation">')


def test_riskier_notes_come_first_then_older_ones(ren: Client, store: Store):
    plain = proposed(store, "Leases last 30 seconds.")
    later = proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    risky = proposed(store, "Retries probably stop after five attempts.", source="doc:retries")
    assert risky.risk > 0
    notes = ren.get(inbox(store)).context["queue"].notes
    assert [note.pk for note in notes] == [risky.pk, plain.pk, later.pk]


def test_an_empty_inbox_and_a_filter_without_matches_are_different_pages(ren: Client, store: Store):
    assert b"All caught up" in ren.get(inbox(store)).content
    proposed(store, "Leases last 30 seconds.")
    page = ren.get(inbox(store, "?text=nowhere")).content
    assert b"Nothing matches" in page
    assert b"All caught up" not in page


def test_notes_of_one_source_can_be_looked_at_together(ren: Client, store: Store):
    for number in range(3):
        proposed(store, f"Setting number {number} is called option-{number}.", source="doc:settings")
    proposed(store, "Leases last 30 seconds.")
    page = ren.get(inbox(store))
    assert [(bunch.name, bunch.count) for bunch in page.context["queue"].bunches] == [("doc:settings", 3)]
    together = ren.get(inbox(store, "?source=doc:settings"))
    assert len(together.context["queue"].notes) == 3


def test_a_filter_that_cannot_be_read_is_said_and_left_out(ren: Client, store: Store):
    proposed(store, "Leases last 30 seconds.")
    page = ren.get(inbox(store, "?kind=rumour"))
    assert page.status_code == 200
    assert "choose one of fact" in page.content.decode()
    assert "kind=rumour" not in page.content.decode(), "nor is it carried along"


@pytest.mark.parametrize("number", ["0", "999999999", "-1", "x", "9" * 40, "%00"])
def test_a_note_number_that_is_nowhere_shows_the_first_note(ren: Client, store: Store, number: str):
    note = proposed(store, "Leases last 30 seconds.")
    page = ren.get(inbox(store, f"?note={number}"))
    assert page.status_code == 200
    assert page.context["note"] == note


def test_htmx_gets_the_part_and_everybody_else_the_page(ren: Client, store: Store):
    proposed(store, "Leases last 30 seconds.")
    page, part = ren.get(inbox(store)), ren.get(inbox(store), **HTMX)
    assert page.content.lstrip().startswith(b"<!doctype html>")
    assert b"<html" not in part.content
    assert b'id="inbox"' in part.content
    assert "HX-Request" in page["Vary"]


def test_going_back_in_history_gets_the_whole_page(ren: Client, store: Store):
    page = ren.get(inbox(store), **HTMX, HTTP_HX_HISTORY_RESTORE_REQUEST="true")
    assert b"<html" in page.content


def test_text_of_a_note_is_never_markup(ren: Client, store: Store):
    Memory.objects.filter(pk=proposed(store, "Leases last 30 seconds.").pk).update(text="<b>bold</b> & <script>")
    page = ren.get(inbox(store)).content
    assert b"<b>bold" not in page
    assert b"&lt;b&gt;bold&lt;/b&gt; &amp; &lt;script&gt;" in page


def test_the_queue_goes_on_where_its_page_ends(ren: Client, store: Store):
    template = proposed(store, "Leases last 30 seconds.")
    copies = [Memory(**{**_fields(template), "text": f"Copy number {number}."}) for number in range(60)]
    Memory.objects.bulk_create(copies)
    first = ren.get(inbox(store)).context["queue"]
    assert (len(first.notes), first.total, first.more) == (50, 61, True)
    second = ren.get(inbox(store, f"?after={first.end}")).context["queue"]
    assert len(second.notes) == 11
    assert not {note.pk for note in first.notes} & {note.pk for note in second.notes}


def _fields(note: Memory) -> dict[str, object]:
    return {
        field.attname: getattr(note, field.attname) for field in Memory._meta.concrete_fields if not field.primary_key
    }


def test_the_number_of_queries_does_not_grow_with_the_queue(ren: Client, store: Store):
    settings = [f"Setting number {number} is called option-{number}." for number in range(33)]
    for text in settings[:3]:
        proposed(store, text)
    few = queries_of(ren, inbox(store))
    for text in settings[3:]:
        proposed(store, text)
    assert queries_of(ren, inbox(store)) <= few


def queries_of(client: Client, address: str) -> int:
    """Queries of a request once the index of this process is warm."""
    client.get(address)
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    return len(asked)


# Who may


@pytest.mark.parametrize(
    ("name", "status"), [("tove", 403), ("ren", 302), ("mara", 302), ("olga", 302), ("sam", 404), ("", 302)]
)
def test_who_may_decide(client: Client, store: Store, cast: dict[str, User], name: str, status: int):
    note = proposed(store, "Leases last 30 seconds.")
    if name:
        client.force_login({**cast, "sam": outsider()}[name])
    answer = decide(client, note, decision="approve")
    note.refresh_from_db()
    assert answer.status_code == status
    assert (note.status == Status.APPROVED) is (name in {"ren", "mara", "olga"})


@pytest.mark.parametrize(("name", "status"), [("tove", 200), ("ren", 200), ("sam", 404), ("", 302)])
def test_who_may_look(client: Client, store: Store, cast: dict[str, User], name: str, status: int):
    if name:
        client.force_login({**cast, "sam": outsider()}[name])
    assert client.get(inbox(store)).status_code == status


def test_a_reader_sees_no_buttons(client: Client, store: Store, cast: dict[str, User]):
    proposed(store, "Leases last 30 seconds.")
    client.force_login(cast["tove"])
    page = client.get(inbox(store)).content
    assert b'name="decision"' not in page
    assert b"reviewers decide" in page


def test_a_reviewer_is_told_that_maintainers_decide_preferences(ren: Client, store: Store):
    note = proposed(store, "The team prefers short answers.", kind="preference", origin=Origin.MAINTAINER)
    assert b"Only maintainers decide" in ren.get(inbox(store)).content
    answer = decide(ren, note, decision="approve")
    assert answer.status_code == 422
    assert b"Only maintainers can decide" in answer.content


def test_a_decision_cannot_reach_into_another_store(ren: Client, store: Store, cast: dict[str, User]):
    sam = outsider()
    other = Store.objects.get(slug="travel")
    note = proposed(other, "The night train leaves at nine.", source="doc:trains")
    ren.post(reverse("decide", args=[store.slug, note.pk]), {"decision": "approve", "version": note.version})
    note.refresh_from_db()
    assert note.status == Status.PROPOSED
    assert sam.memberships.count() == 1


def test_a_decision_by_link_is_not_possible(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    assert ren.get(reverse("decide", args=[store.slug, note.pk]) + "?decision=approve").status_code == 405


def test_a_forged_form_is_turned_away(store: Store, cast: dict[str, User]):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast["ren"])
    note = proposed(store, "Leases last 30 seconds.")
    answer = decide(strict, note, decision="approve")
    assert answer.status_code == 403
    assert b"too old" in answer.content


# What a decision does


def test_an_approved_note_leaves_and_the_next_one_comes(ren: Client, store: Store):
    first = proposed(store, "Leases last 30 seconds.")
    second = proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    answer = decide(ren, first, decision="approve", htmx=True)
    first.refresh_from_db()
    assert first.status == Status.APPROVED
    assert answer.context["note"] == second
    assert answer["HX-Replace-Url"] == inbox(store, f"?note={second.pk}")
    assert b'hx-swap-oob="innerHTML"' in answer.content
    assert b"Approved: agents can recall it now." in answer.content


def doubtful(store: Store) -> list[Memory]:
    """Three notes that the filter doubts, with one that it does not behind them."""
    words = ("five", "six", "seven")
    notes = [proposed(store, f"Retries probably stop after {word} attempts.", source=f"doc:{word}") for word in words]
    proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    assert all(note.risk > 0 for note in notes)
    return notes


@pytest.mark.parametrize("decision", ["approve", "save"])
def test_the_next_doubtful_note_comes_although_other_words_left_nothing_to_doubt(
    ren: Client, store: Store, cast: dict[str, User], decision: str
):
    first, second, _third = doubtful(store)
    if decision == "save":
        first = review.approve(store, first.pk, person("mara"), version=first.version)
    answer = decide(ren, first, decision=decision, text="Retries stop after 5 attempts.", applies_to="", htmx=True)
    first.refresh_from_db()
    assert (first.status, first.risk) == (Status.APPROVED, 0)
    assert answer.context["note"] == second


def test_a_page_of_the_queue_begins_where_it_did_when_the_last_note_of_the_one_before_was_reworded(
    ren: Client, store: Store, cast: dict[str, User], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(desk, "QUEUE_LENGTH", 1)
    first, second, _third = doubtful(store)
    end = ren.get(inbox(store)).context["queue"].end
    review.edit(store, first.pk, person("mara"), version=first.version, text="Retries stop after 5 attempts.")
    for query in (f"?after={end}", f"?kind=fact&after={end}"):
        assert ren.get(inbox(store, query)).context["queue"].notes == [second]


@pytest.mark.parametrize("place", ["17", "x~y", "9" * 40, "4~", "%00~1"])
def test_a_place_in_the_queue_that_cannot_be_read_shows_its_beginning(ren: Client, store: Store, place: str):
    note = proposed(store, "Leases last 30 seconds.")
    assert ren.get(inbox(store, f"?after={place}")).context["queue"].notes == [note]


def test_a_place_beyond_the_queue_shows_nothing_of_it(ren: Client, store: Store):
    proposed(store, "Leases last 30 seconds.")
    page = ren.get(inbox(store, f"?after={'-' + '9' * 40}~{'9' * 40}"))
    assert (page.status_code, page.context["queue"].notes) == (200, [])


def test_after_the_last_one_all_is_caught_up(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    answer = decide(ren, note, decision="approve", htmx=True)
    assert b"All caught up" in answer.content
    assert b'value="undo"' in answer.content


def test_without_script_a_decision_leads_to_the_next_note(ren: Client, store: Store):
    first = proposed(store, "Leases last 30 seconds.")
    second = proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    answer = decide(ren, first, "?kind=fact", decision="reject", reason="2")
    assert answer.url == inbox(store, f"?kind=fact&note={second.pk}")
    first.refresh_from_db()
    assert first.reason == "Already known"


def test_a_reason_in_own_words_is_kept(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    decide(ren, note, decision="reject", reason="", own_reason="It was 60 all along.")
    note.refresh_from_db()
    assert (note.status, note.reason) == (Status.REJECTED, "It was 60 all along.")


def test_a_note_can_be_approved_in_other_words(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    decide(ren, note, decision="approve", text="Leases last 60 seconds.", applies_to="3.x")
    note.refresh_from_db()
    assert (note.status, note.text, note.applies_to) == (Status.APPROVED, "Leases last 60 seconds.", "3.x")
    assert note.earlier_texts.get().text == "Leases last 30 seconds."


def test_a_note_can_be_edited_and_left_waiting(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    answer = decide(ren, note, decision="save", text="Leases last 60 seconds.", applies_to="", htmx=True)
    note.refresh_from_db()
    assert (note.status, note.text) == (Status.PROPOSED, "Leases last 60 seconds.")
    assert answer.context["note"] == note


def test_approving_can_reject_the_note_it_contradicts(ren: Client, store: Store):
    store.dedupe_threshold = 0.6
    store.save()
    old = approved(store, "A worker sends a heartbeat every 10 seconds by default.")
    new = proposed(store, "A worker sends a heartbeat every 30 seconds by default.", source="issue:4")
    assert new.conflicts_with == old
    decide(ren, new, decision="replace")
    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.status, new.status, new.replaces) == (Status.REJECTED, Status.APPROVED, old)


def test_after_a_plain_approval_the_other_note_is_said_to_be_recalled_too(ren: Client, store: Store):
    store.dedupe_threshold = 0.6
    store.save()
    approved(store, "A worker sends a heartbeat every 10 seconds by default.")
    new = proposed(store, "A worker sends a heartbeat every 30 seconds by default.", source="issue:4")
    page = ren.get(inbox(store)).content.decode()
    assert "Close to a known note, but not the same." in page
    assert "is still recalled too" in decide(ren, new, decision="approve", htmx=True).content.decode()
    new.refresh_from_db()
    decide(ren, new, decision="undo")
    new.refresh_from_db()
    answer = decide(ren, new, decision="replace", htmx=True).content.decode()
    assert "the other note is rejected" in answer
    assert "is still recalled too" not in answer


def test_words_that_the_filter_refuses_stay_typed_without_the_secret_in_them(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    secret = "ghp_" + "a1B2" * 9
    answer = decide(ren, note, decision="approve", text=f"The token is {secret}.", applies_to="", htmx=True)
    assert answer.status_code == 422
    assert "The token is [removed]" in answer.content.decode()
    assert secret not in answer.content.decode()
    note.refresh_from_db()
    assert (note.status, note.text) == (Status.PROPOSED, "Leases last 30 seconds.")
    assert not any(secret in str(event.details) for event in AuditEvent.objects.all())


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"decision": "burn"},
        {"decision": "approve", "version": ""},
        {"decision": "approve", "version": "-1"},
        {"decision": "approve", "text": "x" * 5_000},
        {"decision": "reject", "own_reason": "x" * 301},
    ],
)
def test_a_form_that_cannot_be_read_gets_one_sentence(ren: Client, store: Store, fields: dict[str, str]):
    note = proposed(store, "Leases last 30 seconds.")
    answer = decide(ren, note, **fields)
    note.refresh_from_db()
    assert answer.status_code == 422
    assert b"cannot be read" in answer.content
    assert note.status == Status.PROPOSED


# Undo


def test_the_last_decision_can_be_undone_however_late(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    decide(ren, note, decision="reject", reason="1")
    decided = ren.get(inbox(store)).context["decided"]
    assert (decided.today, list(decided.notes)) == (1, [note])
    note.refresh_from_db()
    answer = decide(ren, note, decision="undo", htmx=True)
    note.refresh_from_db()
    assert (note.status, answer.context["note"]) == (Status.PROPOSED, note)
    assert list(answer.context["decided"].notes) == []


def test_undoing_goes_back_one_decision_after_the_other(ren: Client, store: Store):
    first = proposed(store, "Leases last 30 seconds.")
    second = proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    decide(ren, first, decision="approve")
    decide(ren, second, decision="approve")
    for expected in (second, first):
        (last,) = ren.get(inbox(store)).context["decided"].notes
        assert last == expected
        decide(ren, last, decision="undo")


def test_the_last_decision_is_the_last_one_however_many_notes_an_earlier_one_took(
    ren: Client, store: Store, cast: dict[str, User], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(desk, "NOTES_WINDOW", 3)
    first, *later = [proposed(store, f"Setting number {number} is called option-{number}.") for number in range(6)]
    review.decide_many(store, [(note.pk, note.version) for note in later], "approve", person("ren"))
    decide(ren, first, decision="approve")
    assert list(ren.get(inbox(store)).context["decided"].notes) == [first]


def test_one_sees_only_ones_own_last_decision(ren: Client, store: Store):
    approved(store, "Leases last 30 seconds.")
    assert not ren.get(inbox(store)).context["decided"].notes


# Two people


def test_who_comes_second_sees_the_note_as_it_is_now_and_keeps_what_was_typed(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    review.edit(store, note.pk, person("mara"), version=note.version, text="Leases last 45 seconds.", applies_to="")
    answer = decide(ren, note, decision="approve", text="Leases last 60 seconds.", applies_to="3.x", htmx=True)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "changed in the meantime" in page
    assert "Leases last 45 seconds." in page
    assert "Leases last 60 seconds.</textarea>" in page
    assert f'name="version" value="{note.version + 1}"' in page


def test_a_decision_of_another_person_is_not_overwritten(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    review.reject(store, note.pk, person("mara"), version=note.version, reason="Not true.")
    answer = decide(ren, note, decision="approve", htmx=True)
    note.refresh_from_db()
    assert answer.status_code == 409
    assert note.status == Status.REJECTED


def test_a_form_sent_twice_decides_once_and_is_no_clash(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    answers = [decide(ren, note, decision="approve") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert AuditEvent.objects.filter(action=Action.APPROVED).count() == 1


def test_a_note_forgotten_meanwhile_is_said_and_the_next_one_shown(ren: Client, store: Store):
    gone = proposed(store, "Leases last 30 seconds.")
    left = proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    pk, version = gone.pk, gone.version
    gone.delete()
    address = reverse("decide", args=[store.slug, pk])
    answer = ren.post(address, {"decision": "approve", "version": version}, **HTMX)
    assert "forgotten in the meantime" in answer.content.decode()
    assert answer.context["note"] == left


def test_words_for_a_note_forgotten_meanwhile_are_not_offered_for_the_next_one(ren: Client, store: Store):
    gone = proposed(store, "Leases last 30 seconds.")
    proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    address = reverse("decide", args=[store.slug, gone.pk])
    gone.delete()
    answer = ren.post(address, {"decision": "save", "version": "", "text": "Leases last 60 seconds."}, **HTMX)
    assert answer.status_code == 422
    assert b"not in this store any more" in answer.content
    assert b"Leases last 60 seconds." not in answer.content


def test_an_author_is_told_that_somebody_else_decides(client: Client, store: Store, cast: dict[str, User]):
    store.two_person_review = True
    store.save()
    note = proposed(store, "Leases last 30 seconds.")
    Memory.objects.filter(pk=note.pk).update(author=cast["mara"])
    client.force_login(cast["mara"])
    assert b"somebody else decides it" in client.get(inbox(store)).content
    assert decide(client, note, decision="approve").status_code == 422


# Several together


def test_ticked_notes_are_decided_together_and_undone_together(ren: Client, store: Store):
    notes = [proposed(store, f"Setting number {number} is called option-{number}.") for number in range(4)]
    answer = tick(ren, store, notes[:3], decision="reject", reason="3")
    assert b"3 notes rejected." in answer.content
    assert store.memories.filter(status=Status.REJECTED, reason="Too vague to help").count() == 3
    assert AuditEvent.objects.filter(action=Action.REJECTED).count() == 1
    decided = answer.context["decided"]
    assert {note.pk for note in decided.notes} == {note.pk for note in notes[:3]}
    assert b"3 notes wait again." in undo_together(ren, store, decided.operation).content
    assert store.memories.filter(status=Status.PROPOSED).count() == 4


def undo_together(client: Client, store: Store, operation: str):
    return client.post(reverse("undo-together", args=[store.slug]), {"operation": operation}, **HTMX)


def test_a_bulk_decision_of_several_batches_is_undone_whole(
    ren: Client, store: Store, cast: dict[str, User], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(review, "BATCH", 2)
    monkeypatch.setattr(desk, "NOTES_WINDOW", 3)
    notes = [proposed(store, f"Setting number {number} is called option-{number}.") for number in range(5)]
    review.decide_many(store, [(note.pk, note.version) for note in notes], "approve", person("ren"))
    page = ren.get(inbox(store))
    decided = page.context["decided"]
    assert decided.count == 5
    assert b"5 notes</span>" in page.content
    assert b'name="ticked"' not in page.content
    answer = undo_together(ren, store, decided.operation)
    assert b"5 notes wait again." in answer.content
    assert store.memories.filter(status=Status.PROPOSED).count() == 5
    assert list(AuditEvent.objects.filter(action=Action.UNDONE).values_list("count", flat=True)) == [1, 2, 2]
    assert not answer.context["decided"].notes
    assert b"Nothing of this decision is left" in undo_together(ren, store, decided.operation).content


def test_undoing_a_bulk_decision_leaves_what_was_decided_anew_since(ren: Client, store: Store, cast: dict[str, User]):
    notes = [proposed(store, f"Setting number {number} is called option-{number}.") for number in range(4)]
    done = review.decide_many(store, [(note.pk, note.version) for note in notes], "approve", person("ren"))
    for note, name in zip(notes[:2], ("ren", "mara"), strict=True):
        again = review.undo(store, note.pk, person(name), version=note.version + 1)
        review.approve(store, note.pk, person(name), version=again.version)
    notes[2].delete()
    undo_together(ren, store, done.operation)
    assert [note.status for note in store.memories.order_by("pk")] == [*["approved"] * 2, "proposed"]


@pytest.mark.parametrize(("name", "status"), [("tove", 403), ("ren", 302), ("sam", 404), ("", 302)])
def test_who_may_undo_a_bulk_decision(client: Client, store: Store, cast: dict[str, User], name: str, status: int):
    note = proposed(store, "Leases last 30 seconds.")
    done = review.decide_many(store, [(note.pk, note.version)], "approve", person("mara"))
    if name:
        client.force_login({**cast, "sam": outsider()}[name])
    answer = client.post(reverse("undo-together", args=[store.slug]), {"operation": done.operation})
    note.refresh_from_db()
    assert answer.status_code == status
    assert (note.status == Status.PROPOSED) is (name == "ren")


def test_a_bulk_decision_of_another_store_is_not_undone_from_here(ren: Client, store: Store):
    outsider()
    other = Store.objects.get(slug="travel")
    note = proposed(other, "The night train leaves at nine.", source="doc:trains")
    done = review.decide_many(other, [(note.pk, note.version)], "approve", person("sam"))
    assert b"Nothing of this decision is left" in undo_together(ren, store, done.operation).content
    note.refresh_from_db()
    assert note.status == Status.APPROVED


def test_what_could_not_be_decided_together_is_said(ren: Client, store: Store):
    fact = proposed(store, "Leases last 30 seconds.")
    preference = proposed(store, "The team prefers short answers.", kind="preference", origin=Origin.MAINTAINER)
    page = tick(ren, store, [fact, preference], decision="approve").content.decode()
    assert "1 note approved." in page
    assert "1 left as it was: Only maintainers can decide preferences and procedures." in page


def test_a_reason_that_holds_a_secret_is_kept_nowhere(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    reason = "It repeats ghp_" + "a1B2" * 9
    one = decide(ren, note, decision="reject", own_reason=reason)
    several = tick(ren, store, [note], decision="reject", own_reason=reason)
    note.refresh_from_db()
    assert (one.status_code, note.status, note.reason) == (422, Status.PROPOSED, "")
    assert b"must not be kept" in one.content
    assert b"must not be kept" in several.content
    assert reason not in one.content.decode() + several.content.decode()


@pytest.mark.parametrize("at", ["", "note"])
def test_a_reason_that_could_not_be_taken_stays_typed_without_the_secret_in_it(ren: Client, store: Store, at: str):
    note = proposed(store, "Leases last 30 seconds.")
    reason = "It is from page 4, as ghp_" + "a1B2" * 9
    answer = decide(ren, note, decision="reject", own_reason=reason, at=at)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="It is from page 4, as [removed]"' in page
    assert "data-open" in page
    review.edit(store, note.pk, person("mara"), version=note.version, text="Leases last 60 seconds.")
    answer = decide(ren, note, decision="reject", own_reason="It was never 30.", at=at)
    assert answer.status_code == 409
    assert 'value="It was never 30."' in answer.content.decode()


def test_a_reason_for_a_note_that_somebody_else_decided_is_shown_beside_it(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    review.approve(store, note.pk, person("mara"), version=note.version)
    answer = decide(ren, note, decision="reject", own_reason="It was never 30.", htmx=True)
    assert answer.status_code == 409
    assert "“It was never 30.”" in answer.content.decode()
    assert b"data-open" not in answer.content


def test_a_panel_is_not_open_where_nothing_was_typed_into_it(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    assert b"data-open" not in ren.get(inbox(store)).content
    review.edit(store, note.pk, person("mara"), version=note.version, text="Leases last 60 seconds.")
    assert b"data-open" not in decide(ren, note, decision="reject", reason="1", htmx=True).content


def test_deciding_together_without_a_tick_says_what_to_do(ren: Client, store: Store):
    proposed(store, "Leases last 30 seconds.")
    answer = ren.post(reverse("decide-ticked", args=[store.slug]), {"decision": "approve"}, follow=True)
    assert "<p>Tick notes first.</p>" in answer.content.decode()


@pytest.mark.parametrize("ticked", [["x"], ["1"], ["1:2:3"], ["1:" + "9" * 30], ["١:٢"]])
def test_ticks_that_cannot_be_read_change_nothing(ren: Client, store: Store, ticked: list[str]):
    note = proposed(store, "Leases last 30 seconds.")
    address = reverse("decide-ticked", args=[store.slug])
    answer = ren.post(address, {"ticked": ticked, "decision": "approve"}, **HTMX)
    note.refresh_from_db()
    assert b"cannot be read" in answer.content
    assert note.status == Status.PROPOSED


# Signed out meanwhile


def test_when_the_session_has_ended_the_whole_page_goes_to_sign_in(client: Client, store: Store, cast: dict[str, User]):
    note = proposed(store, "Leases last 30 seconds.")
    here = f"http://testserver{inbox(store, f'?note={note.pk}&edit=1')}"
    address = reverse("decide", args=[store.slug, note.pk])
    answer = client.post(address, {"decision": "approve"}, **HTMX, HTTP_HX_CURRENT_URL=here)
    assert answer["HX-Redirect"] == f"/sign-in?next=%2Fs%2Forbit%2Finbox%3Fnote%3D{note.pk}%26edit%3D1"
    assert b"<form" not in answer.content


def test_without_script_an_ended_session_leads_back_to_the_page_that_was_open(client: Client, store: Store):
    here = f"http://testserver{inbox(store, '?edit=1')}"
    answer = client.post(reverse("decide", args=[store.slug, 1]), {}, HTTP_REFERER=here)
    assert answer.url == "/sign-in?next=%2Fs%2Forbit%2Finbox%3Fedit%3D1"


# What the desk says of a note in doubt, and where one goes from a note that waits no more


def test_from_a_note_that_somebody_else_decided_one_goes_on_to_the_next_that_waits(ren: Client, store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    following = proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    review.approve(store, note.pk, person("mara"), version=note.version)
    page = decide(ren, note, decision="approve", htmx=True).content.decode()
    assert "changed in the meantime" in page
    assert re.search(rf'href="[^"]*note={following.pk}"[^>]*aria-keyshortcuts="j"', page)


def test_the_note_in_conflict_is_quoted_where_the_question_is_asked(ren: Client, store: Store):
    other = approved(store, "Leases last 40 seconds by default for a job.", applies_to="2.x")
    note = proposed(store, "Leases last 30 seconds by default for a job.", source="issue:4")
    Memory.objects.filter(pk=note.pk).update(conflicts_with=other)
    page = ren.get(inbox(store, f"?note={note.pk}")).content.decode()
    notice = page[page.index("Do both hold") : page.index('class="desk-actions"')]
    assert 'Leases last <b class="differs">40</b> seconds' in notice
    assert "2.x" in notice
    assert 'Leases last <b class="differs">30</b> seconds' in page[page.index('id="desk-title"') :]


def test_a_number_that_the_evidence_has_otherwise_stands_out_there(ren: Client, store: Store):
    proposed(store, "Retries stop after 5 attempts.", evidence="the job failed after 3 attempts")
    page = ren.get(inbox(store)).content.decode()
    assert '<b class="differs">3</b> <u class="shared">attempts</u>' in page
    assert "a number that the note has otherwise" in page


def test_a_filtered_queue_is_counted_against_all_that_waits(ren: Client, store: Store, monkeypatch: pytest.MonkeyPatch):
    proposed(store, "Leases last 30 seconds.")
    proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    assert "1 of 2 waiting notes" in ren.get(inbox(store, "?text=leases")).content.decode()
    assert "0 of 2 waiting notes" in ren.get(inbox(store, "?text=nothing")).content.decode()
    monkeypatch.setattr("memories.templatetags.console.NAV_COUNT_LIMIT", 1)
    assert "1 note waits" in ren.get(inbox(store, "?text=leases")).content.decode()


@pytest.mark.parametrize("own_reason", ["", "   "])
def test_a_rejection_without_a_reason_is_not_taken_and_says_what_is_missing(ren: Client, store: Store, own_reason: str):
    note = proposed(store, "Leases last 30 seconds.")
    answer = decide(ren, note, decision="reject", reason="", own_reason=own_reason, htmx=True)
    assert answer.status_code == 422
    assert "Say why: choose a reason, or write one." in answer.content.decode()
    assert b"data-open" in answer.content
    tick(ren, store, [note], reason="", own_reason=own_reason)
    assert store.memories.get().status == Status.PROPOSED


def test_ticked_notes_are_rejected_for_a_known_reason_or_in_own_words(ren: Client, store: Store):
    one = proposed(store, "Leases last 30 seconds.")
    other = proposed(store, "The queue holds 500 jobs.", source="doc:queues")
    tick(ren, store, [one], reason="2", own_reason="")
    tick(ren, store, [other], reason="", own_reason="It was never 500.")
    assert set(store.memories.filter(status=Status.REJECTED).values_list("reason", flat=True)) == {
        "Already known",
        "It was never 500.",
    }
