"""How long notes live: until their own end, and until their kind's time to live has passed, whichever comes first."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from memories.models import Kind, Store


def end_of(observed_at: datetime, expires_at: datetime | None, days: int | None) -> datetime | None:
    """When a note ends whose kind is kept for `days`; None for one that never does."""
    ends = [expires_at] if expires_at else []
    if days:
        ends.append(observed_at + timedelta(days=days))
    return min(ends, default=None)


def limits(store: Store, now: datetime) -> dict[str, datetime]:
    """By kind, the moment up to which notes were observed that have outlived their kind's time at `now`."""
    kept = {kind: store.days_kept(kind) for kind in Kind.values}
    return {kind: now - timedelta(days=days) for kind, days in kept.items() if days}


def unexpired(store: Store, now: datetime) -> Q:
    """Notes that have not ended at `now`."""
    alive = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    for kind, limit in limits(store, now).items():
        alive &= ~Q(kind=kind) | Q(observed_at__gt=limit)
    return alive
