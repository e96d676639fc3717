"""What people state about themselves: found, proposed as their own, theirs to see, correct and delete."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from memories.agent.scripted import Answer, fails, refuses, says
from memories.agent.second_look import second_look
from memories.models import AuditEvent, EarlierText, Kind, Memory, Origin, Status, Store
from memories.recall import recall
from memories.review import keep_unreviewed
from memories.stated import (
    NotTheirs,
    correct,
    forget_about,
    remember_stated,
    remembered_about,
)
from memories.statements import Statement, find_statements
from tests.agent_helpers import scripted
from tests.helpers import make_store, proposed


@pytest.mark.parametrize(
    ("message", "notes"),
    [
        ("I'm vegetarian", ["The user is vegetarian."]),
        ("I’m vegetarian and I love ramen. Any ideas?", ["The user is vegetarian.", "The user loves ramen."]),
        ("Hi, I am allergic to nuts!", ["The user is allergic to nuts."]),
        ("Remember that my report goes to ops-weekly", ["The user's report goes to ops-weekly."]),
        ("please remember: my report goes to ops-weekly.", ["The user's report goes to ops-weekly."]),
        ("Remember that I fly from Lisbon", ["The user flies from Lisbon."]),
        ("Don't forget that I hate olives", ["The user hates olives."]),
        ("Note that the standup moved to 10:00", ["The user says that the standup moved to 10:00."]),
        ("I never take night buses", ["The user never takes night buses."]),
        ("I don't eat fish", ["The user does not eat fish."]),
        ("I can't tolerate gluten", ["The user cannot tolerate gluten."]),
        ("I prefer metric units, thanks", ["The user prefers metric units."]),
        ("I live in Porto with my sister", ["The user lives in Porto with their sister."]),
        ("My preferred airline is TAP", ["The user's preferred airline is TAP."]),
        ("Call me Sam", ["The user wants to be called Sam."]),
        ("Since I'm vegan, what can I order?", ["The user is vegan."]),
        ("I use pandas 2.1 at work", ["The user uses pandas 2.1 at work."]),
    ],
)
def test_a_lasting_statement_becomes_a_note_about_the_user(message: str, notes: list[str]) -> None:
    assert [statement.text for statement in find_statements(message)] == notes


@pytest.mark.parametrize(
    "message",
    [
        "",
        "   ",
        "Why did the export job fail?",
        "I'm looking for a hotel in Osaka",
        "I'm not sure this works",
        "I am sorry about that",
        "I'm in a hurry",
        "I like this answer",
        "I love it",
        "I use the second one",
        "I take the first train tomorrow",
        "Remember to send the mail tomorrow",
        "Do you remember that I like tea?",
        "Am I vegetarian?",
        "If I like ramen, I'll come back",
        "Imagine I live in Rome",
        'She wrote "I\'m vegan" on the form',
        "> I'm vegetarian\nWhat does the quoted mail mean?",
        "```\nI love loops\n```",
        "My code is broken",
        "私は菜食主義者です",
        "\u200b\u200b",
    ],
)
def test_what_is_passing_asked_imagined_or_quoted_is_no_statement(message: str) -> None:
    assert find_statements(message) == []


def test_the_same_statement_counts_once() -> None:
    assert len(find_statements("I'm vegan. As I said, I'm vegan.")) == 1


def test_broken_characters_in_a_message_do_no_harm(store: Store) -> None:
    (outcome,) = remember_stated(store, "17", "I'm vegetarian\ud800\u200b")
    assert Memory.objects.get(pk=outcome.id).text == "The user is vegetarian."


@given(st.text(max_size=300))
def test_no_message_breaks_the_detector(message: str) -> None:
    for statement in find_statements(f"I'm {message}"):
        assert statement.text.startswith("The user")


def test_a_huge_message_is_read_only_so_far() -> None:
    assert find_statements("blah " * 100_000 + ". I'm vegan") == []


def test_a_statement_waits_as_the_users_own(store: Store) -> None:
    (outcome,) = remember_stated(store, "17", "Hello! I'm vegetarian.")
    note = Memory.objects.get(pk=outcome.id)
    assert (note.text, note.kind, note.source) == ("The user is vegetarian.", Kind.FACT, "user:17")
    assert (note.origin, note.status, note.evidence) == (Origin.USER_STATED, Status.PROPOSED, "I'm vegetarian.")
    assert recall(store, "vegetarian food") == []


def test_a_store_may_keep_such_notes_without_review(store: Store) -> None:
    store.user_notes_need_review = False
    store.save()
    (outcome,) = remember_stated(store, "17", "I'm vegetarian")
    assert [note.id for note in recall(store, "Is the user vegetarian?")] == [outcome.id]
    entry = AuditEvent.objects.get(store=store, action="approved")
    assert entry.actor == "setting:user_notes_need_review"


def test_where_two_people_review_such_notes_wait_for_one(store: Store) -> None:
    store.user_notes_need_review, store.two_person_review = False, True
    remember_stated(store, "17", "I'm vegetarian")
    assert Memory.objects.get().status == Status.PROPOSED


def test_no_setting_approves_a_preference_without_a_person(store: Store) -> None:
    store.user_notes_need_review = False
    note = proposed(store, "The user likes short answers.", origin=Origin.USER_STATED)
    Memory.objects.update(kind="preference")
    assert not keep_unreviewed(store, note.pk)


def test_without_review_a_contradiction_still_waits_for_a_person(store: Store) -> None:
    store.user_notes_need_review = False
    store.save()
    remember_stated(store, "17", "Remember that my weekly report always goes to channel 7 of the ops server")
    (second,) = remember_stated(
        store, "17", "Remember that my weekly report always goes to channel 9 of the ops server"
    )
    assert second.outcome == "conflict"
    assert Memory.objects.get(pk=second.id).status == Status.PROPOSED


def test_a_secret_in_a_statement_is_refused_and_kept_nowhere(store: Store) -> None:
    token = "ghp_" + "a1B2" * 9
    (outcome,) = remember_stated(store, "17", f"Remember that my token is {token}")
    assert outcome.outcome == "refused"
    assert not Memory.objects.exists()
    assert token not in "".join(outcome.sentences)


def test_a_person_sees_only_what_was_learnt_from_them_in_this_store(store: Store) -> None:
    remember_stated(store, "17", "I'm vegetarian")
    remember_stated(store, "18", "I love ramen")
    remember_stated(make_store("elsewhere"), "17", "I love opera")
    assert [note.text for note in remembered_about(store, "17")] == ["The user is vegetarian."]


def test_a_correction_takes_the_place_of_the_note_and_the_old_words_are_gone(store: Store) -> None:
    (outcome,) = remember_stated(store, "17", "I live in Lisbon")
    assert outcome.id is not None
    corrected = correct(store, "17", outcome.id, "The user lives in Porto.")
    assert [note.text for note in remembered_about(store, "17")] == ["The user lives in Porto."]
    assert Memory.objects.get(pk=corrected.id).origin == Origin.USER_STATED
    assert not Memory.objects.filter(text__contains="Lisbon").exists()
    assert not EarlierText.objects.filter(text__contains="Lisbon").exists()


def test_a_refused_correction_changes_nothing(store: Store) -> None:
    (outcome,) = remember_stated(store, "17", "I live in Lisbon")
    assert outcome.id is not None
    assert correct(store, "17", outcome.id, "The user's token is " + "ghp_" + "a1B2" * 9).outcome == "refused"
    assert [note.pk for note in remembered_about(store, "17")] == [outcome.id]


@pytest.mark.parametrize("text", ["", "\ud800", "\u200b", "x" * 30_000])
def test_a_correction_that_cannot_be_kept_is_refused_in_a_sentence(store: Store, text: str) -> None:
    (outcome,) = remember_stated(store, "17", "I live in Lisbon")
    assert outcome.id is not None
    refused = correct(store, "17", outcome.id, text)
    assert refused.outcome == "refused"
    assert refused.sentences
    assert [note.pk for note in remembered_about(store, "17")] == [outcome.id]


def test_a_correction_that_says_the_same_keeps_the_note(store: Store) -> None:
    (outcome,) = remember_stated(store, "17", "I live in Lisbon")
    assert outcome.id is not None
    correct(store, "17", outcome.id, "The user lives in Lisbon.")
    assert [note.pk for note in remembered_about(store, "17")] == [outcome.id]


def test_nobody_can_touch_the_notes_of_others(store: Store) -> None:
    other = proposed(store, "Orbit leases last 300 seconds.")
    for act in (lambda: correct(store, "17", other.pk, "No."), lambda: forget_about(store, "17", [other.pk])):
        with pytest.raises(NotTheirs):
            act()
    assert Memory.objects.filter(pk=other.pk).exists()


def test_a_person_can_have_one_note_or_all_deleted(store: Store) -> None:
    first, second = remember_stated(store, "17", "I'm vegetarian and I love ramen")
    remember_stated(store, "18", "I love opera")
    assert first.id is not None
    assert forget_about(store, "17", [first.id]).count == 1
    assert [note.pk for note in remembered_about(store, "17")] == [second.id]
    assert forget_about(store, "17").count == 1
    assert [note.source for note in Memory.objects.all()] == ["user:18"]


@pytest.mark.parametrize("user", ["", " ", "x" * 300])
def test_an_identifier_that_no_source_can_hold_is_refused(store: Store, user: str) -> None:
    with pytest.raises(ValueError):
        remember_stated(store, user, "I'm vegetarian")


def found(*statements: dict[str, str]) -> Answer:
    return says(json.dumps({"statements": list(statements)}))


def test_a_model_looks_only_where_no_pattern_fits(store: Store) -> None:
    said = {"text": "The user is vegetarian.", "quotation": "Ich esse kein Fleisch"}
    with scripted(found(said)) as (model, server):
        remember_stated(store, "17", "I love ramen", second_look=second_look(model))
        assert server.requests == []
        remember_stated(store, "17", "Ich esse kein Fleisch.", second_look=second_look(model))
    assert {note.text for note in remembered_about(store, "17")} == {"The user loves ramen.", "The user is vegetarian."}


@pytest.mark.parametrize(
    "answer",
    [
        found({"text": "The user is rich.", "quotation": "I am rich"}),
        found({"text": "The user is rich.", "quotation": ""}),
        found(),
        refuses("No."),
        says("nothing found"),
        fails(429),
        fails(500),
    ],
)
def test_what_was_not_said_or_not_answered_is_no_statement(answer: Answer) -> None:
    with scripted(answer, retries=0) as (model, _server):
        assert second_look(model)("Bonjour") == []


def test_a_model_reports_three_statements_at_most() -> None:
    many = [{"text": f"The user likes {word}.", "quotation": word} for word in "abcde"]
    with scripted(found(*many)) as (model, _server):
        assert second_look(model)("a b c d e") == [Statement(f"The user likes {word}.", word) for word in "abc"]


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("about_user", "--store", "orbit", "--user", "17", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_takes_in_lists_corrects_and_deletes(store: Store) -> None:
    assert "proposed: note" in command("--say", "I'm vegetarian")
    assert "The user is vegetarian." in command()
    number = str(Memory.objects.get().pk)
    command("--correct", number, "The user is vegan.")
    assert "The user is vegan." in command()
    assert "1 note deleted" in command("--forget-all")
    assert command() == ""
    assert "nothing lasting" in command("--say", "Good morning")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--forget", "999"], "not among"), (["--correct", "x", "y"], "number"), (["--correct", "9", "y"], "not among")],
)
def test_the_command_says_in_one_sentence_what_is_wrong(store: Store, arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        command(*arguments)
