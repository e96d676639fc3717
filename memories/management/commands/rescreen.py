"""`manage.py rescreen`: look at stored notes again with today's rules."""

from argparse import ArgumentParser
from typing import Any

from memories.management.base import StoreCommand
from memories.rescreen import newly_failing, rescreen
from memories.wording import policy_of


class Command(StoreCommand):
    help = "Put notes that fail the filter's rules of today back into the inbox; approved ones are recalled no more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--dry-run", action="store_true", help="name them and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        store = self.store(options["store"])
        if not options["dry_run"]:
            self.stdout.write(f"{store.slug}: {rescreen(store, self.actor):,} notes put back into the inbox.")
            return
        for failing in newly_failing(store, policy_of(store)):
            self.stdout.write(f"#{failing.id} {failing.status}: {' '.join(failing.verdict.sentences)}")
