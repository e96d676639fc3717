"""`manage.py recall`: what an agent would be reminded of."""

from __future__ import annotations

import dataclasses
import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from memories.block import prompt_block
from memories.management.base import StoreCommand
from memories.models import Kind, Origin
from memories.queries import LARGEST_ID
from memories.recall import Recalled, recall, standing_preferences


class Command(StoreCommand):
    help = "Print the notes that QUERY recalls, with their scores, or the prompt block that holds them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("query", metavar="QUERY")
        parser.add_argument("-k", type=int, default=3, help="how many notes (3)")
        parser.add_argument("--kind", choices=Kind.values, action="append", default=[], help="only this kind")
        parser.add_argument("--min-score", type=float, help="0 to 1; the store's own unless given")
        parser.add_argument("--at-version", default="", metavar="V", help="only notes that hold for this version")
        parser.add_argument("--source-prefix", default="", metavar="P", help="only notes from such sources")
        parser.add_argument("--origin-at-least", choices=Origin.values, help="only notes trusted this far")
        parser.add_argument("--exclude", type=int, action="append", default=[], metavar="N", help="not this note")
        parser.add_argument("--block", action="store_true", help="print the prompt block")
        parser.add_argument("--preferences", action="store_true", help="begin the block with standing preferences")
        parser.add_argument("--max-tokens", type=int, default=400, help="cap of the block (400)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        store = self.store(options["store"])
        try:
            notes = recall(
                store,
                options["query"],
                k=options["k"],
                kinds=options["kind"],
                minimum_score=options["min_score"],
                version=options["at_version"],
                source_prefix=options["source_prefix"],
                origin_at_least=options["origin_at_least"],
                # What no note can have as its number excludes none.
                exclude=[number for number in options["exclude"] if 0 < number <= LARGEST_ID],
            )
        except ValueError as error:
            raise CommandError(str(error)) from None
        if options["block"]:
            first = standing_preferences(store) if options["preferences"] else []
            block = prompt_block(store, "", notes, preferences=first, max_tokens=options["max_tokens"])
            self.stdout.write(json.dumps(dataclasses.asdict(block)) if options["json"] else block.text)
        elif options["json"]:
            self.stdout.write(json.dumps({"notes": [as_json(note) for note in notes]}, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(map(as_line, notes)) or "Nothing is recalled above the minimum score.")


def as_json(note: Recalled) -> dict[str, Any]:
    """A recalled note in plain types."""
    return dataclasses.asdict(note) | {"observed_at": note.observed_at.isoformat(), "words": list(note.words)}


def as_line(note: Recalled) -> str:
    """A recalled note for a terminal."""
    scores = f"{note.score:.3f} (meaning {note.meaning_score:.3f}, words {note.word_score:.3f})"
    return (
        f"{scores}  #{note.id} [{note.kind} · {note.source} · {note.origin} · {note.observed_at:%Y-%m-%d}] {note.text}"
    )
