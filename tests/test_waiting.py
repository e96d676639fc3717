"""Notes proposed while the embedder is out of reach: kept, shown, finished later, none lost."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command

from memories.audit import Actor
from memories.embedding import EmbedderError, EmbedderUnavailable, get_embedder, unpack
from memories.models import AuditEvent, Memory, Removal, Store
from memories.propose import propose, propose_many
from memories.recall import recall
from memories.review import NotAllowed, approve, reject
from memories.schemas import Draft
from memories.waiting import embed_waiting
from tests.helpers import approved, make_cast, make_store, person
from tests.openai_server import Json, OpenAIServer, Reply, error

LEASE = "The worker holds its lease for 30 seconds by default."
OTHER = "The worker holds its lease for 90 seconds by default."
COMMAND = Actor.command("test")
MODEL = "openai:local-model"


class Service:
    """The local server with the hashed embedder behind it, until `failure` says how it goes wrong from now on."""

    width = 64

    def __init__(self, server: OpenAIServer) -> None:
        self.server = server
        self.failure: int | str = ""
        server.answers["/v1/embeddings"] = self.answer

    def answer(self, request: Json) -> Reply:
        if isinstance(self.failure, int):
            return error(self.failure)
        width = self.width // 2 if self.failure == "narrow" else self.width
        matrix = get_embedder("hashed", width).embed(request["input"]).astype("<f4")
        matrix = matrix * float("nan") if self.failure == "nan" else matrix
        rows = [{"index": at, "embedding": base64.b64encode(row.tobytes()).decode()} for at, row in enumerate(matrix)]
        shown = rows[1:] if self.failure == "fewer" else rows
        return Reply({"data": shown, "model": request["model"]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with OpenAIServer() as served:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-" + "tests" * 8)
        monkeypatch.setenv("OPENAI_BASE_URL", served.base_url)
        yield Service(served)


@pytest.fixture
def store(db: None, server: Service) -> Store:
    made = make_store(embedder=MODEL, width=server.width, dedupe_threshold=0.8)
    make_cast(made)
    return made


def draft(text: str = LEASE, **fields: str) -> Draft:
    return Draft(text=text, **{"source": "doc:leases", **fields})


def test_notes_are_embedded_through_the_real_client(store: Store, server: Service) -> None:
    note = Memory.objects.get(pk=propose(store, draft(), COMMAND).id)
    assert unpack(bytes(note.embedding or b""), store.width) == pytest.approx(
        get_embedder("hashed", store.width).embed([LEASE])[0]
    )
    ((_path, request),) = server.server.requests
    assert (request["model"], request["input"]) == ("local-model", [LEASE])


def test_many_drafts_go_in_batches(store: Store, server: Service) -> None:
    drafts = [draft(f"Queue {number} of site {number * 31} drains at {number}.") for number in range(300)]
    propose_many(store, drafts, COMMAND)
    assert [len(request["input"]) for _path, request in server.server.requests] == [256, 44]
    assert not Memory.objects.filter(embedding=None).exists()


def test_asked_to_slow_down_it_tries_again(store: Store, server: Service) -> None:
    server.server.script.extend([error(429), error(503)])
    outcome = propose(store, draft(), COMMAND)
    assert (outcome.outcome, outcome.waiting) == ("proposed", False)
    assert len(server.server.requests) == 3


@pytest.mark.parametrize("failure", [500, 429, "nan", "fewer"])
def test_a_failing_service_loses_no_draft_and_a_later_run_finishes_it(
    store: Store, server: Service, failure: int | str
) -> None:
    server.failure = failure
    outcomes = propose_many(store, [draft(), draft("Brokers speak TLS only.")], COMMAND)
    assert [(outcome.outcome, outcome.waiting) for outcome in outcomes] == [("proposed", True)] * 2
    assert Memory.objects.filter(embedding=None).count() == 2
    with pytest.raises(EmbedderUnavailable) as error:
        embed_waiting(store, COMMAND)
    assert str(error.value).endswith(".")
    server.failure = ""
    assert embed_waiting(store, COMMAND) == 2
    assert not Memory.objects.filter(embedding=None).exists()
    entry = AuditEvent.objects.latest("id")
    assert (entry.action, entry.count) == ("embedded", 2)
    for note in Memory.objects.all():
        approve(store, note.pk, person("mara"), version=note.version)
    assert [note.text for note in recall(store, "worker lease", minimum_score=0.1)] == [LEASE]


@pytest.mark.parametrize("failure", [401, "narrow", 400])
def test_what_a_later_attempt_cannot_mend_is_said_at_once(store: Store, server: Service, failure: int | str) -> None:
    server.failure = failure
    with pytest.raises(EmbedderError) as error:
        propose(store, draft(), COMMAND)
    assert not isinstance(error.value, EmbedderUnavailable)
    assert not Memory.objects.exists()
    with pytest.raises(CommandError, match="openai:local-model"):
        call_command("recall", "lease", store=store.slug)


def test_a_waiting_note_can_be_rejected_but_not_approved(store: Store, server: Service) -> None:
    server.failure = 500
    note = Memory.objects.get(pk=propose(store, draft(), COMMAND).id)
    with pytest.raises(NotAllowed, match="embed_waiting"):
        approve(store, note.pk, person("mara"), version=note.version)
    assert reject(store, note.pk, person("mara"), version=note.version, reason="").status == "rejected"


def test_the_same_words_twice_wait_once(store: Store, server: Service) -> None:
    server.failure = 500
    first = propose(store, draft(), COMMAND)
    second = propose(store, draft(source="issue:4"), COMMAND)
    assert (second.outcome, second.id) == ("duplicate", first.id)


def test_what_turns_out_to_be_known_joins_the_known_note(store: Store, server: Service) -> None:
    known = approved(store, LEASE)
    server.failure = 500
    waiting = propose(store, draft(LEASE.lower(), source="url:https://example.org/"), COMMAND)
    assert waiting.waiting
    server.failure = ""
    embed_waiting(store, COMMAND)
    note = Memory.objects.get()
    assert (note.pk, note.text, note.status, note.times_seen) == (known.pk, LEASE, "approved", 2)
    assert note.origin == "untrusted"
    assert {row.source for row in note.sources.all()} == {"doc:leases", "url:https://example.org/"}
    assert Removal.objects.get().memory_number == waiting.id
    assert AuditEvent.objects.latest("id").details == {"joined": [[waiting.id, known.pk]]}


def test_waiting_notes_that_repeat_each_other_become_one(store: Store, server: Service) -> None:
    server.failure = 500
    outcomes = propose_many(store, [draft(), draft(LEASE.upper(), source="issue:4"), draft(OTHER)], COMMAND)
    server.failure = ""
    assert embed_waiting(store, COMMAND) == 3
    first, conflict = Memory.objects.order_by("pk")
    assert (first.pk, first.times_seen, first.sources.count()) == (outcomes[0].id, 2, 2)
    assert (conflict.pk, conflict.conflicts_with, conflict.risk) == (outcomes[2].id, first, 2)


def test_nothing_waiting_asks_nobody(store: Store, server: Service) -> None:
    server.failure = 500
    assert embed_waiting(store, COMMAND) == 0
    assert server.server.requests == []
    assert not AuditEvent.objects.exists()
