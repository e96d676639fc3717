"""The tools that the agent may use: each runs to an envelope, and an error in one is an answer and not a crash."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memories.agent.client import Item, ToolCall
from memories.agent.tracker import Issue, Page, Tracker
from memories.schemas import explain

log = logging.getLogger(__name__)
SEARCH_LIMIT = 5
SNIPPET = 160
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


class SearchArguments(Arguments):
    query: str = Field(description="A few words that an older issue about the same thing would hold")


class IssueArguments(Arguments):
    number: int = Field(description="The number of an issue filed before the one at hand")


class SectionArguments(Arguments):
    page: str = Field(description="The short name of a page, such as leases-and-heartbeats")
    section: str = Field(description="The title of a section, or an empty string for the page's opening and titles")


def reading_tools(tracker: Tracker, task: Issue) -> list[Tool]:
    """The three read-only tools over the demo data, as seen on the day `task` was filed."""

    def search_issues(arguments: SearchArguments) -> Found:
        hits = tracker.search(arguments.query, task, SEARCH_LIMIT)
        rows = {issue.source: hit_line(issue) for issue in hits}
        return Found("\n".join(rows.values()) or "No older issue shares a word with this query.", rows)

    def get_issue(arguments: IssueArguments) -> Found:
        issue = tracker.issues.get(arguments.number)
        if issue is None or issue.created_at >= task.created_at:
            raise ToolError(f"There is no issue with this number that is older than #{task.id}: search for one.")
        text = issue.as_seen_at(task.created_at)
        return Found(text, {issue.source: text})

    def get_doc_section(arguments: SectionArguments) -> Found:
        page = find_page(tracker, arguments.page)
        text = section_text(page, arguments.section)
        return Found(text, {f"doc:{page.slug}": text})

    pages = ", ".join(tracker.pages)
    return [
        Tool("search_issues", "Search the issues that are older than the one at hand.", SearchArguments, search_issues),
        Tool("get_issue", "Read an older issue with its replies.", IssueArguments, get_issue),
        Tool("get_doc_section", f"Read the documentation. Pages: {pages}.", SectionArguments, get_doc_section),
    ]


def hit_line(issue: Issue) -> str:
    snippet = " ".join(issue.body.split())[:SNIPPET]
    return f"#{issue.id} ({issue.version}) {issue.title}: {snippet}"


def find_page(tracker: Tracker, name: str) -> Page:
    page = tracker.pages.get(name.strip().casefold())
    if page is None:
        near = get_close_matches(name, tracker.pages, n=3, cutoff=0.3)
        raise ToolError(f"There is no such page; near to it: {', '.join(near) or 'none'}.")
    return page


def section_text(page: Page, section: str) -> str:
    wanted = section.strip().casefold()
    titles = [title for title in page.sections if title]
    if not wanted:
        return f"{page.sections['']}\n\nSections: {', '.join(titles) or 'none'}."
    for title in titles:
        if title.casefold() == wanted:
            return f"{page.title}: {title}\n{page.sections[title]}"
    raise ToolError(f"This page has no such section: {', '.join(titles) or 'it has none'}.")
