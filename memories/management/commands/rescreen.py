"""`manage.py rescreen`: look at stored notes again with today's rules."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from memories.counts import counted
from memories.management.base import StoreCommand
from memories.models import Store
from memories.rescreen import Rescreened, newly_failing, rescreen
from memories.wording import policy_of


class Command(StoreCommand):
    help = (
        "Put notes that fail the filter's rules of today back into the inbox, where they are recalled no more; "
        "evidence that must not be kept goes for good."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--dry-run", action="store_true", help="name them and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        store = self.store(options["store"])
        if not options["dry_run"]:
            self._report(store, rescreen(store, self.actor))
            return
        for failing in newly_failing(store, policy_of(store)):
            sentences = dict.fromkeys(finding.sentence for finding in failing.findings)
            if failing.earlier:
                sentences["An earlier text holds something that must not be kept."] = None
            self.stdout.write(f"#{failing.note.pk} {failing.note.status}: {' '.join(sentences)}")

    def _report(self, store: Store, done: Rescreened) -> None:
        self.stdout.write(f"{store.slug}: {counted(done.put_back, 'note')} put back into the inbox.")
        if done.emptied:
            self.stdout.write(
                f"{store.slug}: {counted(done.emptied, 'note')} lost evidence or an earlier text that must not be kept."
            )
        if done.cleaning:
            self.stdout.write(done.cleaning.sentence)
            if not done.cleaning.complete:
                raise CommandError("What was deleted may still be in the database's files: run `manage.py compact`.")
