"""`manage.py forget`: delete notes for good, with a receipt."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from memories.forget import Changed, Preview, Selection, forget, preview
from memories.management.base import StoreCommand
from memories.models import Receipt, Store
from memories.receipts import clean_up

MANY = 10


class Command(StoreCommand):
    help = "Forget notes for good: rows, earlier texts, evidence, vectors and words."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--id", type=int, action="append", default=[], metavar="N", help="this note; may be repeated"
        )
        parser.add_argument("--source", default="", metavar="SRC", help="every note learnt from this source")
        parser.add_argument("--query", default="", metavar="Q", help="every note that scores --min-score for this text")
        parser.add_argument("--min-score", type=float, default=0.0, metavar="X")
        parser.add_argument("--dry-run", action="store_true", help="show what would go and change nothing")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        store = self.store(options["store"])
        try:
            selection = Selection(
                ids=tuple(options["id"]),
                source=options["source"],
                query=options["query"],
                minimum_score=options["min_score"],
            )
            self._forget(store, selection, options["dry_run"], options["yes"])
        except (ValueError, Changed) as error:
            raise CommandError(str(error)) from None

    def _forget(self, store: Store, selection: Selection, dry_run: bool, sure: bool) -> None:
        seen = preview(store, selection)
        self._show(seen)
        if dry_run:
            return
        if not seen.count:
            # The last run may have been killed after its last note and before it had cleaned up.
            if cleaning := clean_up([store]):
                self.stdout.write(f"Earlier deletions were not finished. {cleaning.sentence}")
            return
        if not sure:
            self._ask(seen.count)
        self._print(forget(store, selection, self.actor, fingerprint=seen.fingerprint))

    def _show(self, seen: Preview) -> None:
        parts = ", ".join(f"{count:,} {status}" for status, count in sorted(seen.by_status.items()))
        self.stdout.write(f"{seen.count:,} notes" + (f": {parts}." if parts else "."))
        if seen.with_other_sources:
            self.stdout.write(f"{seen.with_other_sources:,} of them were learnt from other sources as well.")
        for note in seen.sample:
            self.stdout.write(f"  #{note.pk} [{note.kind} · {note.source} · {note.observed_at:%Y-%m-%d}] {note.text}")
        if seen.count > len(seen.sample):
            self.stdout.write(f"  … and {seen.count - len(seen.sample):,} more.")

    def _ask(self, count: int) -> None:
        wanted = str(count) if count > MANY else "yes"
        try:
            given = input(f"This cannot be undone. Type {wanted} to forget them: ").strip().replace(",", "")
        except EOFError:
            given = ""
        if given != wanted:
            raise CommandError("Nothing was forgotten.")

    def _print(self, receipt: Receipt) -> None:
        self.stdout.write(f"Receipt {receipt.operation}: {receipt.count:,} notes forgotten.")
        for sentence in receipt.traces:
            self.stdout.write(f"  {sentence}")
