"""What a draft repeats or contradicts: by its vector and its words, in the store and in its own batch."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.embedding import get_embedder
from memories.known import Candidate, Known, Relation
from memories.models import Memory, Status, Store
from memories.resident import drop_all
from tests.helpers import approved, make_store, proposed

LEASE = "The worker holds its lease for 30 seconds by default."
OTHER = "The worker holds its lease for 90 seconds by default."


@pytest.fixture
def close_store(db: None) -> Store:
    return make_store(dedupe_threshold=0.8)


def candidates(texts: Sequence[str], *, kind: str = "fact", applies_to: str = "") -> list[Candidate]:
    vectors = get_embedder("hashed", 256).embed(texts)
    return [Candidate(kind, text, applies_to, vector) for text, vector in zip(texts, vectors, strict=True)]


def relations(store: Store, texts: Sequence[str], **shape: str) -> list[Relation]:
    return Known(store).relate(candidates(texts, **shape))


def test_an_empty_batch_is_related_to_nothing(store: Store) -> None:
    assert Known(store).relate([]) == []


def test_a_stored_note_of_any_status_is_known(close_store: Store) -> None:
    note = proposed(close_store, LEASE)
    for status in Status.values:
        Memory.objects.update(status=status, decided_at=note.created_at)
        (relation,) = relations(close_store, [LEASE])
        assert relation.repeats is not None
        assert (relation.repeats.number, relation.repeats.in_batch) == (note.pk, False)


def test_a_rejected_note_is_no_conflict(close_store: Store) -> None:
    note = proposed(close_store, LEASE)
    assert relations(close_store, [OTHER])[0].conflicts is not None
    Memory.objects.filter(pk=note.pk).update(status=Status.REJECTED, decided_at=note.created_at)
    assert relations(close_store, [OTHER])[0] == Relation()


def test_what_is_the_same_wins_over_what_conflicts(close_store: Store, cast_of: dict[str, User]) -> None:
    approved(close_store, LEASE)
    same = proposed(close_store, OTHER)
    (relation,) = relations(close_store, [OTHER])
    assert relation.conflicts is None
    assert relation.repeats is not None
    assert relation.repeats.number == same.pk


def test_another_kind_version_or_store_is_not_compared(close_store: Store) -> None:
    proposed(close_store, LEASE, applies_to="3.x")
    proposed(make_store("travel"), LEASE)
    assert relations(close_store, [LEASE], applies_to="2.x") == [Relation()]
    assert relations(close_store, [LEASE], kind="episode", applies_to="3.x") == [Relation()]
    assert relations(close_store, [LEASE]) == [Relation()]


def test_later_drafts_are_compared_with_earlier_ones_of_their_batch(close_store: Store) -> None:
    first, same, conflict, chain = relations(close_store, [LEASE, LEASE, OTHER, OTHER])
    assert first == Relation()
    assert same.repeats == (0, True)
    assert conflict.conflicts == (0, True)
    assert chain.repeats == (2, True)


def test_drafts_of_another_kind_in_the_batch_do_not_count(close_store: Store) -> None:
    mixed = [*candidates([LEASE]), *candidates([LEASE], kind="episode")]
    assert Known(close_store).relate(mixed) == [Relation(), Relation()]


def test_without_a_vector_only_the_same_words_count(close_store: Store) -> None:
    note = proposed(close_store, LEASE)
    blind = [one._replace(vector=None) for one in candidates([LEASE, OTHER, OTHER, LEASE.upper()])]
    same, new, repeated, shouted = Known(close_store).relate(blind)
    assert same.repeats == (note.pk, False)
    assert new == Relation()
    assert repeated.repeats == (1, True)
    assert shouted == Relation()


def test_without_a_vector_the_same_words_of_another_version_are_another_note(close_store: Store) -> None:
    proposed(close_store, LEASE, applies_to="2.x")
    right = proposed(close_store, LEASE, applies_to="3.x")
    (blind,) = [one._replace(vector=None) for one in candidates([LEASE], applies_to="3.x")]
    assert Known(close_store).relate([blind])[0].repeats == (right.pk, False)


def test_without_a_vector_notes_that_wait_themselves_are_known_too(close_store: Store) -> None:
    note = proposed(close_store, LEASE)
    Memory.objects.update(embedding=None)
    drop_all()
    (blind,) = [one._replace(vector=None) for one in candidates([LEASE])]
    assert Known(close_store).relate([blind])[0].repeats == (note.pk, False)


def test_without_a_vector_no_other_note_is_read_than_those_that_wait(close_store: Store) -> None:
    for number in range(20):
        proposed(close_store, f"Queue {number} drains at night.")
    blind = [one._replace(vector=None) for one in candidates([LEASE, "Queue 7 drains at night."])]
    known = Known(close_store)
    with CaptureQueriesContext(connection) as asked:
        new, same = known.relate(blind)
    assert (new, same.repeats is not None) == (Relation(), True)
    (by_text,) = [query["sql"] for query in asked if '"text" IN' in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {by_text}")
        assert "memory_waiting" in str(cursor.fetchall())


def test_a_forgotten_note_is_not_known_any_more(close_store: Store) -> None:
    from memories.audit import Actor
    from memories.forget import Selection, forget

    known = Known(close_store)
    note = proposed(close_store, LEASE)
    forget(close_store, Selection(ids=(note.pk,)), Actor.command("test"))
    assert known.relate(candidates([LEASE])) == [Relation()]


@pytest.fixture
def cast_of(close_store: Store) -> dict[str, User]:
    from tests.helpers import make_cast

    return make_cast(close_store)
