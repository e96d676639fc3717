"""`manage.py add_store`: a store and its first owner."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import transaction

from memories.embedding import default_width, measured
from memories.management.base import AtlasCommand, refuse_credentials
from memories.models import Role, Store
from memories.store_settings import set_member


class Command(AtlasCommand):
    help = "Add a store that an existing person owns; the owner adds the other members in its settings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="short name: letters, digits, - and _")
        parser.add_argument("--owner", required=True, metavar="NAME", help="who may change its settings and members")
        parser.add_argument("--name", metavar="NAME", help="as the console shows it; the short name unless given")
        parser.add_argument("--embedder", default=settings.ENVIRONMENT.new_embedder, metavar="E")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_credentials(options["slug"], options["name"] or "", options["embedder"])
        owner = User.objects.filter(username=options["owner"]).first()
        if owner is None:
            raise CommandError(f"There is no person {options['owner']!r}: run `manage.py add_person` first.")
        embedder = options["embedder"]
        thresholds = measured(embedder)
        store = Store(
            slug=options["slug"],
            name=options["name"] or options["slug"],
            embedder=embedder,
            width=default_width(embedder),
            dedupe_threshold=thresholds.dedupe,
            minimum_score=thresholds.minimum_score,
        )
        try:
            store.full_clean()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        with transaction.atomic():
            store.save()
            set_member(store, self.actor, owner, Role.OWNER)
        self.stdout.write(f"The store {store.slug} belongs to {owner.get_username()}, with the embedder {embedder}.")
