"""What the commands share: finding a store, and one clear sentence for what goes wrong."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, OperationalError

from memories.audit import Actor
from memories.embedding import EmbedderError
from memories.models import Store
from memories.redact import holds_credential
from memories.screening import Policy
from memories.wording import PolicyUnreadable


class AtlasCommand(BaseCommand):
    """A command whose expected failures end in one sentence and exit code 1."""

    requires_system_checks: list[str] = []

    @property
    def actor(self) -> Actor:
        return Actor.command(type(self).__module__.rpartition(".")[2])

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (EmbedderError, PolicyUnreadable) as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            sentence = explain_database(error)
            if sentence is None:
                raise
            raise CommandError(sentence) from None
        except BrokenPipeError:
            return None


class StoreCommand(AtlasCommand):
    """A command on one store, named by `--store`."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--store", required=True, metavar="SLUG", help="short name of the store")

    def store(self, slug: str) -> Store:
        """Look the store up. Raises CommandError, naming the stores there are."""
        found = Store.objects.filter(slug=slug).first()
        if found is None:
            names = (
                ", ".join(Store.objects.values_list("slug", flat=True)) or "none yet; `manage.py add_store` adds one"
            )
            raise CommandError(f"There is no store {slug!r}. Stores: {names}.")
        return found


def refuse_credentials(*given: str) -> None:
    """Raise CommandError where a value that would be written down as it is holds a credential."""
    if any(holds_credential(value, Policy()) for value in given):
        raise CommandError("This holds a secret, which must not be kept: give another name.")


def explain_database(error: DatabaseError) -> str | None:
    """One sentence for what SQLite or the server says; None for what is no trouble of the database but a fault here."""
    said = str(error)
    if "no such table" in said or "does not exist" in said:
        return "The database has no tables yet: run `manage.py migrate` first."
    if "readonly" in said or "unable to open" in said:
        return "The database cannot be written: check who owns the data directory, and its permissions."
    if "full" in said:
        return "The disk is full: nothing of the last step was kept; free some space and run the command again."
    if "disk I/O" in said:
        return "The disk took no more: nothing of the last step was kept; mend that and run the command again."
    if "locked" in said:
        return "Another process has held the database for half a minute: run the command again when it is done."
    if "malformed" in said or "not a database" in said:
        return "The database file is damaged: restore the last backup."
    return f"The database answered: {said}." if isinstance(error, OperationalError) else None
