"""Forgetting: the preview and the act take the same notes, nothing that hung on them stays, the receipt says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User

from memories.audit import Actor
from memories.embedding import EmbedderError, _queries, get_embedder, pack
from memories.forget import Changed, Selection, forget, preview
from memories.index import pack_terms, terms
from memories.models import (
    AuditEvent,
    EarlierText,
    Memory,
    MemorySource,
    NextEmbedding,
    PinnedQuery,
    RecallHit,
    Receipt,
    Removal,
    Store,
)
from memories.propose import propose
from memories.queries import NoteFilter
from memories.recall import recall, record_recall
from memories.resident import ready
from memories.review import approve, edit
from memories.schemas import Draft
from tests.helpers import approved, make_cast, make_store, person, proposed
from tests.rooms import many

LEASE = "The worker holds its lease for 30 seconds by default."
COMMAND = Actor.command("test")

pytestmark = pytest.mark.usefixtures("cast")


def queues(store: Store, count: int) -> list[Memory]:
    return [proposed(store, f"Queue {number} of site {number * 31} drains at {number}.") for number in range(count)]


def alike(store: Store, count: int) -> None:
    """Notes that all say nearly the same, past the filter, which would take most of them for duplicates."""
    texts = [f"Queue drains nightly, as seen in case {number}." for number in range(count)]
    vectors = get_embedder(store.embedder, store.width).embed(texts)
    for text, vector, note in zip(texts, vectors, many(store, count), strict=True):
        note.text, note.embedding, note.terms = text, pack(vector), pack_terms(terms(text))
        note.save()


def test_everything_that_hangs_on_a_note_goes_with_it(store: Store) -> None:
    note = approved(store, LEASE, evidence="lasts 30 s")
    propose(store, Draft(text=LEASE, source="issue:4"), COMMAND)
    note = edit(store, note.pk, person("mara"), version=note.version, text="Leases last half a minute.")
    record_recall(store, "lease", recall(store, "lease"), run=None, block_tokens=0)
    PinnedQuery.objects.create(store=store, memory=note, query="lease")
    NextEmbedding.objects.create(memory=note, embedder="x/4", version=1, embedding=b"1")
    receipt = forget(store, Selection(ids=(note.pk,)), COMMAND)
    assert receipt.count == 1
    for model in (Memory, MemorySource, EarlierText, RecallHit, PinnedQuery, NextEmbedding):
        assert not model.objects.exists(), model
    assert Removal.objects.get().memory_number == note.pk


def test_other_notes_that_pointed_at_it_stay(store: Store) -> None:
    store.dedupe_threshold = 0.8
    old = approved(store, LEASE)
    new = proposed(store, LEASE.replace("30", "90"))
    approve(store, new.pk, person("mara"), version=1, replace=True)
    forget(store, Selection(ids=(old.pk,)), COMMAND)
    new.refresh_from_db()
    assert (new.conflicts_with, new.replaces) == (None, None)


def test_the_audit_entry_and_the_receipt_hold_no_text(store: Store) -> None:
    note = approved(store, LEASE, source="user:17")
    receipt = forget(store, Selection(filter=NoteFilter(text="holds its lease")), person("mara"))
    entry = AuditEvent.objects.latest("id")
    assert (entry.action, entry.count, entry.memory_number, entry.actor) == ("forgotten", 1, note.pk, "person:mara")
    assert entry.operation == receipt.operation
    assert receipt.asked == {"by": "filter", "text": "…"}
    written = " ".join(str(row) for model in (AuditEvent, Receipt) for row in model.objects.values_list())
    assert "lease" not in written


def test_a_query_is_neither_kept_nor_remembered(store: Store) -> None:
    approved(store, LEASE)
    known = set(_queries)
    receipt = forget(store, Selection(query=LEASE, minimum_score=0.6), COMMAND)
    assert receipt.asked == {"by": "query", "minimum_score": 0.6}
    assert receipt.count == 1
    assert set(_queries) == known


@pytest.mark.django_db(transaction=True)
def test_the_receipt_says_what_was_asked_and_that_backups_remain(store: Store) -> None:
    note = approved(store, LEASE, source="user:17")
    by_source = forget(store, Selection(source="user:17"), COMMAND)
    assert by_source.asked == {"by": "source", "source": "user:17"}
    assert by_source.finished_at is not None
    assert "Backups" in by_source.traces[-1]
    again = forget(store, Selection(ids=(note.pk,)), COMMAND)
    assert (again.count, again.asked) == (0, {"by": "ids", "ids": [note.pk]})
    assert not AuditEvent.objects.filter(count=0).exists()


def test_forgetting_by_source_takes_every_note_that_was_learnt_there_too(store: Store) -> None:
    both = approved(store, LEASE)
    propose(store, Draft(text=LEASE, source="user:17"), COMMAND)
    other = approved(store, "Brokers speak TLS only.", source="user:170")
    seen = preview(store, Selection(source="user:17"))
    assert (seen.count, seen.with_other_sources, [note.pk for note in seen.sample]) == (1, 1, [both.pk])
    forget(store, Selection(source="user:17"), COMMAND)
    assert list(Memory.objects.all()) == [other]


def test_forgetting_by_query_reaches_every_note_that_scores_enough_however_many(store: Store) -> None:
    alike(store, 1_300)
    stays = approved(store, "Brokers speak TLS only.")
    chosen = Selection(query="Queue drains nightly, as seen in case.", minimum_score=0.2)
    assert preview(store, chosen).count == 1_300
    assert forget(store, chosen, COMMAND).count == 1_300
    assert list(Memory.objects.all()) == [stays]


def test_forgetting_by_query_reaches_notes_that_wait_for_their_embedding_by_their_words(store: Store) -> None:
    waiting = proposed(store, LEASE)
    other = proposed(store, "Brokers speak TLS only.")
    Memory.objects.filter(store=store).update(embedding=None)
    chosen = Selection(query="leases of a worker", minimum_score=0.9)
    assert preview(store, chosen).count == 0
    chosen = Selection(query="worker leases", minimum_score=0.9)
    assert [note.pk for note in preview(store, chosen).sample] == [waiting.pk]
    forget(store, chosen, COMMAND)
    assert list(Memory.objects.all()) == [other]


def test_forgetting_by_query_reaches_every_status_and_expired_notes(store: Store) -> None:
    notes = [
        proposed(store, LEASE, applies_to="1.x"),
        approved(store, LEASE, applies_to="2.x"),
        approved(store, LEASE, days_old=400),
    ]
    stays = approved(store, "Brokers speak TLS only.")
    assert forget(store, Selection(query=LEASE, minimum_score=0.6), COMMAND).count == len(notes)
    assert list(Memory.objects.all()) == [stays]


def test_a_filter_takes_what_its_list_shows(store: Store) -> None:
    chosen = queues(store, 3)
    approved(store, LEASE)
    selection = Selection(filter=NoteFilter(status="proposed", sort="oldest"))
    assert preview(store, selection).by_status == {"proposed": 3}
    assert forget(store, selection, COMMAND).count == len(chosen)
    assert Memory.objects.get().text == LEASE


def test_the_sample_is_small_and_the_count_whole(store: Store) -> None:
    queues(store, 14)
    seen = preview(store, Selection(source="doc:leases"))
    assert (seen.count, len(seen.sample)) == (14, 10)


def test_what_changed_since_the_preview_is_not_forgotten(store: Store) -> None:
    notes = queues(store, 3)
    selection = Selection(source="doc:leases")
    seen = preview(store, selection)
    edit(store, notes[0].pk, person("mara"), version=1, text="Queue 0 never drains.")
    with pytest.raises(Changed):
        forget(store, selection, COMMAND, fingerprint=seen.fingerprint)
    fresh = preview(store, selection)
    assert fresh.fingerprint != seen.fingerprint
    proposed(store, LEASE)
    with pytest.raises(Changed):
        forget(store, selection, COMMAND, fingerprint=fresh.fingerprint)
    assert Memory.objects.count() == 4
    assert not Receipt.objects.exists()
    now = preview(store, selection)
    assert forget(store, selection, COMMAND, fingerprint=now.fingerprint).count == 4


def test_the_fingerprint_of_nothing_is_that_of_nothing(store: Store) -> None:
    seen = preview(store, Selection(ids=(4_711,)))
    assert (seen.count, seen.sample, seen.by_status) == (0, [], {})
    assert forget(store, Selection(ids=(4_711,)), COMMAND, fingerprint=seen.fingerprint).count == 0


def test_another_store_is_out_of_reach(store: Store) -> None:
    elsewhere = make_store("travel")
    make_cast(elsewhere)
    note = approved(elsewhere, LEASE)
    for selection in (
        Selection(ids=(note.pk,)),
        Selection(source="doc:leases"),
        Selection(query=LEASE, minimum_score=0.1),
        Selection(filter=NoteFilter(status="approved")),
    ):
        assert forget(store, selection, COMMAND).count == 0
    assert Memory.objects.get() == note


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"ids": (1,), "source": "doc:a"},
        {"query": "   "},
        {"query": "lease"},
        {"query": "lease", "minimum_score": 0.0},
        {"query": "lease", "minimum_score": 1.1},
        {"query": "lease", "minimum_score": float("nan")},
        {"filter": NoteFilter()},
        {"filter": NoteFilter(sort="oldest")},
        {"filter": NoteFilter(text="  ")},
    ],
)
def test_a_selection_that_is_none_or_everything_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError) as error:
        Selection(**fields)
    assert str(error.value).endswith(".")


def test_a_query_that_chooses_too_many_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.forget.MOST_BY_QUERY", 2)
    queues(store, 3)
    selection = Selection(query="queue of a site", minimum_score=0.01)
    with pytest.raises(ValueError, match="raise the minimum score"):
        preview(store, selection)
    with pytest.raises(ValueError, match="raise the minimum score"):
        forget(store, selection, COMMAND)
    assert Memory.objects.count() == 3


def test_batches_share_one_receipt_and_its_count_grows_with_each(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.forget.BATCH", 2)
    queues(store, 5)
    receipt = forget(store, Selection(source="doc:leases"), COMMAND)
    assert receipt.count == 5
    entries = AuditEvent.objects.filter(action="forgotten").order_by("id")
    assert [entry.count for entry in entries] == [2, 2, 1]
    assert {entry.operation for entry in entries} == {receipt.operation}


def test_notes_that_wait_for_their_embedding_can_be_forgotten(store: Store) -> None:
    queues(store, 2)
    Memory.objects.update(embedding=None)
    assert forget(store, Selection(source="doc:leases"), COMMAND).count == 2


def test_notes_are_forgotten_where_the_embedder_can_no_longer_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    store = make_store("travel", embedder="openai:text-embedding-3-small")
    go, stay, *_others = many(store, 3)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    index = ready(store).index
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(EmbedderError):
        ready(store)
    assert forget(store, Selection(ids=(go.pk,)), COMMAND).traces
    assert (go.pk in index, stay.pk in index) == (False, True)


def test_a_policy_that_cannot_be_read_holds_up_no_deletion(store: Store) -> None:
    many(store, 1, source="user:17")
    Store.objects.update(policy={"families": {"gossip": "refuse"}})
    store.refresh_from_db()
    assert forget(store, Selection(source="user:17"), COMMAND).asked == {"by": "source", "source": "user:17"}


def test_a_forgotten_number_is_never_given_again(store: Store) -> None:
    note = approved(store, LEASE)
    forget(store, Selection(ids=(note.pk,)), COMMAND)
    assert proposed(store, LEASE).pk > note.pk


def test_the_same_thing_learnt_again_is_a_new_note_in_the_inbox(store: Store) -> None:
    note = approved(store, LEASE)
    forget(store, Selection(ids=(note.pk,)), COMMAND)
    assert propose(store, Draft(text=LEASE, source="doc:leases"), COMMAND).outcome == "proposed"
    assert recall(store, LEASE) == []


def test_vectors_of_other_notes_are_untouched(store: Store) -> None:
    stays, go = approved(store, LEASE), approved(store, "Brokers speak TLS only.")
    before = np.frombuffer(stays.embedding or b"", "<f4")
    forget(store, Selection(ids=(go.pk,)), COMMAND)
    after = Memory.objects.get(pk=stays.pk)
    assert np.array_equal(np.frombuffer(after.embedding or b"", "<f4"), before)
    assert [note.id for note in recall(store, LEASE)] == [stays.pk]


def test_a_person_can_be_named_in_the_entry(store: Store, cast: dict[str, User]) -> None:
    note = approved(store, LEASE)
    forget(store, Selection(ids=(note.pk,)), person("olga"))
    assert AuditEvent.objects.latest("id").user == cast["olga"]
