"""What tests of the rooms start from: a browser of one of the cast, and many notes at once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.embedding import pack
from memories.models import Memory, MemorySource, Store

VECTOR = pack(np.eye(1, 256, dtype=np.float32)[0])


def browser(name: str) -> Client:
    """A browser in which `name` is signed in."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def many(store: Store, count: int, **fields: Any) -> list[Memory]:
    """`count` notes a day apart, the first the newest, with their sources; straight into the database."""
    now = timezone.now()
    given = {"kind": "fact", "source": "doc:leases", "origin": "agent_derived", "status": "proposed"} | fields
    rows = [
        Memory(
            **{
                "store": store,
                "text": f"Worker {number} renews its lease every {number + 2} seconds.",
                "observed_at": now - timedelta(days=number),
                "width": 256,
                "embedding": VECTOR,
                "proposer": "command:test",
                "created_at": now,
                "changed_at": now,
                "decided_at": None if given["status"] == "proposed" else now,
                "revision": store.next_revision(),
            }
            | given
        )
        for number in range(count)
    ]
    return with_sources(Memory.objects.bulk_create(rows))


def with_sources(notes: Iterable[Memory]) -> list[Memory]:
    """Give each note its row of sources, as proposing does."""
    notes = list(notes)
    MemorySource.objects.bulk_create(
        MemorySource(
            memory=note, store_id=note.store_id, source=note.source, origin=note.origin, observed_at=note.observed_at
        )
        for note in notes
    )
    return notes


def queries_of(client: Client, url: str) -> int:
    """How many queries a page costs."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(url).status_code == 200
    return len(captured)
