"""`manage.py fill`: a store of real size to try things out in."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from memories.counts import counted
from memories.fill import fill
from memories.management.base import StoreCommand
from memories.storage import refresh_statistics


class Command(StoreCommand):
    help = "Fill a store with made-up notes, by default a million. Use a store that nobody works in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--count", type=int, default=1_000_000)
        parser.add_argument("--yes", action="store_true", help="also where the store holds notes")

    def handle(self, *args: Any, **options: Any) -> None:
        store = self.store(options["store"])
        if options["count"] < 1:
            raise CommandError("Ask for at least one note with --count.")
        if not options["yes"] and store.memories.exists():
            raise CommandError(
                f"{store.slug} holds notes, and made-up ones would be recalled beside them: "
                "make a store of its own with add_store, or add --yes."
            )
        with tqdm(total=options["count"], unit=" notes", disable=None) as bar:
            fill(store, options["count"], self.actor, bar.update)
        refresh_statistics()
        self.stdout.write(f"{store.slug}: {counted(options['count'], 'made-up note')} added.")
