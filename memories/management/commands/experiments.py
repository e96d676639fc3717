"""`manage.py experiments`: the table of the demo's experiments."""

import sys
from typing import Any

from memories.experiments import run_experiments
from memories.management.base import AtlasCommand


class Command(AtlasCommand):
    help = "Show on the demo data what curation, the version guard and the filter change; nothing is kept."

    def handle(self, *args: Any, **options: Any) -> None:
        rows = run_experiments()
        width = max(len(row.experiment) for row in rows)
        for row in rows:
            self.stdout.write(f"{'holds' if row.holds else 'FAILS'}  {row.experiment:<{width}}  {row.result}")
        if not all(row.holds for row in rows):
            sys.exit(1)
