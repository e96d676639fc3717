"""Pinned queries: what must, or must never, be recalled, checked like a regression test."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from memories.audit import Actor, record
from memories.models import Action, Memory, PinnedQuery, Store
from memories.paging import page
from memories.recall import recall
from memories.screening import screen_evidence
from memories.wording import policy_of

SHOWN = 3
AT_ONCE = 2


@dataclass(frozen=True)
class Check:
    """One pinned query and what recall answered; `rank` is the note's place, None where it was not among them."""

    pinned: PinnedQuery
    rank: int | None

    @property
    def passed(self) -> bool:
        return (self.rank is not None) == self.pinned.must_recall

    @property
    def sentence(self) -> str:
        note = self.pinned.memory_id
        if self.rank is None:
            return _("Note %(note)d is not among the first %(shown)d.") % {"note": note, "shown": SHOWN}
        return _("Note %(note)d is recalled in place %(rank)d.") % {"note": note, "rank": self.rank}


def pin(store: Store, actor: Actor, query: str, note: Memory, *, must_recall: bool) -> PinnedQuery:
    """Keep that `query` must, or must never, recall `note` among the first three.

    Raises:
        ValueError: the query is empty, too long, holds what must not be kept, or is pinned to this note already.
    """
    query = " ".join(query.split())
    if not 0 < len(query) <= 500:
        raise ValueError(_("Pin a query of 1 to 500 characters."))
    if screen_evidence(query, policy_of(store)).decision == "refuse":
        raise ValueError(_("This query holds something that must not be kept: leave it out and pin the rest."))
    try:
        with transaction.atomic():
            pinned = PinnedQuery.objects.create(store=store, memory=note, query=query, must_recall=must_recall)
            record(store, actor, Action.PINNED, memory=note.pk, details={"must_recall": must_recall})
    except IntegrityError:
        raise ValueError(_("This query is pinned to this note already.")) from None
    return pinned


def unpin(store: Store, actor: Actor, pinned: PinnedQuery) -> None:
    """Drop a pinned query."""
    with transaction.atomic():
        record(store, actor, Action.PINNED, memory=pinned.memory_id, details={"removed": True})
        pinned.delete()


def check_all(store: Store) -> list[Check]:
    """Ask every pinned query of `store` as an agent would, and look for its note among the first three."""
    return [check(store, pinned) for pinned in _pinned(store)]


def check_some(store: Store, after: str = "", size: int = AT_ONCE) -> tuple[list[Check], str]:
    """Check the next few behind the cursor `after`, and return where to go on; empty at the end.

    A recall in a store of a million notes takes as long as the rest of a page, and there may be a hundred of them.
    """
    found = page(_pinned(store), ("id",), after=after, size=size)
    return [check(store, pinned) for pinned in found.rows], found.after


def _pinned(store: Store) -> QuerySet[PinnedQuery]:
    return store.pinned_queries.select_related("memory", "store").defer("memory__embedding", "memory__terms")


def check(store: Store, pinned: PinnedQuery) -> Check:
    found = [note.id for note in recall(store, pinned.query, k=SHOWN)]
    return Check(pinned, found.index(pinned.memory_id) + 1 if pinned.memory_id in found else None)
