"""A store's screening policy: pydantic models that survive a round trip through JSON."""

import math
import re
from functools import lru_cache
from typing import Any, Literal, Self

import regex
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from memories.screening.verdict import Severity

Family = Literal["hygiene", "instruction", "credential", "personal", "quality"]
FamilySetting = Literal["default", "refuse", "flag", "rest"]
FAMILIES: tuple[Family, ...] = ("hygiene", "instruction", "credential", "personal", "quality")
LONGEST_TEXT = 1_000
COUNTS = re.compile(r"\{([^}]*)\}")
# Compiling unrolls counted groups: nested counts that multiply to more would fill the memory.
MOST_REPETITIONS = 100_000


def repetitions(pattern: str) -> int:
    """The largest count of each pair of braces in `pattern`, multiplied: what it could be unrolled to at worst."""
    # In a verbose pattern white space and comments may stand within a count.
    readings = (pattern, re.sub(r"#.*|\s+", "", pattern))
    return max(math.prod(_largest(braces) for braces in COUNTS.findall(reading)) for reading in readings)


def _largest(braces: str) -> int:
    return max((int(number) for number in re.findall(r"[0-9]+", braces)), default=1) or 1


@lru_cache(maxsize=256)
def compiled(pattern: str) -> "regex.Pattern[str]":
    """`pattern` compiled by the `regex` module, whose searches take a time limit."""
    return regex.compile(pattern, regex.IGNORECASE | regex.VERSION1)


class ExtraPattern(BaseModel):
    """A regular expression of the store's own; it speaks as rule `extra.<name>`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    pattern: str = Field(min_length=1, max_length=500)
    severity: Severity = "flag"
    sentence: str = Field(min_length=1, max_length=300)

    @field_validator("pattern")
    @classmethod
    def must_compile_and_say_something(cls, pattern: str) -> str:
        if repetitions(pattern) > MOST_REPETITIONS:
            raise ValueError("the pattern's counts in braces multiply to more than 100,000; use smaller ones")
        try:
            matches_nothing = compiled(pattern).fullmatch("", timeout=0.1)
        except regex.error as error:
            raise ValueError(f"the pattern does not compile: {error}; correct it") from None
        except TimeoutError:
            raise ValueError("the pattern takes too long even on an empty text; simplify it") from None
        if matches_nothing:
            raise ValueError("the pattern matches an empty text and would speak on every note; narrow it")
        return pattern


class Policy(BaseModel):
    """How strictly one store screens.

    `families` sets each rule family to `default` (as each rule says), `refuse` (flags harden), `flag` (refusals soften)
    or `rest` (silent). `maximum_length` counts characters of the normalised text, 1,000 at most.
    `allowed_sources` holds schemes (`doc`) or prefixes (`doc:leases`); empty allows every well-formed source.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    families: dict[Family, FamilySetting] = Field(default_factory=dict, validate_default=True)
    maximum_length: int = Field(default=300, ge=1, le=LONGEST_TEXT)
    version_rule: Literal["none", "optional", "required"] = "none"
    allow_ip_addresses: bool = True
    allowed_sources: list[str] = Field(default_factory=list)
    extra_patterns: list[ExtraPattern] = Field(default_factory=list, max_length=50)

    @field_validator("families")
    @classmethod
    def fill_in_families(cls, families: dict[Family, FamilySetting]) -> dict[Family, FamilySetting]:
        return {family: families.get(family, "default") for family in FAMILIES}

    @model_validator(mode="after")
    def names_are_unique(self) -> Self:
        names = [extra.name for extra in self.extra_patterns]
        if len(set(names)) < len(names):
            raise ValueError("two extra patterns have the same name; give each its own")
        return self

    def severity(self, family: str, severity: Severity) -> Severity | None:
        """What a finding of `family` with `severity` weighs under this policy; None: it rests."""
        setting: Any = self.families.get(family, "default")  # type: ignore[call-overload]
        if setting == "rest":
            return None
        return severity if setting == "default" else setting


DEFAULT_POLICY = Policy()
