"""Which notes an agent is reminded of, and what is kept of that."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.audit import Actor
from memories.embedding import EmbedderError
from memories.forget import Selection, forget
from memories.models import Memory, Origin, Recall, Run, Status, Store
from memories.propose import propose
from memories.recall import recall, record_recall, standing_preferences
from memories.resident import _residents, ready
from memories.review import edit, reject, undo
from memories.schemas import Draft
from tests.helpers import approved, make_cast, make_store, person, proposed

LEASE = "The worker holds its lease for 30 seconds by default."
TOKEN = "ghp_" + "a1B2" * 9

pytestmark = pytest.mark.usefixtures("cast")


def ids(store: Store, text: str = LEASE, **options: Any) -> list[int]:
    return [note.id for note in recall(store, text, **{"k": 50, "minimum_score": 0.0, **options})]


def change(note: Memory, **fields: Any) -> None:
    """Change a row as no verb does yet, so that every index sees it."""
    Memory.objects.filter(pk=note.pk).update(revision=note.store.next_revision(), **fields)


def test_the_best_note_comes_first_and_explains_its_score(store: Store) -> None:
    note = approved(store, LEASE)
    approved(store, "Dashboards show every worker.")
    best, *_rest = recall(store, "worker lease seconds")
    assert (best.id, best.text, best.source, best.kind) == (note.pk, LEASE, "doc:leases", "fact")
    assert best.score == pytest.approx(best.meaning_score + best.word_score)
    assert {"worker", "lease", "seconds"} <= set(best.words)
    assert 0 < best.score <= 1


def test_only_approved_notes_of_this_store_are_recalled(store: Store) -> None:
    note = approved(store, LEASE)
    proposed(store, LEASE, applies_to="2.x")
    turned_down = proposed(store, LEASE, applies_to="3.x")
    reject(store, turned_down.pk, person("mara"), version=1, reason="")
    elsewhere = make_store("travel")
    make_cast(elsewhere)
    approved(elsewhere, LEASE)
    assert ids(store) == [note.pk]


def test_a_note_leaves_at_its_own_end_and_at_the_end_of_its_kind(store: Store) -> None:
    ended, lasting = approved(store, LEASE, applies_to="1.x"), approved(store, LEASE, applies_to="2.x")
    old = approved(store, LEASE, days_old=366)
    approved(store, LEASE, kind="episode", days_old=91)
    for note, end in ((ended, timedelta(seconds=-1)), (lasting, timedelta(days=1))):
        change(note, expires_at=timezone.now() + end)
    assert ids(store) == [lasting.pk]
    Store.objects.update(fact_days=None)
    assert ids(store) == [lasting.pk, old.pk]


def test_as_many_as_asked_for_come_whenever_they_exist(store: Store) -> None:
    for number in range(12):
        approved(store, f"Leases of pool {number * 31} last {number} seconds.")
    gone = ids(store, "leases of a pool")[:4]
    # Rows that left behind the index's back are replaced by the next best ones.
    Memory.objects.filter(pk__in=gone).update(status=Status.REJECTED)
    found = ids(store, "leases of a pool", k=8)
    assert len(found) == 8
    assert not set(found) & set(gone)
    assert len(ids(store, "leases of a pool", k=100)) == 8


def test_filters_narrow_before_the_ranking(store: Store) -> None:
    best = approved(store, LEASE)
    wish = approved(store, "Say which lease a worker holds.", kind="preference", source="maintainer:mara")
    told = approved(store, "Leases of user 17 last longer.", source="user:17", origin=Origin.USER_STATED, days_old=30)
    page = approved(store, "A page says leases never end.", source="url:https://example.org/")
    assert ids(store, kinds=["preference"], k=1) == [wish.pk]
    assert ids(store, source_prefix="user:", k=1) == [told.pk]
    assert set(ids(store, origin_at_least="user_stated")) == {wish.pk, told.pk}
    assert set(ids(store, exclude=[best.pk])) == {wish.pk, told.pk, page.pk}
    week_ago = timezone.now() - timedelta(days=7)
    assert ids(store, observed_to=week_ago) == [told.pk]
    assert told.pk not in ids(store, observed_from=week_ago)


def test_every_source_of_a_note_counts_for_the_prefix(store: Store) -> None:
    note = approved(store, LEASE)
    propose(store, Draft(text=LEASE, source="issue:4"), Actor.agent("atlas"))
    assert ids(store, source_prefix="issue:") == [note.pk]
    assert ids(store, source_prefix="doc:") == [note.pk]
    assert ids(store, source_prefix="DOC:") == []


def test_the_version_guard_lets_only_fitting_notes_through(store: Store) -> None:
    old = approved(store, LEASE, applies_to="2.x")
    new = approved(store, LEASE, applies_to=">=3.1,<3.3")
    always = approved(store, "Leases are renewed by heartbeats.")
    assert set(ids(store)) == {old.pk, new.pk, always.pk}
    assert set(ids(store, version="3.2.1")) == {new.pk, always.pk}
    assert set(ids(store, version="2.9")) == {old.pk, always.pk}
    assert set(ids(store, version="3.3")) == {always.pk}


@pytest.mark.parametrize(
    "options",
    [
        {"k": 0},
        {"k": -3},
        {"minimum_score": 1.5},
        {"minimum_score": -0.1},
        {"minimum_score": float("nan")},
        {"version": "newest"},
        {"kinds": ["rumour"]},
        {"origin_at_least": "rumour"},
    ],
)
def test_a_question_that_makes_no_sense_is_answered_with_a_sentence(store: Store, options: dict[str, Any]) -> None:
    approved(store, LEASE)
    with pytest.raises(ValueError) as error:
        recall(store, LEASE, **options)
    assert str(error.value).endswith(".")


@pytest.mark.parametrize("text", ["", "   \n", "\u200b\u2060\ufeff", "\ud800"])
@pytest.mark.parametrize("embedder", ["hashed", "wordllama"])
def test_a_question_without_words_recalls_nothing(db: None, embedder: str, text: str) -> None:
    store = make_store("other", embedder=embedder)
    make_cast(store)
    approved(store, LEASE)
    assert recall(store, text, minimum_score=0.0) == []


@pytest.mark.parametrize(
    "text", ["x" * 50_000, "lease " * 9_000, "\u202eesael", "a\x00b", "リース", "🙃", "'; DROP TABLE", "%_\\"]
)
def test_odd_questions_are_just_questions(store: Store, text: str) -> None:
    approved(store, LEASE)
    assert isinstance(recall(store, text, minimum_score=0.0), list)


def test_the_minimum_score_is_the_stores_own_unless_given(store: Store) -> None:
    approved(store, LEASE)
    store.minimum_score = 1.0
    assert recall(store, "worker lease") == []
    assert recall(store, "worker lease", minimum_score=0.1)


def test_an_empty_store_recalls_nothing(store: Store) -> None:
    assert recall(store, LEASE) == []
    assert standing_preferences(store) == []


def test_a_decision_is_seen_by_the_next_recall(store: Store) -> None:
    note = approved(store, LEASE)
    assert ids(store) == [note.pk]
    undone = undo(store, note.pk, person("mara"), version=note.version)
    assert ids(store) == []
    edit(store, note.pk, person("mara"), version=undone.version, text="Brokers speak TLS only.")
    assert ids(store) == []
    forget(store, Selection(ids=(note.pk,)), Actor.command("test"))
    assert ids(store, "Brokers speak TLS only.") == []


def test_a_change_of_the_stores_settings_loads_the_index_anew(store: Store) -> None:
    note = approved(store, LEASE, days_old=100)
    assert ids(store) == [note.pk]
    index = ready(store).index
    Store.objects.filter(pk=store.pk).update(fact_days=30)
    assert ids(store) == []
    assert ready(store).index is not index
    again = ready(store).index
    Store.objects.filter(pk=store.pk).update(name="Renamed")
    assert ready(store).index is again


def test_an_index_ahead_of_its_store_loads_anew(store: Store) -> None:
    note = approved(store, LEASE)
    ids(store)
    # As after a backup was put back under a running process.
    Store.objects.filter(pk=store.pk).update(revision=1)
    Memory.objects.update(revision=1, status=Status.APPROVED)
    assert ids(store) == [note.pk]


def test_a_forgotten_note_leaves_the_memory_of_this_process_at_once(store: Store) -> None:
    keep, go = approved(store, "Brokers speak TLS only."), approved(store, LEASE)
    ids(store)
    held = _residents[store.pk].index
    forget(store, Selection(ids=(go.pk,)), Actor.command("test"))
    assert go.pk not in held
    assert keep.pk in held
    assert bytes(go.embedding or b"") not in held._vectors.tobytes()


@pytest.mark.parametrize("broken", ["nan", "zero", "long"])
def test_a_row_with_a_broken_vector_is_reported_and_skipped(
    store: Store, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    good, bad = approved(store, "Brokers speak TLS only."), approved(store, LEASE)
    value = {"nan": b"\x00\x00\xc0\x7f" * 256, "zero": bytes(1024), "long": bad.embedding}[broken]
    width = 256
    if broken == "long":
        value, width = bytes(value or b"") * 2, 512
    Memory.objects.filter(pk=bad.pk).update(embedding=value, width=width)
    from memories.resident import drop_all

    drop_all()
    with caplog.at_level(logging.WARNING):
        assert ids(store) == [good.pk]
    assert f"Note {bad.pk} " in caplog.text
    assert "lease" not in caplog.text


def test_a_store_with_an_unknown_embedder_says_what_to_do(store: Store) -> None:
    Store.objects.update(embedder="telepathy")
    with pytest.raises(EmbedderError, match="use hashed, wordllama"):
        recall(store, LEASE)


def queries_of(store: Store, **options: Any) -> int:
    with CaptureQueriesContext(connection) as queries:
        recall(store, LEASE, **options)
    return len(queries)


def test_a_recall_takes_two_queries_whatever_the_store_holds(store: Store) -> None:
    approved(store, LEASE)
    recall(store, LEASE)
    assert queries_of(store) == 2
    for number in range(30):
        approved(store, f"Leases of pool {number * 31} last {number} seconds.")
    recall(store, LEASE)
    assert queries_of(store, k=20) == 2


def test_the_newest_preferences_in_force_can_always_come_first(store: Store) -> None:
    wishes = [
        approved(store, f"Wish {number}: name page {number * 7}.", kind="preference", days_old=10 - number)
        for number in range(4)
    ]
    change(wishes[3], expires_at=timezone.now())
    proposed(store, "Not decided yet.", kind="preference", origin=Origin.MAINTAINER)
    approved(store, LEASE)
    assert [note.id for note in standing_preferences(store)] == [wishes[2].pk, wishes[1].pk]
    assert len(standing_preferences(store, limit=9)) == 3


def test_what_was_shown_to_which_run_is_kept(store: Store) -> None:
    note = approved(store, LEASE)
    run = Run.objects.create(store=store, identifier="run-1", agent="atlas", started_at=timezone.now())
    found = recall(store, "worker lease")
    kept = record_recall(store, "worker\nlease", found, run=run, block_tokens=80)
    hit = kept.hits.get()
    assert (kept.query, kept.block_tokens, kept.run) == ("worker lease", 80, run)
    assert (hit.memory, hit.rank, hit.score) == (note, 1, found[0].score)


@pytest.mark.parametrize("query", [f"why does {TOKEN} fail", "x " * 247 + f"token {TOKEN}", f"{TOKEN}" + "y" * 600])
def test_a_question_with_a_secret_is_not_kept_but_what_it_found_is(store: Store, query: str) -> None:
    approved(store, LEASE)
    kept = record_recall(store, query, recall(store, LEASE), run=None, block_tokens=0)
    assert (kept.query, kept.hits.count()) == ("", 1)


def test_a_long_question_is_kept_in_part(store: Store) -> None:
    kept = record_recall(store, "Why is the lease long? " * 100, [], run=None, block_tokens=0)
    assert len(kept.query) == 500


def test_a_note_forgotten_after_the_recall_is_left_out_of_its_record(store: Store) -> None:
    note = approved(store, LEASE)
    found = recall(store, LEASE)
    forget(store, Selection(ids=(note.pk,)), Actor.command("test"))
    record_recall(store, LEASE, found, run=None, block_tokens=0)
    assert Recall.objects.get().hits.count() == 0


def test_deciding_moves_no_index_of_another_store(store: Store, cast: dict[str, User]) -> None:
    elsewhere = make_store("travel")
    make_cast(elsewhere)
    approved(elsewhere, LEASE)
    ids(elsewhere)
    revision = Store.objects.get(pk=elsewhere.pk).revision
    approved(store, LEASE)
    assert Store.objects.get(pk=elsewhere.pk).revision == revision
