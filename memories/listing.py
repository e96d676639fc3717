"""The notes list at any size: pages, totals and facets that look through a bounded number of rows.

A filter with a rare indexed part is answered through that part. One with a single common part follows the index of its
order. Any other looks through `SCAN` rows at a time: the page says how far it came and goes on from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count as Counted
from django.db.models import Q, QuerySet
from django.db.models.enums import TextChoices
from django.db.models.functions import Coalesce

from memories.counts import CAP, Count, capped, capped_count, capped_counts
from memories.models import Kind, Memory, MemorySource, Origin, Status, Store
from memories.paging import (
    SIZE,
    Order,
    Page,
    as_page,
    beyond,
    names,
    page,
    read_cursor,
    reverse,
    write_cursor,
)
from memories.queries import ORDERS, NoteFilter, begins_with

SCAN = 5_000
# Fewer for counts: a page has up to four of them, and says "2,000+" where they stop.
COUNTED = 2_000
FACETS: dict[str, type[TextChoices]] = {"status": Status, "kind": Kind, "origin": Origin}
DATES = ("observed_from", "observed_to")
# Which single part of a filter has an index that also holds the rows in the order asked for.
ORDERED_BY_INDEX = {
    "newest": {"status", "kind", "origin", *DATES},
    "oldest": {"status", "kind", "origin", *DATES},
    "risk": {"status"},
    "added": set[str](),
}


@dataclass(frozen=True)
class Choice:
    """One value of a facet and how many notes it would show."""

    value: str
    label: str
    count: Count
    chosen: bool


@dataclass(frozen=True)
class Facet:
    """One field to filter by."""

    name: str
    choices: list[Choice]


class Listing:
    """The notes of `store` that `wanted` chooses."""

    def __init__(self, store: Store, wanted: NoteFilter) -> None:
        self.store, self.wanted = store, wanted
        self.order = ORDERS[wanted.sort]

    @cached_property
    def sizes(self) -> dict[str, Count]:
        """How many notes each indexed part of the filter chooses by itself."""
        return capped_counts(self.store, drivers(self.store, self.wanted), SCAN)

    def rows(self) -> QuerySet[Memory]:
        """Return all the notes, in order, for an export."""
        return self._rows(self.wanted)

    def page(self, *, after: str = "", before: str = "", size: int = SIZE) -> Page[Memory]:
        """Return one page of the notes."""
        if self._is_quick(self.wanted):
            return page(self._rows(self.wanted), self.order, after=after, before=before, size=size)
        start = read_cursor(Memory, self.order, before or after)
        backwards = bool(before) and start is not None
        way = reverse(self.order) if backwards else self.order
        rows, end = self._look(self.wanted, way, SCAN, start)
        read = list(rows.order_by(*way)[: size + 1])
        found = as_page(read, self.order, size, begun=start is not None, backwards=backwards)
        if end is None or len(read) > size:
            return found
        place = write_cursor(end)
        if backwards:
            return Page(found.rows, before=place, after=found.after or place, unfinished=True)
        return Page(found.rows, before=found.before, after=place, unfinished=True)

    def total(self) -> Count:
        """Return how many notes there are; at least so many where counting them all would take long."""
        if (part := self._only_part()) is not None:
            return capped(part.order_by().distinct()[: CAP + 1].count())
        by_date = self.wanted.model_copy(update={"sort": "newest"})
        return capped_count(self._rows(by_date)) if self._is_quick(by_date) else self._counted["total"]

    def sample(self, size: int) -> list[Memory]:
        """Return some of the notes, at once even where the first of a page would lie deep."""
        part = self._only_part()
        if part is None:
            return self.page(size=size).rows
        return list(NoteFilter().apply(self.store).filter(pk__in=part.order_by().distinct()[:size]))

    def _only_part(self) -> QuerySet[Any, Any] | None:
        """The ids that the filter chooses, where all of it is one part with an index."""
        parts = drivers(self.store, self.wanted)
        return (
            next(iter(parts.values()))
            if len(parts) == 1 and set(self.wanted.as_query()) - {"sort"} == set(parts)
            else None
        )

    def facets(self) -> list[Facet]:
        """Return what else could be chosen in each facet, the rest of the filter staying as it is."""
        return [self._facet(name) for name in FACETS]

    def _facet(self, name: str) -> Facet:
        counts = self._counts(name)
        return Facet(
            name,
            [
                Choice(str(value), str(label), counts[value], chosen=getattr(self.wanted, name) == value)
                for value, label in FACETS[name].choices
            ],
        )

    def _counts(self, name: str) -> dict[str, Count]:
        others = self.wanted.model_copy(update={name: "", "sort": "newest"})
        if others.is_empty:
            notes = Memory.objects.filter(store=self.store)
            return capped_counts(self.store, {value: notes.filter(**{name: value}) for value in FACETS[name].values})
        return self._grouped(others, [name]) if getattr(self.wanted, name) else self._counted

    @cached_property
    def _counted(self) -> dict[str, Count]:
        """The total, and the counts of every facet in which nothing is chosen: one look serves them all."""
        unchosen = [name for name in FACETS if not getattr(self.wanted, name)]
        return self._grouped(self.wanted.model_copy(update={"sort": "newest"}), unchosen)

    def _grouped(self, wanted: NoteFilter, facets: list[str]) -> dict[str, Count]:
        rows, end = self._looked_through(wanted)
        # No GROUP BY: for its sake a database would walk the whole index of the grouped field.
        each = {value: Counted("pk", filter=Q(**{name: value})) for name in facets for value in FACETS[name].values}
        found = rows.order_by().aggregate(total=Counted("pk"), **each)
        return {value: Count(number, more=end is not None) for value, number in found.items()}

    def _is_quick(self, wanted: NoteFilter) -> bool:
        """Whether a page of `wanted` can be read at once, wherever it begins."""
        given = set(wanted.as_query()) - {"sort"}
        ordered = len(given - set(DATES)) <= 1 and given <= ORDERED_BY_INDEX[wanted.sort]
        return ordered or self._rare(wanted) is not None

    def _rows(self, wanted: NoteFilter) -> QuerySet[Memory]:
        rare = self._rare(wanted)
        return wanted.apply(self.store) if rare is None else wanted.apply(self.store).filter(pk__in=rare)

    def _rare(self, wanted: NoteFilter) -> QuerySet[Any, Any] | None:
        """The ids that the rarest indexed part chooses, where they are few."""
        parts = drivers(self.store, wanted)
        few = [name for name in parts if not self.sizes[name].more]
        return parts[min(few, key=self.sizes.__getitem__)] if few else None

    def _looked_through(self, wanted: NoteFilter) -> tuple[QuerySet[Memory], tuple[Any, ...] | None]:
        """The notes that one look through the candidates meets, and where it ended; None at the last candidate."""
        if self._rare(wanted) is not None:
            return self._rows(wanted), None
        return self._look(wanted, ORDERS[wanted.sort], COUNTED)

    def _candidates(self, wanted: NoteFilter) -> QuerySet[Memory]:
        """Notes that an index holds in the filter's order: chosen by one part of the filter, and its dates."""
        usable = ORDERED_BY_INDEX[wanted.sort]
        part = next((name for name in FACETS if name in usable and getattr(wanted, name)), "status")
        kept = {"sort", part} | (usable & set(DATES))
        return NoteFilter.model_validate(wanted.model_dump(include=kept)).apply(self.store)

    def _look(
        self, wanted: NoteFilter, way: Order, scan: int, start: list[Any] | None = None
    ) -> tuple[QuerySet[Memory], tuple[Any, ...] | None]:
        """Those that `wanted` chooses of the next `scan` candidates, and the last of these; None where no more follow.

        The ids of the candidates decide. Their dates are told in a way that no index answers: a database would take
        that for the better part of the condition, and walk all that was learnt in between.
        """
        following = self._following(self._candidates(wanted).order_by(*way), way, scan, start)
        end = next(iter(following.values_list(*names(way))[scan - 1 : scan]), None)
        plain = wanted.model_copy(update=dict.fromkeys(DATES))
        rows = plain.apply(self.store).filter(pk__in=following.values("pk")[:scan])
        return rows.annotate(learnt=Coalesce("observed_at", "observed_at")).filter(wanted.dates("learnt")), end

    def _following(
        self, candidates: QuerySet[Memory], way: Order, scan: int, start: list[Any] | None
    ) -> QuerySet[Memory]:
        """The candidates behind `start`; where enough are alike in the first field, only these: see `paging.behind`."""
        if start is None:
            return candidates
        alike = candidates.filter(beyond(way[1:], start[1:]), **{names(way)[0]: start[0]}) if way[1:] else None
        if alike is not None and alike[scan - 1 : scan].exists():
            return alike
        return candidates.filter(beyond(way, start))


def drivers(store: Store, wanted: NoteFilter) -> dict[str, QuerySet[Any, Any]]:
    """Queries for the ids that each indexed part of the filter chooses by itself."""
    notes, learnt = Memory.objects.filter(store=store), MemorySource.objects.filter(store=store)
    found: dict[str, QuerySet[Any, Any]] = {
        name: notes.filter(**{name: value}).values("pk") for name in FACETS if (value := getattr(wanted, name))
    }
    if wanted.run is not None:
        found["run"] = notes.filter(run_id=wanted.run).values("pk")
    if wanted.conflict:
        found["conflict"] = notes.filter(conflicts_with__isnull=False).values("pk")
    if wanted.source:
        found["source"] = learnt.filter(source=wanted.source).values("memory")
    if wanted.source_prefix:
        found["source_prefix"] = learnt.filter(begins_with("source", wanted.source_prefix)).values("memory")
    return found
