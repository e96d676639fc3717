"""The audit log of a store: filtered, and exported in the same order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import chain
from typing import Self

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from memories.models import Action, AuditEvent, Memory, Status, Store
from memories.queries import LARGEST_ID, Day, start_of
from memories.schemas import explain

ORDER = ("-at", "-id")
# Between a decision and its entry, which are written in one transaction.
SAME_STEP = timedelta(minutes=2)
LOOKED_AT = 10
DOORS = ("person", "agent", "command")


class ActivityFilter(BaseModel):
    """Entries of the audit log by what happened, who did it, to which note, in which bulk action, and when."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    action: str = ""
    actor: str = Field(default="", max_length=160)
    note: int | None = Field(default=None, ge=1, le=LARGEST_ID)
    operation: str = Field(default="", max_length=32)
    since: Day | None = None
    until: Day | None = None

    @field_validator("action")
    @classmethod
    def known(cls, value: str) -> str:
        if value and value not in Action.values:
            raise ValueError(f"choose one of {', '.join(Action.values)}")
        return value

    @field_validator("actor")
    @classmethod
    def as_recorded(cls, value: str) -> str:
        """A name as the page shows it, "olga" or "command sweep", counts for the one in the record."""
        door, _space, name = value.partition(" ")
        if ":" in value or not value:
            return value
        return f"{door}:{name}" if name and door in DOORS else f"person:{value}"

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """Read the filter out of a query string; empty values count as not given. Raises ValueError."""
        try:
            return cls.model_validate({name: query[name] for name in cls.model_fields if query.get(name)})
        except ValidationError as error:
            raise ValueError(_problem(error)) from None

    def as_query(self) -> dict[str, str]:
        """The fields that are set, as they stand in a query string."""
        return {name: str(value) for name, value in self.model_dump(mode="json", exclude_defaults=True).items()}

    def apply(self, store: Store) -> QuerySet[AuditEvent]:
        """The chosen entries of `store`, newest first."""
        exact = {"action": self.action, "memory_number": self.note, "operation": self.operation, "actor": self.actor}
        events = AuditEvent.objects.filter(store=store, **{name: value for name, value in exact.items() if value})
        if self.since:
            events = events.filter(at__gte=start_of(self.since))
        if self.until:
            events = events.filter(at__lt=start_of(self.until + timedelta(days=1)))
        return events.order_by(*ORDER)


def _problem(error: ValidationError) -> str:
    """What is wrong with the first field that cannot be read, and how to write it."""
    how = {
        "note": _("A note number is a whole number above 0, such as 17: correct it and show again."),
        "since": _("A day is written like 2026-11-30: correct it and show again."),
    }
    how["until"] = how["since"]
    return how.get(str(error.errors()[0]["loc"][0]), explain(error))


def reasons(store: Store, events: Sequence[AuditEvent]) -> dict[int, str]:
    """Why notes were rejected, by the entry that did it, as long as they are: the record itself holds no such words."""
    numbers = {event.pk: _rejected(event) for event in events if event.action == Action.REJECTED}
    notes = Memory.objects.filter(store=store, status=Status.REJECTED, pk__in=chain.from_iterable(numbers.values()))
    known = {number: (reason, at) for number, reason, at in notes.values_list("pk", "reason", "decided_at")}
    found: dict[int, str] = {}
    for event in events:
        for number in numbers.get(event.pk, []):
            reason, at = known.get(number, ("", None))
            if reason and at and at <= event.at < at + SAME_STEP:
                found.setdefault(event.pk, reason)
    return found


def _rejected(event: AuditEvent) -> list[int]:
    """The note of an entry, or the first ones: all of them were given one reason."""
    return [event.memory_number] if event.memory_number else event.details.get("notes", [])[:LOOKED_AT]


def export_activity(events: QuerySet[AuditEvent]) -> Iterator[str]:
    """Yield entries as JSON lines."""
    for event in events.iterator(chunk_size=500):
        row = {
            "id": event.pk,
            "at": event.at.isoformat(),
            "actor": event.actor,
            "action": event.action,
            "note": event.memory_number,
            "count": event.count,
            "operation": event.operation,
            "details": event.details,
        }
        yield json.dumps(row, ensure_ascii=False) + "\n"
