"""What a reviewer sees of the inbox: the queue, what waits together, how far they are, the last decision to undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, islice
from math import inf

from django.contrib.auth.models import User
from django.db.models import QuerySet, Subquery
from django.utils import timezone

from memories.audit import DECISIONS, Actor
from memories.models import AuditEvent, Kind, Memory, Run, Status, Store
from memories.paging import behind, cursor, read_cursor
from memories.queries import ORDERS, NoteFilter, start_of

QUEUE_LENGTH = 50
COUNT_LIMIT = 10_000
# A filter looks through so many waiting notes, riskiest first; the notes list looks through all of them.
FILTER_WINDOW = 5_000
# Rows of the queue in which bunches are looked for; entries of a person's own record in which decisions are, and notes
# of these, latest first, that are looked at.
BUNCH_WINDOW = 500
RECORD_WINDOW = 200
NOTES_WINDOW = 1_000
BUNCHES_SHOWN = 4
UNDO_WITHIN = timedelta(days=1)
ORDER = ORDERS["risk"]
# A note's place in the queue, its risk and its id, which stays where it was when a decision changes the note.
Place = Sequence[int]


@dataclass(frozen=True)
class Bunch:
    """Waiting notes that came from one place: the filter field that chooses them, its value, a name, how many."""

    field: str
    value: str
    name: str
    count: int


@dataclass(frozen=True)
class Queue:
    """One page of what waits, riskiest first, then oldest; `total` stops at COUNT_LIMIT + 1.

    `cut` says that a filter looked through the first FILTER_WINDOW of them only.
    """

    notes: list[Memory]
    total: int
    bunches: list[Bunch]
    more: bool
    cut: bool

    @property
    def end(self) -> str:
        """The place of its last note, fit for a link to the page behind it."""
        return cursor(self.notes[-1], ORDER) if self.notes else ""

    def beside(self, note: Memory) -> tuple[Memory | None, Memory | None]:
        """The notes of this page before and after `note`; behind one that waits no more comes the first at last."""
        place = _rank(note)
        before = next((one for one in reversed(self.notes) if _rank(one) < place), None)
        behind = next((one for one in self.notes if _rank(one) > place), None)
        if behind is None and note.status != Status.PROPOSED and self.notes:
            behind = self.notes[0]
        return before, behind


def _rank(note: Memory) -> tuple[int, int]:
    return -note.risk, note.pk


def place_in(text: str) -> Place | None:
    """The place that a link names; None where it names none."""
    return read_cursor(Memory, ORDER, text)


def place_of(store: Store, pk: int) -> Place | None:
    """Where a note of `store` stands now."""
    return Memory.objects.filter(store=store, pk=pk).values_list("risk", "pk").first()


def queue(store: Store, chosen: NoteFilter, after: Place | None = None) -> Queue:
    """What waits in `store` and meets `chosen`; `after` is the end of the page before."""
    if not chosen.is_empty:
        return _narrowed(store, chosen, after)
    waiting = _all_waiting(store)
    total = waiting.order_by().values("pk")[: COUNT_LIMIT + 1].count()
    length = QUEUE_LENGTH + 1
    page = behind(waiting, ORDER, after, length) if after else list(waiting[:length])
    places = list(waiting.values_list("source", "run_id")[:BUNCH_WINDOW])
    return Queue(page[:QUEUE_LENGTH], total, bunches(places), len(page) > QUEUE_LENGTH, cut=False)


def _narrowed(store: Store, chosen: NoteFilter, after: Place | None) -> Queue:
    """The queue under a filter: one look through the window, instead of one for each thing that is asked of it."""
    found = list(_waiting(store, chosen).values_list("pk", "risk", "source", "run_id"))
    last = (-after[0], after[1]) if after else (-inf, 0)
    further = [pk for pk, risk, *_place in found if (-risk, pk) > last]
    notes = NoteFilter().apply(store).in_bulk(further[:QUEUE_LENGTH])
    page = [notes[pk] for pk in further[:QUEUE_LENGTH] if pk in notes]
    cut = _all_waiting(store)[FILTER_WINDOW : FILTER_WINDOW + 1].exists()
    places = [(source, run) for _pk, _risk, source, run in found[:BUNCH_WINDOW]]
    return Queue(page, len(found), bunches(places), len(further) > QUEUE_LENGTH, cut)


def _all_waiting(store: Store) -> QuerySet[Memory]:
    return NoteFilter(status=Status.PROPOSED, sort="risk").apply(store)


def _waiting(store: Store, chosen: NoteFilter) -> QuerySet[Memory]:
    if chosen.is_empty:
        return _all_waiting(store)
    window = _all_waiting(store).values("pk")[:FILTER_WINDOW]
    return chosen.model_copy(update={"status": Status.PROPOSED, "sort": "risk"}).apply(store).filter(pk__in=window)


def next_after(store: Store, chosen: NoteFilter, place: Place) -> Memory | None:
    """The note to look at once the one that stood at `place` is decided: the one behind it, else the first."""
    waiting = _waiting(store, chosen)
    return next(iter(behind(waiting, ORDER, place, 1)), None) or waiting.first()


def bunches(rows: Sequence[tuple[str, int | None]]) -> list[Bunch]:
    """Sources and runs, of those that waiting notes came from, that several of them share; most first."""
    sources = Counter(source for source, _run in rows)
    runs = Counter(run for _source, run in rows if run)
    names = dict(Run.objects.filter(pk__in=runs).values_list("pk", "identifier")) if runs else {}
    found = [Bunch("source", source, source, count) for source, count in sources.items()]
    found += [Bunch("run", str(run), names[run], count) for run, count in runs.items()]
    several = [bunch for bunch in found if 1 < bunch.count < len(rows)]
    return sorted(several, key=lambda bunch: -bunch.count)[:BUNCHES_SHOWN]


def oldest_waiting(store: Store) -> datetime | None:
    """When the longest waiting note was learnt; one index look-up per kind, however long the queue."""
    firsts = {
        f"first_{kind}": Subquery(
            Memory.objects.filter(store=store, status=Status.PROPOSED, kind=kind)
            .order_by("observed_at")
            .values("observed_at")[:1]
        )
        for kind in Kind.values
    }
    row = Store.objects.filter(pk=store.pk).annotate(**firsts).values_list(*firsts).get()
    return min((moment for moment in row if moment), default=None)


@dataclass(frozen=True)
class Decided:
    """What one person did lately: notes decided since their midnight, and those that their last decision changed.

    Of a bulk decision, `operation` names all of it, `count` says how many notes that is, and `notes` has some of them.
    """

    today: int
    action: str = ""
    notes: Sequence[Memory] = ()
    operation: str = ""
    count: int = 0


def decided_by(store: Store, user: User) -> Decided:
    """Read a person's record backwards; a decision that was undone or overtaken is passed over."""
    # By name as well as by number: there is an index on what an actor did when.
    entries = AuditEvent.objects.filter(store=store, user=user, actor=Actor.person(user).label, action__in=DECISIONS)
    lately = entries.filter(at__gte=timezone.now() - UNDO_WITHIN).order_by("-at", "-id")
    own: dict[tuple[str, str, int | None], list[int]] = {}
    rows = lately.values_list("action", "operation", "memory_number", "details")
    for action, operation, number, details in rows[:RECORD_WINDOW]:
        own.setdefault((action, operation, number), []).extend(details.get("notes", [number]))
    latest = set(islice(chain.from_iterable(own.values()), NOTES_WINDOW))
    today, still = _decided_today(store, user), _still_decided(store, user, latest)
    for (action, operation, _number), numbers in own.items():
        notes = [still[number] for number in numbers if number in still and still[number].status == action]
        if notes:
            count = len(notes) if latest.issuperset(numbers) else len(numbers)
            return Decided(today, action, notes, operation, count)
    return Decided(today)


def _decided_today(store: Store, user: User) -> int:
    """Notes that stand as the person decided them since their midnight."""
    midnight = start_of(timezone.localdate())
    return Memory.objects.filter(store=store, status__in=DECISIONS, decided_at__gte=midnight, reviewer=user).count()


def _still_decided(store: Store, user: User, numbers: set[int]) -> dict[int, Memory]:
    rows = Memory.objects.filter(store=store, pk__in=numbers, reviewer=user).exclude(status=Status.PROPOSED)
    return {note.pk: note for note in rows.only("pk", "status", "version", "text", "kind")}
