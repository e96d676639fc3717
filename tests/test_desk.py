"""Marks in texts, bunches in the queue, and the last decision, without a browser."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from memories import beside, desk, review
from memories.embedding import embed_query
from memories.index import terms
from memories.marks import marked, other_numbers, shared_words, whole_words, word_diff
from memories.models import AuditEvent, Memory, Store
from memories.queries import NoteFilter
from memories.resident import ready
from tests.helpers import approved, person, proposed

texts = st.text(max_size=80)
spans = st.lists(st.tuples(st.integers(-5, 90), st.integers(-5, 90)), max_size=6)


def plain(markup: str) -> str:
    for tag in ("mark", "ins", "del"):
        markup = markup.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'"), ("&amp;", "&")):
        markup = markup.replace(entity, character)
    return markup


@given(texts.filter(lambda text: "<" not in text), spans)
def test_marking_changes_no_character(text: str, found: list[tuple[int, int]]):
    assert plain(marked(text, doubted=found)) == text


@given(texts, spans)
def test_marked_text_holds_no_markup_but_marks(text: str, found: list[tuple[int, int]]):
    rest = marked(text, doubted=found).replace("<mark>", "").replace("</mark>", "")
    assert "<" not in rest
    assert ">" not in rest


@given(texts.filter(lambda text: "<" not in text), texts.filter(lambda text: "<" not in text))
def test_a_word_diff_holds_the_new_text_whole(old: str, new: str):
    diff = str(word_diff(old, new))
    while "<del>" in diff:
        start = diff.index("<del>")
        diff = diff[:start] + diff[diff.index("</del>", start) + len("</del>") :]
    assert plain(diff) == new


def test_a_word_diff_shows_words_not_letters():
    assert word_diff("Leases last 30 seconds.", "Leases last 300 seconds.") == (
        "Leases last <del>30</del><ins>300</ins> seconds."
    )


def test_half_a_word_is_marked_whole():
    assert marked("a crashed? b", doubted=whole_words("a crashed? b", [(8, 10)])) == "a <mark>crashed?</mark> b"


def test_shared_words_in_a_row_are_underlined_as_one():
    text = "the lease of a job lasts"
    assert marked(text, shared=shared_words(text, "A job lasts a lease")) == (
        'the <u class="shared">lease</u> of a <u class="shared">job lasts</u>'
    )


def test_where_two_looks_meet_the_first_one_stands():
    assert marked("ab", doubted=[(0, 2)], differs=[(1, 2)]) == "<mark>ab</mark>"


@pytest.mark.parametrize(
    ("evidence", "note", "found"),
    [
        ("gave up after 3 attempts", "Retries stop after 5 attempts.", ["3"]),
        ("gave up after three attempts", "Retries stop after 5 attempts.", ["three"]),
        ("2 workers gave up after 5 attempts", "Retries stop after 5 attempts.", []),
        ("gave up after 3 attempts", "Retries stop after some attempts.", []),
        ("Orbit 3.x gave up after 3 attempts", "Retries stop after 5 attempts.", ["3"]),
        ("gave up after a while", "Retries stop after 5 attempts.", []),
    ],
)
def test_numbers_stand_out_where_a_number_of_the_other_text_is_missing(evidence: str, note: str, found: list[str]):
    assert [evidence[start:end] for start, end in other_numbers(evidence, note)] == found


def test_the_oldest_waiting_is_found_over_all_kinds(store: Store, cast: dict[str, User]):
    assert desk.oldest_waiting(store) is None
    proposed(store, "Leases last 30 seconds.", days_old=2)
    oldest = proposed(store, "The reporter of issue 4 saw a blank page.", kind="episode", days_old=9)
    approved(store, "The queue holds 500 jobs.", source="doc:queues", days_old=30)
    assert desk.oldest_waiting(store) == oldest.observed_at


def test_a_bunch_is_several_but_not_all(store: Store):
    for number in range(3):
        proposed(store, f"Setting number {number} is called option-{number}.", source="doc:settings")
    assert desk.queue(store, NoteFilter()).bunches == []
    proposed(store, "Leases last 30 seconds.")
    assert [bunch.count for bunch in desk.queue(store, NoteFilter()).bunches] == [3]


def test_decisions_of_another_day_are_not_counted_today(store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    earlier = timezone.now() - timedelta(days=3)
    AuditEvent.objects.update(at=earlier)
    Memory.objects.update(decided_at=earlier)
    assert desk.decided_by(store, cast["mara"]).today == 0
    review.undo(store, note.pk, person("mara"), version=note.version)
    assert not desk.decided_by(store, cast["mara"]).notes


def test_what_was_undone_is_not_counted_as_decided(store: Store, cast: dict[str, User]):
    notes = [approved(store, f"Leases of kind {number} last {number} seconds.") for number in range(3)]
    assert desk.decided_by(store, cast["mara"]).today == 3
    review.undo(store, notes[0].pk, person("ren"), version=notes[0].version)
    assert desk.decided_by(store, cast["mara"]).today == 2
    assert desk.decided_by(store, cast["ren"]).today == 0


def test_a_decision_that_another_person_overtook_cannot_be_undone_from_the_inbox(store: Store, cast: dict[str, User]):
    note = approved(store, "Leases last 30 seconds.")
    note = review.undo(store, note.pk, person("ren"), version=note.version)
    review.reject(store, note.pk, person("ren"), version=note.version, reason="")
    assert not desk.decided_by(store, cast["mara"]).notes
    assert [one.pk for one in desk.decided_by(store, cast["ren"]).notes] == [note.pk]


def test_the_next_note_is_the_one_behind_else_the_first(store: Store):
    first, second = (proposed(store, text) for text in ("Leases last 30 seconds.", "The queue holds 500 jobs."))
    assert desk.next_after(store, NoteFilter(), (first.risk, first.pk)) == second
    assert desk.next_after(store, NoteFilter(), (second.risk, second.pk)) == first


def test_a_note_that_waits_for_its_embedding_has_no_neighbours(store: Store):
    note = proposed(store, "Leases last 30 seconds.")
    note.embedding = None
    assert beside.nearest(store, note) == []
    assert beside.changes(store, note) == []


def test_the_contradicted_note_comes_first_however_far(store: Store, cast: dict[str, User]):
    other = approved(store, "Something else altogether is written on this page.", source="doc:other")
    near = approved(store, "Leases last 40 seconds by default for a job.")
    note = proposed(store, "Leases last 30 seconds by default for a job.", source="issue:4")
    Memory.objects.filter(pk=note.pk).update(conflicts_with=other)
    note.refresh_from_db()
    assert [(one.note, one.conflict) for one in beside.nearest(store, note)] == [(other, True), (near, False)]


def test_beside_a_decided_note_lie_those_around_its_place_and_behind_the_last_the_first(
    store: Store, cast: dict[str, User]
):
    first = proposed(store, "Leases last 30 seconds.")
    second = approved(store, "The queue holds 500 jobs.", source="doc:queues")
    third = approved(store, "Retries stop after 5 attempts.", source="doc:retries")
    queue = desk.queue(store, NoteFilter())
    assert queue.beside(first) == (None, None)
    assert queue.beside(second) == (first, first)
    assert queue.beside(third) == (first, first)


def test_nothing_is_beside_a_decided_note_where_nothing_waits(store: Store, cast: dict[str, User]):
    assert desk.queue(store, NoteFilter()).beside(approved(store, "Leases last 30 seconds.")) == (None, None)


def test_a_filter_looks_through_a_bounded_part_of_a_long_queue_and_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(desk, "FILTER_WINDOW", 2)
    texts = ("Leases last 30 seconds.", "The queue holds 500 jobs.", "Retries stop after 5 attempts.")
    notes = [proposed(store, text) for text in texts]
    found = desk.queue(store, NoteFilter(kind="fact"))
    assert (found.notes, found.total, found.cut) == (notes[:2], 2, True)
    everything = desk.queue(store, NoteFilter())
    assert (everything.total, everything.cut) == (3, False)


def test_the_score_of_one_note_is_the_one_a_search_gives(store: Store, cast: dict[str, User]):
    notes = [approved(store, f"Leases of kind {number} last {number} seconds.") for number in range(5)]
    resident = ready(store)
    vector, words = embed_query(resident.embedder, "how many seconds do leases last"), terms("leases last seconds")
    hits = resident.index.search(vector, words, k=5)
    assert {hit.id for hit in hits} == {note.pk for note in notes}
    for hit in hits:
        alone = resident.index.score(hit.id, vector, words)
        assert alone is not None
        assert (alone.id, alone.words) == (hit.id, hit.words)
        assert alone.score == pytest.approx(hit.score)
    assert resident.index.score(-1, vector, words) is None
