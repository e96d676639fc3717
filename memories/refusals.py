"""Which refusals are meant: those of one rule, source, run, proposer or day. None of them holds a text."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Self

from django.db.models import QuerySet
from django.http import QueryDict
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memories.models import Refusal
from memories.queries import LARGEST_ID, Day, start_of

# What stands in a link for a source that was refused itself, and for no run; neither is any source's or run's name.
MALFORMED, NO_RUN = "malformed", 0


class RefusalFilter(BaseModel):
    """A set of refusals of one store."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str = Field(default="", max_length=80)
    source: str = Field(default="", max_length=200)
    run: int | None = Field(default=None, ge=NO_RUN, le=LARGEST_ID)
    proposer: str = Field(default="", max_length=160)
    on: Day | None = None

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        """Read the filter out of a query string; a part that cannot be read is left out."""
        given: dict[str, Any] = {name: query[name] for name in cls.model_fields if query.get(name)}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            wrong = {problem["loc"][0] for problem in error.errors()}
            return cls.model_validate({name: value for name, value in given.items() if name not in wrong})

    def as_query(self) -> dict[str, str]:
        """The fields that are set, as they stand in a query string."""
        return {name: str(value) for name, value in self.model_dump(mode="json", exclude_defaults=True).items()}

    def without(self, name: str) -> RefusalFilter:
        """The same filter with one part less: what the choices of that part are counted among."""
        return self.model_copy(update={name: RefusalFilter.model_fields[name].default})

    def burst(self, source: str, proposer: str, day: date) -> RefusalFilter:
        """Those of one burst that this filter chooses."""
        return self.model_copy(update={"source": source or MALFORMED, "proposer": proposer, "on": day})

    @property
    def is_empty(self) -> bool:
        return self == RefusalFilter()

    @property
    def conditions(self) -> dict[str, Any]:
        """What the fields of a refusal have to be."""
        found: dict[str, Any] = {"rule": self.rule, "proposer": self.proposer, "source": self.source}
        found = {name: value for name, value in found.items() if value}
        if self.source == MALFORMED:
            found["source"] = ""
        if self.run is not None:
            found |= {"run__isnull": True} if self.run == NO_RUN else {"run": self.run}
        if self.on:
            found |= {"at__gte": start_of(self.on), "at__lt": start_of(self.on + timedelta(days=1))}
        return found

    def apply(self, rows: QuerySet[Refusal]) -> QuerySet[Refusal]:
        return rows.filter(**self.conditions)
