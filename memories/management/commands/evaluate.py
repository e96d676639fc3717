"""`manage.py evaluate`: figures on labelled files, through the same code that the product runs."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from memories.embedding import Embedder, get_embedder, measured
from memories.index.evaluate import evaluate_dedupe, evaluate_recall
from memories.management.base import AtlasCommand
from memories.management.lines import read_objects
from memories.screening.evaluate import evaluate as evaluate_screen


class Command(AtlasCommand):
    help = "Measure recall, the write filter or the duplicate check on labelled JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", required=True, metavar="recall|screen|dedupe")
        recall = what.add_parser("recall", help="notes {id, text, group?}, queries {query, relevant: [id], group?}")
        recall.add_argument("--notes", required=True, metavar="F")
        recall.add_argument("--queries", required=True, metavar="F")
        screen = what.add_parser("screen", help="rows {text, refuse: 1 or 0, kind}")
        screen.add_argument("files", nargs="+", metavar="FILE")
        dedupe = what.add_parser("dedupe", help="pairs {a, b, same: 1 or 0, kind?}")
        dedupe.add_argument("file", metavar="FILE")
        dedupe.add_argument("--threshold", type=float, help="cosine; the embedder's measured one unless given")
        for each in (recall, dedupe):
            each.add_argument("--embedder", default=settings.ENVIRONMENT.new_embedder)
        for each in (recall, screen, dedupe):
            each.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        measure = {"recall": self._recall, "screen": self._screen, "dedupe": self._dedupe}[options["what"]]
        try:
            figures = measure(options)
        except KeyError as error:
            raise CommandError(f"A row has no field {error}: see --help for the shapes.") from None
        except ValueError as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(figures, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(as_lines(figures)))

    def _recall(self, options: dict[str, Any]) -> dict[str, Any]:
        return dict(evaluate_recall(rows(options["notes"]), rows(options["queries"]), embedder(options)))

    def _screen(self, options: dict[str, Any]) -> dict[str, Any]:
        return {name: evaluate_screen(rows(name)) for name in options["files"]}

    def _dedupe(self, options: dict[str, Any]) -> dict[str, Any]:
        threshold = options["threshold"]
        if threshold is None:
            threshold = measured(options["embedder"]).dedupe
        return {"threshold": threshold, **evaluate_dedupe(rows(options["file"]), embedder(options), threshold)}


def rows(name: str) -> list[dict[str, Any]]:
    """All rows of a file. Raises CommandError where there is none."""
    found = [row for _number, row in read_objects(name)]
    if not found:
        raise CommandError(f"{name} has no rows: there is nothing to measure.")
    return found


def embedder(options: dict[str, Any]) -> Embedder:
    return get_embedder(options["embedder"])


def as_lines(figures: Mapping[str, Any]) -> list[str]:
    """Figures for a terminal: single ones a line each, groups of single ones as one table, what is deeper below."""
    deep = {name: value for name, value in figures.items() if isinstance(value, dict)}
    flat = {name: value for name, value in deep.items() if not any(isinstance(inner, dict) for inner in value.values())}
    lines = [f"{words(name):<28} {cell(value)}" for name, value in figures.items() if name not in deep]
    lines += table(flat) if flat else []
    for name, value in deep.items():
        if name not in flat:
            lines += [f"{name}:", *as_lines(value)]
    return lines


def table(rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """One line a row, under a line with the names of its figures."""
    names = [words(name) for name in next(iter(rows.values()))]
    widest = max(map(len, rows))
    lines = ["  ".join([" " * widest, *names])]
    for row, figures in rows.items():
        cells = [f"{cell(value):>{len(name)}}" for name, value in zip(names, figures.values(), strict=True)]
        lines.append("  ".join([row.ljust(widest), *cells]))
    return lines


def words(name: str) -> str:
    return {"median_us": "median, µs", "p99_us": "99th percentile, µs"}.get(name, name.replace("_", " "))


def cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
