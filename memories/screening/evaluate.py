"""Figures on labelled rows: how much was caught, how much was wrongly refused, how long it took."""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from memories.screening.engine import screen
from memories.screening.policy import DEFAULT_POLICY, Policy


def evaluate(rows: Iterable[Mapping[str, Any]], policy: Policy = DEFAULT_POLICY) -> dict[str, Any]:
    """Screen `rows` of `{id, text, refuse: 0 or 1, kind}` as facts and count.

    Returns `rows`, `median_us` and `p99_us` (microseconds of processor time a row), `overall` and `kinds`
    (kind to the same
    figures). Shares lie in 0..1 and are None where no row could count: of the rows with refuse = 1, `caught`
    (refused or flagged), `refused` and `flagged`; of those with refuse = 0, `wrongly_refused`,
    `wrongly_flagged`.
    """
    decisions: dict[str, list[tuple[bool, str]]] = defaultdict(list)
    times = []
    for row in rows:
        begin = time.thread_time_ns()
        decision = screen(str(row["text"]), policy=policy).decision
        times.append(time.thread_time_ns() - begin)
        decisions[str(row.get("kind", ""))].append((bool(row["refuse"]), decision))
    times.sort()
    return {
        "rows": len(times),
        "median_us": _at(times, 0.5),
        "p99_us": _at(times, 0.99),
        "overall": figures([outcome for outcomes in decisions.values() for outcome in outcomes]),
        "kinds": {kind: figures(outcomes) for kind, outcomes in sorted(decisions.items())},
    }


def figures(outcomes: list[tuple[bool, str]]) -> dict[str, Any]:
    """Counts and shares over (should be refused, decision) pairs."""
    bad = [decision for should_refuse, decision in outcomes if should_refuse]
    good = [decision for should_refuse, decision in outcomes if not should_refuse]
    return {
        "bad": len(bad),
        "good": len(good),
        "caught": _share(bad, "refuse", "flag"),
        "refused": _share(bad, "refuse"),
        "flagged": _share(bad, "flag"),
        "wrongly_refused": _share(good, "refuse"),
        "wrongly_flagged": _share(good, "flag"),
    }


def _share(decisions: list[str], *wanted: str) -> float | None:
    return round(sum(decision in wanted for decision in decisions) / len(decisions), 4) if decisions else None


def _at(ordered: list[int], quantile: float) -> float | None:
    """The value at `quantile` of ascending nanoseconds, in microseconds."""
    return round(ordered[int(quantile * (len(ordered) - 1))] / 1_000, 1) if ordered else None
