"""One decision on many notes: exactly the ticked ones, or all that a filter chooses at this moment."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from memories.activity import SAME_STEP
from memories.audit import DECISIONS
from memories.listing import Listing
from memories.models import AuditEvent, Memory, Status, Store
from memories.queries import NoteFilter
from memories.review import Decision

LIMIT = 10_000
SAMPLE = 10
ELIGIBLE: dict[Decision, set[str]] = {
    "approve": {Status.PROPOSED},
    "reject": {Status.PROPOSED},
    "undo": {Status.APPROVED, Status.REJECTED},
}
Pairs = list[tuple[int, int]]


class TooMany(Exception):
    """More notes than one request can decide; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(_("At most 10,000 notes can be decided at once: narrow the filter, and do it in parts."))


@dataclass(frozen=True)
class BulkPreview:
    """What a bulk decision would be taken on: a few of the notes, and the numbers of the rest.

    `fingerprint` names this very set of notes as they are now.
    """

    pairs: Pairs
    sample: list[Memory]
    rest: list[int]
    eligible: int
    by_status: dict[str, int]
    fingerprint: str

    @property
    def count(self) -> int:
        return len(self.pairs)

    @property
    def skipped(self) -> int:
        return self.count - self.eligible


def preview(store: Store, chosen: NoteFilter | Sequence[int], decision: Decision) -> BulkPreview:
    """Count and sample the notes that `decision` would be taken on, oldest first.

    Raises:
        TooMany: they are more than `LIMIT`.
    """
    if isinstance(chosen, NoteFilter):
        notes = Listing(store, chosen).rows()
    else:
        notes = Memory.objects.filter(store=store, pk__in=chosen).defer("embedding", "terms")
    # Sorted here: for the order's sake a database would walk all notes instead of the index of the chosen ones.
    rows = sorted(notes.order_by().values_list("pk", "version", "status")[: LIMIT + 1])
    if len(rows) > LIMIT:
        raise TooMany
    by_status = Counter(status for _pk, _version, status in rows)
    pairs = [(pk, version) for pk, version, _status in rows]
    eligible = [pk for pk, _version, status in rows if status in ELIGIBLE[decision]]
    sample = Memory.objects.filter(store=store, pk__in=eligible[:SAMPLE])
    return BulkPreview(
        pairs=pairs,
        sample=list(sample.defer("embedding", "terms").order_by("pk")),
        rest=eligible[SAMPLE:],
        eligible=len(eligible),
        by_status=dict(by_status),
        fingerprint=fingerprint(pairs),
    )


def still_decided(store: Store, operation: str) -> Pairs:
    """The notes that stand as one bulk decision left them, however many batches it came in; none for no such decision.

    What was undone, decided anew or forgotten since then is passed over.
    """
    found: Pairs = []
    entries = AuditEvent.objects.filter(store=store, operation=operation, action__in=DECISIONS)
    for action, user, at, details in entries.order_by("id").values_list("action", "user", "at", "details"):
        notes = Memory.objects.filter(store=store, pk__in=details.get("notes", []), status=action, reviewer=user)
        found += notes.filter(decided_at__gt=at - SAME_STEP, decided_at__lte=at).values_list("pk", "version")
    return found


def fingerprint(pairs: Pairs) -> str:
    """Return a name for a set of notes in the versions that somebody saw."""
    return hashlib.sha256(";".join(f"{pk}.{version}" for pk, version in pairs).encode()).hexdigest()
