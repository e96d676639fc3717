"""A run of the agent against a scripted server, in a few words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings

from memories.agent.client import Model, connect
from memories.agent.scripted import Answer, Script, ScriptedServer, in_turn, says
from memories.agent.tracker import Issue, Tracker, load_tracker

DATASET = Path(settings.BASE_DIR) / "datasets" / "orbit"
TASK = Issue(
    id=22,
    title="A transcode ran on two workers",
    body="The same job id shows up in both logs.",
    version="2.8.1",
    author="clip-ops",
    created_at=datetime(2024, 5, 24, tzinfo=UTC),
)


def orbit() -> Tracker:
    return load_tracker(DATASET)


@contextmanager
def scripted(*answers: Answer, script: Script | None = None, **client: Any) -> Iterator[tuple[Model, ScriptedServer]]:
    """A model whose answers are given, through the real client, and the server that remembers what it was asked."""
    with ScriptedServer(script or in_turn(*answers)) as server:
        yield connect("scripted-demo", base_url=server.base_url, **client), server


def answered(duplicate_of: int | None = None) -> Answer:
    """A final answer of the agreed form."""
    answer = {"duplicate_of": duplicate_of, "cause": "The lease expired.", "reply": "Lengthen it.", "sources": []}
    return says(json.dumps(answer))


def writes(*notes: dict[str, Any]) -> Answer:
    """What the note writer returns."""
    return says(json.dumps({"notes": list(notes)}))


def note(text: str, source: str = "issue:22", kind: str = "fact") -> dict[str, Any]:
    return {"kind": kind, "text": text, "source": source}
