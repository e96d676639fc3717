"""`manage.py embed_waiting`: finish what was proposed while the embedder was out of reach."""

from argparse import ArgumentParser
from typing import Any

from memories.counts import counted
from memories.management.base import StoreCommand
from memories.models import Store
from memories.waiting import embed_waiting


class Command(StoreCommand):
    help = "Embed the notes that wait for an embedder that could not be reached."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--store", metavar="SLUG", help="only this store")

    def handle(self, *args: Any, **options: Any) -> None:
        stores = [self.store(options["store"])] if options["store"] else list(Store.objects.all())
        for store in stores:
            self.stdout.write(f"{store.slug}: {counted(embed_waiting(store, self.actor), 'note')} embedded.")
