"""Shapes of what comes in from outside."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

# Far above any policy's maximum: the filter gives the sentence about length, this only bounds the work.
DRAFT_TEXT_LIMIT = 20_000


class Draft(BaseModel):
    """What an agent hands in. Other fields are ignored: date, origin and status are set by code, never by a model."""

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)

    text: str = Field(max_length=DRAFT_TEXT_LIMIT)
    kind: str = Field(default="fact", max_length=40)
    source: str = Field(default="", max_length=DRAFT_TEXT_LIMIT)
    evidence: str = Field(default="", max_length=DRAFT_TEXT_LIMIT)
    applies_to: str = Field(default="", max_length=60)
    run: str = Field(default="", max_length=100)

    @field_validator("kind", "source", "evidence", "applies_to", "run", mode="before")
    @classmethod
    def null_is_not_given(cls, value: object, info: ValidationInfo) -> object:
        return cls.model_fields[str(info.field_name)].default if value is None else value


def explain(error: ValidationError) -> str:
    """One sentence on the first thing that is wrong, without the value: it may be a secret."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the line"
    return f"{where}: {first['msg']}."
