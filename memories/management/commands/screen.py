"""`manage.py screen`: the write filter alone."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from memories.management.base import AtlasCommand
from memories.management.lines import read_objects
from memories.models import Store
from memories.screening import Policy, screen
from memories.wording import policy_of


class Command(AtlasCommand):
    help = "Screen the texts in FILE, JSON lines with text and, optionally, id and kind. Nothing is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a file of JSON lines; - is standard input")
        parser.add_argument("--store", metavar="SLUG", help="use this store's policy instead of the default")
        parser.add_argument("--json", action="store_true", help="print a verdict a line")

    def handle(self, *args: Any, **options: Any) -> None:
        store = Store.objects.filter(slug=options["store"]).first() if options["store"] else None
        policy = policy_of(store) if store else Policy()
        for number, row in read_objects(options["file"]):
            verdict = screen(str(row.get("text", "")), str(row.get("kind") or "fact"), policy)
            name = row.get("id", number)
            if options["json"]:
                self.stdout.write(json.dumps({"id": name, "verdict": verdict.decision, "rules": verdict.rules}))
            else:
                self.stdout.write(f"{name}: {verdict.decision}. {' '.join(verdict.sentences)}".rstrip())
