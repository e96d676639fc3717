"""Tables and their migrations."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from memories.index import KINDS, ORIGINS, STATUSES
from memories.models import Kind, Memory, Origin, Status, Store
from tests.helpers import make_store, proposed


def test_no_migration_is_missing(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_migrations_have_names_that_say_what_they_do() -> None:
    names = [name for app, name in MigrationLoader(None).disk_migrations if app == "memories"]
    assert names
    for name in names:
        assert re.fullmatch(r"\d{4}_[a-z0-9]+(_[a-z0-9]+)+", name)
        assert "auto" not in name.split("_")


@pytest.mark.django_db(transaction=True)
def test_migrations_go_back_to_nothing_and_up_again() -> None:
    try:
        call_command("migrate", "memories", "zero", verbosity=0)
        left = [name for name in connection.introspection.table_names() if name.startswith("memories_")]
        assert left == []
    finally:
        call_command("migrate", verbosity=0)
    note = proposed(make_store(), "Leases last 30 seconds.")
    assert Memory.objects.get() == note


def test_the_index_and_the_tables_use_the_same_words() -> None:
    assert set(KINDS) == set(Kind.values)
    assert set(STATUSES) == set(Status.values)
    assert set(ORIGINS) == set(Origin.values)
    assert list(ORIGINS) == Origin.values, "from the best to the lowest"


def test_the_revision_grows_by_one_even_where_the_row_was_loaded_long_ago(store: Store) -> None:
    loaded_before = Store.objects.get(pk=store.pk)
    assert store.next_revision() == 1
    assert loaded_before.next_revision() == 2
    assert Store.objects.get(pk=store.pk).revision == 2


def test_no_row_shows_a_text_where_it_is_named(store: Store) -> None:
    note = proposed(store, "Leases last 30 seconds.")
    assert "Leases" not in str(note) + repr(note) + "".join(repr(row) for row in note.sources.all())


def test_every_model_can_be_named(store: Store) -> None:
    for model in apps.get_app_config("memories").get_models():
        assert model.__str__ is not object.__str__, model
