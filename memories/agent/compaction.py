"""Short-term memory: keep a long message list inside a token budget without losing how it began or where it stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from memories.agent.client import Item
from memories.block import count_tokens

SUMMARY_HEADING = "Summary of the earlier steps of this run:"
SUMMARY_LIMIT = 2_000
Summarise = Callable[[Sequence[Item]], str]


def items_tokens(items: Sequence[Item]) -> int:
    """An upper estimate of the tokens that `items` takes as JSON."""
    return count_tokens(json.dumps(list(items), ensure_ascii=False))


def compact(items: Sequence[Item], summarise: Summarise, *, budget: int, keep_last: int = 4) -> list[Item]:
    """Replace the old turns of `items` by one summary where they take more than `budget` tokens.

    The opening stays, the last `keep_last` turns stay whole, and a tool call always stays with its result. What comes
    out is left alone when it goes in again, even where the turns that must stay are larger than the budget.
    """
    if items_tokens(items) <= budget:
        return list(items)
    opening, *rest = turns(items)
    boundary = max(len(rest) - keep_last, 0)
    old, kept = rest[:boundary], rest[boundary:]
    if not old or (len(old) == 1 and is_summary(old[0])):
        return list(items)
    summary = summarise([item for turn in old for item in turn])
    return [*opening, summary_item(summary), *(item for turn in kept for item in turn)]


def turns(items: Sequence[Item]) -> list[list[Item]]:
    """Cut `items` into turns: a message, or everything from a tool call to the result that answers it."""
    results = {item["call_id"]: at for at, item in enumerate(items) if item.get("type") == "function_call_output"}
    found: list[list[Item]] = []
    open_until = -1
    for at, item in enumerate(items):
        if at <= open_until:
            found[-1].append(item)
        else:
            found.append([item])
        if item.get("type") == "function_call":
            open_until = max(open_until, results.get(item["call_id"], at))
    return found


def is_summary(turn: Sequence[Item]) -> bool:
    return len(turn) == 1 and str(turn[0].get("content", "")).startswith(SUMMARY_HEADING)


def summary_item(summary: str) -> Item:
    return {"role": "user", "content": f"{SUMMARY_HEADING}\n{summary.strip()[:SUMMARY_LIMIT]}"}
