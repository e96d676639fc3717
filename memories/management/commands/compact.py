"""`manage.py compact`: rebuild the database file."""

from typing import Any

from django.core.management.base import CommandError

from memories.forget import sign_open
from memories.management.base import AtlasCommand
from memories.models import Store
from memories.storage import finish_deletion


class Command(AtlasCommand):
    help = "Rebuild the database file from what is still in it, and empty the write-ahead log."

    def handle(self, *args: Any, **options: Any) -> None:
        cleaning = finish_deletion(however_large=True)
        if not cleaning.complete:
            raise CommandError(cleaning.sentence)
        for store in Store.objects.all():
            sign_open(store, cleaning.sentence)
        self.stdout.write(cleaning.sentence)
