"""The product's own verbs, timed from call to return: what Django, the filter and the database add to the index."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from benchmarks.timing import Figures, clock, percentiles
from memories.audit import Actor
from memories.models import Store
from memories.propose import propose, propose_many
from memories.schemas import Draft

BY = Actor.command("bench")
SINGLE = 200
BATCH = 500
BATCHES = 6


def proposals(store: Store, texts: Sequence[str]) -> Figures:
    """Times of proposing notes one by one, then in batches of 500. `propose_processor` is processor time, which a busy
    machine stretches less.
    Takes SINGLE + BATCH x BATCHES new `texts`.
    """
    drafts = [Draft(text=text, source=f"issue:{number}") for number, text in enumerate(texts)]
    first = drafts[:SINGLE]
    started = time.process_time()
    figures = percentiles("propose", [clock(partial(propose, store, draft, BY)) for draft in first])
    figures["propose_processor"] = round((time.process_time() - started) / SINGLE * 1000, 3)
    started = time.perf_counter()
    for start in range(SINGLE, SINGLE + BATCH * BATCHES, BATCH):
        propose_many(store, drafts[start : start + BATCH], BY)
    seconds = time.perf_counter() - started
    return figures | {"propose_bulk_a_second": round(BATCH * BATCHES / seconds)}
