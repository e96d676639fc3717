"""`manage.py check_recalls`: pinned queries as a regression test."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from memories.counts import counted
from memories.management.base import StoreCommand
from memories.models import Store
from memories.pinned import Check, check_all


class Command(StoreCommand):
    help = "Ask every pinned query as an agent would; exit code 1 where one does not hold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--store", metavar="SLUG", help="only this store")
        parser.add_argument("--json", action="store_true", help="print one JSON object a query")

    def handle(self, *args: Any, **options: Any) -> None:
        stores = [self.store(options["store"])] if options["store"] else list(Store.objects.all())
        checks = [check for store in stores for check in check_all(store)]
        for check in checks:
            self.stdout.write(json.dumps(as_json(check), ensure_ascii=False) if options["json"] else as_line(check))
        failed = sum(not check.passed for check in checks)
        if not options["json"]:
            self.stdout.write(
                f"{len(checks) - failed} of {counted(len(checks), 'pinned query', 'pinned queries')} held."
            )
        if failed:
            sys.exit(1)


def as_json(check: Check) -> dict[str, Any]:
    """What one query answered, in plain types."""
    pinned = check.pinned
    return {
        "store": pinned.store.slug,
        "query": pinned.query,
        "note": pinned.memory_id,
        "must_recall": pinned.must_recall,
        "rank": check.rank,
        "passed": check.passed,
    }


def as_line(check: Check) -> str:
    """What one query answered, for a terminal."""
    wish = "must recall" if check.pinned.must_recall else "must never recall"
    result = "holds" if check.passed else "FAILS"
    pinned = check.pinned
    return f"{result}  {pinned.store.slug}: “{pinned.query}” {wish} note {pinned.memory_id}. {check.sentence}"
