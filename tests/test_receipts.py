"""The end of a deletion: no receipt is signed before the files are clean, and each says what it still waits for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories import storage
from memories.audit import Actor
from memories.forget import Selection, delete_batch, forget
from memories.health import problems
from memories.models import Action, Memory, Receipt, Store
from memories.receipts import BACKUPS, CUT_SHORT, NOTHING_LEFT, TRACES_LEFT, TRACES_YET, clean_up
from memories.sweep import sweep, sweep_all
from tests.helpers import approved, make_cast, make_store, proposed
from tests.rooms import browser, many

pytestmark = pytest.mark.django_db(transaction=True)

COMMAND = Actor.command("test")
LEASE = "The worker holds its lease for 30 seconds by default."
TLS = "Brokers speak TLS only, since their last upgrade."


@pytest.fixture
def store() -> Store:
    made = make_store()
    make_cast(made)
    return made


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database file that takes too long to rebuild by day."""
    monkeypatch.setattr(storage, "REBUILT_AT_ONCE", 0)


@contextmanager
def rebuilds(expected: int) -> Iterator[None]:
    with CaptureQueriesContext(connection) as captured:
        yield
    assert [query["sql"] for query in captured].count("VACUUM") == expected


def forget_one(store: Store) -> Receipt:
    return forget(store, Selection(ids=(approved(store, LEASE).pk,)), COMMAND)


def test_a_deletion_inside_a_larger_transaction_is_signed_once_that_has_ended(store: Store) -> None:
    with transaction.atomic():
        receipt = forget_one(store)
    assert (receipt.finished_at, receipt.waits) == (None, True)
    assert receipt.traces == [storage.NESTED, NOTHING_LEFT, BACKUPS]
    sweep(store, COMMAND)
    receipt.refresh_from_db()
    assert receipt.finished_at is not None
    assert receipt.traces == [storage.NESTED, NOTHING_LEFT, storage.REBUILT, BACKUPS]


@pytest.mark.usefixtures("large")
def test_a_large_file_is_rebuilt_by_the_nightly_sweep_only(store: Store) -> None:
    proposed(store, TLS, days_old=400)
    with rebuilds(0):
        receipt = forget_one(store)
        browser("mara").post("/s/orbit/retention/sweep")
        sweep(store, COMMAND)
        call_command("forget", "--id", "4711", "--yes", store="orbit", stdout=StringIO())
    assert not Memory.objects.exists()
    assert [one.waits for one in Receipt.objects.all()] == [True, True]
    with rebuilds(1):
        call_command("sweep", stdout=StringIO())
    assert not Receipt.objects.filter(finished_at=None).exists()
    receipt.refresh_from_db()
    assert receipt.traces == [storage.LARGE, NOTHING_LEFT, storage.REBUILT, BACKUPS]


@pytest.mark.usefixtures("large")
def test_what_only_waits_for_its_cleaning_is_not_asked_for_again(store: Store) -> None:
    receipt = forget_one(store)
    for page in (f"receipts/{receipt.operation}", "data-requests"):
        said = browser("mara").get(f"/s/orbit/{page}").content.decode()
        assert "waits for the sweep" in said, page
        assert "cut short" not in said, page
        assert "ask for it again" not in said, page
    (sentence,) = problems(store)
    assert sentence == "1 deletions wait for the database's files to be cleaned: run `manage.py sweep`."


def test_the_sweep_of_several_stores_rebuilds_their_file_once_and_signs_for_all(store: Store) -> None:
    travel = make_store("travel")
    for one in (store, travel):
        proposed(one, LEASE, days_old=400)
    with rebuilds(1):
        swept, cleaning = sweep_all([store, travel], COMMAND)
    assert [(one.store, one.gone) for one in swept] == [(store, 1), (travel, 1)]
    assert cleaning is not None
    assert cleaning.complete
    assert [receipt.traces for receipt in Receipt.objects.all()] == [[storage.REBUILT, BACKUPS]] * 2
    assert all(receipt.finished_at for receipt in Receipt.objects.all())
    with rebuilds(0):
        assert sweep_all([store, travel], COMMAND)[1] is None


@pytest.mark.usefixtures("large")
def test_a_cleaning_that_fails_twice_is_told_once(store: Store) -> None:
    receipt = forget_one(store)
    sweep(store, COMMAND)
    sweep(store, COMMAND)
    told = receipt.traces
    receipt.refresh_from_db()
    assert sorted(receipt.traces) == sorted(told)


def test_a_deletion_that_was_killed_is_signed_as_cut_short_by_the_next(store: Store) -> None:
    receipt = Receipt.objects.create(store=store, operation="x", at=timezone.now(), actor="")
    assert not receipt.waits
    forget_one(store)
    receipt.refresh_from_db()
    assert receipt.finished_at is not None
    assert receipt.traces == [CUT_SHORT, storage.REBUILT, BACKUPS]


def test_a_deletion_that_goes_on_after_another_signed_for_it_is_open_again(store: Store) -> None:
    notes = many(store, 2)
    receipt = Receipt.objects.create(store=store, operation="x", at=timezone.now(), actor="")
    for note in notes:
        delete_batch(store, Memory.objects.filter(pk=note.pk), COMMAND, Action.FORGOTTEN, receipt)
        kept = Receipt.objects.get()
        assert (kept.count, kept.finished_at, kept.traces) == (receipt.count, None, [])
        clean_up([store])
        assert Receipt.objects.get().finished_at is not None


def test_what_is_left_in_a_file_is_said_with_the_way_to_mend_it(store: Store) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE left_over (text TEXT)")
        cursor.execute("INSERT INTO left_over VALUES (%s)", [LEASE])
    try:
        receipt = forget_one(store)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE left_over")
    assert receipt.traces == [storage.REBUILT, TRACES_LEFT, BACKUPS]
    said = browser("mara").get(f"/s/orbit/receipts/{receipt.operation}", headers={"Accept-Language": "de"})
    assert "Spuren der ersten Notizen" in said.content.decode()


@pytest.mark.usefixtures("large")
def test_what_is_in_a_file_until_the_sweep_rebuilds_it_needs_nobody_to_mend_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.receipts.found_in_files", set)
    assert forget_one(store).traces == [storage.LARGE, TRACES_YET, BACKUPS]


def test_a_note_seen_elsewhere_in_the_same_words_is_no_trace(store: Store) -> None:
    go = approved(store, LEASE, applies_to="2.x")
    approved(store, LEASE, applies_to="3.x")
    assert forget(store, Selection(ids=(go.pk,)), COMMAND).traces == [storage.REBUILT, NOTHING_LEFT, BACKUPS]


def test_the_database_is_not_asked_for_texts_that_no_file_holds(store: Store) -> None:
    note = approved(store, LEASE)
    with CaptureQueriesContext(connection) as captured:
        forget(store, Selection(ids=(note.pk,)), COMMAND)
    asked = [query["sql"] for query in captured]
    assert not [sql for sql in asked if " LIKE " in sql or '"embedding" = ' in sql]
