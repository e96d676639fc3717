"""`manage.py sweep`: the retention job, for cron."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from memories.counts import counted
from memories.management.base import StoreCommand
from memories.models import Store
from memories.storage import refresh_statistics
from memories.sweep import ClockJumped, check_clock, due, sweep


class Command(StoreCommand):
    help = "Delete the notes that have outlived their time to live, their own end date or their rejection."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--store", metavar="SLUG", help="only this store")
        parser.add_argument("--dry-run", action="store_true", help="name what would go and change nothing")
        parser.add_argument("--trust-clock", action="store_true", help="sweep even if the clock seems to have jumped")

    def handle(self, *args: Any, **options: Any) -> None:
        stores = [self.store(options["store"])] if options["store"] else list(Store.objects.all())
        failures = []
        for store in stores:
            try:
                self._sweep(store, options["dry_run"], options["trust_clock"])
            except ClockJumped as error:
                failures.append(str(error))
        if not options["dry_run"]:
            refresh_statistics()
        if failures:
            raise CommandError(" ".join(failures))

    def _sweep(self, store: Store, dry_run: bool, trust_clock: bool) -> None:
        if not dry_run:
            swept = sweep(store, self.actor, trust_clock=trust_clock)
            self.stdout.write(f"{store.slug}: {counted(swept, 'note')} swept.")
            return
        now, count = timezone.now(), 0
        if not trust_clock:
            check_clock(store, now)
        for note in due(store, now):
            count += 1
            self.stdout.write(f"{store.slug}: #{note.id} {note.kind} of {note.observed_at:%Y-%m-%d}, {note.reason}")
        self.stdout.write(f"{store.slug}: {counted(count, 'note')} would be swept.")
