"""What a preview of very many notes begins with, so that its page comes at once; the exact set takes longer."""

from __future__ import annotations

from dataclasses import dataclass

from memories.counts import Count
from memories.forget import Selection
from memories.listing import Listing
from memories.models import Memory, Store
from memories.queries import NoteFilter
from memories.resident import ready

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


def glimpse_of(store: Store, meant: Selection) -> Glimpse | None:
    """Look at what a deletion would take; None where the exact set can be named at once."""
    if (wanted := meant.as_filter()) is not None:
        return glimpse(store, wanted)
    if not meant.query or len(ready(store).index) <= AT_ONCE:
        return None
    # The score of every note, which the exact set takes, takes several times as long as the best of them.
    best = meant.best(store, SAMPLE, exact=False)
    return Glimpse(Count(len(best), more=True), list(NoteFilter().apply(store).filter(pk__in=best)))
