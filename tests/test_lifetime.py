"""How long notes live: one end of two, and the index, the queries and the sweep agree on it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memories.lifetime import end_of, unexpired
from memories.models import Memory, Store
from memories.recall import recall
from memories.sweep import due_notes
from tests.helpers import approved

LEARNT = datetime(2026, 5, 1, tzinfo=UTC)
SOON, LATE = LEARNT + timedelta(days=3), LEARNT + timedelta(days=300)


@pytest.mark.parametrize(
    ("own", "days", "end"),
    [
        (None, None, None),
        (SOON, None, SOON),
        (None, 10, LEARNT + timedelta(days=10)),
        (SOON, 10, SOON),
        (LATE, 10, LEARNT + timedelta(days=10)),
    ],
)
def test_the_earlier_end_counts(own: datetime | None, days: int | None, end: datetime | None) -> None:
    assert end_of(LEARNT, own, days) == end


@pytest.mark.usefixtures("cast")
@pytest.mark.parametrize("days_old", [0, 9, 11])
def test_what_is_not_recalled_for_its_age_is_what_the_sweep_takes(store: Store, days_old: int) -> None:
    store.fact_days = 10
    store.save()
    note = approved(store, "A lease is held for 30 seconds.", days_old=days_old)
    now = datetime.now(UTC)
    alive = days_old < 10
    assert bool(recall(store, "how long is a lease held?")) == alive
    assert Memory.objects.filter(unexpired(store, now), pk=note.pk).exists() == alive
    assert due_notes(store, now).exists() != alive
