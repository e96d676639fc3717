"""Hostile requests: whatever stands in a URL, a query or a form, an answer is a page and never a failure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from memories.models import PinnedQuery, Receipt, Run, SavedView, Store
from tests.helpers import NOW, approved, proposed

NULL = "\x00"
VALUES: tuple[str, ...] = (
    "",
    NULL,
    f"a{NULL}b",
    "\udcff",
    "\udced\udca0\udc80",
    "\u200b\u202e\u2028\ufeff",
    "漢字 👩‍👩‍👧 עברית",
    "'\"<script>alert(1)</script>{{ 7|add:7 }}%s%(a)s",
    "0",
    "-1",
    "1e999",
    "nan",
    "inf",
    "99999999999999999999",
    "9" * 5_000,
    "٣",
    "²",
    "0001-01-01",
    "9999-12-31",
    "9000-01-01",
    "0001-01-01T00:00:00+23:59~1",
    "9999-12-31T23:59:59-23:59~1",
    "0001-01-01T00:00:00~1",
    "9999-12-31T23:59:59.999999~9223372036854775807",
    "2026-01-01T00:00:00~99999999999999999999",
    "9~1",
    "99999999999999999999~1",
    "~",
    "1:1",
    "\r\nSet-Cookie: a=b",
    "x" * 20_000,
    "[",
    "(a+)+$",
    '{"name": "a", "pattern": "\\\\ud800", "severity": "flag", "sentence": "\\ud800"}',
    "[[[[",
    "[" * 10_000,
    "null",
)

FILTER = (
    "status", "kind", "origin", "source", "source_prefix", "text", "applies_to", "run", "observed_from",
    "observed_to", "flagged", "conflict", "sort",
)  # fmt: skip
QUERIES: dict[str, tuple[str, ...]] = {
    "sign-in": ("next",),
    "inbox": ("note", "after", "edit", "kind", "source", "run", "text", "flagged", "conflict"),
    "note": ("edit",),
    "notes": (*FILTER, "after", "before", "like"),
    "notes-export": (*FILTER, "format"),
    "forget": (*FILTER, "query", "minimum_score", "note", "scope"),
    "sources": ("prefix", "after"),
    "runs": ("after", "before"),
    "recall": (
        "text", "k", "minimum_score", "version", "kind", "origin", "source_prefix", "observed_from", "observed_to",
        "max_tokens", "preferences",
    ),
    "activity": ("action", "actor", "note", "operation", "since", "until", "after", "before"),
    "activity-export": ("action", "actor", "note", "operation", "since", "until"),
    "data-requests": ("name", "match", "after"),
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
    "restore": {"earlier": "1", "version": "1"},
    "bulk": {
        "action": "approve", "scope": "filter", "note": "{note}", "fingerprint": "x", "reason": "",
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
DESTRUCTIVE = {"sign-out", "sweep-now", "view-delete", "pin-delete", "member-remove"}


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


def failures(client: Client, method: str, url: str, field: str, sent: dict[str, str]) -> list[str]:
    """The hostile values of `field` that make the server fail."""
    failed = []
    for value in VALUES:
        answer = send(client, method, url, sent | {field: value})
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        if answer.status_code >= 500 or (b"<script>alert" in body and "html" in answer["Content-Type"]):
            failed.append(value[:80])
    return failed


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, fields in QUERIES.items() for field in fields])
def test_no_query_makes_a_page_fail(things: dict[str, Any], name: str, field: str) -> None:
    url = address(name, things)
    assert failures(visitor(url), "get", url, field, {"text": "lease"} if name == "recall" else {}) == []


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, fields in FORMS.items() for field in fields])
def test_no_form_makes_a_page_fail(things: dict[str, Any], name: str, field: str) -> None:
    url = address(name, things)
    sent = {key: value.format(**things) for key, value in FORMS[name].items()}
    assert failures(visitor(url), "post", url, field, sent) == []
    assert failures(browser("olga"), "get", address("settings", things), "x", {}) == []
