"""The demo project's issues and documentation, as far as the triage of one issue may see them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

WORD = re.compile(r"\w+(?:[-_.]\w+)*")
BLOCK = re.compile(r"```.*?(?:```|\Z)|^ {4}.*$", re.DOTALL | re.MULTILINE)
SENTENCES_ASKED = 2


class Reply(BaseModel):
    """One answer below an issue."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    author: str
    role: str
    at: datetime
    text: str


class Issue(BaseModel):
    """An issue as it was filed. What triage decided later (state, labels, duplicate) is not even read here."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: int
    title: str
    body: str
    version: str
    author: str
    created_at: datetime
    replies: tuple[Reply, ...] = ()

    @property
    def source(self) -> str:
        return f"issue:{self.id}"

    @property
    def as_filed(self) -> str:
        return f"Issue #{self.id}: {self.title}\nVersion {self.version}, by {self.author}\n\n{self.body}"

    @property
    def questions(self) -> list[str]:
        """What to ask memory about: the title, and the title with each of the first sentences of prose."""
        prose = " ".join(BLOCK.sub(" ", self.body).split())
        first = re.split(r"(?<=[.!?])\s+", prose)[:SENTENCES_ASKED]
        return [self.title, *(f"{self.title}. {sentence}" for sentence in first if sentence)]

    def as_seen_at(self, moment: datetime) -> str:
        """The issue with the replies that had come by `moment`."""
        replies = [f"{reply.author} ({reply.role}): {reply.text}" for reply in self.replies if reply.at < moment]
        return "\n\n".join([self.as_filed, *replies])


class Page(BaseModel):
    """A page of the documentation: its opening under the empty title, then its sections by title."""

    model_config = ConfigDict(frozen=True)

    slug: str
    title: str
    sections: dict[str, str]


@dataclass(frozen=True)
class Tracker:
    """All issues by number and all pages by slug; nothing is read from a path that a model names."""

    issues: dict[int, Issue]
    pages: dict[str, Page]

    def visible_from(self, task: Issue) -> list[Issue]:
        """Issues filed before `task`."""
        return [issue for issue in self.issues.values() if issue.created_at < task.created_at]

    def search(self, query: str, task: Issue, limit: int) -> list[Issue]:
        """Up to `limit` visible issues, best first: the rarer a word they share with `query`, the more it counts."""
        weights = {word: self._rarity(word) for word in words(query)}
        scored = [
            (sum(weights.get(word, 0.0) for word in self._words[issue.id]), issue) for issue in self.visible_from(task)
        ]
        best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].id))
        return [issue for _score, issue in best[:limit]]

    def _rarity(self, word: str) -> float:
        return math.log((len(self.issues) + 1) / (self._spread[word] + 0.5))

    @cached_property
    def _words(self) -> dict[int, frozenset[str]]:
        return {issue.id: words(f"{issue.title} {issue.body}") for issue in self.issues.values()}

    @cached_property
    def _spread(self) -> Counter[str]:
        return Counter(word for found in self._words.values() for word in found)


def words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text.casefold()))


@lru_cache(maxsize=4)
def load_tracker(folder: Path) -> Tracker:
    """Read `issues.jsonl` and `docs/*.md` of a data set.

    Raises:
        FileNotFoundError: the data set is not there.
    """
    lines = (folder / "issues.jsonl").read_text(encoding="utf-8").splitlines()
    issues = (Issue.model_validate_json(line) for line in lines if line.strip())
    return Tracker({issue.id: issue for issue in issues}, load_pages(sorted((folder / "docs").glob("*.md"))))


def load_pages(files: Iterable[Path]) -> dict[str, Page]:
    return {file.stem: read_page(file.stem, file.read_text(encoding="utf-8")) for file in files}


def read_page(slug: str, text: str) -> Page:
    """Cut a page at its second-level headings."""
    opening, *parts = re.split(r"^## +", text, flags=re.MULTILINE)
    title = opening.strip().partition("\n")[0].lstrip("# ").strip()
    sections = {"": opening.strip()}
    for part in parts:
        heading, _newline, body = part.partition("\n")
        sections[heading.strip()] = body.strip()
    return Page(slug=slug, title=title, sections=sections)
