"""A forgotten note leaves no byte in any file of the data directory, and no process recalls it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from subprocess import Popen

import pytest
from django.db import connection
from django.utils import timezone

from memories.audit import Actor
from memories.embedding import get_embedder, pack
from memories.forget import Selection, forget
from memories.index import pack_terms, terms
from memories.models import EarlierText, Memory, Receipt, Store
from memories.queries import NoteFilter
from memories.recall import recall, record_recall
from memories.review import approve, edit, reject, undo
from memories.sweep import sweep
from tests import helpers
from tests.helpers import person, proposed
from tests.processes import Place, finish, open_reader

FORGETTER = Actor.command("forget")


@pytest.fixture
def here(transactional_db: None) -> Place:
    """The data directory of the tests, where everything is committed for real."""
    database = Path(connection.settings_dict["NAME"])
    return Place(database.parent, database.name)


@pytest.fixture
def orbit(here: Place) -> Store:
    store = helpers.make_store()
    helpers.make_cast(store)
    for number in range(60):
        proposed(
            store, f"Lease {number} of the harbour is renewed after {number * 7} days.", source=f"doc:page-{number}"
        )
    return store


@dataclass
class Written:
    """A note that has left traces wherever a note can, and the bytes that must go with it."""

    note: Memory
    needles: dict[str, bytes]


def write_everywhere(store: Store) -> Written:
    """A note with evidence, a second source, an earlier text, an undone text, a reason and a recall."""
    texts = {
        "first text": "The zephyrquill queue drains at night.",
        "undone text": "The marrowvane queue drains at dawn.",
        "text": "The thistlewick queue drains at noon.",
    }
    note = proposed(store, texts["first text"], source="doc:quokkaland", evidence="It said brindlemoth on the page.")
    proposed(store, texts["first text"], source="issue:7", evidence="A reply said fennelgrove.")
    note = approve(store, note.pk, person("mara"), version=note.version, text=texts["undone text"])
    note = undo(store, note.pk, person("mara"), version=note.version)
    note = edit(store, note.pk, person("mara"), version=note.version, text=texts["text"])
    note = approve(store, note.pk, person("mara"), version=note.version)
    found = recall(store, "thistlewick")
    assert [hit.id for hit in found] == [note.pk]
    record_recall(store, "When does the queue drain?", found, run=None, block_tokens=40)
    needles = {name: text.encode() for name, text in texts.items()}
    needles |= {
        word: word.encode() for word in ("zephyrquill", "marrowvane", "thistlewick", "brindlemoth", "fennelgrove")
    }
    embedder = get_embedder(store.embedder, store.width)
    needles |= {f"vector of the {name}": pack(embedder.embed([text])[0]) for name, text in texts.items()}
    needles |= {f"terms of the {name}": pack_terms(terms(text)) for name, text in texts.items()}
    return Written(note, needles)


def traces(here: Place, written: Written) -> dict[str, list[str]]:
    """Which needles are in which files."""
    found = dict(zip(written.needles, here.files_holding_each([*written.needles.values()]), strict=True))
    return {name: files for name, files in found.items() if files}


def by_id(store: Store, note: Memory) -> None:
    forget(store, Selection(ids=(note.pk,)), FORGETTER)


def by_first_source(store: Store, note: Memory) -> None:
    forget(store, Selection(source="doc:quokkaland"), FORGETTER)


def by_later_source(store: Store, note: Memory) -> None:
    forget(store, Selection(source="issue:7"), FORGETTER)


def by_query(store: Store, note: Memory) -> None:
    receipt = forget(store, Selection(query="thistlewick queue drains", minimum_score=0.4), FORGETTER)
    assert "thistlewick" not in str(receipt.asked)


def by_filter(store: Store, note: Memory) -> None:
    receipt = forget(store, Selection(filter=NoteFilter(text="thistlewick")), FORGETTER)
    assert "thistlewick" not in str(receipt.asked)


def by_sweep(store: Store, note: Memory) -> None:
    Memory.objects.filter(pk=note.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    assert sweep(store, FORGETTER) == 1


@pytest.mark.parametrize("way", [by_id, by_first_source, by_later_source, by_query, by_filter, by_sweep])
def test_a_forgotten_note_leaves_no_byte_in_the_data_directory(
    here: Place, orbit: Store, way: Callable[[Store, Memory], None]
) -> None:
    written = write_everywhere(orbit)
    assert {"text", "first text", "brindlemoth", "fennelgrove", "vector of the text"} <= set(traces(here, written))
    with open_reader(here.database):
        way(orbit, written.note)
        assert traces(here, written) == {}
    assert not Memory.objects.filter(pk=written.note.pk).exists()
    assert Receipt.objects.get().count == 1


def test_earlier_words_stay_until_the_note_is_forgotten(here: Place, orbit: Store) -> None:
    written = write_everywhere(orbit)
    assert [row.text.encode() for row in EarlierText.objects.all()] == [written.needles["first text"]]
    assert here.files_holding(b"zephyrquill")
    by_id(orbit, written.note)
    assert not EarlierText.objects.exists()


def test_the_record_of_a_deletion_says_who_and_how_many_but_not_what(here: Place, orbit: Store) -> None:
    written = write_everywhere(orbit)
    reject_one = proposed(orbit, "The gossamerfox queue never drains.", source="doc:leases")
    reject(orbit, reject_one.pk, person("ren"), version=1, reason="It is the gossamerfox again.")
    forget(orbit, Selection(ids=(written.note.pk, reject_one.pk)), person("mara"))
    entry = orbit.audit_events.get(action="forgotten")
    assert (entry.actor, entry.count) == ("person:mara", 2)
    receipt = Receipt.objects.get()
    assert (receipt.count, entry.operation) == (2, receipt.operation)
    assert receipt.finished_at is not None
    assert traces(here, written) == {}
    assert here.files_holding(b"gossamerfox") == []


@pytest.mark.parametrize("seed", [3, 4, 8])
def test_nothing_stays_where_rows_moved_between_pages(place: Place, seed: int) -> None:
    """A row that moves when its page is split or merged leaves a copy in the gap of the old page."""
    gone = place.work("churn", seed=seed)[-1]["gone"]
    content = b"".join(path.read_bytes() for path in place.directory.iterdir())
    assert [word for word in gone if word.encode() in content] == []


def test_another_process_stops_recalling_what_was_forgotten_here(here: Place, orbit: Store) -> None:
    note = helpers.approved(orbit, "The thistlewick queue drains at noon.")
    other = here.worker("answer")
    assert asked(other, "thistlewick") == [note.pk]
    by_id(orbit, note)
    assert note.pk not in asked(other, "thistlewick queue drains at noon")
    finish(other).expect_success()


def asked(other: Popen[str], query: str) -> list[int]:
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(query + "\n")
    other.stdin.flush()
    ids: list[int] = json.loads(other.stdout.readline())["ids"]
    return ids


def test_a_reader_in_the_middle_of_its_work_delays_the_end_which_the_next_sweep_brings(
    here: Place, orbit: Store
) -> None:
    written = write_everywhere(orbit)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=100")
    with open_reader(here.database) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories_memory").fetchall()
        receipt = forget(orbit, Selection(ids=(written.note.pk,)), FORGETTER)
        assert receipt.finished_at is None
        assert "in use" in " ".join(receipt.traces)
        reader.execute("COMMIT")
    assert sweep(orbit, FORGETTER) == 0
    receipt.refresh_from_db()
    assert receipt.finished_at is not None
    assert traces(here, written) == {}


def test_what_is_written_after_a_forget_survives_another_process_that_leaves(here: Place, orbit: Store) -> None:
    """Closing any descriptor of the database file drops this process's locks on it (POSIX): whoever leaves next would
    then take itself for the last one and remove the write-ahead log that this process still writes to."""
    by_id(orbit, helpers.approved(orbit, "The thistlewick queue drains at noon."))
    here.run("health").expect_success()
    note = helpers.approved(orbit, "The brindlemoth queue drains at dusk.")
    found = here.run("recall", "--store", "orbit", "brindlemoth", "--json").expect_success()
    assert [hit["id"] for hit in json.loads(found.output)["notes"]] == [note.pk]
