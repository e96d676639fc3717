"""What is wrong with a store or its database, each in one sentence with the way to mend it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from django.db import connection

from memories.models import Memory, NextEmbedding, Receipt, Store
from memories.resident import CHUNK, usable_vectors
from memories.wording import PolicyUnreadable, policy_of


def problems(store: Store) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong in `store`."""
    try:
        policy_of(store)
    except PolicyUnreadable as problem:
        yield str(problem)
    for number in _unusable(store):
        yield (
            f"Note {number} has a vector that cannot be used and is not recalled: run "
            f"`manage.py reembed --store {store.slug} --embedder {store.embedder} --width {store.width}`."
        )
    if waiting := Memory.objects.filter(store=store, embedding=None).count():
        yield f"{waiting:,} notes wait for their embedding: run `manage.py embed_waiting --store {store.slug}`."
    if half := NextEmbedding.objects.filter(memory__store=store).count():
        yield f"A change of embedder was cut short after {half:,} notes: run the same `manage.py reembed` again."
    opened = Receipt.objects.filter(store=store, finished_at=None)
    if cut := opened.filter(traces=[]).count():
        yield f"{cut:,} deletions were cut short: run them again, or `manage.py sweep` to clean up after them."
    if waiting := opened.exclude(traces=[]).count():
        yield f"{waiting:,} deletions wait for the database's files to be cleaned: run `manage.py sweep`."


def database_problems() -> Iterator[str]:
    """Yield what the database engine itself finds wrong."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check(10)")
        found = [row[0] for row in cursor.fetchall()]
    if found != ["ok"]:
        yield f"The database file is damaged ({found[0]}): restore the last backup."


def _unusable(store: Store) -> Iterator[int]:
    rows = Memory.objects.filter(store=store, embedding__isnull=False).order_by("pk")
    values = rows.values_list("pk", "embedding").iterator(chunk_size=CHUNK)
    while chunk := list(islice(values, CHUNK)):
        usable = usable_vectors([vector or b"" for _number, vector in chunk], store.width)
        yield from (number for (number, _vector), good in zip(chunk, usable, strict=True) if not good)
