"""Who may see and do what: every door looks stores, notes and runs up here, and gets 404 for what is not theirs."""

from __future__ import annotations

from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, OuterRef, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from memories.audit import Actor
from memories.counts import RowCount
from memories.models import Membership, Memory, Role, Status, Store

WAITING_SHOWN = 99
Row = TypeVar("Row", bound=Model)


def stores_of(user: object) -> QuerySet[Store]:
    """Stores in which `user` has a role."""
    return Store.objects.filter(memberships__user=user).order_by("name")  # type: ignore[misc]


def by_waiting(user: object) -> list[Membership]:
    """The memberships of `user`, the store where most notes wait first, each with how many as `waiting`.

    Every page lists them, so none is counted beyond what is shown.
    """
    waiting = Memory.objects.filter(store=OuterRef("store"), status=Status.PROPOSED).order_by()
    counted = Membership.objects.annotate(waiting=RowCount(waiting.values("pk")[: WAITING_SHOWN + 1]))
    return list(counted.filter(user=user).select_related("store").order_by("-waiting", "store__name"))  # type: ignore[misc]


def membership(user: object, slug: str, role: Role = Role.READER) -> Membership:
    """Look up the membership of `user` in the store `slug`.

    Raises:
        Http404: no such store, or none of theirs: the two look the same from outside.
        PermissionDenied: a member, but of a lower role than asked.
    """
    found = Membership.objects.select_related("store").filter(store__slug=slug, user=user).first()  # type: ignore[misc]
    if found is None:
        raise Http404(_("There is no such store among yours."))
    if found.role < role:
        raise PermissionDenied(
            _("This needs the role %(role)s in this store: ask one of its owners.") % {"role": role.label}
        )
    return found


def in_store(rows: QuerySet[Row], store: Store, pk: int) -> Row:
    """Look up one row of `store`, or answer 404."""
    return get_object_or_404(rows, store=store, pk=pk)


def role_of(actor: Actor, store: Store) -> Role | None:
    """The role of the person behind `actor` in `store`; None for anybody else."""
    if actor.user is None:
        return None
    found = Membership.objects.filter(store=store, user=actor.user).values_list("role", flat=True).first()
    return None if found is None else Role(found)
