"""Which notes a request means: read from its fields, and carried on by hidden fields of the next form."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import QueryDict
from django.utils.translation import gettext as _

from memories.bulk import still_decided
from memories.forget import Selection
from memories.models import Store
from memories.queries import LARGEST_ID, NoteFilter

TYPED_ABOVE = 10


def ticked(fields: QueryDict) -> tuple[int, ...]:
    """The ids of the ticked notes; anything that is no id is ignored."""
    numbers = {int(text) for text in fields.getlist("note") if text.isascii() and text.isdigit() and len(text) < 20}
    return tuple(sorted(number for number in numbers if 0 < number <= LARGEST_ID))


def with_decision(fields: QueryDict, name: str) -> QueryDict:
    """The fields with the decision that they mean: a button of the panel of reasons can only say the reason."""
    given = fields.copy()
    if name not in given and "reason" in given:
        given[name] = "reject"
    return given


def chosen(fields: QueryDict, store: Store) -> NoteFilter | tuple[int, ...]:
    """The ticked notes, the filter where all that match are meant, or what one bulk decision of `store` left decided.

    Raises:
        ValueError: nothing is chosen, or the filter cannot be read; one sentence.
    """
    if fields.get("scope") == "filter":
        return NoteFilter.from_query(fields)
    if fields.get("scope") == "operation":
        return tuple(number for number, _version in still_decided(store, fields.get("operation", "")))
    if not (numbers := ticked(fields)):
        raise ValueError(_("Nothing is ticked: tick the notes that you mean."))
    return numbers


def selection(fields: QueryDict, store: Store) -> Selection:
    """What to forget: ticked notes, a query with its minimum score, or a filter. Raises as `chosen` does."""
    if query := fields.get("query", "").strip():
        return Selection(query=query, minimum_score=share(fields.get("minimum_score", "")))
    # A link that names notes or a filter says no scope; a list always does, for its form holds both.
    meant = chosen(fields, store) if "scope" in fields else ticked(fields) or NoteFilter.from_query(fields)
    if isinstance(meant, tuple):
        return Selection(ids=meant)
    if set(meant.as_query()) == {"source"}:
        return Selection(source=meant.source)
    return Selection(filter=meant)


def share(text: str) -> float:
    """A number between 0 and 1 as somebody typed it. Raises ValueError."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise ValueError(_("Give the minimum score as a number above 0 and up to 1.")) from None


def confirmed(fields: QueryDict, count: int) -> bool:
    """Whether a deletion of `count` notes may go on: more than a few take their number typed."""
    return count <= TYPED_ABOVE or fields.get("typed", "").strip().replace(",", "") == str(count)


def carried(fields: QueryDict) -> Iterator[tuple[str, str]]:
    """The fields that say which notes are meant, for hidden inputs."""
    for name in ("scope", "operation", "query", "minimum_score", *NoteFilter.model_fields):
        if value := fields.get(name):
            yield name, value
    for number in ticked(fields):
        yield "note", str(number)
