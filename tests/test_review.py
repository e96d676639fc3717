"""Deciding notes: by whom, on which version, what undo gives back, and what is written down of it."""

from __future__ import annotations

import pytest

from memories.audit import Actor
from memories.embedding import get_embedder, pack
from memories.models import AuditEvent, EarlierText, Memory, Origin, Status, Store
from memories.propose import propose
from memories.recall import recall
from memories.rescreen import rescreen
from memories.review import NotAllowed, Refused, Stale, approve, decide_many, edit, reject, undo
from memories.schemas import Draft
from tests.helpers import approved, make_cast, make_store, outsider, person, proposed

LEASE = "The worker holds its lease for 30 seconds by default."
OTHER = "The worker holds its lease for 90 seconds by default."
TOKEN = "ghp_" + "a1B2" * 9

pytestmark = pytest.mark.usefixtures("cast")


@pytest.fixture
def store(db: None) -> Store:
    return make_store(dedupe_threshold=0.8)


def last_entry() -> AuditEvent:
    return AuditEvent.objects.latest("id")


def conflicting(store: Store, *, decided: bool) -> tuple[Memory, Memory]:
    """A known note, approved or still proposed, and a proposed one that contradicts it."""
    old = approved(store, LEASE) if decided else proposed(store, LEASE)
    new = proposed(store, OTHER)
    assert new.conflicts_with == old
    return old, new


def test_an_approved_note_is_recalled_and_names_its_reviewer(store: Store) -> None:
    note = proposed(store, LEASE)
    assert recall(store, LEASE) == []
    after = approve(store, note.pk, person("ren"), version=note.version)
    assert (after.status, after.reviewer, after.version) == ("approved", person("ren").user, note.version + 1)
    assert after.decided_at is not None
    assert [found.id for found in recall(store, LEASE)] == [note.pk]
    entry = last_entry()
    assert (entry.action, entry.actor, entry.memory_number) == ("approved", "person:ren", note.pk)
    assert LEASE not in str(entry.details)


def test_a_rejected_note_is_kept_unrecalled_with_its_reason(store: Store) -> None:
    note = proposed(store, LEASE)
    after = reject(store, note.pk, person("ren"), version=note.version, reason="  out of\u200b date\n ")
    assert (after.status, after.reason) == ("rejected", "out of date")
    assert recall(store, LEASE) == []
    assert (last_entry().action, last_entry().details) == ("rejected", {})


def test_a_reason_that_quotes_a_secret_is_written_nowhere(store: Store) -> None:
    note = proposed(store, LEASE)
    with pytest.raises(NotAllowed, match="must not be kept"):
        reject(store, note.pk, person("ren"), version=note.version, reason=f"it holds {TOKEN}")
    assert Memory.objects.get().status == Status.PROPOSED
    result = decide_many(store, [(note.pk, note.version)], "reject", person("ren"), reason=f"it holds {TOKEN}")
    assert (result.done, list(result.skipped.values())) == ([], [[note.pk]])


def test_a_very_long_reason_is_cut(store: Store) -> None:
    note = proposed(store, LEASE)
    assert len(reject(store, note.pk, person("ren"), version=note.version, reason="no " * 500).reason) == 300


@pytest.mark.parametrize("name", ["tove", "sam", "nobody"])
def test_readers_strangers_and_agents_decide_nothing(store: Store, name: str) -> None:
    outsider()
    actor = Actor.agent("atlas") if name == "nobody" else person(name)
    note = proposed(store, LEASE)
    for attempt in (
        lambda: approve(store, note.pk, actor, version=1),
        lambda: reject(store, note.pk, actor, version=1, reason=""),
        lambda: edit(store, note.pk, actor, version=1, text=OTHER),
        lambda: edit(store, note.pk, actor, version=1, text=LEASE),
    ):
        with pytest.raises(NotAllowed, match="Only reviewers"):
            attempt()
    assert decide_many(store, [(note.pk, 1)], "approve", actor).done == []
    assert Memory.objects.get() == note
    assert Memory.objects.get().version == 1


def test_only_maintainers_decide_preferences_and_procedures(store: Store) -> None:
    for kind in ("preference", "procedure"):
        note = proposed(store, f"Name the doc page in each {kind}.", kind=kind, origin=Origin.MAINTAINER)
        with pytest.raises(NotAllowed, match="Only maintainers"):
            approve(store, note.pk, person("ren"), version=1)
        with pytest.raises(NotAllowed, match="Only maintainers"):
            edit(store, note.pk, person("ren"), version=1, text="Name it twice.")
        assert approve(store, note.pk, person("mara"), version=1).status == "approved"


def test_a_note_of_another_store_is_stale_and_stays(store: Store) -> None:
    elsewhere = make_store("travel")
    make_cast(elsewhere)
    note = proposed(elsewhere, LEASE)
    with pytest.raises(Stale) as error:
        approve(store, note.pk, person("mara"), version=note.version)
    assert error.value.memory is None
    assert Memory.objects.get(pk=note.pk).status == Status.PROPOSED


def test_the_second_of_two_people_gets_the_note_as_it_is_now(store: Store) -> None:
    note = proposed(store, LEASE)
    approve(store, note.pk, person("mara"), version=note.version)
    entries = AuditEvent.objects.count()
    with pytest.raises(Stale) as error:
        reject(store, note.pk, person("ren"), version=note.version, reason="no")
    assert error.value.memory is not None
    assert (error.value.memory.status, error.value.memory.reviewer) == ("approved", person("mara").user)
    assert AuditEvent.objects.count() == entries


def test_a_forgotten_note_is_stale(store: Store) -> None:
    for act in (approve, undo):
        with pytest.raises(Stale) as error:
            act(store, 4_711, person("mara"), version=1)
        assert error.value.memory is None


def test_a_decision_taken_twice_is_stale_the_second_time(store: Store) -> None:
    note = approved(store, LEASE)
    with pytest.raises(Stale):
        approve(store, note.pk, person("mara"), version=note.version)
    undone = undo(store, note.pk, person("mara"), version=note.version)
    with pytest.raises(Stale):
        undo(store, note.pk, person("mara"), version=undone.version)


def test_undo_puts_the_note_back_into_the_inbox(store: Store) -> None:
    note = proposed(store, LEASE)
    rejected = reject(store, note.pk, person("ren"), version=note.version, reason="unsure")
    after = undo(store, note.pk, person("ren"), version=rejected.version)
    assert (after.status, after.reviewer, after.decided_at, after.reason) == ("proposed", None, None, "")
    assert last_entry().action == "undone"
    assert approve(store, note.pk, person("ren"), version=after.version).status == "approved"
    assert recall(store, LEASE)


def test_approving_with_other_words_keeps_the_old_ones_and_undo_gives_them_back(store: Store) -> None:
    note = proposed(store, LEASE)
    after = approve(store, note.pk, person("mara"), version=1, text="Leases last half a minute.", applies_to="3.x")
    assert (after.text, after.applies_to) == ("Leases last half a minute.", "3.x")
    assert bytes(after.embedding or b"") == pack(get_embedder("hashed", 256).embed([after.text])[0])
    assert [found.text for found in recall(store, "leases half a minute")] == [after.text]
    assert [earlier.text for earlier in after.earlier_texts.all()] == [LEASE]
    assert last_entry().details["edited"] is True
    back = undo(store, note.pk, person("mara"), version=after.version)
    assert (back.text, back.applies_to, back.embedding) == (LEASE, "", note.embedding)
    assert not EarlierText.objects.exists()


def test_words_edited_after_the_decision_outlive_its_undo(store: Store) -> None:
    note = approve(store, proposed(store, LEASE).pk, person("mara"), version=1, text="Leases last half a minute.")
    edited = edit(store, note.pk, person("ren"), version=note.version, text="Leases last thirty seconds each.")
    after = undo(store, note.pk, person("mara"), version=edited.version)
    assert (after.status, after.text) == ("proposed", "Leases last thirty seconds each.")
    assert [earlier.text for earlier in after.earlier_texts.all()] == ["Leases last half a minute.", LEASE]


def test_editing_changes_words_of_any_status_and_nothing_else(store: Store) -> None:
    notes = [proposed(store, "Queues drain nightly."), approved(store, "Brokers speak TLS only.")]
    for note in notes:
        after = edit(store, note.pk, person("ren"), version=note.version, text=note.text + " Each day.")
        assert (after.status, after.reviewer, after.decided_at) == (note.status, note.reviewer, note.decided_at)
        assert after.earlier_texts.get().text == note.text
        assert last_entry().action == "edited"
    assert "Brokers speak TLS only. Each day." in [found.text for found in recall(store, "brokers TLS each day")]


@pytest.mark.parametrize("text", [LEASE, f"  {LEASE}\r\n", LEASE.replace(" ", "\u200b ")])
def test_an_edit_that_changes_nothing_is_none(store: Store, text: str) -> None:
    note = proposed(store, LEASE)
    assert edit(store, note.pk, person("ren"), version=1, text=text).version == 1
    assert not EarlierText.objects.exists()
    after = approve(store, note.pk, person("ren"), version=1, text=text)
    assert last_entry().details["edited"] is False
    assert after.text == LEASE


@pytest.mark.parametrize(
    ("text", "applies_to"),
    [(f"Use {TOKEN} for the canary.", ""), ("", ""), ("\u200b\u2060", ""), (OTHER, "the newest"), (OTHER, "1," * 50)],
)
def test_words_that_the_filter_refuses_are_not_kept(store: Store, text: str, applies_to: str) -> None:
    note = proposed(store, LEASE)
    for change in (approve, edit):
        with pytest.raises(Refused) as error:
            change(store, note.pk, person("mara"), version=1, text=text, applies_to=applies_to)
        assert str(error.value).endswith(".")
        assert TOKEN not in str(error.value)
    assert (Memory.objects.get().text, Memory.objects.get().version) == (LEASE, 1)
    assert not EarlierText.objects.exists()


def test_an_edit_that_settles_the_doubts_leaves_the_head_of_the_inbox(store: Store) -> None:
    draft = Draft(text=LEASE, source="doc:leases", evidence=f"export TOKEN={TOKEN}")
    note = Memory.objects.get(pk=propose(store, draft, Actor.agent("atlas")).id)
    assert note.risk > 0
    assert edit(store, note.pk, person("ren"), version=1, text="Leases last half a minute.").risk == 0


def test_a_waiting_note_cannot_be_approved_as_it_is(store: Store) -> None:
    note = proposed(store, LEASE)
    Memory.objects.update(embedding=None)
    with pytest.raises(NotAllowed, match="embed_waiting"):
        approve(store, note.pk, person("mara"), version=1)
    assert approve(store, note.pk, person("mara"), version=1, text=OTHER).status == "approved"


def test_a_note_that_the_rules_of_today_refuse_needs_other_words(store: Store) -> None:
    note = proposed(store, LEASE)
    store.policy = {"maximum_length": 25}
    store.save()
    with pytest.raises(NotAllowed, match=r"longer than this store allows.*rules of today"):
        approve(store, note.pk, person("mara"), version=1)
    assert approve(store, note.pk, person("mara"), version=1, text="Leases end in 30 s.").status == "approved"


def test_what_the_softer_rules_of_today_let_pass_can_be_approved(store: Store) -> None:
    note = proposed(store, LEASE)
    Memory.objects.update(findings=[{"rule": "extra.x", "severity": "refuse", "sentence": "No."}])
    after = approve(store, note.pk, person("mara"), version=1)
    assert (after.status, after.findings) == ("approved", [])


class TestTwoPeople:
    @pytest.fixture
    def store(self, db: None) -> Store:
        return make_store(two_person_review=True)

    def written(self, store: Store, name: str) -> Memory:
        return Memory.objects.get(pk=propose(store, Draft(text=LEASE, source="doc:leases"), person(name)).id)

    def test_the_author_cannot_decide_what_they_wrote(self, store: Store) -> None:
        note = self.written(store, "mara")
        with pytest.raises(NotAllowed, match="somebody else"):
            approve(store, note.pk, person("mara"), version=1)
        assert decide_many(store, [(note.pk, 1)], "approve", person("mara")).done == []
        assert approve(store, note.pk, person("ren"), version=1).status == "approved"

    def test_editing_while_approving_would_leave_the_words_unread(self, store: Store) -> None:
        note = proposed(store, LEASE)
        with pytest.raises(NotAllowed, match="two people"):
            approve(store, note.pk, person("mara"), version=1, text=OTHER)

    def test_an_edit_makes_its_writer_the_author(self, store: Store) -> None:
        note = self.written(store, "mara")
        edited = edit(store, note.pk, person("ren"), version=1, text=OTHER)
        with pytest.raises(NotAllowed, match="somebody else"):
            approve(store, note.pk, person("ren"), version=edited.version)
        assert approve(store, note.pk, person("mara"), version=edited.version).status == "approved"

    def test_an_approved_note_with_new_words_goes_back_to_the_inbox(self, store: Store) -> None:
        note = approved(store, LEASE)
        after = edit(store, note.pk, person("ren"), version=note.version, text=OTHER)
        assert (after.status, after.decided_at, after.reviewer) == ("proposed", None, None)
        assert recall(store, OTHER) == []


def test_replacing_rejects_the_old_note_and_keeps_it(store: Store) -> None:
    old, new = conflicting(store, decided=True)
    after = approve(store, new.pk, person("mara"), version=new.version, replace=True)
    old.refresh_from_db()
    assert (old.status, after.replaces) == ("rejected", old)
    assert str(new.pk) in old.reason
    assert [found.id for found in recall(store, LEASE)] == [new.pk]
    entries = AuditEvent.objects.filter(memory_number=old.pk, action="rejected")
    assert entries.get().details == {"replaced_by": new.pk}


def test_undoing_a_replacement_gives_both_notes_back_as_they_were(store: Store) -> None:
    old, new = conflicting(store, decided=True)
    after = approve(store, new.pk, person("ren"), version=new.version, replace=True)
    back = undo(store, new.pk, person("ren"), version=after.version)
    old_now = Memory.objects.get(pk=old.pk)
    assert (back.status, back.replaces) == ("proposed", None)
    assert (old_now.status, old_now.reason, old_now.before_replaced) == ("approved", "", None)
    assert (old_now.reviewer, old_now.decided_at) == (old.reviewer, old.decided_at)
    assert [found.id for found in recall(store, LEASE)] == [old.pk]
    assert AuditEvent.objects.filter(memory_number=old.pk, action="undone").exists()


def test_undoing_a_replacement_approves_nothing_that_nobody_approved(store: Store) -> None:
    old, new = conflicting(store, decided=False)
    after = approve(store, new.pk, person("mara"), version=new.version, replace=True)
    assert Memory.objects.get(pk=old.pk).status == Status.REJECTED
    undo(store, new.pk, person("mara"), version=after.version)
    old_now = Memory.objects.get(pk=old.pk)
    assert (old_now.status, old_now.decided_at) == ("proposed", None)


def test_a_replaced_note_decided_anew_is_not_brought_back(store: Store) -> None:
    old, new = conflicting(store, decided=True)
    after = approve(store, new.pk, person("mara"), version=new.version, replace=True)
    reopened = undo(store, old.pk, person("ren"), version=Memory.objects.get(pk=old.pk).version)
    reject(store, old.pk, person("ren"), version=reopened.version, reason="never true")
    undo(store, new.pk, person("mara"), version=after.version)
    old_now = Memory.objects.get(pk=old.pk)
    assert (old_now.status, old_now.reason) == ("rejected", "never true")


def test_a_replaced_note_with_new_words_comes_back_to_the_inbox_only(store: Store) -> None:
    old, new = conflicting(store, decided=True)
    after = approve(store, new.pk, person("mara"), version=new.version, replace=True)
    edit(store, old.pk, person("ren"), version=Memory.objects.get(pk=old.pk).version, text="Leases never end.")
    undo(store, new.pk, person("mara"), version=after.version)
    assert Memory.objects.get(pk=old.pk).status == Status.PROPOSED


def test_a_replaced_note_forgotten_in_the_meantime_is_no_hindrance(store: Store) -> None:
    old, new = conflicting(store, decided=True)
    after = approve(store, new.pk, person("mara"), version=new.version, replace=True)
    old.delete()
    assert undo(store, new.pk, person("mara"), version=after.version).status == "proposed"


@pytest.mark.parametrize("reopened_by", ["rescreen", "edit"])
def test_undoing_a_rejection_brings_back_no_note_that_was_replaced_before_it(store: Store, reopened_by: str) -> None:
    old, new = conflicting(store, decided=True)
    after = approve(store, new.pk, person("ren"), version=new.version, replace=True)
    if reopened_by == "rescreen":
        Store.objects.update(policy={"families": {"quality": "refuse"}, "maximum_length": 20})
        assert rescreen(Store.objects.get(pk=store.pk), Actor.command("rescreen")).put_back == 1
    else:
        Store.objects.update(two_person_review=True)
        store.refresh_from_db()
        edit(store, new.pk, person("ren"), version=after.version, text=OTHER.replace("90", "95"))
    reopened = Memory.objects.get(pk=new.pk)
    assert (reopened.status, reopened.replaces) == ("proposed", old)
    rejected = reject(store, new.pk, person("mara"), version=reopened.version, reason="never true")
    back = undo(store, new.pk, person("mara"), version=rejected.version)
    assert (back.status, back.replaces) == ("proposed", old)
    assert Memory.objects.get(pk=old.pk).status == Status.REJECTED


def test_replacing_where_nothing_conflicts_is_just_approving(store: Store) -> None:
    note = proposed(store, LEASE)
    assert approve(store, note.pk, person("mara"), version=1, replace=True).replaces is None


def test_many_are_decided_with_one_entry_and_the_rest_is_said(store: Store) -> None:
    notes = [proposed(store, f"Queue {number} of site {number * 31} drains at {number}.") for number in range(4)]
    wish = proposed(store, "Always name the doc page.", kind="preference", origin=Origin.MAINTAINER)
    edit(store, notes[3].pk, person("mara"), version=1, text="Queue 3 never drains.")
    pairs = [(note.pk, 1) for note in [*notes, wish]] + [(9_999, 1)]
    result = decide_many(store, pairs, "approve", person("ren"))
    assert result.done == [note.pk for note in notes[:3]]
    assert sorted(map(len, result.skipped.values())) == [1, 2]
    entry = last_entry()
    assert (entry.action, entry.count, entry.operation) == ("approved", 3, result.operation)
    assert entry.details == {"notes": result.done}
    assert Memory.objects.filter(status=Status.APPROVED).count() == 3


def test_undoing_many_gives_words_and_replaced_notes_back(store: Store) -> None:
    old, new = conflicting(store, decided=True)
    approve(store, new.pk, person("mara"), version=new.version, text=OTHER.replace("90", "95"), replace=True)
    plain = approved(store, "Brokers speak TLS only.")
    pairs = list(Memory.objects.filter(pk__in=[new.pk, plain.pk]).values_list("pk", "version"))
    result = decide_many(store, pairs, "undo", person("mara"))
    assert sorted(result.done) == sorted([new.pk, plain.pk])
    assert Memory.objects.get(pk=new.pk).text == OTHER
    assert Memory.objects.get(pk=old.pk).status == Status.APPROVED
    assert AuditEvent.objects.get(memory_number=old.pk, action="undone").operation == result.operation


def test_one_note_that_cannot_be_undone_does_not_hold_up_the_others(store: Store) -> None:
    note = approve(store, proposed(store, LEASE).pk, person("mara"), version=1, text="Leases last half a minute.")
    plain = approved(store, "Brokers speak TLS only.")
    EarlierText.objects.update(text=f"Use {TOKEN} for the canary.")
    result = decide_many(store, [(note.pk, note.version), (plain.pk, plain.version)], "undo", person("mara"))
    assert result.done == [plain.pk]
    assert [note.pk] in result.skipped.values()


def test_more_than_one_batch_shares_one_operation(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memories.review.BATCH", 2)
    notes = [proposed(store, f"Queue {number} of site {number * 31} drains at {number}.") for number in range(5)]
    result = decide_many(store, [(note.pk, 1) for note in notes], "reject", person("ren"), reason="noise")
    assert len(result.done) == 5
    entries = AuditEvent.objects.filter(action="rejected")
    assert [entry.count for entry in entries.order_by("id")] == [2, 2, 1]
    assert {entry.operation for entry in entries} == {result.operation}
    assert {note.reason for note in Memory.objects.all()} == {"noise"}


def test_no_notes_are_decided_without_a_trace(store: Store) -> None:
    assert decide_many(store, [], "approve", person("ren")).done == []
    assert not AuditEvent.objects.exists()


def test_no_decision_leaves_a_text_in_the_audit_log(store: Store) -> None:
    old, new = conflicting(store, decided=True)
    after = approve(store, new.pk, person("mara"), version=1, text="Leases last half a minute.", replace=True)
    undo(store, new.pk, person("mara"), version=after.version)
    edit(store, old.pk, person("mara"), version=Memory.objects.get(pk=old.pk).version, text="Leases never end.")
    written = " ".join(str(entry.details) for entry in AuditEvent.objects.all())
    assert not any(word in written for word in ("lease", "Lease", "worker", "minute"))
