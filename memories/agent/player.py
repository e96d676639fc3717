"""A script that plays the model on the demo data, so that the agent can be seen at work without a key.

It reacts to what it is really sent: it follows notes that it was shown, reads what the search found, and names an older
issue only when that issue and a note or page agree on the cause. What a model must understand by itself stands in the
script: the mark by which the cause is recognized, the words to search for, and the notes to write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from memories.agent.scripted import Answer, Body, Request, Script, calls, says

HITS_READ = 2
ISSUE_AT_HAND = re.compile(r"^Issue #(\d+): (.*)$", re.MULTILINE)
HIT = re.compile(r"^#(\d+) \(", re.MULTILINE)
QUOTED_NOTE = re.compile(r'^\[[^\]\n]*?issue:(\d+)[^\]\n]*\] "(.*)"$', re.MULTILINE)


class Part(BaseModel):
    """What the script knows about one issue. `echo` names a line that a careless writer would copy into a note."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    issue: int
    marker: str = ""
    searches: list[str] = []
    pages: list[tuple[str, str]] = []
    cause: str = "The script does not know this issue."
    reply: str = "A person will look at this."
    notes: list[dict[str, str]] = []
    echo: str = ""


@dataclass(frozen=True)
class Turn:
    """What the model knows at one moment: the calls it made with what they brought, and everything it was shown."""

    body: Body

    @cached_property
    def made(self) -> list[tuple[str, dict[str, Any]]]:
        asked = (item for item in self.body["input"] if item.get("type") == "function_call")
        return [(item["name"], json.loads(item["arguments"])) for item in asked]

    @cached_property
    def results(self) -> list[str]:
        outputs = (item["output"] for item in self.body["input"] if item.get("type") == "function_call_output")
        return [json.loads(output).get("result", "") for output in outputs]

    @cached_property
    def opening(self) -> str:
        return str(self.body["input"][0]["content"])

    @property
    def tools(self) -> set[str]:
        return {tool["name"] for tool in self.body.get("tools", []) if self.body.get("tool_choice") != "none"}

    def results_of(self, name: str) -> Iterator[tuple[dict[str, Any], str]]:
        for (called, arguments), result in zip(self.made, self.results, strict=False):
            if called == name:
                yield arguments, result

    def read(self, marker: str) -> list[int]:
        """Older issues that were read and bear the mark."""
        return [arguments["number"] for arguments, text in self.results_of("get_issue") if marker and marker in text]

    def notes(self, marker: str) -> list[int]:
        """Issues that the notes bearing the mark were learnt from."""
        shown = "\n".join([self.opening, *(text for _asked, text in self.results_of("recall_memory"))])
        return [int(number) for number, text in QUOTED_NOTE.findall(shown) if marker and marker in text]

    def confirmed(self, marker: str) -> bool:
        """Whether an issue that was read agrees with a note or a page."""
        pages = any(marker in text for _asked, text in self.results_of("get_doc_section"))
        return bool(self.read(marker)) and (pages or bool(self.notes(marker)))


def load_script(path: Path) -> Script:
    """Read a script of one JSON object a line. Raises FileNotFoundError where there is none."""
    parts = (Part.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line)
    by_issue = {part.issue: part for part in parts}
    return lambda request: play(by_issue, request)


def play(parts: dict[int, Part], request: Request) -> Answer:
    """Answer one request as the model would that the script describes."""
    turn = Turn(request.body)
    wanted = request.body.get("text", {}).get("format", {}).get("name")
    if wanted is None:
        return summarise(parts, turn)
    if wanted == "WrittenNotes":
        return write(parts, turn)
    number, title = ISSUE_AT_HAND.findall(turn.opening)[0]
    part = parts.get(int(number), Part(issue=int(number), searches=[title]))
    wish = next_call(part, title, turn)
    return calls(wish) if wish else conclude(part, turn)


def next_call(part: Part, title: str, turn: Turn) -> tuple[str, dict[str, Any]] | None:
    """The first thing that is worth doing and was not done yet; None when it is time to answer."""
    if turn.confirmed(part.marker) or not turn.tools:
        return None
    for wish in wishes(part, title, turn):
        if wish not in turn.made and wish[0] in turn.tools:
            return wish
    return None


def wishes(part: Part, title: str, turn: Turn) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "recall_memory", {"query": title}
    for number in turn.notes(part.marker):
        yield "get_issue", {"number": number}
    for query in part.searches:
        yield "search_issues", {"query": query}
        for number in hits(turn, query):
            yield "get_issue", {"number": number}
        if turn.read(part.marker):
            break
    for page, section in part.pages:
        yield "get_doc_section", {"page": page, "section": section}


def hits(turn: Turn, query: str) -> list[int]:
    found = next((text for asked, text in turn.results_of("search_issues") if asked["query"] == query), "")
    return [int(number) for number in HIT.findall(found)[:HITS_READ]]


def conclude(part: Part, turn: Turn) -> Answer:
    """The final answer; it names an issue only where the script could confirm it."""
    duplicate = turn.read(part.marker)[0] if turn.confirmed(part.marker) else None
    pages = [f"doc:{arguments['page']}" for arguments, _text in turn.results_of("get_doc_section")]
    sources = [f"issue:{duplicate}"] if duplicate else []
    answer = {"duplicate_of": duplicate, "cause": part.cause, "reply": part.reply, "sources": sources + pages[:1]}
    return says(json.dumps(answer))


def summarise(parts: dict[int, Part], turn: Turn) -> Answer:
    """A summary of a run or of its first steps; careless, where the script names a line to copy."""
    part = part_read(parts, turn)
    if part is None:
        return says("Older issues and pages were looked up.")
    return says(next(echoes(part, turn), f"In this report {part.cause[:1].lower()}{part.cause[1:]}"))


def write(parts: dict[int, Part], turn: Turn) -> Answer:
    """The notes of the script, and for some issues the line that should never become one."""
    part = part_read(parts, turn)
    if part is None:
        return says(json.dumps({"notes": []}))
    copied = [{"kind": "fact", "text": line, "source": f"issue:{part.issue}"} for line in echoes(part, turn)]
    return says(json.dumps({"notes": [*copied, *part.notes]}))


def part_read(parts: dict[int, Part], turn: Turn) -> Part | None:
    """The script's part on the issue that the writer is shown first."""
    found = ISSUE_AT_HAND.search(turn.opening)
    return parts.get(int(found[1])) if found else None


def echoes(part: Part, turn: Turn) -> Iterator[str]:
    return (line for line in turn.opening.splitlines() if part.echo and part.echo in line)
