"""From an empty database to a store that somebody owns, on the command line alone."""

from __future__ import annotations

import io
import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from memories.models import AuditEvent, Membership, Role, Store

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_a_person_gets_a_password_that_works() -> None:
    password = re.search(r"signs in with (\S+)", run("add_person", "ada"))
    assert password
    assert User.objects.get(username="ada").check_password(password[1])
    assert not User.objects.get(username="ada").is_staff


def test_a_second_time_gives_a_fresh_password_to_the_same_person() -> None:
    run("add_person", "ada")
    before = User.objects.get().password
    run("add_person", "ada")
    assert User.objects.get().password != before


def test_a_store_belongs_to_its_owner_with_the_embedders_measured_values() -> None:
    run("add_person", "ada")
    run("add_store", "product", "--owner", "ada", "--name", "Our product", "--embedder", "hashed")
    store = Store.objects.get(slug="product")
    assert (store.name, store.embedder, store.width) == ("Our product", "hashed", 256)
    assert Membership.objects.get(store=store).role == Role.OWNER
    assert AuditEvent.objects.get(store=store).action == "members"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add_store", "product", "--owner", "nobody"), "add_person"),
        (("add_store", "not a slug", "--owner", "ada"), "letters"),
        (("add_store", "taken", "--owner", "ada"), "exists"),
        (("add_store", "product", "--owner", "ada", "--embedder", "foo"), "no embedder"),
        (("add_person", "two words"), "valid username"),
    ],
)
def test_what_cannot_be_added_is_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    run("add_person", "ada")
    run("add_store", "taken", "--owner", "ada")
    with pytest.raises(CommandError, match=said):
        run(*arguments)
    assert Store.objects.count() == 1
    assert User.objects.count() == 1
