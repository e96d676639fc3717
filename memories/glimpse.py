"""What a preview of very many notes begins with, so that its page comes at once; the exact set takes longer."""

from __future__ import annotations

from dataclasses import dataclass

from memories.counts import Count
from memories.listing import Listing
from memories.models import Memory, Store
from memories.queries import NoteFilter

AT_ONCE = 2_000
SAMPLE = 10


@dataclass(frozen=True)
class Glimpse:
    """At least `total` notes, and some of them. Nothing can be done on the strength of it."""

    total: Count
    sample: list[Memory]


def glimpse(store: Store, wanted: NoteFilter) -> Glimpse | None:
    """Look at the notes that `wanted` chooses; None where they are few enough for naming the exact set at once."""
    listing = Listing(store, wanted)
    total = listing.total()
    if not total.more and total.number <= AT_ONCE:
        return None
    return Glimpse(total, listing.sample(SAMPLE))
