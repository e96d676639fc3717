"""Which notes are meant: one filter object behind every list, bulk action, export and deletion."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Self

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from memories.models import Kind, Memory, MemorySource, Origin, Status, Store
from memories.models.memory import SOURCE_LIMIT, TEXT_LIMIT
from memories.schemas import explain

LARGEST_ID = 2**63 - 1
# Sorts behind every other sign.
LAST_SIGN = chr(0x10FFFF)
ORDERS = {
    "newest": ("-observed_at", "-id"),
    "oldest": ("observed_at", "id"),
    "added": ("-id",),
    "risk": ("-risk", "id"),
}

# Room for a time zone and a day on either side.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9000, 1, 1)
Day = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY)]


class NoteFilter(BaseModel):
    """A set of notes of one store by what they are; equal filters choose equal sets."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    status: str = ""
    kind: str = ""
    origin: str = ""
    # None is longer than what it is compared with; a database gives up on very long patterns.
    source: str = Field(default="", max_length=SOURCE_LIMIT)
    source_prefix: str = Field(default="", max_length=SOURCE_LIMIT)
    text: str = Field(default="", max_length=TEXT_LIMIT)
    applies_to: str = Field(default="", max_length=60)
    run: int | None = Field(default=None, ge=1, le=LARGEST_ID)
    observed_from: Day | None = None
    observed_to: Day | None = None
    flagged: bool = False
    conflict: bool = False
    sort: str = "newest"

    @field_validator("status", "kind", "origin", "sort")
    @classmethod
    def known(cls, value: str, info: Any) -> str:
        choices = {"status": Status.values, "kind": Kind.values, "origin": Origin.values, "sort": list(ORDERS)}
        if value and value not in choices[info.field_name]:
            raise ValueError(f"choose one of {', '.join(choices[info.field_name])}")
        return value

    @classmethod
    def from_query(cls, query: Mapping[str, Any]) -> Self:
        """Read the filter out of a query string; empty values count as not given, other names are ignored.

        Raises:
            ValueError: a value of the wrong form, with one sentence.
        """
        given = {name: query[name] for name in cls.model_fields if query.get(name)}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise ValueError(explain(error)) from None

    def as_query(self) -> dict[str, str]:
        """The fields that are set, as they stand in a query string."""
        return {name: str(value) for name, value in self.model_dump(mode="json", exclude_defaults=True).items()}

    @property
    def is_empty(self) -> bool:
        """Whether it chooses every note: no filter, no bulk forget."""
        return not set(self.as_query()) - {"sort"}

    def apply(self, store: Store) -> QuerySet[Memory]:
        """The chosen notes of `store`, in the filter's order, without their vectors."""
        notes = Memory.objects.filter(self._condition(), store=store).defer("embedding", "terms")
        return notes.order_by(*ORDERS[self.sort])

    def _condition(self) -> Q:
        wanted = Q()
        for name in ("status", "kind", "origin", "applies_to"):
            if value := getattr(self, name):
                wanted &= Q(**{name: value})
        if self.run is not None:
            wanted &= Q(run_id=self.run)
        if self.text:
            wanted &= Q(text__icontains=self.text)
        if self.source:
            wanted &= learnt_from(Q(source=self.source))
        if self.source_prefix:
            wanted &= learnt_from(begins_with("source", self.source_prefix))
        return wanted & self._dates_and_marks()

    def dates(self, field: str = "observed_at") -> Q:
        """The condition on when a note was learnt."""
        wanted = Q()
        if self.observed_from:
            wanted &= Q(**{f"{field}__gte": start_of(self.observed_from)})
        if self.observed_to:
            wanted &= Q(**{f"{field}__lt": start_of(self.observed_to + timedelta(days=1))})
        return wanted

    def _dates_and_marks(self) -> Q:
        wanted = self.dates()
        if self.flagged:
            wanted &= ~Q(findings=[])
        if self.conflict:
            wanted &= Q(conflicts_with__isnull=False)
        return wanted


def learnt_from(source: Q) -> Q:
    """Notes with a source, their first or a later one, that meets `source`."""
    rows = MemorySource.objects.filter(source, memory=OuterRef("pk"))
    return Q(ExpressionWrapper(Exists(rows), output_field=BooleanField()))


def begins_with(field: str, prefix: str) -> Q:
    """`field` begins with `prefix`, upper and lower case told apart, as a range that an index answers.

    SQLite's LIKE, behind `startswith`, does neither. A database must compare text by its bytes, as SQLite does.
    """
    return Q(**{f"{field}__gte": prefix, f"{field}__lt": prefix + LAST_SIGN})


def start_of(day: date) -> datetime:
    """Midnight of `day` in the reader's zone."""
    return timezone.make_aware(datetime.combine(day, time.min))
