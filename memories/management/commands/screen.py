"""`manage.py screen`: the write filter alone."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from memories.management.base import StoreCommand
from memories.management.lines import read_objects
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
        number = 0
        for number, row in read_objects(options["file"]):
            # Labelled files name their own classes as kind: what is no kind of note is screened as a fact.
            kind = row.get("kind") if row.get("kind") in Kind.values else Kind.FACT
            verdict = screen(str(row.get("text", "")), str(kind), policy)
            name = row.get("id", number)
            if options["json"]:
                self.stdout.write(json.dumps({"id": name, "verdict": verdict.decision, "rules": verdict.rules}))
            else:
                self.stdout.write(f"{name}: {verdict.decision}. {' '.join(verdict.sentences)}".rstrip())
        if not number:
            raise CommandError(f"{options['file']} holds no texts: write one JSON object a line.")
