"""`manage.py export_notes`: everything that is kept about some sources, for a data request."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from memories.audit import record
from memories.counts import counted
from memories.export import FORMATS, export
from memories.management.base import StoreCommand
from memories.models import Action
from memories.queries import NoteFilter
from memories.redact import fit_to_record


class Command(StoreCommand):
    help = "Export notes of every status with their sources, evidence and earlier texts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--source", default="", metavar="SRC", help="only notes learnt from exactly this source")
        parser.add_argument("--source-prefix", default="", metavar="P", help="only notes learnt from such sources")
        parser.add_argument("--format", choices=FORMATS, default="jsonl")
        parser.add_argument("--output", metavar="FILE", help="write here instead of standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        store = self.store(options["store"])
        asked = {name: options[name] for name in ("source", "source_prefix") if options[name]}
        try:
            notes = NoteFilter.from_query(asked | {"sort": "added"}).apply(store)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        count = notes.count()
        pieces = export(notes, options["format"])
        if options["output"]:
            write_whole(Path(options["output"]), pieces)
        # Before the first piece goes out, since whoever reads them may stop half way.
        details = fit_to_record(asked | {"format": options["format"]}, store)
        record(store, self.actor, Action.EXPORTED, count=count, details=details)
        if not options["output"]:
            for piece in pieces:
                self.stdout.write(piece, ending="")
        print(f"{counted(count, 'note')} exported.", file=sys.stderr)


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write a file for the owner's eyes only, under its name only once it is whole."""
    part = path.with_name(path.name + ".part")
    try:
        part.touch(mode=0o600)
        with part.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise CommandError(f"{path} cannot be written: {error.strerror}. Nothing was exported.") from None
