"""Finish the notes that were proposed while the embedder was out of reach."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from memories.audit import Actor, record
from memories.embedding import pack
from memories.index import ORIGINS
from memories.known import Candidate, Known, Relation
from memories.models import Action, Memory, MemorySource, Removal, Store
from memories.resident import embedder_of

BATCH = 200


def embed_waiting(store: Store, actor: Actor) -> int:
    """Embed every waiting note of `store` and return how many; what turns out to be known joins the known note.

    Raises:
        EmbedderUnavailable: the embedder is still out of reach; batches done before stay done.
    """
    done = 0
    known = Known(store)
    while waiting := list(Memory.objects.filter(store=store, embedding=None).order_by("pk")[:BATCH]):
        vectors = embedder_of(store).embed([note.text for note in waiting])
        candidates = [
            Candidate(note.kind, note.text, note.applies_to, vector)
            for note, vector in zip(waiting, vectors, strict=True)
        ]
        with transaction.atomic():
            _finish(store, waiting, candidates, known.relate(candidates))
            record(store, actor, Action.EMBEDDED, count=len(waiting))
        done += len(waiting)
    return done


def _finish(
    store: Store, waiting: Sequence[Memory], candidates: Sequence[Candidate], relations: Sequence[Relation]
) -> None:
    revision = store.next_revision()
    for note, candidate, relation in zip(waiting, candidates, relations, strict=True):
        now = Memory.objects.select_for_update().filter(pk=note.pk, version=note.version, embedding=None).first()
        if now is None or candidate.vector is None:
            continue
        if relation.repeats:
            place = relation.repeats
            _join(now, waiting[place.number].pk if place.in_batch else place.number, revision)
            continue
        if relation.conflicts:
            place = relation.conflicts
            now.conflicts_with_id = waiting[place.number].pk if place.in_batch else place.number
            now.risk += 2
        now.embedding, now.revision = pack(candidate.vector), revision
        now.version += 1
        now.save()


def _join(note: Memory, known_id: int, revision: int) -> None:
    """Hand a note's sources and date to the note that says the same, and let it go."""
    known = Memory.objects.select_for_update().defer("embedding", "terms").get(pk=known_id)
    there = set(MemorySource.objects.filter(memory=known).values_list("source", flat=True))
    MemorySource.objects.filter(memory=note).exclude(source__in=there).update(memory=known)
    known.observed_at = max(known.observed_at, note.observed_at)
    known.origin = max(known.origin, note.origin, key=ORIGINS.index)
    known.times_seen += note.times_seen
    known.revision = revision
    known.save(update_fields=["observed_at", "origin", "times_seen", "revision"])
    Removal.objects.create(store_id=note.store_id, memory_number=note.pk, revision=revision)
    note.delete()
