"""The demo data is fit to load: its shapes, its references and the facts that the experiments rest on."""

import json
import re
from collections import Counter
from datetime import datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

DATASETS = Path(__file__).resolve().parent.parent / "datasets"
ORBIT = DATASETS / "orbit"
STORES = ("orbit", "travel", "assistant")
REPEATS = {22: 4, 61: 59, 115: 112, 145: 143, 215: 209}
NOVEL = {10, 102, 179}
KINDS = {"fact", "preference", "episode", "procedure"}
ORIGINS = {"maintainer", "user_stated", "agent_derived", "untrusted"}
ISSUE_FIELDS = {"id", "title", "body", "version", "labels", "severity"}
ISSUE_FIELDS |= {"author", "created_at", "state", "duplicate_of", "replies"}
SOURCE = re.compile(r"(doc|issue|maintainer|user|entity|url):\S+")
VERSION_SPEC = re.compile(r"|\d+(\.\d+)?\.x|\d+\.\d+\.\d+|(>=|<)\d+(\.\d+)*(,<\d+(\.\d+)*)?")
MAIL_DOMAIN = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)")
RESERVED_DOMAINS = ("example.org", "example.com", ".internal")

Row = dict[str, Any]


@cache
def rows(name: str) -> list[Row]:
    lines = (DATASETS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def issues() -> dict[int, Row]:
    return {issue["id"]: issue for issue in rows("orbit/issues.jsonl")}


def drafts(store: str) -> list[Row]:
    return rows(f"{store}/curated.jsonl") + rows(f"{store}/proposals.jsonl")


def moment(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")


def one_line(text: str) -> str:
    return " ".join(text.split())


def text_behind(source: str) -> str | None:
    """What a reader of this source sees; None where the source is a person or a thing."""
    scheme, identifier = source.split(":", 1)
    if scheme == "issue":
        issue = issues()[int(identifier)]
        replies = [reply["text"] for reply in issue["replies"]]
        return one_line(" ".join([issue["title"], issue["body"], *replies]))
    if scheme == "doc":
        return one_line((ORBIT / "docs" / f"{identifier}.md").read_text(encoding="utf-8"))
    return None


def test_issue_ids_and_dates_grow_together() -> None:
    found = rows("orbit/issues.jsonl")
    assert len(found) >= 65
    for earlier, later in pairwise(found):
        assert earlier["id"] < later["id"]
        assert moment(earlier["created_at"]) < moment(later["created_at"])
    assert found[0]["created_at"].startswith("2024-03")
    assert found[-1]["created_at"].startswith("2026-10")


def test_the_ids_that_experiments_name_exist_and_only_the_repeats_are_duplicates() -> None:
    assert {13, 20} | NOVEL | set(REPEATS) | set(REPEATS.values()) <= set(issues())
    named = {number: issue["duplicate_of"] for number, issue in issues().items()}
    assert {number: original for number, original in named.items() if original is not None} == REPEATS


def test_issues_have_every_field_and_replies_follow_the_report_in_order() -> None:
    for issue in issues().values():
        assert set(issue) == ISSUE_FIELDS
        assert issue["title"].strip()
        assert issue["body"].strip()
        assert issue["severity"] in {"S1", "S2", "S3", "S4"}
        assert issue["state"] in {"open", "closed"}
        assert re.fullmatch(r"\d+\.\d+\.\d+", issue["version"])
        times = [issue["created_at"], *(reply["at"] for reply in issue["replies"])]
        assert sorted(times, key=moment) == times
        assert {reply["role"] for reply in issue["replies"]} <= {"maintainer", "reporter"}
        reporters = {reply["author"] for reply in issue["replies"] if reply["role"] == "reporter"}
        assert reporters <= {issue["author"]}


def test_a_closed_repeat_names_its_original() -> None:
    for repeat, original in REPEATS.items():
        assert issues()[repeat]["state"] == "closed"
        assert f"#{original}" in " ".join(reply["text"] for reply in issues()[repeat]["replies"])


def test_doc_pages_are_short_and_have_sections() -> None:
    pages = list((ORBIT / "docs").glob("*.md"))
    assert len(pages) >= 45
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert re.fullmatch(r"[a-z0-9-]+", page.stem)
        assert text.startswith("# ")
        assert "\n## " in text
        assert 80 <= len(text.split()) <= 250, page.name


@pytest.mark.parametrize("store", STORES)
def test_drafts_are_short_sentences_of_a_known_kind_with_a_source(store: str) -> None:
    for draft in drafts(store):
        assert 0 < len(draft["text"]) <= 300
        assert "\n" not in draft["text"]
        assert len(draft["evidence"]) <= 300
        assert draft["kind"] in KINDS
        assert VERSION_SPEC.fullmatch(draft["applies_to"]), draft["applies_to"]
        for source in [draft["source"], *draft.get("more_sources", [])]:
            assert SOURCE.fullmatch(source), source


@pytest.mark.parametrize("store", STORES)
def test_curated_notes_have_a_key_an_origin_and_a_date_of_their_own(store: str) -> None:
    notes = rows(f"{store}/curated.jsonl")
    assert max(Counter(note["key"] for note in notes).values()) == 1
    assert max(Counter(note["text"] for note in notes).values()) == 1
    for note in notes:
        assert note["origin"] in ORIGINS
        assert moment(note["observed_at"])
        if note["kind"] in {"preference", "procedure"}:
            assert note["origin"] == "maintainer"


def test_sources_exist_and_quotations_occur_in_them_word_for_word() -> None:
    for draft in drafts("orbit"):
        for source in [draft["source"], *draft.get("more_sources", [])]:
            text = text_behind(source)
            if source == draft["source"] and text is not None:
                assert one_line(draft["evidence"]) in text, draft["text"]


def test_a_note_is_learnt_after_its_issue_was_reported_and_never_from_a_repeat() -> None:
    for note in rows("orbit/curated.jsonl"):
        for source in [note["source"], *note["more_sources"]]:
            if source.startswith("issue:"):
                issue = issues()[int(source.removeprefix("issue:"))]
                assert issue["duplicate_of"] is None
                assert moment(issue["created_at"]) <= moment(note["observed_at"]), note["key"]


def test_a_run_proposes_at_most_three_notes_and_only_from_what_it_saw() -> None:
    runs = {run["identifier"]: run for run in rows("orbit/runs.jsonl")}
    assert len(runs) == len(rows("orbit/runs.jsonl"))
    proposals = rows("orbit/proposals.jsonl")
    assert {proposal["run"] for proposal in proposals} == set(runs)
    assert max(Counter(proposal["run"] for proposal in proposals).values()) <= 3
    for proposal in proposals:
        assert proposal["source"] in runs[proposal["run"]]["sources"]


def test_a_run_sees_existing_sources_and_no_issue_newer_than_its_own() -> None:
    for run in rows("orbit/runs.jsonl"):
        assert run["task_source"] in run["sources"]
        assert moment(run["started_at"]) < moment(run["finished_at"])
        task = int(run["task_source"].removeprefix("issue:"))
        for source in run["sources"]:
            assert text_behind(source) is not None or source.startswith("entity:")
            if source.startswith("issue:"):
                assert int(source.removeprefix("issue:")) <= task


def test_the_inbox_holds_what_the_filter_has_to_refuse() -> None:
    refused = [draft for draft in rows("orbit/proposals.jsonl") if draft.get("expect") == "refused"]
    texts = " ".join(draft["text"] for draft in refused)
    assert "redis://" in texts
    assert "@example.com" in texts
    assert "AI assistants" in texts
    assert all(
        draft in refused for draft in rows("orbit/proposals.jsonl") if draft["kind"] in {"preference", "procedure"}
    )


@pytest.mark.parametrize("store", STORES)
def test_queries_refer_to_curated_notes(store: str) -> None:
    keys = {note["key"] for note in rows(f"{store}/curated.jsonl")}
    queries = rows(f"{store}/queries.jsonl")
    assert max(Counter(query["id"] for query in queries).values()) == 1
    for query in queries:
        assert query["query"].strip()
        assert {*query["relevant"], *query.get("expect", []), *query.get("never", [])} <= keys
        assert not (query.get("expect_none") and query["relevant"])


def test_repeat_queries_ask_in_the_words_of_the_issue_for_the_note_of_its_original() -> None:
    queries = {query["issue"]: query for query in rows("orbit/queries.jsonl") if query["issue"]}
    sources = {note["key"]: note["source"] for note in rows("orbit/curated.jsonl")}
    assert set(queries) == set(REPEATS) | NOVEL
    for number, query in queries.items():
        issue = issues()[number]
        assert query["query"].startswith(issue["title"])
        assert query["query"].removeprefix(issue["title"] + ". ") in one_line(issue["body"])
        expected = [f"issue:{REPEATS[number]}"] if number in REPEATS else []
        assert [sources[key] for key in query["relevant"]] == expected


def test_nobody_in_the_demo_data_has_a_real_address() -> None:
    files = [*DATASETS.rglob("*.jsonl"), *DATASETS.rglob("*.md")]
    assert files
    for file in files:
        for domain in MAIL_DOMAIN.findall(file.read_text(encoding="utf-8")):
            assert domain.endswith(RESERVED_DOMAINS), f"{file.name}: {domain}"
