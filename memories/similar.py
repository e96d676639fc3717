"""Notes near a question, best first, as far as a filter on the notes list admits them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from memories.explain import Question
from memories.models import Memory, Origin, Status, Store
from memories.queries import NoteFilter

SHOWN = 50
# How deep it is looked for what recall cannot be asked for.
LOOKED_AT = 1_000
# What recall does not hold to exactly, but tells of each note.
TOLD = ("origin", "applies_to")


@dataclass(frozen=True)
class Similar:
    """Recallable notes with their scores; `cut` says that only the LOOKED_AT best were looked at."""

    ranked: list[tuple[Memory, float]] = field(default_factory=list)
    cut: bool = False


def similar(store: Store, text: str, wanted: NoteFilter) -> Similar:
    """Rank what `wanted` chooses by its likeness to `text`. Raises as `recall` does."""
    if wanted.status not in {"", Status.APPROVED}:
        return Similar()
    rest = _without(wanted, _asked_of_recall(wanted))
    hits = _question(text, wanted, SHOWN if rest.is_empty else LOOKED_AT).ask(store)
    admitted = [hit for hit in hits if all(getattr(wanted, name) in {"", getattr(hit, name)} for name in TOLD)]
    meant = _chosen(store, _without(rest, TOLD), [hit.id for hit in admitted])
    found = [hit for hit in admitted if hit.id in meant][:SHOWN]
    rows = NoteFilter().apply(store).order_by().in_bulk([hit.id for hit in found])
    ranked = [(rows[hit.id], hit.score) for hit in found if hit.id in rows]
    return Similar(ranked, cut=len(hits) == LOOKED_AT and len(ranked) < SHOWN)


def _chosen(store: Store, rest: NoteFilter, numbers: list[int]) -> set[int]:
    """Those of `numbers` that `rest` chooses."""
    # In no order, and without what is known already: for its sake a database would walk an index of all notes.
    rows = rest.apply(store).order_by().filter(pk__in=numbers)
    return set(numbers) if rest.is_empty else set(rows.values_list("pk", flat=True))


def _asked_of_recall(wanted: NoteFilter) -> set[str]:
    """The fields that recall holds to."""
    asked = {"status", "kind", "observed_from", "observed_to", "sort", "source"}
    # Of a source and a prefix it would want one source to meet both.
    asked |= set() if wanted.source else {"source_prefix"}
    return asked | ({"origin"} if wanted.origin == Origin.MAINTAINER else set())


def _without(wanted: NoteFilter, names: Collection[str]) -> NoteFilter:
    return NoteFilter.model_validate(wanted.model_dump(exclude=set(names)))


def _question(text: str, wanted: NoteFilter, count: int) -> Question:
    return Question(
        text,
        k=count,
        kinds=(wanted.kind,) if wanted.kind else (),
        minimum_score=0.0,
        sources=(wanted.source,) if wanted.source else (),
        source_prefix="" if wanted.source else wanted.source_prefix,
        origin_at_least=wanted.origin,
        observed_from=wanted.observed_from,
        observed_to=wanted.observed_to,
    )
