"""The agent's loop and its tools: budgets, endings, and errors that are answers."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from memories.agent.client import ToolCall
from memories.agent.compaction import SUMMARY_HEADING
from memories.agent.loop import Budget, Ending, StopReason, call_in_words, run_loop
from memories.agent.reading import reading_tools
from memories.agent.scripted import Answer, Script, calls, fails, hangs, refuses, says, usage
from memories.agent.tools import Arguments, Found, Tool, Toolbox
from tests.agent_helpers import TASK, answered, orbit, scripted


class Nothing(Arguments):
    """A tool without arguments."""


def tool(name: str = "look", run: Any = lambda arguments: Found("seen", {"doc:a": "seen"})) -> Tool:
    return Tool(name, "Look around.", Nothing, run)


def broken(arguments: Nothing) -> Found:
    raise KeyError("hunter2")


def look() -> Answer:
    return calls(("look", {}))


def run(*answers: Answer, tools: list[Tool] | None = None, script: Script | None = None, **budget: Any) -> Ending:
    with scripted(*answers, script=script, retries=0) as (model, _server):
        return run_loop(model, "Triage.", "Issue #22", Toolbox(tools or [tool()]), Budget(**budget))


def test_a_run_ends_with_its_answer() -> None:
    ending = run(look(), look(), answered(4))
    assert (ending.stop, ending.steps) == (StopReason.ANSWERED, 3)
    assert ending.answer is not None
    assert ending.answer.duplicate_of == 4


def test_the_result_of_each_call_goes_back_under_its_own_number() -> None:
    with scripted(calls(("look", {}), ("look", {})), answered()) as (model, server):
        run_loop(model, "Triage.", "Issue #22", Toolbox([tool()]), Budget())
    items = server.requests[1].body["input"]
    assert [item.get("type", "message") for item in items] == [
        "message", "function_call", "function_call", "function_call_output", "function_call_output",
    ]  # fmt: skip
    assert [item["call_id"] for item in items[1:3]] == [item["call_id"] for item in items[3:]]


def test_the_step_budget_ends_a_run_that_never_answers() -> None:
    ending = run(script=lambda request: look(), steps=3)
    assert (ending.stop, ending.steps, ending.answer) == (StopReason.STEP_BUDGET, 3, None)


def test_the_last_step_takes_the_tools_away() -> None:
    with scripted(look(), answered()) as (model, server):
        ending = run_loop(model, "Triage.", "Issue #22", Toolbox([tool()]), Budget(steps=2))
    assert [request.body["tool_choice"] for request in server.requests] == ["auto", "none"]
    assert ending.stop == StopReason.ANSWERED


def test_the_cost_budget_stops_before_the_next_call() -> None:
    dear = calls(("look", {}), usage=usage(400_000, 0))
    with scripted(dear, answered()) as (model, server):
        ending = run_loop(model, "Triage.", "Issue #22", Toolbox([tool()]), Budget(cost_usd=Decimal("0.05")))
    assert (ending.stop, len(server.requests)) == (StopReason.COST_BUDGET, 1)


def test_a_cost_budget_too_small_for_the_first_call_makes_none() -> None:
    with scripted() as (model, server):
        ending = run_loop(model, "Triage.", "Issue " * 10_000, Toolbox([tool()]), Budget(cost_usd=Decimal("0.000001")))
    assert (ending.stop, ending.steps, server.requests) == (StopReason.COST_BUDGET, 0, [])


@pytest.mark.parametrize(
    ("answer", "stop"),
    [
        (refuses("No."), StopReason.REFUSED),
        (says("{", status="incomplete", incomplete_details={"reason": "max_output_tokens"}), StopReason.CUT_OFF),
        (says("It is a duplicate of #4."), StopReason.MALFORMED),
        (says(""), StopReason.MALFORMED),
        (says('{"duplicate_of": "four", "cause": "", "reply": "", "sources": []}'), StopReason.MALFORMED),
        (fails(429), StopReason.UNAVAILABLE),
        (fails(503), StopReason.UNAVAILABLE),
        (fails(401), StopReason.FAILED),
    ],
)
def test_what_the_model_does_wrong_is_a_stop_reason_and_no_crash(answer: Answer, stop: StopReason) -> None:
    ending = run(answer)
    assert (ending.stop, ending.answer) == (stop, None)
    assert ending.detail


def test_a_time_out_ends_the_run_as_unavailable() -> None:
    with scripted(hangs(5), timeout=0.2, retries=0) as (model, _server):
        assert run_loop(model, "", "Issue", Toolbox([tool()]), Budget()).stop == StopReason.UNAVAILABLE


def test_a_tool_that_raises_is_an_answer_without_its_message(caplog: pytest.LogCaptureFixture) -> None:
    with scripted(look(), answered()) as (model, server):
        ending = run_loop(model, "Triage.", "Issue #22", Toolbox([tool(run=broken)]), Budget())
    assert ending.stop == StopReason.ANSWERED
    sent = json.loads(server.requests[1].body["input"][-1]["output"])
    assert sent["ok"] is False
    assert "KeyError" in sent["error"]
    assert "hunter2" not in json.dumps(server.requests[1].body) + caplog.text


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("get_issue", '{"number": "four"}', "valid integer"),
        ("get_issue", "{", "Invalid JSON"),
        ("get_issue", "{}", "required"),
        ("get_issue", '{"number": 4, "all": true}', "not permitted"),
        ("get_issue", '{"number": 22}', "older than #22"),
        ("get_issue", '{"number": 215}', "older than #22"),
        ("get_issue", '{"number": -1}', "older than #22"),
        ("get_doc_section", '{"page": "../../manage", "section": ""}', "no such page"),
        ("get_doc_section", '{"page": "/etc/passwd", "section": ""}', "no such page"),
        ("get_doc_section", '{"page": "redis-broker", "section": "Nothing"}', "no such section"),
        ("delete_issue", "{}", "no such tool"),
    ],
)
def test_a_wrong_call_gets_one_sentence(name: str, arguments: str, words: str) -> None:
    tracker = orbit()
    toolbox = Toolbox(reading_tools(tracker, tracker.issues[22]))
    answer = json.loads(toolbox.run(ToolCall("call_1", name, arguments)))
    assert answer["ok"] is False
    assert words in answer["error"]
    assert toolbox.seen == {}


def call(toolbox: Toolbox, name: str, **arguments: Any) -> str:
    answer = json.loads(toolbox.run(ToolCall("call_1", name, json.dumps(arguments))))
    assert answer["ok"], answer
    result: str = answer["result"]
    return result


def test_only_older_issues_are_found_and_only_the_replies_that_had_come() -> None:
    tracker = orbit()
    task = tracker.issues[4]
    toolbox = Toolbox(reading_tools(tracker, task))
    call(toolbox, "search_issues", query="worker job queue redis postgres cron dashboard lease")
    assert toolbox.seen
    assert {int(source.removeprefix("issue:")) for source in toolbox.seen} <= set(range(1, 4))
    busy = tracker.issues[4]
    early = replace_time(TASK, busy.replies[0].at)
    seen = call(Toolbox(reading_tools(tracker, early)), "get_issue", number=4)
    assert busy.body[:40] in seen
    assert busy.replies[0].text not in seen


def replace_time(task: Any, moment: Any) -> Any:
    return task.model_copy(update={"created_at": moment})


def test_what_triage_decided_later_is_never_shown() -> None:
    tracker = orbit()
    toolbox = Toolbox(reading_tools(tracker, tracker.issues[215]))
    for number in (22, 61, 115, 145):
        shown = call(toolbox, "get_issue", number=number)
        assert "duplicate_of" not in shown
        assert "labels" not in shown
    assert "duplicate" not in tracker.issues[215].as_filed.casefold()


def test_a_page_is_read_by_section_and_noted_as_seen() -> None:
    tracker = orbit()
    toolbox = Toolbox(reading_tools(tracker, tracker.issues[22]))
    assert "When a lease expires" in call(toolbox, "get_doc_section", page="leases-and-heartbeats", section="")
    call(toolbox, "get_doc_section", page="Leases-and-Heartbeats", section="when a lease expires")
    assert set(toolbox.seen) == {"doc:leases-and-heartbeats"}
    assert "ORB-1101" in toolbox.seen["doc:leases-and-heartbeats"]


def test_a_search_without_a_hit_says_so() -> None:
    tracker = orbit()
    toolbox = Toolbox(reading_tools(tracker, tracker.issues[22]))
    assert "No older issue" in call(toolbox, "search_issues", query="作業 🦄")
    assert "No older issue" in call(toolbox, "search_issues", query="")


def test_a_huge_output_is_cut_and_says_so() -> None:
    toolbox = Toolbox([tool(run=lambda arguments: Found("x" * 50_000))])
    assert "50000 characters in all" in call(toolbox, "look")


def test_every_tool_schema_is_strict() -> None:
    tracker = orbit()
    for schema in Toolbox(reading_tools(tracker, tracker.issues[22])).schemas:
        assert schema["strict"] is True
        assert schema["parameters"]["additionalProperties"] is False
        assert set(schema["parameters"]["required"]) == set(schema["parameters"]["properties"])


def test_a_long_run_is_compacted_and_still_answers() -> None:
    def script(request: Any) -> Answer:
        if "text" not in request.body:
            return says("Three pages were read.")
        return answered() if len(requests) > 8 else look()

    big = tool(run=lambda arguments: Found("word " * 300))
    with scripted(script=script) as (model, server):
        requests = server.requests
        ending = run_loop(model, "Triage.", "Issue #22", Toolbox([big]), Budget(context_tokens=1_500, keep_last=2))
    assert ending.stop == StopReason.ANSWERED
    last = requests[-1].body["input"]
    assert last[0]["content"] == "Issue #22"
    assert last[1]["content"] == f"{SUMMARY_HEADING}\nThree pages were read."
    assert model.usage.calls == len(requests)


@pytest.mark.parametrize("before", range(60, 96, 5))
def test_no_head_of_a_secret_is_shown_where_the_line_is_cut(before: int) -> None:
    token = "ghp_" + "a1B2" * 9
    shown = call_in_words(ToolCall("1", "search", json.dumps({"query": f"{'x ' * (before // 2)} token {token}"})))
    assert "ghp_" not in shown


def test_what_is_watched_never_shows_a_secret_that_the_model_wrote() -> None:
    lines: list[str] = []
    token = "ghp_" + "a1B2" * 9
    search = replace(tool("search"), arguments=Nothing)
    with scripted(calls(("search", {"query": f"token {token}"})), answered()) as (model, _server):
        run_loop(model, "", "Issue", Toolbox([search]), Budget(), lines.append)
    assert lines
    assert token not in "".join(lines)


def test_what_is_watched_cannot_steer_the_terminal() -> None:
    assert call_in_words(ToolCall("1", "search\x1b[2J", '{"query": "\u202e\x07"}')) == 'search[2J {"query": ""}'
