"""Small numbers for the words that rows are filtered by, and the filter itself."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

KINDS = ("fact", "preference", "episode", "procedure")
STATUSES = ("proposed", "approved", "rejected")
ORIGINS = ("maintainer", "user_stated", "agent_derived", "untrusted")
NEVER = 2**62


def code_of(names: Sequence[str], name: str) -> int:
    """Position of `name` in KINDS, STATUSES or ORIGINS. Raises ValueError, naming what is allowed."""
    try:
        return names.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is none of {', '.join(names)}.") from None


@dataclass(frozen=True)
class Filters:
    """Which rows may be ranked; what is left None admits everything.

    Times are whole seconds since 1970 UTC, `observed_from` included and `observed_to` excluded. A row counts
    as unexpired while its `expires_at` is later than `now`. `version` admits rows that apply to it.
    """

    kinds: Collection[str] | None = None
    statuses: Collection[str] | None = ("approved",)
    source_prefix: str | None = None
    sources: Collection[str] | None = None
    origin_at_least: str | None = None
    version: str | None = None
    observed_from: int | None = None
    observed_to: int | None = None
    exclude_ids: Collection[int] = ()
    now: int | None = None
