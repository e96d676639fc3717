"""`manage.py health`: what is wrong, and how to mend it."""

import sys
from argparse import ArgumentParser
from typing import Any

from memories.counts import counted
from memories.health import database_problems, problems
from memories.management.base import StoreCommand
from memories.models import Store


class Command(StoreCommand):
    help = "Check the database and the stores; exit code 1 where something is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--store", metavar="SLUG", help="only this store")

    def handle(self, *args: Any, **options: Any) -> None:
        stores = [self.store(options["store"])] if options["store"] else list(Store.objects.all())
        found = list(database_problems())
        for store in stores:
            found += [f"{store.slug}: {problem}" for problem in problems(store)]
        self.stdout.write("\n".join(found) or f"{counted(len(stores), 'store is', 'stores are')} in good health.")
        if found:
            sys.exit(1)
