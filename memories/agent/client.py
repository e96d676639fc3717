"""One call to a model through the official client (Responses API), and what can go wrong with it in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

import openai
from pydantic import BaseModel

from memories.agent.prices import Usage, exact_cost

Item = dict[str, Any]
ToolChoice = Literal["auto", "none"]
TIMEOUT_SECONDS = 90.0
RETRIES = 4
NO_KEY = "no-key-needed"


class ModelError(Exception):
    """The model cannot be used as it is set up; asking again will not help."""


class ModelUnavailable(ModelError):
    """The model did not answer in time or asked to slow down; the same call may work later."""


@dataclass(frozen=True)
class ToolCall:
    """What the model wants run; `arguments` is JSON that it wrote."""

    call_id: str
    name: str
    arguments: str

    @property
    def item(self) -> Item:
        """How the call goes back to the server: without its id, since nothing is stored there to be found by it."""
        return {"type": "function_call", "call_id": self.call_id, "name": self.name, "arguments": self.arguments}


@dataclass(frozen=True)
class Reply:
    """What came back. `cut` says why the output is not whole, and is empty when it is."""

    text: str
    refusal: str
    tool_calls: tuple[ToolCall, ...]
    usage: Usage
    cut: str = ""


@dataclass
class Model:
    """A model behind a client; sums the usage of every call that was answered."""

    client: openai.OpenAI
    name: str
    usage: Usage = field(default_factory=Usage)

    @property
    def cost(self) -> Decimal | None:
        """US dollars so far, unrounded; None where the model's price is unknown."""
        return exact_cost(self.name, self.usage)

    def fresh(self) -> Model:
        """The same model with nothing counted yet."""
        return Model(self.client, self.name)

    def ask(
        self,
        instructions: str,
        items: Sequence[Item],
        *,
        answer: type[BaseModel] | None = None,
        tools: Sequence[Item] = (),
        tool_choice: ToolChoice = "auto",
        max_output_tokens: int = 4_000,
    ) -> Reply:
        """Make one call; the server is told to keep nothing.

        Raises:
            ModelUnavailable: time-out, no connection, 429 or 5xx on every attempt, or an answer that is none.
            ModelError: any other refusal of the request.
        """
        request: dict[str, Any] = {"model": self.name, "instructions": instructions, "input": list(items)}
        request |= {"max_output_tokens": max_output_tokens, "store": False}
        if tools:
            request |= {"tools": list(tools), "tool_choice": tool_choice}
        if answer is not None:
            request["text"] = {"format": strict_format(answer)}
        reply = read_reply(self._create(request), self.name)
        self.usage += reply.usage
        return reply

    def _create(self, request: dict[str, Any]) -> Any:
        try:
            return self.client.responses.create(**request)
        except openai.APITimeoutError:
            raise ModelUnavailable(f"{self.name} did not answer in time: try again later.") from None
        except openai.RateLimitError:
            raise ModelUnavailable(f"{self.name} asked to slow down (429) on every attempt: try later.") from None
        except (openai.APIConnectionError, openai.InternalServerError):
            raise ModelUnavailable(f"{self.name} is out of reach or failing: try again later.") from None
        except openai.AuthenticationError:
            raise ModelError("The server refused the key (401): set a valid OPENAI_API_KEY.") from None
        except openai.NotFoundError:
            raise ModelError(f"The server knows no model {self.name} (404): set ATLAS_MODEL to one it has.") from None
        except openai.APIStatusError as error:
            raise ModelError(f"{self.name} refused the request ({error.status_code}).") from None
        except (openai.OpenAIError, ValueError):
            raise ModelUnavailable(f"{self.name} sent an answer that cannot be read.") from None


def connect(
    name: str, *, api_key: str = "", base_url: str = "", timeout: float = TIMEOUT_SECONDS, retries: int = RETRIES
) -> Model:
    """A model by name; the client backs off with jitter between its `retries`, `timeout` is seconds an attempt.

    Raises:
        ModelError: neither a key nor a server is given.
    """
    if not api_key and not base_url:
        raise ModelError(
            "There is no model to ask: set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server, "
            "or pass --scripted to let a script play the model."
        )
    client = openai.OpenAI(api_key=api_key or NO_KEY, base_url=base_url or None, timeout=timeout, max_retries=retries)
    return Model(client, name)


def strict_format(answer: type[BaseModel]) -> Item:
    """The structured-output format of `answer`, whose fields must all be required and extra ones forbidden."""
    return {"type": "json_schema", "name": answer.__name__, "schema": answer.model_json_schema(), "strict": True}


def read_reply(response: Any, name: str) -> Reply:
    """Read texts, refusals, tool calls and usage out of a response, whatever else it holds.

    Raises:
        ModelUnavailable: it does not have the form of one; the client hands such answers on unchecked.
    """
    try:
        parts = [part for item in response.output if item.type == "message" for part in item.content]
        calls = [item for item in response.output if item.type == "function_call"]
        return Reply(
            text="".join(part.text for part in parts if part.type == "output_text"),
            refusal=" ".join(part.refusal for part in parts if part.type == "refusal"),
            tool_calls=tuple(ToolCall(str(one.call_id), str(one.name), str(one.arguments)) for one in calls),
            usage=read_usage(getattr(response, "usage", None)),
            cut=cut_reason(response),
        )
    except (AttributeError, TypeError):
        raise ModelUnavailable(f"{name} sent an answer that cannot be read.") from None


def cut_reason(response: Any) -> str:
    """Why the output is not whole; empty when it is."""
    if getattr(response, "status", None) not in {"incomplete", "failed", "cancelled"}:
        return ""
    details = getattr(response, "incomplete_details", None)
    return getattr(details, "reason", None) or str(response.status)


def read_usage(usage: Any) -> Usage:
    """Count one call with its tokens, or as uncounted where the server reports none."""
    sent, written = getattr(usage, "input_tokens", None), getattr(usage, "output_tokens", None)
    if not isinstance(sent, int) or not isinstance(written, int):
        return Usage(calls=1, uncounted=1)
    cached = getattr(getattr(usage, "input_tokens_details", None), "cached_tokens", None)
    return Usage(1, sent, min(cached, sent) if isinstance(cached, int) else 0, written)
