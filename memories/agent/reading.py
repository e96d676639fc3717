"""The three read-only tools over the demo project."""

from __future__ import annotations

from difflib import get_close_matches

from pydantic import Field

from memories.agent.tools import Arguments, Found, Tool, ToolError
from memories.agent.tracker import Issue, Page, Tracker

SEARCH_LIMIT = 5
SNIPPET = 160


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
