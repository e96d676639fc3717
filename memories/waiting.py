"""Finish the notes that were proposed while the embedder was out of reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from django.db import transaction

from memories.audit import Actor, record
from memories.embedding import Vectors, pack
from memories.known import Candidate, Known, Neighbour
from memories.models import Action, Memory, MemorySource, Removal, Store
from memories.resident import confirm_embedder, embedder_of
from memories.sightings import see_again
from memories.wording import end_conflicts, risk_of

BATCH = 200


def embed_waiting(store: Store, actor: Actor) -> int:
    """Embed every waiting note of `store` and return how many; what turns out to be known joins the known note.

    Raises:
        EmbedderUnavailable: the embedder is still out of reach; batches done before stay done.
    """
    done = 0
    while waiting := list(Memory.objects.filter(store=store, embedding=None).order_by("pk")[:BATCH]):
        vectors = embedder_of(store).embed([note.text for note in waiting])
        known = Known(store)
        with transaction.atomic():
            confirm_embedder(store)
            done += _finish(store, actor, known, dict(zip(waiting, vectors, strict=True)))
    return done


def _finish(store: Store, actor: Actor, known: Known, vectors: Mapping[Memory, Vectors]) -> int:
    """Give the notes that still have the embedded words their vectors, or let them join what they repeat."""
    still = Memory.objects.select_for_update().filter(embedding=None).in_bulk([note.pk for note in vectors])
    notes = [still[note.pk] for note in vectors if note.pk in still and still[note.pk].version == note.version]
    relations = known.relate([Candidate(note.kind, note.text, note.applies_to, vectors[note]) for note in notes])
    revision = store.next_revision()
    joining: dict[int, int] = {}
    for note, relation in zip(notes, relations, strict=True):
        if relation.repeats:
            joining[note.pk] = _number(relation.repeats, notes)
            continue
        if relation.conflicts:
            note.conflicts_with_id = _number(relation.conflicts, notes)
        note.risk = risk_of(bool(note.findings), note.conflicts_with_id is not None, note.origin)
        note.embedding, note.revision = pack(vectors[note]), revision
        note.version += 1
        note.save()
    _join(store, joining, revision)
    if notes:
        record(store, actor, Action.EMBEDDED, count=len(notes), details={"joined": list(joining.items())})
    return len(notes)


def _number(neighbour: Neighbour, notes: Sequence[Memory]) -> int:
    return notes[neighbour.number].pk if neighbour.in_batch else neighbour.number


def _join(store: Store, joining: Mapping[int, int], revision: int) -> None:
    """Hand each note's sources and date to the note that says the same, and let it go."""
    notes = Memory.objects.filter(pk__in=joining)
    times: Counter[int] = Counter()
    for number, seen in notes.values_list("pk", "times_seen"):
        times[joining[number]] += seen
    sightings = list(MemorySource.objects.filter(memory__in=joining))
    for row in sightings:
        # Without its key it is a new row of the other note.
        row.pk, row.memory_id = None, joining[row.memory_id]
    see_again(sightings, times, revision)
    Removal.objects.bulk_create(Removal(store=store, memory_number=number, revision=revision) for number in joining)
    end_conflicts(joining)
    notes.delete()
