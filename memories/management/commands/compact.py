"""`manage.py compact`: rebuild the database file."""

from typing import Any

from memories.management.base import AtlasCommand
from memories.storage import compact


class Command(AtlasCommand):
    help = "Rebuild the database file from what is still in it, and empty the write-ahead log."

    def handle(self, *args: Any, **options: Any) -> None:
        compact()
        self.stdout.write("The database file was rebuilt.")
