"""Shapes of what comes in from outside."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated

from django.utils.translation import gettext as _
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

# Far above any policy's maximum: the filter gives the sentence about length, this only bounds the work.
DRAFT_TEXT_LIMIT = 20_000
# Anything longer or odder may be more than a field's name, and is not shown.
FIELD_NAME = re.compile(r"[A-Za-z_]{1,30}")


def in_utc(moment: datetime) -> datetime:
    """`moment` in UTC, which one without a zone is taken to be in. Raises ValueError where no calendar reaches it."""
    if not 1970 <= moment.year <= 9000:
        raise ValueError("give a year from 1970 to 9000")
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)


class Draft(BaseModel):
    """What an agent hands in. Other fields are ignored: date, origin and status are set by code, never by a model.

    `expires_at` is the note's own end, as a date or a moment; it can only make a note's life shorter.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)

    text: str = Field(max_length=DRAFT_TEXT_LIMIT)
    kind: str = Field(default="fact", max_length=40)
    source: str = Field(default="", max_length=DRAFT_TEXT_LIMIT)
    evidence: str = Field(default="", max_length=DRAFT_TEXT_LIMIT)
    applies_to: str = Field(default="", max_length=60)
    run: str = Field(default="", max_length=100)
    expires_at: Annotated[datetime, AfterValidator(in_utc)] | None = None

    @field_validator("kind", "source", "evidence", "applies_to", "run", mode="before")
    @classmethod
    def null_is_not_given(cls, value: object, info: ValidationInfo) -> object:
        return cls.model_fields[str(info.field_name)].default if value is None else value


def explain(error: ValidationError) -> str:
    """One sentence on the first thing that is wrong, without the value: it may be a secret, as an odd name may."""
    first = error.errors(include_input=False, include_url=False)[0]
    named = (str(part) if isinstance(part, int) or FIELD_NAME.fullmatch(part) else "…" for part in first["loc"])
    where = ".".join(named) or "the line"
    if first["type"] == "string_too_long":
        longest = first["ctx"]["max_length"]
        return _("%(field)s: give at most %(count)d characters.") % {"field": where, "count": longest}
    return f"{where}: {first['msg']}."
