"""`manage.py propose`: take in drafts as JSON lines."""

from __future__ import annotations

import hashlib
import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, BinaryIO

from django.core.management.base import CommandError
from tqdm import tqdm

from memories.intake import Line, read_lines
from memories.management.base import StoreCommand
from memories.management.lines import opened
from memories.models import ImportProgress, Origin, Store
from memories.propose import Outcome, propose_many
from memories.schemas import FIELD_NAME

BATCH = 500


class Command(StoreCommand):
    help = "Propose the drafts in FILE, one JSON object a line (kind, text, source, evidence, …)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", help="a file of JSON lines; - is standard input")
        parser.add_argument("--origin", choices=Origin.values, help="how far to trust all of them")
        parser.add_argument("--json", action="store_true", help="print an outcome a line")

    def handle(self, *args: Any, **options: Any) -> None:
        store = self.store(options["store"])
        origin = Origin(options["origin"]) if options["origin"] else None
        counts: Counter[str] = Counter()
        ignored: set[str] = set()
        with digested(options["file"]) as (file, digest):
            progress = self._progress(store, digest)
            # A few lines are screened in no time; a bar is for the thousands, on a terminal.
            bar = tqdm(unit=" drafts", disable=None, delay=1, leave=False)
            lines = (line for line in read_lines(file) if line.number > progress.lines)
            while batch := list(islice(lines, BATCH)):
                for line, outcome in zip(batch, self._propose(store, batch, origin, progress), strict=True):
                    counts[outcome.outcome] += 1
                    ignored |= line.ignored
                    self._print(line, outcome, options["json"])
                bar.update(len(batch))
            bar.close()
        if progress.pk:
            progress.delete()
        if not counts and not progress.lines:
            raise CommandError(f"{options['file']} holds no drafts: write one JSON object a line.")
        self.stderr.write(self._summary(counts))
        if named := sorted(filter(FIELD_NAME.fullmatch, ignored)):
            self.stderr.write(f"Ignored, since drafts have no such fields: {', '.join(named)}.")

    def _progress(self, store: Store, digest: str) -> ImportProgress:
        if not digest:
            return ImportProgress(store=store)
        progress, new = ImportProgress.objects.get_or_create(store=store, digest=digest)
        if not new and progress.lines:
            self.stderr.write(f"Going on after line {progress.lines:,}, where the last run of this file was cut short.")
        return progress

    def _propose(
        self, store: Store, batch: list[Line], origin: Origin | None, progress: ImportProgress
    ) -> list[Outcome]:
        def note_progress() -> None:
            progress.lines = batch[-1].number
            # No row to change where another run of the same file has finished first.
            ImportProgress.objects.filter(pk=progress.pk).update(lines=progress.lines)

        drafts = [line.draft for line in batch if line.draft]
        outcomes = iter(propose_many(store, drafts, self.actor, origin=origin, within=note_progress))
        return [
            next(outcomes) if line.draft else Outcome("refused", rules=(line.rule,), sentences=(line.sentence,))
            for line in batch
        ]

    def _print(self, line: Line, outcome: Outcome, as_json: bool) -> None:
        if as_json:
            shown = {"line": line.number, "outcome": outcome.outcome, "id": outcome.id, "rules": list(outcome.rules)}
            self.stdout.write(json.dumps(shown))
        elif outcome.outcome == "refused":
            self.stdout.write(
                f"line {line.number}: refused ({', '.join(outcome.rules)}). {' '.join(outcome.sentences)}"
            )

    def _summary(self, counts: Counter[str]) -> str:
        words = {"proposed": "new", "conflict": "in conflict", "duplicate": "known already", "refused": "refused"}
        return ", ".join(f"{counts[name]:,} {word}" for name, word in words.items()) + "."


@contextmanager
def digested(name: str) -> Iterator[tuple[BinaryIO, str]]:
    """Open a file of drafts with its digest, by which an import cut short is known again; standard input has none."""
    with opened(name) as file:
        if name == "-":
            yield file, ""
            return
        digest = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type] # opened binary, so it has readinto
        file.seek(0)
        yield file, digest
