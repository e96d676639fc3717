"""`manage.py compact`: rebuild the database file."""

from typing import Any

from django.core.management.base import CommandError

from memories.management.base import AtlasCommand
from memories.models import Receipt
from memories.receipts import sign
from memories.storage import finish_deletion


class Command(AtlasCommand):
    help = "Rebuild the database file from what is still in it, and empty the write-ahead log."

    def handle(self, *args: Any, **options: Any) -> None:
        opened = list(Receipt.objects.filter(finished_at=None))
        cleaning = finish_deletion(however_large=True)
        sign(opened, cleaning)
        if not cleaning.complete:
            raise CommandError(cleaning.sentence)
        self.stdout.write(cleaning.sentence)
