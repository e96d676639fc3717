"""Figures on labelled files."""

import pytest

from memories.embedding import get_embedder
from memories.index.evaluate import evaluate_dedupe, evaluate_recall, tune_dedupe

NOTES = [
    {"id": "a", "group": "one", "text": "The broker stores leases in Redis."},
    {"id": "b", "group": "one", "text": "Tea is served at five."},
    {"id": "c", "group": "two", "text": "Leases expire after 30 seconds."},
]
PAIRS = [
    {"a": "The lease lasts 30s.", "b": "The lease lasts 30 seconds", "same": 1, "kind": "wording"},
    {"a": "The lease lasts 30s.", "b": "The lease lasts 60s.", "same": 0, "kind": "number"},
    {"a": "The lease lasts 30s.", "b": "Tea is served at five.", "same": 0, "kind": "topic"},
]


@pytest.fixture
def embedder():
    return get_embedder("hashed")


def test_a_query_searches_its_own_group(embedder):
    queries = [{"query": "when do leases expire", "group": "one", "relevant": ["c"]}]
    assert evaluate_recall(NOTES, queries, embedder)["hit@10"] == 0


def test_recall_is_a_share_and_a_hit_is_any(embedder):
    queries = [{"query": "where are leases stored", "group": "one", "relevant": ["a", "b"]}]
    figures = evaluate_recall(NOTES, queries, embedder)
    assert figures["queries"] == 1
    assert (figures["recall@1"], figures["hit@1"], figures["recall@3"]) == (0.5, 1, 1)


def test_groups_are_optional(embedder):
    notes = [{"id": note["id"], "text": note["text"]} for note in NOTES]
    queries = [{"query": "tea", "relevant": ["b"]}]
    assert evaluate_recall(notes, queries, embedder)["hit@1"] == 1


def test_only_another_wording_is_merged(embedder):
    figures = evaluate_dedupe(PAIRS, embedder, threshold=0.3)
    assert figures["same"] == {"pairs": 1, "merged": 1.0}
    assert figures["different"] == {"pairs": 2, "merged": 0.0}
    assert figures["different: number"] == {"pairs": 1, "merged": 0.0}


def test_the_table_shows_what_the_guard_saves(embedder):
    table = tune_dedupe(PAIRS, embedder)
    low = table[0]
    assert low["different_by_cosine"] == 0.5
    assert low["different_guarded"] == 0
    assert [line["threshold"] for line in table] == sorted(line["threshold"] for line in table)


@pytest.mark.parametrize(
    ("notes", "queries", "complaint"),
    [
        ([], [{"query": "tea", "relevant": ["b"]}], "no notes"),
        (NOTES, [], "no queries"),
        (NOTES, [{"query": "tea", "group": "three", "relevant": ["b"]}], "group 'three' has no notes"),
        (NOTES, [{"query": "tea", "group": "one", "relevant": []}], "names no relevant note"),
        ([{"id": 1}], [{"query": "tea", "relevant": [1]}], "lacks 'text'"),
    ],
)
def test_a_file_that_cannot_be_measured_says_why(embedder, notes, queries, complaint):
    with pytest.raises(ValueError, match=complaint):
        evaluate_recall(notes, queries, embedder)


def test_pairs_of_one_sort_only_say_why(embedder):
    with pytest.raises(ValueError, match="both same and different pairs"):
        tune_dedupe(PAIRS[:1], embedder)
