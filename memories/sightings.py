"""What is known and seen again: its date, its sources and how far to trust it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memories.index import ORIGINS
from memories.models import Memory, MemorySource
from memories.wording import risk_of


def see_again(sightings: Sequence[MemorySource], times: Mapping[int, int], revision: int) -> None:
    """Date known notes anew and keep where they were seen; call it inside the transaction.

    The newest date counts, and of several origins the lowest.

    Args:
        sightings: rows not saved yet, each of the known note it belongs to.
        times: by note, how often it was seen again.
        revision: the store's revision that these changes get.
    """
    if not times:
        return
    notes = Memory.objects.select_for_update().defer("embedding", "terms").in_bulk(times)
    known = {(row.memory_id, row.source): row for row in MemorySource.objects.filter(memory__in=notes)}
    for seen in sightings:
        _merge(known.setdefault((seen.memory_id, seen.source), seen), seen)
        _merge(notes[seen.memory_id], seen)
    for number, note in notes.items():
        note.times_seen += times[number]
        note.revision = revision
        note.risk = risk_of(bool(note.findings), note.conflicts_with_id is not None, note.origin)
    Memory.objects.bulk_update(notes.values(), ["observed_at", "origin", "risk", "times_seen", "revision"])
    MemorySource.objects.bulk_update([row for row in known.values() if row.pk], ["observed_at", "origin", "evidence"])
    MemorySource.objects.bulk_create([row for row in known.values() if not row.pk])


def _merge(row: Memory | MemorySource, seen: MemorySource) -> None:
    row.observed_at = max(row.observed_at, seen.observed_at)
    row.origin = max(row.origin, seen.origin, key=ORIGINS.index)
    if isinstance(row, MemorySource):
        row.evidence = row.evidence or seen.evidence
