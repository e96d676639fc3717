"""Taking drafts in: what becomes of them, what is known already, what is refused, and what is written down."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pydantic import ValidationError

from memories.audit import Actor
from memories.embedding import get_embedder
from memories.models import AuditEvent, Membership, Memory, MemorySource, Origin, Refusal, Role, Run, Status, Store
from memories.propose import Outcome, propose, propose_many
from memories.resident import EmbedderChanged
from memories.schemas import Draft, explain
from tests.helpers import approved, make_store, person, proposed

AGENT = Actor.agent("atlas")
# Obviously fake, and put together here so that no scanner takes it for a find.
TOKEN = "ghp_" + "a1B2" * 9


def draft(text: str = "The worker holds its lease for 30 seconds.", **fields: Any) -> Draft:
    return Draft.model_validate({"source": "doc:leases", **fields, "text": text})


def test_a_new_draft_waits_in_the_inbox_with_all_that_is_known_of_it(store: Store) -> None:
    learnt = datetime(2026, 3, 1, 12, tzinfo=UTC)
    outcome = propose(store, draft(evidence="the lease lasts 30 s", applies_to="3.x"), AGENT, observed_at=learnt)
    note = Memory.objects.get(pk=outcome.id)
    assert outcome == Outcome("proposed", id=note.pk)
    assert (note.status, note.kind, note.origin, note.source) == ("proposed", "fact", "agent_derived", "doc:leases")
    assert (note.observed_at, note.evidence, note.applies_to) == (learnt, "the lease lasts 30 s", "3.x")
    assert (note.proposer, note.author, note.version, note.times_seen) == ("agent:atlas", None, 1, 1)
    assert [row.source for row in note.sources.all()] == ["doc:leases"]


def test_one_audit_entry_says_how_many_and_which_and_holds_no_text(store: Store) -> None:
    outcomes = propose_many(store, [draft(), draft("The broker speaks TLS 1.3 only.", source="doc:broker")], AGENT)
    entry = AuditEvent.objects.get(store=store)
    assert (entry.action, entry.count, entry.actor) == ("proposed", 2, "agent:atlas")
    assert entry.details == {"notes": [outcome.id for outcome in outcomes]}


@pytest.mark.parametrize(
    "again",
    [
        "The worker holds its lease for 30 seconds.",
        "  The worker\tholds its lease \n for 30 seconds. ",
        "The wor\u200bker holds its le\u00adase for 30 seconds.",
        "the worker holds its lease for 30 seconds",
    ],
    ids=["same", "spaces", "invisible letters", "case and full stop"],
)
def test_the_same_thing_is_seen_again_and_not_kept_twice(store: Store, again: str) -> None:
    first = propose(store, draft(), AGENT)
    second = propose(store, draft(again), AGENT)
    assert (second.outcome, second.id) == ("duplicate", first.id)
    assert Memory.objects.get().times_seen == 2
    assert AuditEvent.objects.latest("id").action == "seen_again"


def test_letters_put_together_differently_are_the_same_letters(store: Store) -> None:
    text = "Das Büro in Zürich öffnet um neun."
    first = propose(store, draft(unicodedata.normalize("NFD", text)), AGENT)
    assert Memory.objects.get().text == unicodedata.normalize("NFC", text)
    assert propose(store, draft(text), AGENT).id == first.id


def test_seen_again_elsewhere_the_newest_date_and_the_lowest_origin_count(store: Store) -> None:
    old, new = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)
    first = propose(store, draft(), AGENT, origin=Origin.MAINTAINER, observed_at=old)
    propose(store, draft(source="url:https://example.org/a"), AGENT, observed_at=new)
    propose(store, draft(source="issue:4"), AGENT, origin=Origin.USER_STATED, observed_at=old - timedelta(days=9))
    note = Memory.objects.get(pk=first.id)
    assert (note.observed_at, note.origin, note.times_seen) == (new, "untrusted", 3)
    assert note.source == "doc:leases"
    assert {row.source: row.origin for row in note.sources.all()} == {
        "doc:leases": "maintainer",
        "url:https://example.org/a": "untrusted",
        "issue:4": "user_stated",
    }


def test_what_a_stranger_says_too_moves_up_in_the_inbox(store: Store) -> None:
    first = propose(store, draft(), AGENT)
    propose(store, draft(source="url:https://example.org/a"), AGENT)
    assert Memory.objects.get(pk=first.id).risk == 1


def test_an_older_sighting_takes_nothing_from_a_source(store: Store) -> None:
    new = datetime(2026, 5, 1, tzinfo=UTC)
    propose(store, draft(evidence="lasts 30 s"), AGENT, origin=Origin.UNTRUSTED, observed_at=new)
    propose(store, draft(), AGENT, origin=Origin.MAINTAINER, observed_at=new - timedelta(days=300))
    row = MemorySource.objects.get()
    assert (row.observed_at, row.origin, row.evidence) == (new, "untrusted", "lasts 30 s")


def test_a_rejected_note_does_not_come_back_to_the_inbox(store: Store, cast: dict[str, User]) -> None:
    from memories.review import reject

    note = proposed(store, "The worker holds its lease for 30 seconds.")
    reject(store, note.pk, person("mara"), version=note.version, reason="wrong")
    assert propose(store, draft(), AGENT).id == note.pk
    assert Memory.objects.get().status == Status.REJECTED


def test_repeats_inside_one_batch_become_one_note(store: Store) -> None:
    outcomes = propose_many(store, [draft(), draft(source="issue:9"), draft()], AGENT)
    assert [outcome.outcome for outcome in outcomes] == ["proposed", "duplicate", "duplicate"]
    assert len({outcome.id for outcome in outcomes}) == 1
    note = Memory.objects.get()
    assert note.times_seen == 3
    assert {row.source for row in note.sources.all()} == {"doc:leases", "issue:9"}


def test_what_differs_in_a_number_is_a_conflict_beside_the_other_note(store: Store, cast: dict[str, User]) -> None:
    store.dedupe_threshold = 0.8
    store.save()
    known = approved(store, "The worker holds its lease for 30 seconds by default.")
    outcome = propose(store, draft("The worker holds its lease for 90 seconds by default."), AGENT)
    assert outcome.outcome == "conflict"
    note = Memory.objects.get(pk=outcome.id)
    assert note.conflicts_with == known
    assert note.risk > 0


def test_a_conflict_inside_one_batch_names_the_earlier_draft(store: Store) -> None:
    store.dedupe_threshold = 0.8
    texts = [f"The worker holds its lease for {seconds} seconds by default." for seconds in (30, 90)]
    first, second = propose_many(store, [draft(text) for text in texts], AGENT)
    assert (first.outcome, second.outcome) == ("proposed", "conflict")
    assert Memory.objects.get(pk=second.id).conflicts_with_id == first.id


def test_the_same_words_of_another_version_kind_or_store_are_another_note(store: Store) -> None:
    elsewhere = make_store("travel")
    ids = [
        propose(store, draft(applies_to="2.x"), AGENT).id,
        propose(store, draft(applies_to="3.x"), AGENT).id,
        propose(store, draft(kind="episode", applies_to="3.x"), AGENT).id,
        propose(elsewhere, draft(applies_to="3.x"), AGENT).id,
    ]
    assert len(set(ids)) == 4


def test_many_versions_of_one_sentence_do_not_hide_the_right_one(store: Store) -> None:
    ids = [propose(store, draft(applies_to=f"{major}.x"), AGENT).id for major in range(1, 10)]
    again = [propose(store, draft(applies_to=f"{major}.x"), AGENT).id for major in range(1, 10)]
    assert again == ids


def test_a_refused_draft_leaves_no_text_behind(store: Store) -> None:
    outcome = propose(store, draft(f"Deploy the canary with {TOKEN} as before."), AGENT)
    assert outcome.outcome == "refused"
    assert outcome.rules
    assert TOKEN not in " ".join(outcome.sentences)
    assert not Memory.objects.exists()
    refusal = Refusal.objects.get()
    assert (refusal.source, refusal.rule) == ("doc:leases", outcome.rules[0])
    entry = AuditEvent.objects.get()
    assert (entry.action, entry.count) == ("refused", 1)
    assert "canary" not in str(entry.details)


def test_a_refused_source_is_not_written_down_either(store: Store) -> None:
    for source in (f"doc:{TOKEN}", "x" * 10_000, "no scheme"):
        assert propose(store, draft(source=source), AGENT).outcome == "refused"
    assert {refusal.source for refusal in Refusal.objects.all()} == {""}


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"kind": "rumour"}, "kind.unknown"),
        ({"kind": "preference"}, "kind.agent-preference"),
        ({"kind": "procedure", "source": "maintainer:mara"}, "kind.agent-preference"),
        ({"source": ""}, "source.missing"),
        ({"source": "leases"}, "source.malformed"),
        ({"source": "doc:" + "a" * 10_000}, "source.malformed"),
        ({"applies_to": "the newest"}, "version.malformed"),
        ({"run": "run 7; drop"}, "run.malformed"),
        ({"text": "\u200b\u200d\ufeff\u2060"}, "quality.empty"),
        ({"text": ""}, "quality.empty"),
        ({"text": "The lease is long. " * 40}, "quality.too-long"),
    ],
)
def test_what_is_wrong_with_a_draft_is_one_clear_sentence(store: Store, fields: dict[str, Any], rule: str) -> None:
    text = fields.get("text", "The worker holds its lease for 30 seconds.")
    outcome = propose(store, draft(text, **{name: value for name, value in fields.items() if name != "text"}), AGENT)
    assert outcome.outcome == "refused"
    assert rule in outcome.rules
    assert all(sentence.endswith(".") for sentence in outcome.sentences)
    assert not Memory.objects.exists()


@pytest.mark.parametrize(
    "text",
    ["労働者は30秒間リースを保持します。", "يحتفظ العامل بعقده لمدة ثلاثين ثانية", "Deploys fail on Fridays 🙃🚀"],
)
def test_every_script_can_be_kept_and_is_known_again(store: Store, text: str) -> None:
    first = propose(store, draft(text), AGENT)
    assert first.outcome == "proposed"
    assert propose(store, draft(text), AGENT).id == first.id


def test_a_store_may_insist_on_versions(store: Store) -> None:
    store.version_rule = "required"
    assert "quality.version-missing" in propose(store, draft(), AGENT).rules
    assert propose(store, draft(applies_to="3.x"), AGENT).outcome == "proposed"


def test_preferences_come_from_maintainers_only(store: Store, cast: dict[str, User]) -> None:
    wish = draft("Answers should name the doc page they rely on.", kind="preference", source="maintainer:mara-k")
    assert propose(store, wish, person("ren")).outcome == "refused"
    assert propose(store, wish.model_copy(update={"source": "user:ren"}), person("ren")).outcome == "refused"
    outcome = propose(store, wish, person("mara"))
    note = Memory.objects.get(pk=outcome.id)
    assert (note.origin, note.author, note.status) == ("maintainer", cast["mara"], "proposed")


@pytest.mark.parametrize(
    ("source", "actor", "origin"),
    [
        ("doc:leases", AGENT, "agent_derived"),
        ("user:17", AGENT, "agent_derived"),
        ("maintainer:mara", AGENT, "agent_derived"),
        ("url:https://example.org/", AGENT, "untrusted"),
        ("user:17", "ren", "user_stated"),
        ("doc:leases", "ren", "agent_derived"),
        ("doc:leases", "mara", "maintainer"),
    ],
)
def test_code_decides_how_far_to_trust_a_source(
    store: Store, cast: dict[str, User], source: str, actor: Actor | str, origin: str
) -> None:
    by = person(actor) if isinstance(actor, str) else actor
    outcome = propose(store, draft(source=source), by)
    assert Memory.objects.get(pk=outcome.id).origin == origin


def test_a_maintainer_of_another_store_is_nobody_here(store: Store) -> None:
    sam = User.objects.create(username="sam")
    Membership.objects.create(store=make_store("travel"), user=sam, role=Role.OWNER)
    outcome = propose(store, draft(), Actor.person(sam))
    assert Memory.objects.get(pk=outcome.id).origin == "agent_derived"


def test_an_agent_can_name_only_sources_that_its_run_saw(store: Store) -> None:
    Run.objects.create(
        store=store, identifier="run-1", agent="atlas", started_at=timezone.now(), sources=["doc:leases"]
    )
    assert propose(store, draft(run="run-1"), AGENT).outcome == "proposed"
    outcome = propose(store, draft("Queues are drained nightly.", source="doc:queues", run="run-1"), AGENT)
    assert outcome.rules == ("source.not-seen",)
    assert propose(store, draft("Queues drain.", source="doc:queues", run="run-1"), AGENT, origin=Origin.MAINTAINER).id


def test_a_run_named_for_the_first_time_gets_a_record(store: Store) -> None:
    outcomes = propose_many(store, [draft(run="run:7"), draft("Queues are drained nightly.", run="run:7")], AGENT)
    run = Run.objects.get()
    assert (run.identifier, run.agent) == ("run:7", "agent:atlas")
    assert {note.run for note in Memory.objects.all()} == {run}
    assert len(outcomes) == 2


def test_a_run_of_another_store_lends_nothing(store: Store) -> None:
    Run.objects.create(store=make_store("travel"), identifier="run-1", agent="atlas", started_at=timezone.now())
    propose(store, draft(run="run-1"), AGENT)
    assert Run.objects.filter(store=store, identifier="run-1").count() == 1


def test_evidence_with_a_secret_is_dropped_and_a_person_told(store: Store) -> None:
    outcome = propose(store, draft(evidence=f"export TOKEN={TOKEN}"), AGENT)
    assert (outcome.outcome, outcome.rules) == ("proposed", ("evidence.dropped",))
    note = Memory.objects.get(pk=outcome.id)
    assert (note.evidence, note.sources.get().evidence) == ("", "")
    assert note.findings


def test_a_secret_across_the_cut_of_the_evidence_is_seen_whole(store: Store) -> None:
    outcome = propose(store, draft(evidence="the log says " + "x y " * 70 + f" token {TOKEN}"), AGENT)
    assert Memory.objects.get(pk=outcome.id).evidence == ""


def test_long_evidence_is_cut_to_what_is_kept(store: Store) -> None:
    outcome = propose(store, draft(evidence="The lease lasts. " * 100), AGENT)
    evidence = Memory.objects.get(pk=outcome.id).evidence
    assert len(evidence) == 300
    assert evidence.endswith("…")


@pytest.mark.parametrize("given", ["2099-12-31", "2099-12-31T01:00:00+01:00", "2099-12-31T00:00:00Z"])
def test_a_note_can_bring_its_own_end_in_utc(store: Store, given: str) -> None:
    note = Memory.objects.get(pk=propose(store, draft(expires_at=given), AGENT).id)
    assert note.expires_at == datetime(2099, 12, 31, tzinfo=UTC)


@pytest.mark.parametrize("given", ["soon", "9999-12-31T23:59:59-12:00", "0001-01-01", [], {}, True])
def test_an_end_that_is_no_date_is_no_draft(given: object) -> None:
    with pytest.raises(ValidationError) as error:
        draft(expires_at=given)
    assert explain(error.value).startswith("expires_at: ")


def test_what_has_ended_already_is_refused(store: Store) -> None:
    assert propose(store, draft(expires_at="2020-01-01"), AGENT).rules == ("end.past",)


def test_what_a_model_must_not_set_is_ignored(store: Store) -> None:
    shape = draft(status="approved", origin="maintainer", observed_at="1999-01-01", reviewer="mara", id=1)
    note = Memory.objects.get(pk=propose(store, shape, AGENT).id)
    assert (note.status, note.origin) == ("proposed", "agent_derived")
    assert note.observed_at.year > 2000


@pytest.mark.parametrize("shape", [[], "text", 7, {"text": 7}, {}, {"text": None}, {"text": "a", "source": ["b"]}])
def test_a_shape_that_is_no_draft_is_explained_without_its_values(shape: object) -> None:
    with pytest.raises(ValidationError) as error:
        Draft.model_validate(shape)
    assert explain(error.value).endswith(".")


def test_nothing_proposed_is_nothing_written(store: Store) -> None:
    assert propose_many(store, [], AGENT) == []
    assert not AuditEvent.objects.exists()


def test_what_is_kept_together_with_the_notes_fails_together(store: Store) -> None:
    def fail() -> None:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        propose_many(store, [draft()], AGENT, within=fail)
    assert not Memory.objects.exists()
    assert not AuditEvent.objects.exists()
    assert propose(store, draft(), AGENT).outcome == "proposed"


def test_a_store_that_changed_its_embedder_in_the_meantime_gets_the_vectors_of_the_new_one(store: Store) -> None:
    as_loaded_before = Store.objects.get(pk=store.pk)
    call_command("reembed", store=store.slug, embedder="wordllama")
    outcome = propose(as_loaded_before, draft(), AGENT)
    note = Memory.objects.get(pk=outcome.id)
    assert bytes(note.embedding or b"") == get_embedder("wordllama").embed([note.text])[0].astype("<f4").tobytes()


def test_a_store_that_keeps_changing_its_embedder_says_so() -> None:
    assert str(EmbedderChanged()).endswith("once more.")


def test_one_by_one_or_all_at_once_the_same_notes_are_kept(store: Store) -> None:
    store.dedupe_threshold = 0.8
    at_once = make_store("travel", dedupe_threshold=0.8)
    subjects = ["The worker holds its lease", "The broker keeps a message", "The dashboard shows a job"]
    texts = [f"{subject} for {seconds} seconds." for seconds in (30, 30, 90) for subject in subjects] * 2
    drafts = [draft(text, source=f"issue:{number % 4 + 1}") for number, text in enumerate(texts)]
    single = [propose(store, one, AGENT) for one in drafts]
    batch = propose_many(at_once, drafts, AGENT)
    assert [outcome.outcome for outcome in single] == [outcome.outcome for outcome in batch]

    def kept(where: Store) -> list[tuple[object, ...]]:
        notes = Memory.objects.filter(store=where).order_by("pk").prefetch_related("sources")
        numbers = {note.pk: place for place, note in enumerate(notes)}
        return [
            (
                note.text,
                note.times_seen,
                numbers.get(note.conflicts_with_id or 0),
                {row.source for row in note.sources.all()},
            )
            for note in notes
        ]

    assert kept(store) == kept(at_once)
    assert len(kept(store)) == 6


def queries_of(store: Store, drafts: list[Draft]) -> int:
    with CaptureQueriesContext(connection) as queries:
        propose_many(store, drafts, AGENT)
    return len(queries)


def test_the_number_of_queries_grows_neither_with_the_store_nor_with_the_batch(store: Store) -> None:
    texts = [f"Queue number {number} of site {number * 7} is drained in hour {number % 24}." for number in range(80)]
    queries_of(store, [draft("Warm the index up first.")])
    one = queries_of(store, [draft(texts[0])])
    assert queries_of(store, [draft(text) for text in texts[1:50]]) <= one + 2
    assert queries_of(store, [draft(texts[60])]) == one
    again = queries_of(store, [draft(texts[0])])
    assert queries_of(store, [draft(text) for text in texts[1:50]]) <= again + 4
    assert again < 20
