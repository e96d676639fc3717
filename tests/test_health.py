"""What is wrong with a store, each in one sentence with the way to mend it."""

from __future__ import annotations

import pytest
from django.utils import timezone

from memories.health import database_problems, problems
from memories.models import Memory, NextEmbedding, Receipt, Store
from tests.helpers import approved, make_store, proposed

LEASE = "The worker holds its lease for 30 seconds by default."

pytestmark = pytest.mark.usefixtures("cast")


def test_a_sound_store_has_none(store: Store) -> None:
    approved(store, LEASE)
    assert list(problems(store)) == []
    assert list(database_problems()) == []


def test_a_policy_that_cannot_be_read_is_listed(store: Store) -> None:
    store.policy = {"families": {"gossip": "refuse"}}
    (sentence,) = problems(store)
    assert sentence.startswith("The filter policy of orbit cannot be read")
    assert sentence.endswith("an owner saves the filter again on the store's settings page.")


@pytest.mark.parametrize(
    "vector",
    [b"\x00\x00\xc0\x7f" * 256, b"\x00\x00\x80\x7f" * 256, bytes(1024), b"\x00\x00\x80\x3f" * 256],
    ids=["nan", "infinite", "zero", "too long"],
)
def test_a_vector_that_cannot_be_used_is_listed(store: Store, vector: bytes) -> None:
    approved(store, "Brokers speak TLS only.")
    note = approved(store, LEASE)
    Memory.objects.filter(pk=note.pk).update(embedding=vector)
    (sentence,) = problems(store)
    assert sentence.startswith(f"Note {note.pk} has a vector that cannot be used")
    assert sentence.endswith(f"`manage.py reembed --store {store.slug} --embedder hashed --width 256`.")


def test_a_vector_of_another_width_is_listed(store: Store) -> None:
    note = approved(store, LEASE)
    Memory.objects.filter(pk=note.pk).update(embedding=bytes(2048), width=512)
    (sentence,) = problems(store)
    assert f"Note {note.pk} " in sentence


def test_unfinished_work_is_named_with_the_command_that_finishes_it(store: Store) -> None:
    note = proposed(store, LEASE)
    Memory.objects.update(embedding=None)
    NextEmbedding.objects.create(memory=note, embedder="x/4", version=1, embedding=b"1")
    Receipt.objects.create(store=store, operation="x", at=timezone.now(), actor="")
    waiting, half, cut = problems(store)
    assert "1 note waits" in waiting
    assert "embed_waiting --store orbit" in waiting
    assert "cut short after 1 note" in half
    assert "1 deletion was cut short" in cut


def test_a_store_is_looked_at_alone(store: Store) -> None:
    other = make_store("travel")
    proposed(other, LEASE)
    Memory.objects.update(embedding=None)
    assert list(problems(store)) == []
