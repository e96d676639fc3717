"""Who may see and do what in which store."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404

from memories.access import in_store, membership, role_of, stores_of
from memories.audit import Actor
from memories.models import Memory, Role, Store
from tests.helpers import CAST, make_cast, make_store, outsider, proposed


@pytest.mark.parametrize("name", list(CAST))
@pytest.mark.parametrize("asked", list(Role))
def test_each_role_may_do_all_that_the_ones_below_it_may(
    store: Store, cast: dict[str, User], name: str, asked: Role
) -> None:
    if CAST[name] >= asked:
        assert membership(cast[name], store.slug, asked).store == store
    else:
        with pytest.raises(PermissionDenied, match=str(asked.label)):
            membership(cast[name], store.slug, asked)


def test_another_persons_store_looks_like_none(store: Store, cast: dict[str, User]) -> None:
    sam = outsider()
    for slug in (store.slug, "no-such-store", "", "../orbit"):
        with pytest.raises(Http404) as error:
            membership(sam, slug)
        assert "orbit" not in str(error.value)
    assert [found.slug for found in stores_of(sam)] == ["travel"]
    assert [found.slug for found in stores_of(cast["tove"])] == ["orbit"]


def test_a_superuser_without_a_role_is_a_stranger(store: Store) -> None:
    root = User.objects.create(username="root", is_superuser=True, is_staff=True)
    with pytest.raises(Http404):
        membership(root, store.slug)
    assert role_of(Actor.person(root), store) is None


def test_a_row_of_another_store_is_not_found(store: Store) -> None:
    note = proposed(make_store("travel"), "Leases last 30 seconds.")
    with pytest.raises(Http404):
        in_store(Memory.objects.all(), store, note.pk)
    assert in_store(Memory.objects.all(), note.store, note.pk) == note


def test_agents_and_commands_have_no_role(store: Store, cast: dict[str, User]) -> None:
    assert role_of(Actor.agent("mara"), store) is None
    assert role_of(Actor.command("propose"), store) is None
    assert role_of(Actor.person(cast["mara"]), store) == Role.MAINTAINER


def test_a_role_in_one_store_is_none_in_another(store: Store, cast: dict[str, User]) -> None:
    elsewhere = make_store("travel")
    assert role_of(Actor.person(cast["olga"]), elsewhere) is None
    make_cast(elsewhere)
    assert role_of(Actor.person(cast["olga"]), elsewhere) == Role.OWNER


def test_a_very_long_agent_name_fits_its_column() -> None:
    assert len(Actor.agent("a" * 500).label) == 160
