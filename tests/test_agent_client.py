"""One call to a model: what is sent, what is read, what is said when it goes wrong, and what it costs."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from openai.types.responses import ResponseUsage

from memories.agent.client import Model, ModelError, ModelUnavailable, connect, read_usage
from memories.agent.loop import TriageAnswer
from memories.agent.prices import PRICES, Usage, dollars, exact_cost, price_of, rounded
from memories.agent.scripted import Answer, calls, fails, hangs, refuses, responds, says, usage
from memories.agent.second_look import FoundStatements
from memories.agent.writer import WrittenNotes
from tests.agent_helpers import scripted

ODD_ANSWERS = [
    b"<html>Bad gateway</html>",
    b"[]",
    b"null",
    b'{"object": "response"}',
    b'{"output": {"type": "message"}}',
    b'{"output": [{"type": "message", "content": null}]}',
    b'{"output": [{"type": "message", "content": [{"type": "output_text"}]}]}',
    b'{"output": [null]}',
]
HELLO = [{"role": "user", "content": "Hello"}]


def test_a_reply_is_read_with_its_text_and_its_usage() -> None:
    with scripted(says("Good day", usage=usage(1200, 30, cached_tokens=1000))) as (model, _server):
        reply = model.ask("Be polite.", HELLO)
    assert (reply.text, reply.refusal, reply.tool_calls, reply.cut) == ("Good day", "", (), "")
    assert reply.usage == Usage(calls=1, input_tokens=1200, cached_tokens=1000, output_tokens=30)


def test_the_server_is_asked_to_keep_nothing_and_the_schema_is_strict() -> None:
    with scripted(says("{}")) as (model, server):
        model.ask("Write notes.", HELLO, answer=WrittenNotes)
    body = server.requests[0].body
    assert body["store"] is False
    assert body["text"]["format"]["strict"] is True
    for schema in (body["text"]["format"]["schema"], body["text"]["format"]["schema"]["$defs"]["WrittenNote"]):
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) == set(schema["properties"])


def test_tool_calls_are_read_and_go_back_without_an_id_of_the_server() -> None:
    with scripted(calls(("get_issue", {"number": 4}), ("get_issue", {"number": 5}))) as (model, _server):
        first, second = model.ask("", HELLO).tool_calls
    assert first.arguments == '{"number": 4}'
    assert first.call_id != second.call_id
    assert set(first.item) == {"type", "call_id", "name", "arguments"}


def test_a_refusal_is_told_from_an_answer() -> None:
    with scripted(refuses("I would rather not.")) as (model, _server):
        reply = model.ask("", HELLO)
    assert (reply.text, reply.refusal) == ("", "I would rather not.")


def test_an_output_that_was_cut_says_why() -> None:
    cut = says("{", status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    with scripted(cut) as (model, _server):
        assert model.ask("", HELLO).cut == "max_output_tokens"


def test_items_of_other_types_are_passed_over() -> None:
    reasoning = {"id": "rs_1", "type": "reasoning", "summary": []}
    with scripted(responds([reasoning])) as (model, _server):
        reply = model.ask("", HELLO)
    assert (reply.text, reply.tool_calls) == ("", ())


def test_a_429_is_tried_again_after_the_pause_it_asks_for() -> None:
    with scripted(fails(429), fails(429), says("at last")) as (model, server):
        assert model.ask("", HELLO).text == "at last"
    assert len(server.requests) == 3
    assert model.usage.calls == 1


def test_a_429_to_the_end_is_unavailable() -> None:
    with scripted(*[fails(429)] * 3, retries=2) as (model, server), pytest.raises(ModelUnavailable, match="slow down"):
        model.ask("", HELLO)
    assert len(server.requests) == 3


def test_a_server_that_keeps_one_waiting_is_unavailable() -> None:
    with (
        scripted(hangs(5), timeout=0.2, retries=0) as (model, _server),
        pytest.raises(ModelUnavailable, match="in time"),
    ):
        model.ask("", HELLO)


def test_no_server_is_unavailable() -> None:
    model = connect("scripted-demo", base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(ModelUnavailable, match="out of reach"):
        model.ask("", HELLO)


@pytest.mark.parametrize(
    ("status", "words"), [(401, "OPENAI_API_KEY"), (404, "ATLAS_MODEL"), (400, "refused the request")]
)
def test_a_wrong_set_up_is_said_in_one_sentence(status: int, words: str) -> None:
    with scripted(fails(status), retries=0) as (model, _server), pytest.raises(ModelError, match=words) as caught:
        model.ask("", HELLO)
    assert not isinstance(caught.value, ModelUnavailable)


@pytest.mark.parametrize("body", ODD_ANSWERS)
def test_an_answer_that_is_none_is_unavailable(body: bytes) -> None:
    with scripted(Answer(body), retries=0) as (model, _server), pytest.raises(ModelUnavailable, match="cannot be read"):
        model.ask("", HELLO)


def test_neither_key_nor_server_says_what_to_set() -> None:
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        connect("gpt-5-mini")


def test_the_key_is_in_no_repr() -> None:
    secret = "sk-" + "x" * 24
    assert secret not in repr(connect("gpt-5-mini", api_key=secret))


def test_cost_is_the_servers_usage_times_the_price_to_the_sixth_decimal() -> None:
    reported = usage(18_240, 1_312, cached_tokens=4_096)
    with scripted(says("a", usage=reported), says("b", usage=usage(7, 3))) as (model, _server):
        model.ask("", HELLO)
        model.ask("", HELLO)
    # (14,144 + 7) * 0.25 + 4,096 * 0.025 + 1,315 * 2.00, all per million
    assert model.usage == Usage(2, 18_247, 4_096, 1_315)
    assert model.cost == Decimal("0.00627015")
    assert rounded(model.cost) == Decimal("0.006270")


def test_cost_is_rounded_once_after_the_sum() -> None:
    one = Usage(1, 2, 0, 0)
    cost = exact_cost("scripted-demo", one)
    assert cost == Decimal("0.0000005")
    assert rounded(cost) == Decimal("0.000001")
    both = exact_cost("scripted-demo", one + one)
    assert both is not None
    assert rounded(both) == Decimal("0.000001")


def test_cost_is_exact_for_every_model_of_the_table() -> None:
    for name, price in PRICES.items():
        assert exact_cost(name, Usage(1, 1_000_000, 0, 1_000_000)) == price.input + price.output
        assert exact_cost(name, Usage(1, 1_000_000, 1_000_000, 0)) == price.cached_input


def test_a_dated_snapshot_costs_what_its_model_costs() -> None:
    assert price_of("gpt-5-mini-2025-08-07") == price_of("gpt-5-mini")
    assert price_of("gpt-4o-2024-08-06") == price_of("gpt-4o")


@pytest.mark.parametrize(
    "name", ["gpt-4o-2024-05-13", "gpt-5.9", "gpt-5-mini-next", "ft:gpt-4o:ours", "2024-05-13", ""]
)
def test_a_price_that_the_table_does_not_hold_is_no_guess(name: str) -> None:
    assert price_of(name) is None
    assert exact_cost(name, Usage(1, 100, 0, 100)) is None


def test_the_cost_of_an_unknown_model_is_unknown_and_not_zero() -> None:
    assert Model(connect("llama", base_url="http://127.0.0.1:9").client, "llama").cost is None
    assert dollars(None) == "unknown"
    assert dollars(Decimal("0.1")) == "$0.100000"


@pytest.mark.parametrize(
    "reported",
    [None, {}, {"input_tokens": None, "output_tokens": 3}, {"input_tokens": "many", "output_tokens": 3}],
)
def test_a_call_that_the_server_did_not_count_makes_the_cost_unknown(reported: dict[str, Any] | None) -> None:
    counted = read_usage(None if reported is None else ResponseUsage.construct(**reported))
    assert counted == Usage(calls=1, uncounted=1)
    assert exact_cost("scripted-demo", counted + Usage(1, 10, 0, 10)) is None


def test_cached_tokens_are_never_more_than_the_input() -> None:
    with scripted(says("Hello", usage=usage(10, 1, cached_tokens=99))) as (model, _server):
        model.ask("", HELLO)
    assert model.usage.cached_tokens == 10


def test_schemas_use_only_what_strict_output_knows() -> None:
    for answer in (WrittenNotes, TriageAnswer, FoundStatements):
        written = json.dumps(answer.model_json_schema())
        for keyword in ("minLength", "maxLength", "default", "oneOf", "allOf", "patternProperties"):
            assert f'"{keyword}"' not in written
