"""What rows are filtered by, a numpy column each, grown in place."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memories.index.codes import KINDS, ORIGINS, STATUSES, Filters, code_of
from memories.index.shared import SharedStrings
from memories.index.versions import applies

Mask = NDArray[np.bool_]


class Row(NamedTuple):
    """One note as the index sees it. Codes are positions in KINDS, STATUSES and ORIGINS.

    Times are whole seconds since 1970 UTC; `expires_at` is NEVER for a note without an end. `vector` comes
    from `embedding.pack`, `terms` from `pack_terms`.
    """

    id: int
    kind: int
    status: int
    origin: int
    observed_at: int
    expires_at: int
    applies_to: str
    sources: tuple[str, ...]
    vector: bytes
    terms: bytes


class Columns:
    """Filter columns of the rows at slots 0..; a slot without a row is not `alive`."""

    def __init__(self) -> None:
        self.ids = np.zeros(0, np.int64)
        self.alive = np.zeros(0, np.bool_)
        self._kinds = np.zeros(0, np.uint8)
        self._statuses = np.zeros(0, np.uint8)
        self._origins = np.zeros(0, np.uint8)
        self._observed = np.zeros(0, np.int64)
        self._expires = np.zeros(0, np.int64)
        self._applies = SharedStrings()
        # The sources of a row as one string, each between line ends: a substring test finds one in 30 ns.
        self._sources = SharedStrings()

    def grow(self, capacity: int) -> None:
        """Make room for `capacity` slots."""
        for column in (
            self.ids, self.alive, self._kinds, self._statuses,
            self._origins, self._observed, self._expires,
        ):  # fmt: skip
            column.resize(capacity, refcheck=False)
        self._applies.grow(capacity)
        self._sources.grow(capacity)

    def write(self, slots: Sequence[int], rows: Sequence[Row]) -> None:
        """Put `rows` at `slots`."""
        at = np.asarray(slots)
        self.alive[at] = True
        self.ids[at] = [row.id for row in rows]
        self._kinds[at] = [row.kind for row in rows]
        self._statuses[at] = [row.status for row in rows]
        self._origins[at] = [row.origin for row in rows]
        self._observed[at] = [row.observed_at for row in rows]
        self._expires[at] = [row.expires_at for row in rows]
        self._applies.write(slots, [row.applies_to for row in rows])
        self._sources.write(slots, ["\n".join(("", *row.sources, "")) for row in rows])

    def clear(self, slots: Sequence[int]) -> None:
        """Leave nothing of the rows at `slots`."""
        at = np.asarray(slots)
        for column in (self.ids, self.alive, self._observed, self._expires):
            column[at] = 0
        for strings in (self._applies, self._sources):
            strings.write(slots, [""] * len(slots))

    def admitted(self, filters: Filters, used: int) -> Mask:
        """Which of the first `used` slots `filters` lets through. Raises ValueError for an unknown name."""
        mask: Mask = self.alive[:used].copy()
        if filters.kinds is not None:
            mask &= _any_of(self._kinds[:used], [code_of(KINDS, name) for name in filters.kinds])
        if filters.statuses is not None:
            mask &= _any_of(self._statuses[:used], [code_of(STATUSES, name) for name in filters.statuses])
        if filters.origin_at_least is not None:
            mask &= self._origins[:used] <= code_of(ORIGINS, filters.origin_at_least)
        if filters.now is not None:
            mask &= self._expires[:used] > filters.now
        if filters.observed_from is not None:
            mask &= self._observed[:used] >= filters.observed_from
        if filters.observed_to is not None:
            mask &= self._observed[:used] < filters.observed_to
        if filters.exclude_ids:
            mask &= ~np.isin(self.ids[:used], np.fromiter(filters.exclude_ids, np.int64))
        if filters.version:
            version = filters.version
            mask &= self._applies.which(lambda spec: applies(spec, version), used)
        if filters.source_prefix is not None or filters.sources is not None:
            needles = _needles(filters)
            mask &= self._sources.which(lambda sources: any(needle in sources for needle in needles), used)
        return mask

    def of_kind(self, kind: str, used: int) -> Mask:
        """Rows of one kind, whatever their status, among the first `used` slots."""
        mask: Mask = self.alive[:used] & (self._kinds[:used] == code_of(KINDS, kind))
        return mask


def _needles(filters: Filters) -> list[str]:
    """What the sources of a row hold if one of them is of the wanted prefix and among the wanted ones."""
    prefix = filters.source_prefix or ""
    if filters.sources is None:
        return [f"\n{prefix}"]
    return [f"\n{source}\n" for source in filters.sources if source.startswith(prefix)]


def _any_of(column: NDArray[np.uint8], codes: Sequence[int]) -> Mask:
    mask = np.zeros(len(column), np.bool_)
    for code in codes:
        mask |= column == code
    return mask
