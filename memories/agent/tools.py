"""The tools that the agent may use: each runs to an envelope, and an error in one is an answer and not a crash."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from memories.agent.client import Item, ToolCall
from memories.schemas import explain

log = logging.getLogger(__name__)
OUTPUT_LIMIT = 6_000


class ToolError(Exception):
    """What the model asked for cannot be had; the message is one sentence for the model."""


class Arguments(BaseModel):
    """Arguments of a tool: every field required, no others taken, as strict schemas ask."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Found:
    """What a tool found: `text` for the model, and what was read of which source."""

    text: str
    read: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """A name, what it is for, the shape of its arguments, and the function behind it."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Any], Found]

    @property
    def schema(self) -> Item:
        parameters = self.arguments.model_json_schema()
        return {
            "type": "function",
            "name": self.name,
            "description": self.description,
            "parameters": parameters,
            "strict": True,
        }


@dataclass
class Toolbox:
    """The tools of one run. `seen` keeps, for this run only, what was read of each source: nothing of it is stored."""

    tools: Sequence[Tool]
    seen: dict[str, str] = field(default_factory=dict)
    calls: int = 0

    @property
    def schemas(self) -> list[Item]:
        return [tool.schema for tool in self.tools]

    def run(self, call: ToolCall) -> str:
        """Run one call and return its envelope as JSON: `{"ok": true, "result"}` or `{"ok": false, "error"}`."""
        self.calls += 1
        try:
            found = self._find(call)
        except ToolError as error:
            return envelope(error=str(error))
        except ValidationError as error:
            return envelope(error=f"The arguments do not fit: {explain(error)}")
        except Exception as error:
            # The message may hold what the tool was reading, so only its type is written down.
            log.warning("The tool %s failed with %s.", self._known_name(call.name), type(error).__name__)
            return envelope(error=f"The tool failed ({type(error).__name__}): go on without it.")
        for source, text in found.read.items():
            self.seen[source] = merged(self.seen.get(source, ""), text)
        return envelope(result=found.text)

    def _find(self, call: ToolCall) -> Found:
        tool = next((tool for tool in self.tools if tool.name == call.name), None)
        if tool is None:
            raise ToolError(f"There is no such tool: use one of {', '.join(tool.name for tool in self.tools)}.")
        return tool.run(tool.arguments.model_validate_json(call.arguments))

    def _known_name(self, name: str) -> str:
        return name if name in {tool.name for tool in self.tools} else "(unknown)"


def envelope(*, result: str | None = None, error: str | None = None) -> str:
    if error is not None:
        return json.dumps({"ok": False, "error": error}, ensure_ascii=False)
    text = result or ""
    shown = text if len(text) <= OUTPUT_LIMIT else f"{text[:OUTPUT_LIMIT]}\n[cut here: {len(text)} characters in all]"
    return json.dumps({"ok": True, "result": shown}, ensure_ascii=False)


def merged(known: str, text: str) -> str:
    return known if text in known else f"{known}\n\n{text}".strip()
