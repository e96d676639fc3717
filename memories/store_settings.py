"""Change a store's settings and its members; each change is written down with what it was before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from memories.audit import Actor, record
from memories.models import Action, Membership, Role, Store
from memories.screening import screen_evidence


def change_settings(store: Store, actor: Actor, values: dict[str, Any]) -> list[str]:
    """Set fields of `store` and return the names of those that changed; nothing is written where none did.

    Raises:
        ValueError: a new value holds what must not be kept: the store and the audit log would both show it.
    """
    # By the filter's own rules: the store's policy may rest, or be what is mended here.
    if any(screen_evidence(text).decision == "refuse" for text in _texts(values)):
        raise ValueError(_("This holds a secret or personal data, which must not be kept: leave it out."))
    with transaction.atomic():
        kept = Store.objects.select_for_update().get(pk=store.pk)
        before = {name: getattr(kept, name) for name, value in values.items() if getattr(kept, name) != value}
        if not before:
            return []
        for name in before:
            setattr(kept, name, values[name])
        kept.save(update_fields=list(before))
        # A changed time to live changes what may be recalled: every index must look again.
        kept.next_revision()
        changes = {name: [before[name], values[name]] for name in before}
        record(store, actor, Action.SETTINGS, details={"changes": changes})
    return list(before)


def _texts(value: object) -> Iterator[str]:
    """Every piece of text in a value of the settings, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        parts = list(value.values() if isinstance(value, dict) else value)
        for part in parts:
            yield from _texts(part)
        # What was typed as one text may have been split.
        yield " ".join(part for part in parts if isinstance(part, str))


def set_member(store: Store, actor: Actor, user: User, role: Role) -> Membership:
    """Give `user` a role in `store`.

    Raises:
        ValueError: it would leave the store without an owner.
    """
    with transaction.atomic():
        if role < Role.OWNER:
            _keep_an_owner(store, user)
        membership, _created = Membership.objects.update_or_create(store=store, user=user, defaults={"role": role})
        record(store, actor, Action.MEMBERS, details={"person": user.get_username(), "role": role.name.lower()})
    return membership


def remove_member(store: Store, actor: Actor, user: User) -> None:
    """Take `user` out of `store`; what they decided stays. Raises as `set_member` does."""
    with transaction.atomic():
        _keep_an_owner(store, user)
        Membership.objects.filter(store=store, user=user).delete()
        record(store, actor, Action.MEMBERS, details={"person": user.get_username(), "role": None})


def _keep_an_owner(store: Store, leaving: User) -> None:
    # Two owners who take one another out at the same moment must not both succeed.
    Store.objects.select_for_update().get(pk=store.pk)
    others = Membership.objects.filter(store=store, role=Role.OWNER).exclude(user=leaving)
    is_owner = Membership.objects.filter(store=store, user=leaving, role=Role.OWNER).exists()
    if is_owner and not others.exists():
        raise ValueError(_("A store needs an owner: make somebody else owner first."))
