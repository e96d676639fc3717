"""Short-term memory: what stays, what is replaced, and what is never torn apart."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from memories.agent.client import Item
from memories.agent.compaction import SUMMARY_HEADING, compact, items_tokens, turns

OPENING: Item = {"role": "user", "content": "Triage issue #4."}


def call(number: int) -> Item:
    return {"type": "function_call", "call_id": f"call_{number}", "name": "get_issue", "arguments": "{}"}


def result(number: int, size: int = 400) -> Item:
    return {"type": "function_call_output", "call_id": f"call_{number}", "output": "x" * size}


def note(text: str) -> Item:
    return {"role": "assistant", "content": text}


def summarise(items: Sequence[Item]) -> str:
    return f"{len(items)} items were read."


def pairs_are_whole(items: Sequence[Item]) -> bool:
    asked = [item["call_id"] for item in items if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    return sorted(asked) == sorted(answered)


LONG = [OPENING, *(item for number in range(8) for item in (call(number), result(number)))]


def test_a_list_within_its_budget_is_left_alone() -> None:
    assert compact(LONG, summarise, budget=100_000) == LONG


def test_old_turns_become_one_summary_and_the_opening_and_the_last_turns_stay() -> None:
    shorter = compact(LONG, summarise, budget=300, keep_last=2)
    assert shorter[0] == OPENING
    assert shorter[1] == {"role": "user", "content": f"{SUMMARY_HEADING}\n12 items were read."}
    assert shorter[2:] == LONG[-4:]


def test_a_call_and_its_result_are_never_on_different_sides() -> None:
    parallel = [OPENING, call(1), call(2), note("still thinking"), result(2), result(1), call(3), result(3)]
    shorter = compact(parallel, summarise, budget=10, keep_last=2)
    assert shorter == parallel
    assert pairs_are_whole(compact(parallel, summarise, budget=10, keep_last=1))


def test_a_call_whose_result_never_came_is_a_turn_of_its_own() -> None:
    broken = [OPENING, call(1), note("interrupted"), call(2), result(2)]
    assert turns(broken) == [[OPENING], [call(1)], [note("interrupted")], [call(2), result(2)]]


def test_a_result_whose_call_is_gone_is_summarised_like_any_other_turn() -> None:
    assert compact([OPENING, result(1), note("a"), note("b")], summarise, budget=10, keep_last=1)[2:] == [note("b")]


def test_one_message_stays_as_it_is() -> None:
    assert compact([OPENING], summarise, budget=1) == [OPENING]


def test_an_opening_call_keeps_its_result() -> None:
    items = [call(1), result(1), note("a"), note("b"), note("c")]
    assert compact(items, summarise, budget=10, keep_last=1)[:2] == items[:2]


def test_an_empty_list_stays_empty() -> None:
    assert compact([], summarise, budget=1) == []


def test_twice_in_a_row_changes_nothing_more() -> None:
    once = compact(LONG, summarise, budget=300, keep_last=2)
    assert compact(once, summarise, budget=300, keep_last=2) == once


def test_turns_that_must_stay_are_kept_even_over_budget_and_no_summary_is_summarised_alone() -> None:
    once = compact(LONG, summarise, budget=1, keep_last=4)
    assert items_tokens(once) > 1
    assert compact(once, summarise, budget=1, keep_last=4) == once


def test_an_earlier_summary_is_taken_into_the_next_one() -> None:
    once = compact(LONG, summarise, budget=300, keep_last=2)
    grown = [*once, call(20), result(20), call(21), result(21)]
    twice = compact(grown, summarise, budget=300, keep_last=2)
    assert sum(str(item.get("content", "")).startswith(SUMMARY_HEADING) for item in twice) == 1
    assert twice[2:] == grown[-4:]


def test_a_summary_that_runs_on_is_capped() -> None:
    shorter = compact(LONG, lambda items: "word " * 10_000, budget=300, keep_last=1)
    assert items_tokens(shorter[1:2]) < 600


@given(st.lists(st.sampled_from(["call", "note"]), max_size=30), st.integers(0, 6), st.integers(1, 400))
def test_compaction_is_idempotent_and_keeps_pairs_whole(shape: list[str], keep_last: int, budget: int) -> None:
    items = [OPENING]
    for number, kind in enumerate(shape):
        items += [call(number), result(number, 50)] if kind == "call" else [note(f"thought {number}")]
    once = compact(items, summarise, budget=budget, keep_last=keep_last)
    assert once[0] == OPENING
    assert pairs_are_whole(once)
    assert compact(once, summarise, budget=budget, keep_last=keep_last) == once
