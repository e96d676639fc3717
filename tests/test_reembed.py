"""Changing a store's embedder: nothing lost half way, vectors of two embedders never together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from memories.audit import Actor
from memories.embedding import MEASURED, EmbedderUnavailable, Vectors, get_embedder, unpack
from memories.models import AuditEvent, Memory, NextEmbedding, Store
from memories.recall import recall
from memories.reembed import reembed
from memories.resident import EmbedderChanged
from memories.review import approve, decide_many, edit
from tests.helpers import approved, person, proposed

COMMAND = Actor.command("reembed")
WIDE = get_embedder("hashed", 512)

pytestmark = pytest.mark.usefixtures("cast")


class Interrupted:
    """The hashed embedder at another width, that lets something happen before a batch, or fails."""

    name, width = "hashed", 512

    def __init__(self, *happens: object) -> None:
        self.happens = list(happens)

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.happens and callable(event := self.happens.pop(0)):
            event()
        return WIDE.embed(texts)


def fail() -> None:
    raise EmbedderUnavailable("Out of reach.")


def notes(store: Store, count: int = 6) -> list[Memory]:
    return [approved(store, f"Queue {number} of site {number * 31} drains at {number}.") for number in range(count)]


def vectors_are_those_of(store: Store, width: int) -> bool:
    notes = Memory.objects.filter(store=store)
    stored = [unpack(bytes(note.embedding or b""), width) for note in notes]
    return np.array_equal(stored, get_embedder("hashed", width).embed([note.text for note in notes]))


def test_all_vectors_the_width_and_the_thresholds_move_at_once(store: Store) -> None:
    made = notes(store)
    recall(store, "queue")
    assert reembed(store, WIDE, COMMAND) == 6
    assert (store.embedder, store.width) == ("hashed", 512)
    assert (store.dedupe_threshold, store.minimum_score) == MEASURED["hashed"]
    assert vectors_are_those_of(store, 512)
    assert not NextEmbedding.objects.exists()
    entry = AuditEvent.objects.latest("id")
    assert (entry.action, entry.count) == ("reembedded", 6)
    assert entry.details["to"] == "hashed/512"
    assert entry.details["before"] == {"embedder": "hashed", "duplicates": 0.9, "minimum": 0.05}
    assert recall(store, made[3].text)[0].id == made[3].pk


def test_every_status_moves_and_waiting_notes_get_their_vectors(store: Store) -> None:
    notes(store, 2)
    proposed(store, "Brokers speak TLS only.")
    waiting = proposed(store, "Dashboards show workers.")
    Memory.objects.filter(pk=waiting.pk).update(embedding=None)
    assert reembed(store, WIDE, COMMAND) == 4
    assert vectors_are_those_of(store, 512)


def test_cut_short_the_store_is_as_before_and_the_next_run_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.reembed.BATCH", 2)
    made = notes(store)
    with pytest.raises(EmbedderUnavailable):
        reembed(store, Interrupted(None, None, fail), COMMAND)
    store.refresh_from_db()
    assert (store.width, NextEmbedding.objects.count()) == (256, 4)
    assert vectors_are_those_of(store, 256)
    assert recall(store, made[0].text)[0].id == made[0].pk
    done: list[int] = []
    reembed(store, WIDE, COMMAND, done.append)
    assert done == [2]
    assert vectors_are_those_of(store, 512)


def test_notes_that_come_or_change_in_the_meantime_are_caught_up_with(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.reembed.BATCH", 4)
    first = notes(store)[0]

    def meanwhile() -> None:
        edit(store, first.pk, person("mara"), version=first.version, text="Queue 0 never drains.")
        proposed(store, "Brokers speak TLS only.")
        Memory.objects.filter(text__startswith="Queue 5").delete()

    assert reembed(store, Interrupted(None, meanwhile), COMMAND) == 6
    assert vectors_are_those_of(store, 512)
    assert recall(store, "Queue 0 never drains.")[0].id == first.pk


def test_half_made_vectors_of_another_embedder_are_not_used(store: Store) -> None:
    made = notes(store, 2)
    for note in made:
        NextEmbedding.objects.create(memory=note, embedder="wordllama/256", version=1, embedding=b"\0" * 1024)
    reembed(store, WIDE, COMMAND)
    assert vectors_are_those_of(store, 512)


def test_the_same_embedder_again_mends_broken_vectors(store: Store) -> None:
    made = notes(store, 2)
    Memory.objects.filter(pk=made[0].pk).update(embedding=b"\x00\x00\xc0\x7f" * 256)
    reembed(store, get_embedder("hashed", 256), COMMAND)
    assert vectors_are_those_of(store, 256)
    assert recall(store, made[0].text)[0].id == made[0].pk


def test_an_empty_store_just_changes(store: Store) -> None:
    assert reembed(store, WIDE, COMMAND) == 0
    assert Store.objects.get(pk=store.pk).width == 512


def test_a_store_loaded_before_the_change_edits_with_neither_vector(store: Store) -> None:
    note = notes(store, 1)[0]
    as_loaded_before = Store.objects.get(pk=store.pk)
    reembed(store, WIDE, COMMAND)
    with pytest.raises(EmbedderChanged, match="once more"):
        edit(as_loaded_before, note.pk, person("mara"), version=note.version, text="Queue 0 never drains.")
    assert vectors_are_those_of(store, 512)


def test_of_many_that_are_undone_only_those_with_a_vector_of_the_old_embedder_are_left(store: Store) -> None:
    reworded, plain = proposed(store, "Queue 0 drains at 5."), approved(store, "Brokers speak TLS only.")
    approve(store, reworded.pk, person("mara"), version=reworded.version, text="Queue 0 never drains.")
    as_loaded_before = Store.objects.get(pk=store.pk)
    reembed(store, WIDE, COMMAND)
    pairs = list(Memory.objects.order_by("pk").values_list("pk", "version"))
    result = decide_many(as_loaded_before, pairs, "undo", person("mara"))
    assert (result.done, dict(result.skipped)) == ([plain.pk], {str(EmbedderChanged()): [reworded.pk]})
    assert vectors_are_those_of(store, 512)
    again = decide_many(store, pairs[:1], "undo", person("mara"))
    assert again.done == [reworded.pk]
    assert Memory.objects.get(pk=reworded.pk).text == reworded.text
