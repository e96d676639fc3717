"""What the filter refuses is nowhere afterwards: not in a row, a log, an audit entry, a session or a page."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from memories.audit import Actor
from memories.models import Memory, Refusal, Store
from memories.propose import propose_many
from memories.redact import holds_credential, without_secrets
from memories.review import Refused, edit
from memories.schemas import Draft
from memories.screening import RULES, Policy, screen, screen_evidence
from memories.storage import found_in_files
from tests.helpers import make_cast, person, proposed

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = ("credential", "personal")
# Long enough that finding it means something.
SHORTEST = 12


def refused_examples() -> list[str]:
    """Every bad example of every rule that the filter refuses as a note."""
    bad = [rule.bad for rule in RULES.values()]
    return [text for text in bad if len(text) >= SHORTEST and screen(text, source="doc:leaks").decision == "refuse"]


def secrets() -> list[str]:
    """Those of them whose own words are the secret."""
    return [text for text in refused_examples() if refuses_as(text, SECRET)]


def refuses_as(text: str, families: tuple[str, ...]) -> bool:
    findings = screen_evidence(text).findings
    return any(finding.severity == "refuse" and finding.family in families for finding in findings)


def traces(examples: list[str], *outputs: str) -> list[str]:
    """The examples that stand in a file of the database or in one of the outputs, as they are or as JSON has them."""
    shown = "\n".join(outputs)
    written = [(text, json.dumps(text)[1:-1]) for text in examples]
    return [
        text
        for text, escaped in written
        if text in shown or escaped in shown or found_in_files([text.encode(), escaped.encode()])
    ]


def test_there_is_a_bad_example_of_each_refusing_family() -> None:
    families = {finding.family for text in refused_examples() for finding in screen(text).findings}
    assert {"credential", "personal", "instruction", "hygiene"} <= families
    assert len(secrets()) > 100


def test_a_refused_proposal_leaves_nothing(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    examples = refused_examples()
    drafts = [Draft(text=text, source="doc:leaks", evidence=text, run="run-1") for text in examples]
    outcomes = propose_many(store, drafts, person_of(store))
    assert {outcome.outcome for outcome in outcomes} == {"refused"}
    assert not Memory.objects.exists()
    assert Refusal.objects.count() == len(examples)
    assert traces(examples, caplog.text, repr(outcomes)) == []


def test_a_refused_source_leaves_nothing(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    hidden = [text.replace(" ", "-") for text in secrets()]
    drafts = [Draft(text="The lease lasts 300 s.", source=f"doc:{text}") for text in hidden]
    outcomes = propose_many(store, drafts, person_of(store))
    refused = [text for text, outcome in zip(hidden, outcomes, strict=True) if outcome.outcome == "refused"]
    assert refused
    assert traces(refused, caplog.text, repr(outcomes)) == []


def test_secret_evidence_is_dropped_and_the_note_kept(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    quoted = [text for text in secrets() if len(text) <= 300]
    for number, text in enumerate(quoted[:40]):
        propose_many(
            store, [Draft(text=f"Lease number {number} lasts.", source="doc:a", evidence=text)], person_of(store)
        )
    assert Memory.objects.exists()
    assert traces(quoted[:40], caplog.text) == []


def test_an_import_leaves_nothing(store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    examples = refused_examples()
    file = tmp_path / "drafts.jsonl"
    file.write_text("".join(json.dumps({"text": text, "source": "doc:leaks"}) + "\n" for text in examples))
    out, err = io.StringIO(), io.StringIO()
    call_command("propose", str(file), store=store.slug, stdout=out, stderr=err)
    call_command("propose", str(file), store=store.slug, json=True, stdout=out, stderr=err)
    assert not Memory.objects.exists()
    assert traces(examples, caplog.text, out.getvalue(), err.getvalue()) == []


def test_the_console_leaves_nothing_and_shows_no_secret_again(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client = signed_in(store)
    pages = []
    examples = secrets()
    for text in examples:
        typed = {"text": text[:2000], "kind": "fact", "source": "doc:leaks", "evidence": text[:300]}
        answer = client.post(reverse("propose", args=[store.slug]), typed)
        assert answer.status_code == 422
        pages.append(answer.content.decode())
    assert not Memory.objects.exists()
    assert traces(examples, caplog.text, *pages) == []


@pytest.mark.parametrize("before", [900, 980, 1_200, 1_800])
def test_no_secret_comes_back_in_a_form_however_far_behind_it_stands(store: Store, before: int) -> None:
    client, token = signed_in(store), "ghp_" + "a1B2" * 9
    words = ("The queue drains. " * 120)[:before]
    typed = {"text": f"{words} token {token} ends", "kind": "fact", "source": "doc:leaks"}
    page = client.post(reverse("propose", args=[store.slug]), typed).content.decode()
    assert "The queue drains." in page
    assert token[:12] not in page
    assert "[removed] ends" in page


def test_what_is_longer_than_any_field_does_not_come_back_whole() -> None:
    assert len(without_secrets("x" * 60_000, Policy())) == 50_000
    assert holds_credential("x" * 60_000, Policy())


def test_an_edit_leaves_nothing(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client = signed_in(store)
    note = proposed(store, "The lease lasts 300 s.")
    pages = []
    examples = secrets()[:60]
    for text in examples:
        with pytest.raises(Refused):
            edit(store, note.pk, person("mara"), version=note.version, text=text)
        typed = {"decision": "save", "version": note.version, "text": text[:2000], "applies_to": "", "at": "note"}
        pages.append(client.post(reverse("decide", args=[store.slug, note.pk]), typed).content.decode())
    assert traces(examples, caplog.text, *pages) == []


def signed_in(store: Store) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(make_cast(store)["mara"])
    return client


def person_of(store: Store) -> Actor:
    if not User.objects.filter(username="mara").exists():
        make_cast(store)
    return person("mara")
