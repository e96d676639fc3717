"""`manage.py sweep`: the retention job, for cron."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from memories.management.base import StoreCommand
from memories.models import Store
from memories.storage import refresh_statistics
from memories.sweep import RECORDS_KEPT, ClockJumped, check_clock, due, old_records, sweep_all


class Command(StoreCommand):
    help = "Delete the notes that have outlived their time to live, their own end date or their rejection."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--store", metavar="SLUG", help="only this store")
        parser.add_argument("--dry-run", action="store_true", help="name what would go and change nothing")
        parser.add_argument("--trust-clock", action="store_true", help="sweep even if the clock seems to have jumped")

    def handle(self, *args: Any, **options: Any) -> None:
        stores = [self.store(options["store"])] if options["store"] else list(Store.objects.all())
        if options["dry_run"]:
            problems = [self._name(store, options["trust_clock"]) for store in stores]
        else:
            problems = self._sweep(stores, options["trust_clock"])
            refresh_statistics()
        if any(problems):
            raise CommandError(" ".join(filter(None, problems)))

    def _sweep(self, stores: list[Store], trust_clock: bool) -> list[str]:
        """Sweep, say how many notes went, and return what went wrong."""
        swept, cleaning = sweep_all(stores, self.actor, trust_clock=trust_clock)
        for one in swept:
            if not one.problem:
                self.stdout.write(f"{one.store.slug}: {one.gone:,} notes swept.")
        if cleaning and not cleaning.complete:
            self.stderr.write(cleaning.sentence)
        return [one.problem for one in swept]

    def _name(self, store: Store, trust_clock: bool) -> str:
        """Name what a sweep would take, and return what is wrong."""
        now, count = timezone.now(), 0
        try:
            if not trust_clock:
                check_clock(store, now)
        except ClockJumped as error:
            return str(error)
        for note in due(store, now):
            count += 1
            self.stdout.write(f"{store.slug}: #{note.id} {note.kind} of {note.observed_at:%Y-%m-%d}, {note.reason}")
        self.stdout.write(f"{store.slug}: {count:,} notes would be swept.")
        for name, rows in old_records(store, now).items():
            if old := rows.count():
                kept = RECORDS_KEPT[name][1].days
                self.stdout.write(f"{store.slug}: {old:,} {name} older than {kept} days would go.")
        return ""
