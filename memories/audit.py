"""Who did it, and the entry that every change of state writes in its own transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from memories.models import Action, AuditEvent, Store
from memories.rows import insert

# What a decision of a reviewer is recorded as.
DECISIONS = (Action.APPROVED, Action.REJECTED)


@dataclass(frozen=True)
class Actor:
    """A person, a command or an agent; only a person can decide."""

    label: str
    user: User | None = None

    @classmethod
    def person(cls, user: User) -> Actor:
        return cls(f"person:{user.get_username()}", user)

    @classmethod
    def command(cls, name: str) -> Actor:
        return cls(f"command:{name}")

    @classmethod
    def agent(cls, name: str) -> Actor:
        return cls(f"agent:{name}"[:160])


def new_operation() -> str:
    """Return an id that the audit entries of one bulk action share."""
    return uuid4().hex


def record(
    store: Store,
    actor: Actor,
    action: Action,
    *,
    memory: int | None = None,
    count: int = 1,
    operation: str = "",
    details: dict[str, Any] | None = None,
) -> None:
    """Write one audit entry; call it inside the transaction of the change. `details` never holds a note's text."""
    entry = {
        "store_id": store.pk,
        "at": timezone.now(),
        "actor": actor.label,
        "user_id": actor.user and actor.user.pk,
        "action": action,
        "memory_number": memory,
        "count": count,
        "operation": operation,
        "details": details or {},
    }
    insert(AuditEvent, [entry])
