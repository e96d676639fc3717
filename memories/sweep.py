"""The retention job: delete what has outlived its kind's time to live, its own date, or its rejection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memories.audit import Actor, new_operation, record
from memories.forget import BATCH, delete_batch
from memories.models import Action, AuditEvent, Kind, Memory, Recall, Receipt, Refusal, Status, Store
from memories.receipts import clean_up, end
from memories.resident import drop_old_removals
from memories.storage import Cleaning

# A clock this far past the last thing that happened is more likely wrong than right.
LONGEST_SILENCE = timedelta(days=400)
# What goes besides notes, and when: refusals after the longest period that the console counts them over and a day for
# the reader's zone; recalls, which hold what was asked, after a year.
RECALLS_KEPT = timedelta(days=365)
RECORDS_KEPT: dict[str, tuple[type[Refusal] | type[Recall], timedelta]] = {
    "refusals": (Refusal, timedelta(days=91)),
    "recalls": (Recall, RECALLS_KEPT),
}


class ClockJumped(Exception):
    """The clock is so far from the last audit entry that a sweep would delete what it should not."""


@dataclass(frozen=True)
class Due:
    """A note that a sweep takes, and why."""

    id: int
    kind: str
    status: str
    observed_at: datetime
    reason: str


def due_conditions(store: Store, now: datetime) -> dict[str, Q]:
    """The reasons for which a note of `store` goes at `now`, as conditions; a note may meet several."""
    reasons = {"its own end date": Q(expires_at__lte=now)}
    if store.rejected_days:
        limit = now - timedelta(days=store.rejected_days)
        reasons[f"rejected for {store.rejected_days} days"] = Q(status=Status.REJECTED, decided_at__lte=limit)
    for kind in Kind.values:
        if days := store.days_kept(kind):
            limit = now - timedelta(days=days)
            reasons[f"{kind} older than {days} days"] = Q(kind=kind, observed_at__lte=limit)
    return reasons


def due_notes(store: Store, now: datetime) -> QuerySet[Memory]:
    """The notes of `store` that a sweep at `now` takes."""
    any_reason = Q(pk__in=[])
    for condition in due_conditions(store, now).values():
        any_reason |= condition
    return Memory.objects.filter(any_reason, store=store).defer("embedding", "terms").order_by("pk")


def due(store: Store, now: datetime) -> Iterator[Due]:
    """Name each note that a sweep at `now` takes, with the first reason that holds."""
    for reason, condition in due_conditions(store, now).items():
        earlier = Q(pk__in=[])
        for other, before in due_conditions(store, now).items():
            if other == reason:
                break
            earlier |= before
        rows = Memory.objects.filter(condition, store=store).exclude(earlier).order_by("pk")
        for row in rows.values_list("pk", "kind", "status", "observed_at").iterator():
            yield Due(*row, reason)


def sweep(
    store: Store,
    actor: Actor,
    *,
    now: datetime | None = None,
    trust_clock: bool = False,
    most: int | None = None,
) -> int:
    """Delete what is due, at most `most` notes, and return how many went; safe to run twice at once and after a kill.

    A large database file is left to `sweep_all`, which runs at night.

    Raises:
        ClockJumped: the clock is before, or more than 400 days after, the store's last audit entry.
    """
    gone = _take(store, actor, now or timezone.now(), trust_clock, most)
    clean_up([store])
    return gone


class Swept(NamedTuple):
    """What a sweep of one store came to: how many notes went, or why none did."""

    store: Store
    gone: int
    problem: str = ""


def sweep_all(
    stores: Sequence[Store], actor: Actor, *, trust_clock: bool = False
) -> tuple[list[Swept], Cleaning | None]:
    """Sweep every store, then clean the files that all of them share, once and however large they are."""
    swept = [_swept(store, actor, trust_clock) for store in stores]
    return swept, clean_up(stores, however_large=True)


def _swept(store: Store, actor: Actor, trust_clock: bool) -> Swept:
    try:
        return Swept(store, _take(store, actor, timezone.now(), trust_clock, None))
    except ClockJumped as error:
        return Swept(store, 0, str(error))


def _take(store: Store, actor: Actor, now: datetime, trust_clock: bool, most: int | None) -> int:
    """Delete what is due and say so on a receipt, which waits for the cleaning."""
    if not trust_clock:
        check_clock(store, now)
    drop_records(store, actor, now)
    drop_old_removals(store)
    due = due_notes(store, now)
    if not due.exists():
        return 0
    receipt = Receipt.objects.create(
        store=store, operation=new_operation(), at=now, actor=actor.label, asked={"by": "sweep"}
    )
    while size := BATCH if most is None else min(BATCH, most - receipt.count):
        if not delete_batch(store, due[:size], actor, Action.SWEPT, receipt):
            break
    end(receipt)
    return receipt.count


def old_records(store: Store, now: datetime) -> dict[str, QuerySet[Any]]:
    """The refusals and recalls of `store` that a sweep at `now` takes."""
    return {
        name: model.objects.filter(store=store, at__lt=now - kept).order_by()
        for name, (model, kept) in RECORDS_KEPT.items()
    }


def drop_records(store: Store, actor: Actor, now: datetime) -> None:
    """Let go of old refusals and recalls: nobody must fill the disk, and what was asked must not stay for ever."""
    with transaction.atomic():
        gone = {name: _delete(rows) for name, rows in old_records(store, now).items()}
        if any(gone.values()):
            details = {name: count for name, count in gone.items() if count}
            record(store, actor, Action.SWEPT, count=0, details=details)


def _delete(rows: QuerySet[Any]) -> int:
    """Delete rows in parts, since Django reads those that others hang on, and return how many went."""
    count = 0
    while part := list(rows.values_list("pk", flat=True)[:BATCH]):
        rows.model.objects.filter(pk__in=part).delete()
        count += len(part)
    return count


def check_clock(store: Store, now: datetime) -> None:
    """Raise ClockJumped where `now` cannot be right."""
    last = AuditEvent.objects.filter(store=store).order_by("-id").values_list("at", flat=True).first()
    if last is None or last - timedelta(days=1) <= now <= last + LONGEST_SILENCE:
        return
    raise ClockJumped(
        f"The clock says {now:%Y-%m-%d}, but the last thing that happened in {store.slug} is of {last:%Y-%m-%d}: "
        "set the clock, or sweep with --trust-clock."
    )
