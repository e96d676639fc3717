"""`manage.py screen`: the write filter alone."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import CommandError

from memories.counts import counted
from memories.intake import Read, read_shapes
from memories.management.base import StoreCommand
from memories.management.lines import opened
from memories.models import Kind
from memories.screening import Policy, screen
from memories.wording import policy_of


class Command(StoreCommand):
    help = "Screen the texts in FILE, JSON lines with text and, optionally, id and kind. Nothing is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a file of JSON lines; - is standard input")
        parser.add_argument("--store", metavar="SLUG", help="use this store's policy instead of the default")
        parser.add_argument("--json", action="store_true", help="print a verdict a line")

    def handle(self, *args: Any, **options: Any) -> None:
        policy = policy_of(self.store(options["store"])) if options["store"] else Policy()
        found: Counter[str] = Counter()
        with opened(options["file"]) as file:
            for read in map(with_text, read_shapes(file)):
                found["bad" if read.rule else "sound"] += 1
                self._print(*judged(read, policy), as_json=options["json"])
        if not found:
            raise CommandError(f"{options['file']} holds no texts: write one JSON object a line.")
        if found["bad"]:
            raise CommandError(f"{counted(found['bad'], 'line')} of {options['file']} could not be read.")

    def _print(self, name: Any, decision: str, rules: list[str], sentences: list[str], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({"id": name, "verdict": decision, "rules": rules}))
        else:
            self.stdout.write(f"{name}: {decision}. {' '.join(sentences)}".rstrip())


def with_text(read: Read) -> Read:
    """A line as it was read; one without a text to screen says so."""
    if read.rule or (isinstance(read.shape, dict) and isinstance(read.shape.get("text"), str)):
        return read
    return Read(read.number, rule="line.no-text", sentence="The line is no JSON object with a text: give it one.")


def judged(read: Read, policy: Policy) -> tuple[Any, str, list[str], list[str]]:
    """A line's name, and what the filter says of its text; what cannot be read is refused for that."""
    if read.rule:
        return read.number, "refuse", [read.rule], [read.sentence]
    row = read.shape
    # Labelled files name their own classes as kind: what is no kind of note is screened as a fact.
    kind = row.get("kind") if row.get("kind") in Kind.values else Kind.FACT
    verdict = screen(row["text"], str(kind), policy)
    return row.get("id", read.number), verdict.decision, verdict.rules, verdict.sentences
