"""`manage.py add_person`: somebody who can sign in."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from memories.management.base import AtlasCommand, refuse_credentials


class Command(AtlasCommand):
    help = "Add a person, or give one a fresh password; owners make them members in a store's settings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the name to sign in with")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_credentials(options["name"])
        person = User.objects.filter(username=options["name"]).first() or User(username=options["name"])
        password = secrets.token_urlsafe(12)
        person.set_password(password)
        try:
            person.full_clean()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        person.save()
        self.stdout.write(f"{person.get_username()} signs in with {password} and should change it under their name.")
