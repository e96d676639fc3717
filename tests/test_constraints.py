"""What the database itself refuses, whatever the code above it forgets."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, models, transaction

from memories.models import (
    AuditEvent,
    EarlierText,
    ImportProgress,
    Membership,
    Memory,
    MemorySource,
    NextEmbedding,
    PinnedQuery,
    Recall,
    RecallHit,
    Receipt,
    Run,
    SavedView,
    Store,
)
from tests.helpers import NOW, make_store, proposed


@pytest.fixture
def note(store: Store) -> Memory:
    return proposed(store, "Leases last 30 seconds.")


def refused(make: Any) -> bool:
    try:
        with transaction.atomic():
            make()
    except IntegrityError:
        return True
    return False


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "rumour"},
        {"status": "forgotten"},
        {"origin": "me"},
        {"text": ""},
        {"source": ""},
        {"source": "leases"},
        {"source": ":leases"},
        {"source": "doc:"},
        {"embedding": b"1234"},
        {"width": 255},
        {"embedding": None, "status": "approved", "decided_at": NOW},
        {"status": "approved", "decided_at": None},
        {"status": "rejected", "decided_at": None},
        {"observed_at": None},
        {"times_seen": -1},
        {"risk": -1},
    ],
    ids=str,
)
def test_a_note_out_of_form_is_refused(note: Memory, fields: dict[str, Any]) -> None:
    assert refused(lambda: Memory.objects.filter(pk=note.pk).update(**fields))


@pytest.mark.parametrize("fields", [{"embedding": None}, {"embedding": bytes(64), "width": 16}, {"expires_at": None}])
def test_a_note_in_form_is_taken(note: Memory, fields: dict[str, Any]) -> None:
    assert not refused(lambda: Memory.objects.filter(pk=note.pk).update(**fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"slug": ""},
        {"name": ""},
        {"width": 0},
        {"width": 8_193},
        {"dedupe_threshold": 1.1},
        {"dedupe_threshold": -0.1},
        {"minimum_score": 2},
        {"minimum_score": -1},
        {"version_rule": "sometimes"},
    ],
    ids=str,
)
def test_a_store_out_of_form_is_refused(store: Store, fields: dict[str, Any]) -> None:
    assert refused(lambda: Store.objects.filter(pk=store.pk).update(**fields))


@pytest.mark.parametrize(
    "fields", [{"source": "leases"}, {"source": "doc:"}, {"source": ":a"}, {"origin": "me"}], ids=str
)
def test_a_source_out_of_form_is_refused(note: Memory, fields: dict[str, Any]) -> None:
    assert refused(lambda: MemorySource.objects.filter(memory=note).update(**fields))


def once(note: Memory) -> list[models.Model]:
    """One row of each table in which a second of its like makes no sense."""
    store, now = note.store, NOW
    user = User.objects.create(username="mara")
    run = Run(store=store, identifier="r1", agent="atlas", started_at=now)
    recall = Recall.objects.create(store=store, at=now)
    return [
        MemorySource(memory=note, store=store, source="issue:4", origin="untrusted", observed_at=now),
        EarlierText(memory=note, text="a", version=1, changed_by="x", changed_at=now),
        NextEmbedding(memory=note, embedder="x/4", version=1, embedding=b"1"),
        Membership(store=store, user=user, role=10),
        run,
        RecallHit(recall=recall, memory=note, rank=1, score=1, cosine=1, word_score=1),
        SavedView(store=store, name="mine", query="", created_by=user),
        PinnedQuery(store=store, memory=note, query="lease"),
        Receipt(store=store, operation="o", at=now, actor="x"),
        ImportProgress(store=store, digest="d"),
    ]


def test_what_can_be_there_once_is_there_once(note: Memory) -> None:
    for row in once(note):
        row.save()
        row.pk = None
        row._state.adding = True
        assert refused(row.save), type(row).__name__


def test_names_are_not_empty_and_words_are_known(note: Memory) -> None:
    store, now = note.store, NOW
    user = User.objects.create(username="mara")
    for row in (
        Run(store=store, identifier="", agent="atlas", started_at=now),
        SavedView(store=store, name="", query=""),
        PinnedQuery(store=store, memory=note, query=""),
        Membership(store=store, user=user, role=15),
        AuditEvent(store=store, at=now, actor="x", action="hidden"),
    ):
        assert refused(row.save), type(row).__name__


def test_no_two_stores_share_a_short_name(store: Store) -> None:
    assert refused(lambda: make_store(store.slug))


def test_a_row_cannot_hang_on_a_note_that_is_not_there(transactional_db: None) -> None:
    store = make_store()
    row = MemorySource(memory_id=4_711, store=store, source="doc:a", origin="untrusted", observed_at=NOW)
    assert refused(row.save)


def test_every_constraint_has_a_test_here(note: Memory) -> None:
    """A new constraint needs a line above; this is the list of those that have one."""
    names = {
        constraint.name
        for model in (Memory, MemorySource, EarlierText, Store, Membership, Run, RecallHit, SavedView, PinnedQuery,
                      AuditEvent, Receipt, ImportProgress, NextEmbedding)
        for constraint in model._meta.constraints
    }  # fmt: skip
    assert names == {
        "memory_kind_known", "memory_status_known", "memory_origin_known", "memory_text_not_empty",
        "memory_source_form", "memory_embedding_width", "memory_approved_has_embedding", "memory_decided_has_date",
        "memory_source_once", "memory_source_row_form", "memory_source_origin_known", "earlier_text_once_a_version",
        "store_has_names", "store_width_in_range", "store_thresholds_are_shares", "store_version_rule_known",
        "membership_once_a_store", "membership_role_known", "run_identifier_once_a_store", "run_has_an_identifier",
        "recall_hit_once", "saved_view_name_once_a_store", "saved_view_has_a_name", "pinned_query_once_a_note",
        "pinned_query_not_empty", "audit_action_known", "import_progress_once_a_file",
    }  # fmt: skip
