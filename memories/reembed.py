"""Change a store's embedder: the new vectors are made beside the old ones and move into place at once."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from memories.audit import Actor, record
from memories.embedding import Embedder, measured, pack
from memories.models import Action, Memory, NextEmbedding, Store

BATCH = 200


def reembed(store: Store, embedder: Embedder, actor: Actor, progress: Callable[[int], object] | None = None) -> int:
    """Embed every note of `store` with `embedder`, then swap; returns how many notes have new vectors.

    The store stays readable and writable with its old vectors until the swap. Run again after a kill, it goes on
    from the vectors that are there.

    Raises:
        EmbedderUnavailable: the embedder did not answer; what is done stays done.
    """
    NextEmbedding.objects.filter(memory__store=store).exclude(embedder=target(embedder)).delete()
    while True:
        while batch := list(_missing(store, embedder).defer("embedding", "terms")[:BATCH]):
            _embed(batch, embedder)
            if progress:
                progress(len(batch))
        count = _swap(store, embedder, actor)
        if count is not None:
            return count


def target(embedder: Embedder) -> str:
    """What a half-made set of vectors is for."""
    return f"{embedder.name}/{embedder.width}"


def _missing(store: Store, embedder: Embedder) -> QuerySet[Memory]:
    """Notes without a new vector of their words as they are now."""
    made = NextEmbedding.objects.filter(memory=OuterRef("pk"), embedder=target(embedder), version=OuterRef("version"))
    return Memory.objects.filter(~Exists(made), store=store).order_by("pk")


def _embed(batch: list[Memory], embedder: Embedder) -> None:
    vectors = embedder.embed([note.text for note in batch])
    with transaction.atomic():
        there = set(Memory.objects.filter(pk__in=[note.pk for note in batch]).values_list("pk", flat=True))
        NextEmbedding.objects.bulk_create(
            [
                NextEmbedding(memory=note, embedder=target(embedder), version=note.version, embedding=pack(vector))
                for note, vector in zip(batch, vectors, strict=True)
                if note.pk in there
            ],
            update_conflicts=True,
            unique_fields=["memory"],
            update_fields=["embedder", "version", "embedding"],
        )


def _swap(store: Store, embedder: Embedder, actor: Actor) -> int | None:
    """Move the new vectors into place in one transaction; None where notes came or changed in the meantime."""
    with transaction.atomic():
        locked = Store.objects.select_for_update().get(pk=store.pk)
        if _missing(store, embedder).exists():
            return None
        revision = locked.next_revision()
        mine = NextEmbedding.objects.filter(memory=OuterRef("pk")).values("embedding")
        notes = Memory.objects.filter(store=store)
        count = notes.update(embedding=Subquery(mine), width=embedder.width, revision=revision)
        NextEmbedding.objects.filter(memory__store=store).delete()
        before = {"embedder": locked.embedder, "duplicates": locked.dedupe_threshold, "minimum": locked.minimum_score}
        locked.embedder, locked.width = embedder.name, embedder.width
        # Scores of two embedders mean different things: the store's own values fit the old one only.
        locked.dedupe_threshold, locked.minimum_score = measured(embedder.name)
        locked.save()
        record(store, actor, Action.REEMBEDDED, count=count, details={"before": before, "to": target(embedder)})
    store.refresh_from_db()
    return count
