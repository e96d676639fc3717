"""Figures on labelled files, through the same index that the product recalls with."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from memories.embedding import Embedder, embed_query, pack
from memories.embedding.base import Vectors
from memories.index.codes import NEVER, STATUSES
from memories.index.columns import Row
from memories.index.differences import compare
from memories.index.resident import ResidentIndex
from memories.index.terms import pack_terms, terms

DEPTHS = (1, 3, 5, 10)
STEPS = [round(0.5 + 0.01 * step, 2) for step in range(50)]


Item = Mapping[str, Any]


def evaluate_recall(notes: Sequence[Item], queries: Sequence[Item], embedder: Embedder) -> dict[str, float]:
    """Mean recall@k (share of the relevant notes) and hit@k (any of them) for k in 1, 3, 5, 10.

    Notes are `{id, text, group?}`, queries `{query, relevant: [id], group?}`; a query searches its group.
    Raises ValueError for a row that cannot be measured.
    """
    _check(notes, "notes", "id", "text")
    _check(queries, "queries", "query", "relevant")
    groups: dict[Any, list[Item]] = defaultdict(list)
    for note in notes:
        groups[note.get("group")].append(note)
    indexes = {group: _index(members, embedder) for group, members in groups.items()}
    totals: dict[str, float] = defaultdict(float)
    for number, query in enumerate(queries, start=1):
        relevant, group = set(query["relevant"]), query.get("group")
        if not relevant:
            raise ValueError(f"Query {number} names no relevant note, so there is nothing to find.")
        if group not in groups:
            raise ValueError(f"Query {number}: group {group!r} has no notes.")
        ranked = [groups[group][at]["id"] for at in _ranked(query["query"], indexes[group], embedder)]
        for k in DEPTHS:
            found = len(relevant.intersection(ranked[:k]))
            totals[f"recall@{k}"] += found / len(relevant)
            totals[f"hit@{k}"] += found > 0
    return {"queries": len(queries)} | {name: total / len(queries) for name, total in totals.items()}


def evaluate_dedupe(pairs: Sequence[Item], embedder: Embedder, threshold: float) -> dict[str, dict[str, float]]:
    """Share of pairs merged at `threshold`, by kind and altogether, for pairs `{a, b, same, kind?}`."""
    cosines = _cosines(pairs, embedder)
    counts: dict[str, list[bool]] = defaultdict(list)
    for pair, cosine in zip(pairs, cosines, strict=True):
        merged = compare(pair["a"], pair["b"], float(cosine), threshold) == "duplicate"
        same = "same" if pair["same"] else "different"
        for name in (same, f"{same}: {pair.get('kind', 'pair')}"):
            counts[name].append(merged)
    return {name: {"pairs": len(m), "merged": sum(m) / len(m)} for name, m in sorted(counts.items())}


def tune_dedupe(pairs: Sequence[Item], embedder: Embedder) -> list[dict[str, float]]:
    """A row a threshold: shares of same and of different pairs merged, by cosine alone and guarded.

    Guarded means that nothing that matters may differ, as the product merges.
    """
    cosines = _cosines(pairs, embedder)
    same = np.array([bool(pair["same"]) for pair in pairs])
    if same.all() or not same.any():
        raise ValueError("Tuning takes both same and different pairs: label some of each.")
    alike = np.array([compare(pair["a"], pair["b"], 1.0, 0.0) == "duplicate" for pair in pairs])
    table = []
    for threshold in STEPS:
        near = cosines >= threshold
        table.append(
            {
                "threshold": threshold,
                "same_by_cosine": float(near[same].mean()),
                "different_by_cosine": float(near[~same].mean()),
                "same_guarded": float((near & alike)[same].mean()),
                "different_guarded": float((near & alike)[~same].mean()),
            }
        )
    return table


def _index(notes: Sequence[Item], embedder: Embedder) -> ResidentIndex:
    index = ResidentIndex(embedder.width)
    vectors = embedder.embed([note["text"] for note in notes])
    approved = STATUSES.index("approved")
    index.put(
        Row(number, 0, approved, 0, 0, NEVER, "", (), pack(vector), pack_terms(terms(note["text"])))
        for number, (note, vector) in enumerate(zip(notes, vectors, strict=True))
    )
    return index


def _ranked(text: str, index: ResidentIndex, embedder: Embedder) -> list[int]:
    hits = index.search(embed_query(embedder, text), terms(text), k=max(DEPTHS))
    return [hit.id for hit in hits]


def _check(items: Sequence[Item], what: str, *keys: str) -> None:
    if not items:
        raise ValueError(f"There are no {what} to measure with.")
    for number, item in enumerate(items, start=1):
        missing = [key for key in keys if key not in item]
        if missing:
            raise ValueError(f"Row {number} of the {what} lacks {missing[0]!r}.")


def _cosines(pairs: Sequence[Item], embedder: Embedder) -> Vectors:
    _check(pairs, "pairs", "a", "b", "same")
    left = embedder.embed([pair["a"] for pair in pairs])
    right = embedder.embed([pair["b"] for pair in pairs])
    cosines: Vectors = (left * right).sum(axis=1)
    return cosines
