"""A secret that somebody types where no note is asked for is not kept either: in names, filters, settings, receipts."""

from __future__ import annotations

import base64
import json
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from memories.audit import Actor
from memories.forget import Selection, forget
from memories.models import AuditEvent, Memory, Receipt, Run, SavedView, Store
from memories.propose import propose
from memories.queries import NoteFilter
from memories.redact import without_secrets
from memories.schemas import Draft
from memories.screening import Policy, normalise
from memories.storage import database_files
from tests.helpers import approved, make_cast, make_store, person, proposed
from tests.rooms import browser

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = "ghp_" + "a1B2" * 9
PATTERN = json.dumps({"name": "own", "pattern": "zebra", "severity": "flag", "sentence": f"Not {TOKEN}"})


@pytest.fixture
def store() -> Store:
    made = make_store()
    make_cast(made)
    return made


def is_kept() -> bool:
    """Whether the token stands in a file of the database."""
    return any(TOKEN.encode() in path.read_bytes() for path in database_files())


@pytest.mark.parametrize(
    ("part", "fields"),
    [
        ("store", {"name": f"Orbit {TOKEN}"}),
        ("store", {"name": "Orbit", "description": f"Deployed with {TOKEN}"}),
        ("policy", {"maximum_length": "300", "extra_patterns": PATTERN, "save": "yes"}),
        ("policy", {"maximum_length": "300", "allowed_sources": f"doc:{TOKEN}", "save": "yes"}),
    ],
)
def test_settings_take_no_secret_and_do_not_show_it_again(store: Store, part: str, fields: dict[str, str]) -> None:
    kept = {"dedupe_threshold": "0.9", "minimum_score": "0.2", "version_rule": "none"} if part == "store" else {}
    answer = browser("olga").post(f"/s/orbit/settings/{part}", kept | fields)
    assert answer.status_code == 422
    assert "which must not be kept" in answer.content.decode()
    assert TOKEN not in answer.content.decode()
    assert not is_kept()


STORE = {"name": "Orbit", "dedupe_threshold": "0.9", "minimum_score": "0.2", "version_rule": "none"}
POLICY = {"maximum_length": "300"}
NOTE = {"text": "A lease lasts 30 seconds.", "kind": "fact", "source": "doc:leases"}
EDIT = {"decision": "save", "version": "1", "text": "A lease lasts 60 seconds."}
ENCODED = base64.b64encode(TOKEN.encode()).decode()


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("settings/store", STORE | {"name": "", "description": TOKEN}),
        ("settings/store", STORE | {"name": TOKEN, "minimum_score": "9"}),
        ("settings/store", STORE | {"version_rule": TOKEN}),
        ("settings/retention", {"fact_days": TOKEN}),
        ("settings/policy", POLICY | {"extra_patterns": f"{PATTERN}\nnone", "save": "yes"}),
        ("settings/policy", POLICY | {"allowed_sources": f"doc:{TOKEN}", "family_quality": "sometimes"}),
        ("settings/policy", POLICY | {"family_quality": TOKEN}),
        ("settings/policy", POLICY | {"allowed_sources": f"doc:{TOKEN}", "effect": "yes"}),
        ("settings/policy", POLICY | {"sample": f"It is {TOKEN}.", "kind": "fact", "try": "yes"}),
        ("settings/members", {"username": TOKEN, "role": "10"}),
        ("propose", NOTE | {"text": f"The token is {TOKEN}.", "source": ""}),
        ("propose", NOTE | {"source": f"doc:{TOKEN}", "text": ""}),
        ("propose", NOTE | {"applies_to": f"{TOKEN}.{'x' * 60}"}),
        ("propose", NOTE | {"evidence": f"{'so it says ' * 30}{TOKEN}"}),
        ("propose", NOTE | {"text": f"{'It lasts. ' * 150}The token is {TOKEN}."}),
        ("propose", NOTE | {"text": f"The token is {TOKEN}, or else {ENCODED}."}),
        ("propose", NOTE | {"kind": TOKEN}),
        ("notes/{pk}/decide", EDIT | {"text": f"The token is {TOKEN}.", "expires_on": "2020-01-01"}),
        ("notes/{pk}/decide", EDIT | {"text": f"The token is {TOKEN}.", "version": "9"}),
        ("notes/{pk}/decide", EDIT | {"text": f"The token is {TOKEN}.", "version": ""}),
        ("notes/{pk}/decide", EDIT | {"text": f"The token is {TOKEN}.", "version": "9", "at": "note"}),
        ("notes/{pk}/decide", EDIT | {"applies_to": TOKEN, "expires_on": TOKEN}),
        ("notes/{pk}/decide", EDIT | {"decision": TOKEN}),
        ("inbox/decide", {"decision": TOKEN, "ticked": "1:1"}),
        ("notes/bulk", {"action": "reject", "note": "{pk}", "reason": f"It holds {TOKEN}.", "fingerprint": "before"}),
    ],
)
def test_a_form_is_shown_again_without_the_secrets_in_it_whatever_is_wrong_with_it(
    store: Store, page: str, fields: dict[str, str]
) -> None:
    note = proposed(store, "A lease lasts 30 seconds, so they say.")
    sent = {name: value.replace("{pk}", str(note.pk)) for name, value in fields.items()}
    answer = browser("olga").post(f"/s/orbit/{page.format(pk=note.pk)}", sent, follow=True)
    assert answer.status_code in {200, 409, 422}
    assert TOKEN not in answer.content.decode()
    assert ENCODED not in answer.content.decode()
    assert not is_kept()


@pytest.mark.parametrize("place", [0, 490, 960, 1_000, 1_495, 2_900])
def test_a_secret_is_found_anywhere_in_a_long_text(place: int) -> None:
    words = ("lease " * 500)[:place]
    shown = without_secrets(f"{words} {TOKEN} {'lasts ' * 500}", Policy())
    assert shown == normalise(f"{words} [removed] {'lasts ' * 500}")


def test_what_is_no_secret_stays_typed_beside_one(store: Store) -> None:
    typed = NOTE | {"text": f"The lease <30 s> is kept under {TOKEN} by a worker.", "source": ""}
    page = browser("ren").post("/s/orbit/propose", typed).content.decode()
    assert "The lease &lt;30 s&gt; is kept under [removed] by a worker." in page


def test_a_form_without_a_secret_is_shown_again_as_it_was_typed(store: Store) -> None:
    patterns = f"{PATTERN.replace(TOKEN, 'this')}\n  none\n"
    page = browser("olga").post("/s/orbit/settings/policy", POLICY | {"extra_patterns": patterns, "save": "yes"})
    assert page.context["policy_form"]["extra_patterns"].value() == patterns


def test_what_the_store_lets_people_keep_stays_typed(store: Store) -> None:
    Store.objects.update(policy={"families": {"personal": "rest"}})
    typed = NOTE | {"text": "Nia reads nia.lindqvist@mail.example.", "source": ""}
    assert "nia.lindqvist@mail.example" in browser("ren").post("/s/orbit/propose", typed).content.decode()
    Store.objects.update(policy={})
    assert "nia.lindqvist@mail.example" not in browser("ren").post("/s/orbit/propose", typed).content.decode()


def test_a_member_s_name_that_nobody_has_stays_typed(store: Store) -> None:
    page = browser("olga").post("/s/orbit/settings/members", {"username": "nia@mail.example", "role": "10"})
    assert 'value="nia@mail.example"' in page.content.decode()


@pytest.mark.parametrize("fields", [{"name": TOKEN, "kind": "fact"}, {"name": "A view", "text": TOKEN}])
def test_a_view_with_a_secret_is_not_saved(store: Store, fields: dict[str, str]) -> None:
    answer = browser("ren").post("/s/orbit/notes/views", fields, follow=True)
    assert "holds something that must not be kept" in answer.content.decode()
    assert not SavedView.objects.exists()
    assert not is_kept()


def test_a_view_of_a_person_s_source_can_be_saved(store: Store) -> None:
    browser("ren").post("/s/orbit/notes/views", {"name": "One person", "source": "user:nia@mail.example"})
    assert SavedView.objects.get().query == "source=user%3Ania%40mail.example"


def test_a_run_named_by_a_secret_is_refused_and_leaves_nothing(store: Store) -> None:
    draft = Draft(text="A lease lasts 30 seconds.", source="doc:leases", run=f"run-{TOKEN}")
    assert propose(store, draft, Actor.agent("atlas")).outcome == "refused"
    assert not Memory.objects.exists()
    assert not Run.objects.exists()
    assert not is_kept()


@pytest.mark.parametrize("policy", [{}, {"families": {"gossip": "refuse"}}], ids=["sound", "unreadable"])
@pytest.mark.parametrize("page", ["notes/export?source=doc:", "activity/export?actor="])
def test_an_export_asked_for_by_a_secret_does_not_write_it_down(
    store: Store, page: str, policy: dict[str, dict[str, str]]
) -> None:
    Store.objects.update(policy=policy)
    b"".join(browser("mara").get(f"/s/orbit/{page}{TOKEN}").streaming_content)
    assert AuditEvent.objects.filter(action="exported").count() == 1
    assert not is_kept()


@pytest.mark.parametrize("flag", ["--source", "--source-prefix"])
def test_an_export_on_the_command_line_by_a_secret_does_not_write_it_down(store: Store, flag: str) -> None:
    call_command("export_notes", flag, f"doc:{TOKEN}", store="orbit", stdout=StringIO())
    assert "…" in AuditEvent.objects.get().details.values()
    assert not is_kept()


@pytest.mark.parametrize("act", [["--forget-all"], ["--say", "I live in Porto."], []])
def test_a_user_named_by_a_secret_is_not_written_down(store: Store, act: list[str]) -> None:
    call_command("about_user", "--user", TOKEN, *act, store="orbit", stdout=StringIO())
    assert not Memory.objects.exists()
    assert not is_kept()


@pytest.mark.parametrize(
    "command",
    [
        ["add_person", TOKEN],
        ["add_store", TOKEN, "--owner", "olga"],
        ["add_store", "product", "--owner", "olga", "--name", f"Product {TOKEN}"],
        ["add_store", "product", "--owner", "olga", "--embedder", f"openai:{TOKEN}"],
        ["reembed", "--store", "orbit", "--embedder", f"openai:{TOKEN}"],
    ],
    ids=["person", "short name", "name", "embedder", "new embedder"],
)
def test_no_command_takes_a_secret_for_a_name(store: Store, command: list[str]) -> None:
    with pytest.raises(CommandError) as error:
        call_command(*command)
    assert "which must not be kept" in str(error.value)
    assert TOKEN not in str(error.value)
    assert not is_kept()


def test_an_export_by_an_ordinary_source_is_written_down(store: Store) -> None:
    b"".join(browser("mara").get("/s/orbit/notes/export?source=user:nia@mail.example").streaming_content)
    assert AuditEvent.objects.get().details["filter"] == {"source": "user:nia@mail.example"}


@pytest.mark.parametrize(
    "selection", [Selection(source=f"doc:{TOKEN}"), Selection(filter=NoteFilter(source_prefix=f"doc:{TOKEN}"))]
)
def test_a_receipt_does_not_name_a_secret_source(store: Store, selection: Selection) -> None:
    forget(store, selection, person("mara"))
    assert "…" in Receipt.objects.get().asked.values()
    assert not is_kept()


def test_a_receipt_names_an_ordinary_source(store: Store) -> None:
    approved(store, "A lease lasts 30 seconds.", source="entity:nia@mail.example")
    forget(store, Selection(source="entity:nia@mail.example"), person("mara"))
    assert Receipt.objects.get().asked == {"by": "source", "source": "entity:nia@mail.example"}


def test_searching_for_a_secret_writes_it_nowhere(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    approved(store, "A lease lasts 30 seconds.")
    client: Client = browser("olga")
    for page in ("inbox?text=", "notes?text=", "notes?like=", "recall?text=", "sources?prefix=", "activity?actor=",
                 "data-requests?name=", "refused?rule=", "forget?source=", "settings?x="):  # fmt: skip
        assert client.get(f"/s/orbit/{page}{TOKEN}").status_code in {200, 422}, page
    client.post("/s/orbit/recall/pin", {"query": TOKEN, "note": str(Memory.objects.get().pk)})
    client.post("/sign-in", {"username": TOKEN, "password": TOKEN})
    assert User.objects.count() == 4
    assert TOKEN not in caplog.text
    assert not is_kept()
