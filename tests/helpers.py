"""A small named cast and short ways to say what a test starts from.

Olga owns the store, Mara maintains it, Ren reviews, Tove reads; Sam is signed in and belongs to another store.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from memories.audit import Actor
from memories.models import Kind, Membership, Memory, Origin, Role, Status, Store
from memories.propose import propose
from memories.review import approve
from memories.schemas import Draft

CAST = {"olga": Role.OWNER, "mara": Role.MAINTAINER, "ren": Role.REVIEWER, "tove": Role.READER}
NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def make_store(slug: str = "orbit", **fields: Any) -> Store:
    """A store that embeds by hashing: the same vectors on every machine, and nothing to load."""
    fields = {"name": slug.title(), "embedder": "hashed", "width": 256, "minimum_score": 0.05} | fields
    return Store.objects.create(slug=slug, **fields)


def make_cast(store: Store) -> dict[str, User]:
    """The four members by name."""
    people = {name: User.objects.get_or_create(username=name)[0] for name in CAST}
    for name, user in people.items():
        Membership.objects.create(store=store, user=user, role=CAST[name])
    return people


def outsider() -> User:
    """Sam, who owns another store."""
    sam = User.objects.create(username="sam")
    Membership.objects.create(store=make_store("travel"), user=sam, role=Role.OWNER)
    return sam


def person(name: str) -> Actor:
    return Actor.person(User.objects.get(username=name))


def proposed(store: Store, text: str, *, days_old: int = 0, origin: Origin | None = None, **draft: Any) -> Memory:
    """A note in the inbox, put there through the product's own door."""
    shape = Draft.model_validate({"kind": Kind.FACT, "source": "doc:leases", **draft, "text": text})
    actor = Actor.command("test")
    observed = timezone.now() - timedelta(days=days_old)
    outcome = propose(store, shape, actor, origin=origin, observed_at=observed)
    assert outcome.id is not None, outcome.sentences
    return Memory.objects.get(pk=outcome.id)


def approved(store: Store, text: str, *, days_old: int = 0, origin: Origin | None = None, **draft: Any) -> Memory:
    """A note that Mara has approved."""
    if draft.get("kind") in {Kind.PREFERENCE, Kind.PROCEDURE}:
        origin = Origin.MAINTAINER
    note = proposed(store, text, days_old=days_old, origin=origin, **draft)
    note = approve(store, note.pk, person("mara"), version=note.version)
    assert note.status == Status.APPROVED
    return note
