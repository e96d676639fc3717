"""Hostile requests: whatever stands in a URL, a query or a form, an answer is a page and never a failure."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.html import strip_tags

from memories.models import AuditEvent, Membership, Memory, PinnedQuery, Receipt, Run, SavedView, Store
from tests.helpers import NOW, approved, make_cast, make_store, outsider, proposed

WORDS: tuple[str, ...] = (
    "a\x00b",
    "\udcff\u200b\u202e\u2028",
    "漢字 👩‍👩‍👧 עברית",
    "'\"<script>alert(1)</script>{{ 7|add:7 }}%s\r\nSet-Cookie: a=b",
    "[" * 60_000,
    "(?:(?:(?:a{1000}){1000}){1000}){1000}",
)
NUMBERS: tuple[str, ...] = (
    "",
    "-1",
    "nan",
    "²",
    "99999999999999999999",
    "9" * 5_000,
    "0001-01-01",
    "9999-12-31",
    "0001-01-01T00:00:00+23:59~1",
    "9999-12-31T23:59:59-23:59~99999999999999999999",
)
# Fields in which a number, a date or a cursor is looked for.
COUNTED = {
    "after", "before", "note", "run", "k", "minimum_score", "version", "max_tokens", "observed_from", "observed_to",
    "since", "until", "days", "ticked", "earlier", "typed", "maximum_length", "role", "dedupe_threshold",
}  # fmt: skip

FILTER = ("kind", "source", "source_prefix", "text", "run", "observed_to", "sort")
QUERIES: dict[str, tuple[str, ...]] = {
    "sign-in": ("next",),
    "inbox": ("note", "after", "run", "text", "flagged"),
    "note": ("edit",),
    "notes": (*FILTER, "after", "before", "like"),
    "notes-export": ("text", "observed_to", "format"),
    "forget": ("source", "text", "observed_to", "query", "minimum_score", "note", "scope"),
    "sources": ("prefix", "after"),
    "runs": ("after", "before"),
    "recall": (
        "text", "k", "minimum_score", "version", "kind", "source_prefix", "observed_from", "observed_to", "max_tokens",
    ),
    "activity": ("action", "actor", "note", "operation", "since", "until", "after", "before"),
    "activity-export": ("actor", "until"),
    "data-requests": ("name", "match", "after", "before"),
    "refused": ("days", "rule", "after"),
}  # fmt: skip
FORMS: dict[str, dict[str, str]] = {
    "sign-in": {"username": "olga", "password": "wrong", "next": "/"},
    "profile": {"theme": "system", "shortcuts": "on", "time_zone": "", "language": ""},
    "password": {"old_password": "a", "new_password1": "b", "new_password2": "b"},
    "propose": {
        "text": "A worker keeps its lease for 30 seconds.", "kind": "fact", "source": "doc:leases",
        "applies_to": "", "evidence": "",
    },
    "decide": {
        "decision": "save", "version": "1", "text": "A lease lasts.", "applies_to": "", "reason": "1",
        "own_reason": "", "at": "note",
    },
    "decide-ticked": {"decision": "reject", "ticked": "{note}:1", "reason": "1", "own_reason": ""},
    "undo-together": {"operation": "a"},
    "restore": {"earlier": "1", "version": "1"},
    "bulk": {
        "action": "approve", "scope": "filter", "note": "{note}", "operation": "a", "fingerprint": "x", "reason": "",
        "source": "doc:leases", "text": "", "run": "", "observed_to": "", "sort": "newest",
    },
    "view-save": {"name": "Facts", "kind": "fact", "text": "", "run": "", "observed_to": ""},
    "forget": {
        "source": "doc:none", "fingerprint": "x", "typed": "", "query": "", "minimum_score": "", "note": "",
        "run": "", "text": "", "observed_to": "",
    },
    "pin": {"query": "lease", "note": "{note}", "must": "never"},
    "settings-policy": {
        "maximum_length": "300", "allowed_sources": "", "extra_patterns": "", "family_quality": "", "sample": "a",
        "kind": "fact", "save": "yes",
    },
    "member-save": {"username": "tove", "role": "10"},
    "settings-save": {
        "name": "Orbit", "description": "", "dedupe_threshold": "0.9", "minimum_score": "0.05",
        "version_rule": "optional", "fact_days": "10", "rejected_days": "10",
    },
}  # fmt: skip


def patterns(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    """Every named URL of the console."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            if entry.app_name != "admin":
                yield from patterns(entry)
        else:
            yield entry


NAMES = sorted({str(pattern.name) for pattern in patterns()})


@pytest.fixture
def things(store: Store, cast: dict[str, User]) -> dict[str, Any]:
    """One row of everything in the store "orbit", by the name of the URL's parameter or of the row."""
    note = proposed(store, "The lease of a job is 30 seconds.")
    known = approved(store, "A dead letter stays for ten days.", source="doc:dead")
    run = Run.objects.create(store=store, identifier="run-1", agent="atlas", started_at=NOW)
    view = SavedView.objects.create(store=store, name="Old", query="kind=fact")
    pin = PinnedQuery.objects.create(store=store, memory=known, query="how long is a lease")
    receipt = Receipt.objects.create(store=store, operation="a" * 32, at=NOW, actor="person:mara")
    member = store.memberships.get(user__username="tove")
    return {"note": note.pk, "run": run.pk, "view": view.pk, "pin": pin.pk, "receipt": receipt.operation,
            "member": member.pk}  # fmt: skip


ROWS = {"run": "run", "view-delete": "view", "pin-delete": "pin", "member-remove": "member"}


def address(name: str, things: dict[str, Any], slug: str = "orbit") -> str:
    """The URL called `name`, for the rows of `things`."""
    needed = next(pattern for pattern in patterns() if pattern.name == name).pattern.converters
    arguments = {"slug": slug} if name not in ACCOUNT else {}
    if "pk" in needed:
        arguments["pk"] = things[ROWS.get(name, "note")]
    if "operation" in needed:
        arguments["operation"] = things["receipt"]
    if name == "settings-save":
        arguments["part"] = "store"
    return reverse(name, kwargs=arguments)


ACCOUNT = {"home", "sign-in", "sign-out", "profile", "password"}
STORE = [name for name in NAMES if name not in ACCOUNT]


def browser(name: str) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username=name))
    return client


def visitor(url: str) -> Client:
    """Who opens `url`: the sign-in page sends away those who are signed in."""
    return Client(raise_request_exception=False) if url == reverse("sign-in") else browser("olga")


def send(client: Client, method: str, url: str, fields: dict[str, str]) -> Any:
    """Send `fields` as a browser would; bytes that are no UTF-8 stay as they are."""
    encoded = urlencode(fields, errors="surrogateescape")
    if method == "get":
        return client.get(f"{url}?{encoded}")
    return client.post(url, encoded, content_type="application/x-www-form-urlencoded")


def fails(client: Client, method: str, url: str, fields: dict[str, str]) -> bool:
    """Whether the server fails, or gives back what a browser would run."""
    answer = send(client, method, url, fields)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return answer.status_code >= 500 or (b"<script>alert" in body and "html" in answer["Content-Type"])


def failures(client: Client, method: str, url: str, fields: dict[str, str]) -> list[str]:
    """Hostile fields that make it fail: words in all of them and in each, numbers and dates where one is looked for."""
    tried = [dict.fromkeys(fields, value) for value in WORDS]
    tried += [fields | {name: value} for name in COUNTED & fields.keys() for value in NUMBERS]
    tried += [fields | {name: value} for name in fields.keys() - COUNTED for value in WORDS[-2:]]
    return [str(one)[:200] for one in tried if fails(client, method, url, one)]


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_makes_a_page_fail(things: dict[str, Any], name: str) -> None:
    url = address(name, things)
    asked = dict.fromkeys(QUERIES[name], "") | ({"text": "lease"} if name == "recall" else {})
    assert failures(visitor(url), "get", url, asked) == []


@pytest.mark.parametrize("name", FORMS)
def test_no_form_makes_a_page_fail(things: dict[str, Any], name: str) -> None:
    url = address(name, things)
    sent = {key: value.format(**things) for key, value in FORMS[name].items()}
    assert failures(visitor(url), "post", url, sent) == []
    assert browser("olga").get(reverse("settings", args=["orbit"])).status_code in {200, 404}


def test_every_page_and_form_is_under_attack_here(things: dict[str, Any]) -> None:
    for name in NAMES:
        url = address(name, things)
        reads, takes = (visitor(url).generic(method, url).status_code != 405 for method in ("GET", "POST"))
        assert reads or takes, name
        without_fields = {"sign-out", "sweep-now", "view-delete", "pin-delete", "member-remove"}
        assert not takes or name in FORMS or name in without_fields, name


@pytest.mark.parametrize("name", STORE)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_store_is_not_there_for_a_stranger(things: dict[str, Any], name: str, method: str) -> None:
    outsider()
    before = counts()
    answer = getattr(browser("sam"), method)(address(name, things), FORMS.get(name, {}))
    assert answer.status_code in {404, 405}
    assert counts() == before


@pytest.mark.parametrize("name", STORE)
@pytest.mark.parametrize("method", ["get", "post"])
def test_nothing_of_a_store_opens_without_signing_in(things: dict[str, Any], name: str, method: str) -> None:
    answer = getattr(Client(), method)(address(name, things), FORMS.get(name, {}))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("sign-in"))


@pytest.mark.parametrize("name", STORE)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_row_of_another_store_is_neither_shown_nor_changed(things: dict[str, Any], name: str, method: str) -> None:
    outsider()
    before = counts()
    sent = {key: value.format(**things) for key, value in FORMS.get(name, {}).items()} | {"scope": ""}
    answer = getattr(browser("sam"), method)(address(name, things, "travel"), sent)
    assert answer.status_code < 500
    assert "30 seconds" not in str(getattr(answer, "content", ""))
    assert counts() == before


def counts() -> list[Any]:
    """What is in the store "orbit"."""
    return [list(model.objects.filter(store__slug="orbit").values()) for model in IN_STORE]


IN_STORE = (Memory, AuditEvent, SavedView, PinnedQuery, Receipt, Run, Membership)


@pytest.mark.parametrize("name", [name for name in NAMES if name in FORMS and name != "sign-in"])
def test_a_form_without_its_token_is_turned_away(things: dict[str, Any], name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(username="olga"))
    assert client.post(address(name, things), FORMS[name]).status_code == 403


def said(answer: Any) -> str:
    return " ".join(strip_tags(answer.content.decode()).split())


def test_too_much_at_once_is_said_in_a_sentence(store: Store, cast: dict[str, User]) -> None:
    url = reverse("propose", args=[store.slug])
    answer = browser("mara").post(url, {"text": "x" * 3_000_000})
    assert answer.status_code == 400
    assert "more than the 2.5 MB" in said(answer)
    answer = browser("mara").post(url, {"note": [str(number) for number in range(2_500)]})
    assert answer.status_code == 400
    assert "too many fields" in said(answer)


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded; charset=utf-7", "multipart/form-data"])
def test_a_body_that_cannot_be_read_is_said_in_a_sentence(store: Store, cast: dict[str, User], kind: str) -> None:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(User.objects.get(username="mara"))
    client.get(reverse("propose", args=[store.slug]))
    answer = client.post(reverse("propose", args=[store.slug]), b"a=b", content_type=kind)
    assert answer.status_code == 400
    assert "cannot read what your browser sent" in said(answer)


@pytest.mark.parametrize("address", ["http://[", "http://h//evil.example/x", "javascript:alert(1)", "//"])
def test_a_malformed_address_of_the_page_before_leads_to_the_door(store: Store, address: str) -> None:
    url = reverse("inbox", args=[store.slug])
    answer = Client().get(url, headers={"HX-Request": "true", "HX-Current-URL": address})
    assert answer["HX-Redirect"].startswith(reverse("sign-in"))


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_signing_in_leads_nowhere_else(store: Store, target: str) -> None:
    user = User.objects.create_user("nia", password="correct horse battery")
    answer = Client().post(reverse("sign-in"), {"username": user, "password": "correct horse battery", "next": target})
    assert answer["Location"] == reverse("home")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("pragma", "words"), [("busy_timeout = 20", "database is busy"), ("query_only = ON", "cannot be written")]
)
def test_a_database_in_trouble_is_said_and_what_was_typed_is_kept(pragma: str, words: str) -> None:
    store = make_store()
    make_cast(store)
    client = browser("mara")
    typed = {"text": "A <b>bold</b> lease", "kind": "fact", "source": "doc:leases"}
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA {pragma}")
        answer = client.post(reverse("propose", args=[store.slug]), typed)
        other.execute("ROLLBACK")
    connection.close()
    assert answer.status_code == 503
    assert words in said(answer)
    assert "A &lt;b&gt;bold&lt;/b&gt; lease" in answer.content.decode()
    assert not Memory.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_password_is_not_given_back_by_a_database_in_trouble() -> None:
    User.objects.create_user("nia", password="correct horse battery")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
    client = Client(raise_request_exception=False)
    answer = client.post(reverse("sign-in"), {"username": "nia", "password": "correct horse battery"})
    connection.close()
    assert answer.status_code == 503
    assert "correct horse" not in answer.content.decode()
