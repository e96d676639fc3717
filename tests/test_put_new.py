"""A process puts the notes it has just committed into its own index; whatever else happens, nothing is missed."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from memories.audit import Actor
from memories.models import Memory, Store
from memories.propose import propose, propose_many
from memories.resident import ready
from memories.schemas import Draft
from tests.helpers import make_store

AGENT = Actor.agent("atlas")
TEXTS = ("The broker speaks TLS only.", "Queues are drained nightly.", "The harbour lantern is lit at dusk.")
DRAFTS = [Draft(text=text, source="doc:leases") for text in TEXTS]


@pytest.fixture
def open_store(transactional_db: None) -> Store:
    """A store whose transactions really end."""
    store = make_store()
    ready(store)
    return store


def held(store: Store) -> set[int]:
    index = ready(store).index
    return {number for number in Memory.objects.values_list("pk", flat=True) if number in index}


def everything() -> set[int]:
    return set(Memory.objects.values_list("pk", flat=True))


def test_own_notes_are_not_read_back(open_store: Store) -> None:
    propose_many(open_store, DRAFTS, AGENT)
    with CaptureQueriesContext(connection) as queries:
        ready(open_store)
    assert not [query for query in queries if "memories_memory" in query["sql"]]
    assert held(open_store) == everything()
    assert len(everything()) == 3


def test_own_notes_are_known_to_the_next_draft(open_store: Store) -> None:
    first = propose(open_store, DRAFTS[0], AGENT)
    again = propose(open_store, DRAFTS[0], AGENT)
    assert (again.outcome, again.id) == ("duplicate", first.id)


def test_a_change_of_another_process_in_between_is_not_skipped(open_store: Store) -> None:
    first = propose(open_store, DRAFTS[0], AGENT)

    def meanwhile() -> None:
        """What another process changed before this one's commit, seen by the index only later."""
        Memory.objects.filter(pk=first.id).update(
            kind="episode", revision=Store.objects.get(pk=open_store.pk).next_revision()
        )

    propose_many(open_store, DRAFTS[1:2], AGENT, within=meanwhile)
    propose(open_store, DRAFTS[2], AGENT)
    vector = ready(open_store).embedder.embed([TEXTS[0]])[0]
    index = ready(open_store).index
    assert index.nearest(vector, kind="fact", k=1, minimum_cosine=0.9) == []
    assert [number for number, _ in index.nearest(vector, kind="episode", k=1, minimum_cosine=0.9)] == [first.id]
    assert held(open_store) == everything()


def test_notes_that_were_rolled_back_are_not_held(open_store: Store) -> None:
    with transaction.atomic():
        outcome = propose(open_store, DRAFTS[0], AGENT)
        transaction.set_rollback(True)
    assert outcome.id is not None
    assert outcome.id not in ready(open_store).index
    assert propose(open_store, DRAFTS[0], AGENT).outcome == "proposed"


def test_two_proposals_in_one_transaction_are_both_held(open_store: Store) -> None:
    with transaction.atomic():
        for draft in DRAFTS:
            propose(open_store, draft, AGENT)
    assert held(open_store) == everything()


def test_a_changed_time_to_live_holds_for_own_notes_too(open_store: Store) -> None:
    propose(open_store, DRAFTS[0], AGENT)
    Store.objects.filter(pk=open_store.pk).update(fact_days=1)
    propose(open_store, DRAFTS[1], AGENT)
    assert held(open_store) == everything()
