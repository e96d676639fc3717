"""Notes near a question under a filter: found however many others are nearer, or said not to have been looked for."""

from __future__ import annotations

from typing import Any

import pytest

from memories import similar as module
from memories.audit import Actor
from memories.models import Memory, Run, Store
from memories.propose import propose
from memories.queries import NoteFilter
from memories.schemas import Draft
from memories.similar import similar
from tests.helpers import NOW, approved, proposed
from tests.rooms import browser, many, queries_of

pytestmark = pytest.mark.usefixtures("cast")
QUESTION = "Worker 3 renews its lease every 5 seconds."


@pytest.fixture
def far(store: Store) -> Memory:
    """A note with everything to filter by, and more nearer ones than a page shows."""
    for number in range(module.SHOWN + 3):
        approved(store, f"Worker {number} renews its lease every {number + 2} seconds.")
    note = approved(store, "Cron runs in local time.", source="doc:cron", kind="episode", applies_to="3.x", days_old=9)
    propose(
        store,
        Draft(text=note.text, kind="episode", source="url:a.example/cron", applies_to="3.x"),
        Actor.command("test"),
    )
    Memory.objects.update(conflicts_with=None)
    run = Run.objects.create(store=store, identifier="r1", agent="atlas", started_at=NOW)
    Memory.objects.filter(pk=note.pk).update(findings=[{"rule": "x"}], conflicts_with=Memory.objects.first(), run=run)
    note.refresh_from_db()
    return note


def found(store: Store, **fields: Any) -> list[Memory]:
    return [note for note, _score in similar(store, QUESTION, NoteFilter(**fields)).ranked]


@pytest.mark.parametrize(
    "fields",
    [
        {"source": "doc:cron"}, {"source": "url:a.example/cron"}, {"source_prefix": "url:"}, {"kind": "episode"},
        {"source": "doc:cron", "source_prefix": "url:"}, {"origin": "untrusted"}, {"text": "LOCAL TIME"},
        {"applies_to": "3.x"}, {"flagged": True}, {"conflict": True}, {"status": "approved", "text": "local"},
    ],
)  # fmt: skip
def test_what_a_filter_chooses_is_found_however_many_others_are_nearer(
    store: Store, far: Memory, fields: dict[str, Any]
) -> None:
    assert far not in found(store)
    assert found(store, **fields) == [far]


def test_a_run_s_notes_are_found_however_many_others_are_nearer(store: Store, far: Memory) -> None:
    assert found(store, run=far.run_id) == [far]


def test_no_other_origin_and_status_is_shown(store: Store) -> None:
    approved(store, "Worker 4 renews its lease every 6 seconds.")
    proposed(store, "Worker 5 renews its lease every 7 seconds.")
    assert found(store, origin="untrusted") == []
    assert found(store, status="proposed") == []
    assert len(found(store, status="approved")) == 1


def test_the_nearest_come_first_and_no_more_than_a_page_of_them(store: Store, far: Memory) -> None:
    for fields in ({}, {"text": "worker"}):
        notes = found(store, **fields)
        assert len(notes) == module.SHOWN
        assert notes[0].text == QUESTION


def test_where_the_rest_was_not_looked_at_the_page_says_so(
    store: Store, far: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, url = browser("tove"), f"/s/orbit/notes?like={QUESTION}"
    assert "was not looked at" not in client.get(f"{url}&text=cron").content.decode()
    monkeypatch.setattr(module, "LOOKED_AT", 20)
    cut = client.get(f"{url}&text=cron")
    assert list(cut.context["similar"].ranked) == []
    assert "the rest was not looked at" in cut.content.decode()
    assert "was not looked at" not in client.get(f"{url}&source=doc:cron").content.decode()
    assert "was not looked at" not in client.get(url).content.decode()


def test_looking_deep_costs_as_many_queries_for_many_notes_as_for_few(store: Store) -> None:
    client, url = browser("tove"), "/s/orbit/notes?like=lease&text=lease"
    many(store, 3, status="approved")
    client.get(url)
    few = queries_of(client, url)
    many(store, 60, status="approved")
    client.get(url)
    assert queries_of(client, url) == few
