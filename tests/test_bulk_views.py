import re
from typing import Any

import pytest
from django.contrib.messages import get_messages

from memories import bulk, deciding, glimpse, review
from memories.models import Action, AuditEvent, Memory, Receipt, Status, Store
from memories.resident import EmbedderChanged
from memories.review import approve, undo
from tests.helpers import person, proposed
from tests.rooms import browser, many

pytestmark = pytest.mark.usefixtures("cast")
URL = "/s/orbit/notes/bulk"


def fingerprint(answer: Any) -> str:
    found = re.search(r'name="fingerprint" value="([0-9a-f]+)"', answer.content.decode())
    assert found
    return found[1]


def statuses(store: Store) -> set[str]:
    return set(store.memories.values_list("status", flat=True))


def test_a_bulk_decision_is_previewed_before_it_is_taken(store: Store) -> None:
    notes = many(store, 3)
    sent = {"action": "approve", "note": [note.pk for note in notes]}
    seen = browser("ren").post(URL, sent)
    assert "3 <" in seen.content.decode()
    assert statuses(store) == {Status.PROPOSED}
    done = browser("ren").post(URL, {**sent, "fingerprint": fingerprint(seen)})
    assert "3 notes are approved." in done.content.decode()
    assert statuses(store) == {Status.APPROVED}


def test_a_filter_chooses_all_that_match_not_only_the_page(store: Store) -> None:
    many(store, 60)
    many(store, 2, kind="episode")
    sent = {"action": "reject", "scope": "filter", "kind": "fact", "reason": "noise"}
    seen = browser("ren").post(URL, sent)
    browser("ren").post(URL, {**sent, "fingerprint": fingerprint(seen)})
    assert store.memories.filter(status=Status.REJECTED, reason="noise").count() == 60
    assert store.memories.filter(status=Status.PROPOSED).count() == 2


def test_ticked_notes_are_decided_whatever_else_the_filter_matches(store: Store) -> None:
    notes = many(store, 5)
    sent = {"action": "approve", "scope": "ticked", "kind": "fact", "note": [notes[0].pk]}
    seen = browser("ren").post(URL, sent)
    browser("ren").post(URL, {**sent, "fingerprint": fingerprint(seen)})
    assert store.memories.filter(status=Status.APPROVED).count() == 1


def test_a_set_that_changed_since_the_preview_is_previewed_again(store: Store) -> None:
    many(store, 2)
    sent = {"action": "approve", "scope": "filter", "kind": "fact"}
    seen = fingerprint(browser("ren").post(URL, sent))
    many(store, 1)
    again = browser("ren").post(URL, {**sent, "fingerprint": seen})
    assert again.status_code == 409
    assert "have changed since the preview" in again.content.decode()
    assert statuses(store) == {Status.PROPOSED}


def test_a_partly_eligible_set_says_what_it_skips(store: Store) -> None:
    open_note, decided = proposed(store, "The lease is 30 seconds."), proposed(store, "Cron runs in local time.")
    approve(store, decided.pk, person("mara"), version=decided.version)
    sent = {"action": "approve", "note": [open_note.pk, decided.pk]}
    seen = browser("ren").post(URL, sent)
    assert "1 other is skipped" in seen.content.decode()
    done = browser("ren").post(URL, {**sent, "fingerprint": fingerprint(seen)}).content.decode()
    assert "1 note is approved." in done
    assert "1 note was skipped" in done


def test_what_a_role_may_not_decide_is_skipped_and_said(store: Store) -> None:
    many(store, 1, kind="preference", origin="maintainer")
    many(store, 1)
    sent = {"action": "approve", "note": list(store.memories.values_list("pk", flat=True))}
    seen = browser("ren").post(URL, sent)
    done = browser("ren").post(URL, {**sent, "fingerprint": fingerprint(seen)}).content.decode()
    assert "Only maintainers can decide preferences and procedures." in done
    assert store.memories.get(kind="preference").status == Status.PROPOSED


def test_a_bulk_action_is_one_operation_in_the_log(store: Store) -> None:
    notes = many(store, 4)
    sent = {"action": "approve", "note": [note.pk for note in notes]}
    browser("ren").post(URL, {**sent, "fingerprint": fingerprint(browser("ren").post(URL, sent))})
    event = AuditEvent.objects.get(action=Action.APPROVED)
    assert (event.count, bool(event.operation)) == (4, True)


def test_a_bulk_decision_can_be_undone_in_bulk(store: Store) -> None:
    sent = {"action": "reject", "note": [note.pk for note in many(store, 3)]}
    browser("ren").post(URL, {**sent, "fingerprint": fingerprint(browser("ren").post(URL, sent))})
    back = {**sent, "action": "undo"}
    browser("ren").post(URL, {**back, "fingerprint": fingerprint(browser("ren").post(URL, back))})
    assert statuses(store) == {Status.PROPOSED}


def test_a_bulk_decision_of_several_batches_is_undone_whole_from_the_page_that_reports_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "BATCH", 2)
    many(store, 5)
    client, sent = browser("ren"), {"action": "approve", "scope": "filter", "kind": "fact"}
    done = client.post(URL, {**sent, "fingerprint": fingerprint(client.post(URL, sent))})
    assert 'name="note"' not in done.content.decode()
    again = done.context["result"].done[0]
    undone = undo(store, again, person("ren"), version=Memory.objects.get(pk=again).version)
    approve(store, again, person("mara"), version=undone.version)
    back = {"action": "undo", "scope": "operation", "operation": done.context["result"].operation}
    seen = client.post(URL, back)
    assert seen.context["preview"].eligible == 4
    confirmed = dict(seen.context["carried"]) | {"action": "undo"}
    assert b"4 decisions are undone." in client.post(URL, {**confirmed, "fingerprint": fingerprint(seen)}).content
    assert store.memories.get(status=Status.APPROVED).pk == again


def test_a_change_of_the_embedder_meanwhile_is_said_of_the_notes_it_holds_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = proposed(store, "The lease is 30 seconds.")
    note = approve(store, note.pk, person("mara"), version=note.version, text="The lease is 60 seconds.")
    sent = {"action": "undo", "note": note.pk}
    confirmed = {**sent, "fingerprint": fingerprint(browser("ren").post(URL, sent))}
    monkeypatch.setattr(deciding, "confirm_embedder", changed)
    assert "has just changed its embedder" in browser("ren").post(URL, confirmed).content.decode()
    monkeypatch.undo()
    assert "1 decision is undone." in browser("ren").post(URL, confirmed).content.decode()
    assert Memory.objects.get().text == "The lease is 30 seconds."


def changed(store: Store) -> None:
    raise EmbedderChanged


@pytest.mark.parametrize(
    "sent",
    [{"action": "approve"}, {"action": "approve", "note": "x"}, {"action": "approve", "note": "9" * 30},
     {"action": "explode", "note": "1"}, {}, {"action": "approve", "scope": "filter", "kind": "x"}],
)  # fmt: skip
def test_a_request_that_means_nothing_changes_nothing(store: Store, sent: dict[str, str]) -> None:
    many(store, 1)
    answer = browser("ren").post(URL, sent, follow=True)
    assert answer.status_code == 200
    assert statuses(store) == {Status.PROPOSED}


@pytest.mark.parametrize("action", ["approve", "forget"])
def test_a_filter_longer_than_any_note_is_said_to_be_too_long(store: Store, action: str) -> None:
    many(store, 1)
    answer = browser("mara").post(URL, {"action": action, "scope": "filter", "text": "x" * 60_000}, follow=True)
    assert answer.status_code == 200
    assert "text: give at most 2000 characters." in answer.content.decode()


def test_more_notes_than_one_request_can_decide_are_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "LIMIT", 2)
    many(store, 3)
    answer = browser("ren").post(URL, {"action": "approve", "scope": "filter", "kind": "fact"}, follow=True)
    assert "narrow the filter" in answer.content.decode()


def test_very_many_notes_are_named_exactly_before_they_can_be_decided(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(glimpse, "AT_ONCE", 2)
    many(store, 3)
    sent = {"action": "reject", "scope": "filter", "kind": "fact", "reason": "noise"}
    first = browser("ren").post(URL, sent).content.decode()
    assert "notes at least" in first
    assert 'name="fingerprint"' not in first
    seen = browser("ren").post(URL, {**sent, "exact": "1"})
    assert 'value="noise"' in seen.content.decode()
    browser("ren").post(URL, {**sent, "fingerprint": fingerprint(seen)})
    assert store.memories.filter(status=Status.REJECTED, reason="noise").count() == 3


def test_too_many_notes_found_by_the_exact_look_lead_back_to_the_list(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "LIMIT", 2)
    many(store, 3)
    sent = {"action": "approve", "scope": "filter", "kind": "fact", "exact": "1"}
    assert browser("ren").post(URL, sent, headers={"HX-Request": "true"})["HX-Redirect"] == "/s/orbit/notes?kind=fact"


def test_a_note_of_another_store_is_not_reached_by_its_number(store: Store) -> None:
    other = Store.objects.create(slug="travel", name="Travel", embedder="hashed")
    strange = many(other, 1)[0]
    sent = {"action": "approve", "note": [strange.pk, many(store, 1)[0].pk]}
    seen = browser("ren").post(URL, sent)
    browser("ren").post(URL, {**sent, "fingerprint": fingerprint(seen)})
    assert Memory.objects.get(pk=strange.pk).status == Status.PROPOSED


def test_forgetting_ticked_notes_is_for_maintainers(store: Store) -> None:
    sent = {"action": "forget", "note": [many(store, 1)[0].pk]}
    assert browser("ren").post(URL, sent).status_code == 403
    assert "1 <" in browser("mara").post(URL, sent).content.decode()
    assert store.memories.count() == 1


@pytest.mark.parametrize("action", ["approve", "reject", "undo", "forget"])
def test_the_ticked_notes_are_none_where_nothing_is_ticked_whatever_the_filter_matches(
    store: Store, action: str
) -> None:
    many(store, 3)
    answer = browser("mara").post(URL, {"action": action, "scope": "ticked", "kind": "fact"})
    assert answer["Location"] == "/s/orbit/notes?kind=fact"
    assert "Nothing is ticked" in messages_of(answer)


def messages_of(answer: Any) -> str:
    return "".join(str(message) for message in get_messages(answer.wsgi_request))


def forget_through_the_list(sent: dict[str, Any]) -> Receipt:
    """Preview from the list, then confirm what the preview's page carries on."""
    seen = browser("mara").post(URL, {"action": "forget", **sent})
    confirmed: dict[str, list[str]] = {
        "fingerprint": [fingerprint(seen)],
        "typed": [str(seen.context["preview"].count)],
    }
    for name, value in seen.context["carried"]:
        confirmed.setdefault(name, []).append(value)
    browser("mara").post("/s/orbit/forget", confirmed)
    return Receipt.objects.get()


def test_forgetting_all_that_match_takes_more_than_the_ticked_ones(store: Store) -> None:
    notes = many(store, 5)
    many(store, 1, kind="episode")
    receipt = forget_through_the_list({"scope": "filter", "kind": "fact", "note": [note.pk for note in notes[:3]]})
    assert (receipt.count, receipt.asked["by"]) == (5, "filter")
    assert store.memories.get().kind == "episode"


def test_forgetting_the_ticked_ones_leaves_the_others_that_match(store: Store) -> None:
    notes = many(store, 5)
    receipt = forget_through_the_list({"scope": "ticked", "kind": "fact", "note": [note.pk for note in notes[:3]]})
    assert (receipt.count, receipt.asked["by"]) == (3, "ids")
    assert set(store.memories.all()) == set(notes[3:])


def test_forgetting_all_that_match_needs_a_filter(store: Store) -> None:
    note = many(store, 1)[0]
    answer = browser("mara").post(URL, {"action": "forget", "scope": "filter", "note": note.pk})
    assert answer.status_code == 422
    assert "narrow it first" in answer.content.decode()


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"reason": "2", "own_reason": ""}, "Already known"),
        ({"reason": "", "own_reason": "It was never so."}, "It was never so."),
    ],
)
def test_the_reason_chosen_on_the_list_stands_in_the_preview(store: Store, sent: dict[str, str], reason: str) -> None:
    many(store, 2)
    page = browser("ren").post(URL, {"scope": "filter", "kind": "fact"} | sent).content.decode()
    assert 'name="action" value="reject"' in page
    assert reason in page


def test_the_preview_of_an_undo_says_that_the_notes_wait_again(store: Store) -> None:
    notes = many(store, 2, status="approved")
    seen = browser("ren").post(URL, {"action": "undo", "note": [note.pk for note in notes]}).content.decode()
    assert "notes would wait for a decision again" in seen
    assert "would be decided" not in seen


def test_notes_beyond_the_first_ten_can_be_seen_before_the_decision(store: Store) -> None:
    notes = sorted(note.pk for note in many(store, 12))
    ticked = browser("ren").post(URL, {"action": "reject", "note": notes}).content.decode()
    assert all(f'href="/s/orbit/notes/{number}"' in ticked for number in notes)
    filtered = browser("ren").post(URL, {"action": "reject", "scope": "filter", "kind": "fact"}).content.decode()
    assert 'href="/s/orbit/notes?kind=fact">See all of them' in filtered
