"""The retention job: takes what is due, names the same before, and does not trust a clock that jumped."""

from __future__ import annotations

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from memories.audit import Actor
from memories.forget import delete_batch
from memories.models import Action, AuditEvent, Memory, Recall, RecallHit, Receipt, Refusal, Removal, Store
from memories.propose import propose
from memories.recall import recall, record_recall
from memories.review import reject
from memories.schemas import Draft
from memories.sweep import ClockJumped, check_clock, due, due_notes, sweep
from memories.templatetags.rooms import details_words
from tests.helpers import approved, make_store, person, proposed

CRON = Actor.command("sweep")
LEASE = "The worker holds its lease for 30 seconds by default."

pytestmark = pytest.mark.usefixtures("cast")


def later(**delta: float) -> datetime:
    return timezone.now() + timedelta(**delta)


def old_store(store: Store) -> dict[str, Memory]:
    """One note for each reason to go, two for both of them, and what stays."""
    notes = {
        "fact": approved(store, LEASE, days_old=366),
        "inbox": proposed(store, "Queues drain nightly.", days_old=400),
        "episode": approved(store, "The canary failed on Friday.", kind="episode", days_old=91),
        "ended": approved(store, "Brokers speak TLS only."),
        "both": approved(store, "Dashboards show workers.", days_old=500),
        "rejected": proposed(store, "Cron runs in local time."),
        "young": approved(store, "Jobs are idempotent.", days_old=364),
        "wish": approved(store, "Name the page.", kind="preference", days_old=4_000),
        "just rejected": proposed(store, "Results expire daily."),
    }
    for name in ("rejected", "just rejected"):
        notes[name] = reject(store, notes[name].pk, person("mara"), version=1, reason="")
    Memory.objects.filter(pk=notes["rejected"].pk).update(decided_at=later(days=-30, seconds=-1))
    Memory.objects.filter(pk__in=[notes["ended"].pk, notes["both"].pk]).update(expires_at=timezone.now())
    return notes


GO = {"fact", "inbox", "episode", "ended", "both", "rejected"}


def test_what_is_due_goes_and_the_rest_stays(store: Store) -> None:
    notes = old_store(store)
    assert sweep(store, CRON) == len(GO)
    assert set(Memory.objects.values_list("pk", flat=True)) == {notes[name].pk for name in set(notes) - GO}
    assert set(Removal.objects.values_list("memory_number", flat=True)) == {notes[name].pk for name in GO}


def test_the_dry_run_names_exactly_what_the_real_run_takes_once_each(store: Store) -> None:
    notes = old_store(store)
    now = timezone.now()
    named = list(due(store, now))
    assert len(named) == len(GO)
    assert {one.id for one in named} == {notes[name].pk for name in GO}
    assert {one.id for one in named} == set(due_notes(store, now).values_list("pk", flat=True))
    before = set(Memory.objects.values_list("pk", flat=True))
    sweep(store, CRON, now=now)
    assert before - set(Memory.objects.values_list("pk", flat=True)) == {one.id for one in named}


def test_every_named_note_has_its_reason(store: Store) -> None:
    notes = old_store(store)
    reasons = {one.id: one.reason for one in due(store, timezone.now())}
    assert reasons[notes["both"].pk] == "its own end date"
    assert reasons[notes["rejected"].pk] == "rejected for 30 days"
    assert reasons[notes["fact"].pk] == "fact older than 365 days"
    assert reasons[notes["episode"].pk] == "episode older than 90 days"


@pytest.mark.parametrize("days_old", [363, 364, 365, 366])
def test_a_note_is_recalled_until_it_is_due_and_not_longer(store: Store, days_old: int) -> None:
    approved(store, LEASE, days_old=days_old)
    gone = due_notes(store, timezone.now()).exists()
    assert bool(recall(store, LEASE)) is not gone


def test_a_kind_without_an_end_is_kept(store: Store) -> None:
    approved(store, LEASE, days_old=4_000)
    store.fact_days = None
    assert sweep(store, CRON) == 0


@pytest.mark.django_db(transaction=True)
def test_one_entry_a_batch_one_receipt_and_no_text(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.sweep.BATCH", 4)
    old_store(store)
    sweep(store, CRON)
    entries = AuditEvent.objects.filter(action="swept").order_by("id")
    assert [entry.count for entry in entries] == [4, 2]
    receipt = Receipt.objects.get()
    assert (receipt.count, receipt.asked, receipt.actor) == (6, {"by": "sweep"}, "command:sweep")
    assert {entry.operation for entry in entries} == {receipt.operation}
    assert receipt.finished_at is not None
    assert not any("lease" in str(entry.details) for entry in entries)


def test_a_sweep_of_at_most_so_many_leaves_the_rest_to_the_next(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.sweep.BATCH", 2)
    old_store(store)
    assert sweep(store, CRON, most=3) == 3
    assert sweep(store, CRON, most=100) == len(GO) - 3


def test_a_second_sweep_finds_nothing_and_writes_nothing(store: Store) -> None:
    old_store(store)
    sweep(store, CRON)
    entries = AuditEvent.objects.count()
    assert sweep(store, CRON) == 0
    assert (AuditEvent.objects.count(), Receipt.objects.count()) == (entries, 1)


def test_a_note_seen_again_in_the_last_moment_stays(store: Store) -> None:
    note = approved(store, LEASE, days_old=366)
    chosen = due_notes(store, timezone.now())
    assert chosen.exists()
    propose(store, Draft(text=LEASE, source="doc:leases"), CRON)
    receipt = Receipt.objects.create(store=store, operation="x", at=timezone.now(), actor="")
    assert delete_batch(store, due_notes(store, timezone.now()), CRON, Action.SWEPT, receipt) == 0
    assert Memory.objects.get() == note


def test_another_store_is_left_alone(store: Store) -> None:
    proposed(make_store("travel"), LEASE, days_old=400)
    assert sweep(store, CRON) == 0
    assert Memory.objects.count() == 1


def last_entry_at(store: Store, at: datetime) -> None:
    AuditEvent.objects.filter(store=store).update(at=at)


@pytest.mark.parametrize("jump", [{"days": 401}, {"days": 40_000}, {"days": -2}])
def test_a_clock_that_jumped_deletes_nothing(store: Store, jump: dict[str, Any]) -> None:
    approved(store, LEASE, days_old=360)
    with pytest.raises(ClockJumped, match="set the clock, or sweep with --trust-clock"):
        sweep(store, CRON, now=later(**jump))
    assert Memory.objects.count() == 1
    assert not Receipt.objects.exists()


@pytest.mark.parametrize("drift", [{"days": 399}, {"hours": -23}, {}])
def test_a_clock_that_may_be_right_is_believed(store: Store, drift: dict[str, Any]) -> None:
    approved(store, LEASE)
    check_clock(store, later(**drift))


def test_a_clock_can_be_trusted_all_the_same(store: Store) -> None:
    approved(store, LEASE)
    assert sweep(store, CRON, now=later(days=500), trust_clock=True) == 1


def test_a_store_in_which_nothing_ever_happened_is_swept(store: Store) -> None:
    assert sweep(store, CRON) == 0


def test_refusals_that_no_page_shows_go_with_one_entry(store: Store) -> None:
    for days_old in (89, 92, 400):
        at = later(days=-days_old)
        Refusal.objects.create(store=store, at=at, rule="quality.empty", rules=["quality.empty"], proposer="agent:a")
    Refusal.objects.create(store=make_store("travel"), at=later(days=-400), rule="quality.empty", proposer="agent:a")
    assert sweep(store, CRON) == 0
    assert Refusal.objects.filter(store=store).count() == 1
    assert Refusal.objects.count() == 2
    [entry] = AuditEvent.objects.filter(action=Action.SWEPT)
    assert (entry.count, entry.details) == (0, {"refusals": 2})


def test_what_was_asked_goes_after_a_year_whatever_it_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.sweep.BATCH", 2)
    note = approved(store, LEASE)
    for days_old in (1, 364, 366, 400, 500):
        kept = record_recall(store, f"leases {days_old} days ago", recall(store, LEASE), run=None, block_tokens=0)
        Recall.objects.filter(pk=kept.pk).update(at=later(days=-days_old))
    Refusal.objects.create(store=store, at=later(days=-92), rule="quality.empty", proposer="agent:a")
    Recall.objects.create(store=make_store("travel"), query="elsewhere", at=later(days=-400))
    out = StringIO()
    call_command("sweep", "--dry-run", "--store", "orbit", stdout=out)
    assert (
        "orbit: 1 refusals older than 91 days would go.\norbit: 3 recalls older than 365 days would go."
        in out.getvalue()
    )
    assert Recall.objects.filter(store=store).count() == 5
    assert sweep(store, CRON) == 0
    assert set(Recall.objects.values_list("query", flat=True)) == {
        "leases 1 days ago",
        "leases 364 days ago",
        "elsewhere",
    }
    assert RecallHit.objects.filter(memory=note).count() == 2
    [entry] = AuditEvent.objects.filter(action=Action.SWEPT)
    assert (entry.count, entry.details) == (0, {"refusals": 1, "recalls": 3})
    assert "refusals: 1 · recalls: 3" in details_words(entry.details)
