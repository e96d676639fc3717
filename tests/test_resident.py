"""Which removals a process reads, which the sweep lets go of, and that no process misses one."""

from __future__ import annotations

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from memories import resident
from memories.audit import Actor
from memories.forget import Selection, forget
from memories.index import ResidentIndex
from memories.models import Memory, Removal, Store
from memories.resident import drop_all, ready
from memories.sweep import sweep
from tests.helpers import make_store
from tests.rooms import many

COMMAND = Actor.command("test")

pytestmark = pytest.mark.usefixtures("cast")


def forget_elsewhere(store: Store, note: Memory) -> None:
    """As another process would: the index of this one learns nothing of it."""
    held = resident._residents.pop(store.pk)
    forget(store, Selection(ids=(note.pk,)), COMMAND)
    resident._residents[store.pk] = held


def pass_by(store: Store, revisions: int) -> None:
    """So many changes of other notes."""
    for _number in range(revisions):
        store.next_revision()


def kept(store: Store) -> set[int]:
    return set(Removal.objects.filter(store=store).values_list("memory_number", flat=True))


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few revisions stand for the many of real life."""
    monkeypatch.setattr(resident, "FURTHEST_BEHIND", 5)
    monkeypatch.setattr(resident, "REMOVALS_KEPT", 10)


@pytest.mark.usefixtures("near")
def test_the_sweep_lets_go_of_removals_that_no_process_needs(store: Store) -> None:
    old, new = many(store, 2)
    travel = make_store("travel")
    (other,) = many(travel, 1)
    forget(travel, Selection(ids=(other.pk,)), COMMAND)
    forget(store, Selection(ids=(old.pk,)), COMMAND)
    pass_by(store, 9)
    forget(store, Selection(ids=(new.pk,)), COMMAND)
    sweep(store, COMMAND)
    assert kept(store) == {new.pk}
    assert kept(travel) == {other.pk}


@pytest.mark.usefixtures("near")
@pytest.mark.parametrize("missed", [1, 4, 5, 9, 10, 30])
def test_a_process_however_far_behind_drops_what_was_forgotten(store: Store, missed: int) -> None:
    go, stay, *_others = many(store, 3)
    index = ready(store).index
    forget_elsewhere(store, go)
    pass_by(store, missed - 1)
    sweep(store, COMMAND)
    now = ready(store).index
    assert (go.pk in now, stay.pk in now, len(now)) == (False, True, 2)
    assert (now is index) is (missed <= 5)


def test_a_first_load_reads_no_removal_of_before(store: Store) -> None:
    many(store, 3)
    forget(store, Selection(source="doc:leases"), COMMAND)
    stays = many(store, 1)
    drop_all()
    with CaptureQueriesContext(connection) as captured:
        assert stays[0].pk in ready(store).index
    (asked,) = [query["sql"] for query in captured if "memories_removal" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(asked)
        assert cursor.fetchall() == []


def test_a_note_forgotten_while_a_first_load_reads_is_not_in_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    go, *_others = many(store, 3)
    put = ResidentIndex.put

    def meanwhile(self: ResidentIndex, rows: object) -> None:
        put(self, rows)  # type: ignore[arg-type]
        monkeypatch.setattr(ResidentIndex, "put", put)
        forget_elsewhere(store, go)

    monkeypatch.setattr(ResidentIndex, "put", meanwhile)
    index = ready(store).index
    assert (go.pk in index, len(index)) == (False, 2)


def test_a_load_that_failed_half_way_leaves_nothing_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    go, *_others = many(store, 3)

    def fails(self: ResidentIndex, ids: object) -> None:
        raise OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(ResidentIndex, "remove", fails)
        with pytest.raises(OperationalError):
            ready(store)
    forget_elsewhere(store, go)
    index = ready(store).index
    assert (go.pk in index, len(index)) == (False, 2)
