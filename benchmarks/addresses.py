"""Every page of the console with its filters, over a store that `real_size` made."""

from collections.abc import Mapping
from datetime import timedelta
from itertools import product
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from memories import bursts
from memories.activity import ORDER as ACTIVITY_ORDER
from memories.activity import ActivityFilter
from memories.fill import SENTENCES
from memories.models import Store
from memories.paging import Order, cursor
from memories.queries import ORDERS

# A page is asked for by its address, a preview that is sent by POST by its address and fields.
Asked = str | tuple[str, dict[str, Any]]
Addresses = dict[str, list[str]]
DEEP = 10_000
SIZE = 50
QUERIES = [sentence.removeprefix("The ") for sentence in SENTENCES[::37]]
PLAIN = (
    "propose", "overview", "settings", "retention", "refused", "sources", "runs", "data-requests", "recall", "pinned",
)  # fmt: skip
NOTE_FILTERS: dict[str, dict[str, str]] = {
    "all": {},
    "status": {"status": "proposed"},
    "kind": {"kind": "fact"},
    "rare kind": {"kind": "procedure"},
    "origin": {"origin": "untrusted"},
    "status and kind": {"status": "proposed", "kind": "episode"},
    "status, kind and origin": {"status": "rejected", "kind": "preference", "origin": "maintainer"},
    "large source": {"source": "issue:1"},
    "small source": {"source": "issue:1900"},
    "source prefix": {"source_prefix": "issue:19"},
    "whole prefix": {"source_prefix": "issue:"},
    "no source": {"source": "issue:none"},
    "common word": {"text": "worker"},
    "one case": {"text": "case 777777"},
    "no such word": {"text": "zebra crossing"},
    "word, status and kind": {"text": "failover", "status": "approved", "kind": "fact"},
    "versions": {"applies_to": "3.x"},
    "large run": {"run": "1"},
    "small run": {"run": "9999"},
    "dates": {"observed_from": "{week_ago}", "observed_to": "{week_ago}"},
    "status and dates": {"status": "rejected", "observed_from": "{week_ago}"},
    "flagged": {"flagged": "true"},
    "conflict": {"conflict": "true"},
    "source, kind and flagged": {"source": "issue:1", "kind": "episode", "flagged": "true"},
    "flagged, kind and status": {"flagged": "true", "kind": "fact", "status": "proposed"},
    "conflict by risk": {"conflict": "true", "sort": "risk"},
    "origin by risk": {"origin": "untrusted", "sort": "risk"},
    "status by risk": {"status": "approved", "sort": "risk"},
    "status, kind and dates": {"status": "approved", "kind": "fact", "observed_to": "{month_ago}"},
    "kind and dates, oldest": {"kind": "fact", "observed_from": "{month_ago}", "sort": "oldest"},
    "dates by risk": {"observed_from": "{month_ago}", "observed_to": "{week_ago}", "sort": "risk"},
    "dates, added": {"observed_from": "{month_ago}", "sort": "added"},
    "one day and word": {"observed_from": "{week_ago}", "observed_to": "{week_ago}", "text": "failover"},
    "rare word by risk": {"text": "case 777777", "sort": "risk"},
    "rare word, added": {"text": "case 777777", "sort": "added"},
    "word and source": {"text": "failover", "source": "issue:1"},
    "word and large run": {"text": "failover", "run": "1"},
    "versions and status": {"applies_to": "3.x", "status": "approved"},
    "versions, kind by risk": {"applies_to": "3.x", "kind": "fact", "sort": "risk"},
    "origin, status by risk": {"origin": "untrusted", "status": "approved", "sort": "risk"},
    "prefix and kind, oldest": {"source_prefix": "issue:", "kind": "episode", "sort": "oldest"},
    "source, added": {"source": "issue:1", "sort": "added"},
    "source, oldest": {"source": "issue:1", "sort": "oldest"},
    "source and conflict": {"source": "issue:1", "conflict": "true"},
    "everything": {
        "status": "proposed",
        "kind": "fact",
        "origin": "agent_derived",
        "source_prefix": "issue:",
        "text": "worker",
        "observed_from": "{month_ago}",
        "flagged": "true",
        "sort": "risk",
    },
    "oldest": {"sort": "oldest"},
    "added": {"sort": "added"},
    "risk": {"sort": "risk"},
    "added, kind": {"sort": "added", "kind": "episode"},
    "risk, kind and source": {"sort": "risk", "kind": "episode", "source": "issue:3"},
}
ACTIVITY_FILTERS: dict[str, dict[str, str]] = {
    "all": {},
    "action": {"action": "approved"},
    "rare action": {"action": "swept"},
    "actor": {"actor": "person:ada"},
    "rare actor": {"actor": "command:fill"},
    "unknown actor": {"actor": "person:nobody"},
    "note": {"note": "777"},
    "operation": {"operation": "bulk-7"},
    "old dates": {"until": "{month_ago}"},
    "one day": {"since": "{week_ago}", "until": "{week_ago}"},
    "one day long ago": {"since": "{month_ago}", "until": "{month_ago}"},
    "rare action of a busy actor": {"action": "swept", "actor": "person:ada"},
    "busy action of a rare actor": {"action": "approved", "actor": "command:fill"},
    "rare action, old dates": {"action": "swept", "until": "{month_ago}"},
    "actor, one day": {"actor": "person:ada", "since": "{month_ago}", "until": "{month_ago}"},
    "note and action": {"note": "777", "action": "rejected"},
    "operation and action": {"operation": "bulk-7", "action": "rejected"},
    "operation of a busy actor": {"operation": "bulk-7", "actor": "person:ada"},
    "no such operation": {"operation": "none"},
    "action, actor and dates": {"action": "proposed", "actor": "person:ada", "until": "{week_ago}"},
}
INBOX_FILTERS: dict[str, dict[str, str]] = {
    "all": {},
    "fact": {"kind": "fact"},
    "episode": {"kind": "episode"},
    "preference": {"kind": "preference"},
    "procedure": {"kind": "procedure"},
    "source": {"source": "issue:1"},
    "small source": {"source": "issue:1900"},
    "run": {"run": "1"},
    "word": {"text": "failover"},
    "no such word": {"text": "zebra crossing"},
    "flagged": {"flagged": "true"},
    "conflict": {"conflict": "true"},
    "rare word": {"text": "case 777777"},
    "source and kind": {"source": "issue:1", "kind": "episode"},
    "word and source": {"text": "failover", "source": "issue:1"},
    "edit": {"edit": "1"},
    "note that is gone": {"note": "999999999"},
}
RECALLS: dict[str, dict[str, Any]] = {
    "asked": {},
    "asked, kind": {"kind": "procedure"},
    "asked, version, preferences": {"version": "3.1", "preferences": "on"},
    "asked, source": {"source_prefix": "issue:19"},
    "asked, no such source": {"source_prefix": "none:"},
    "asked, one source": {"source_prefix": "issue:1900"},
    "asked, origin": {"origin": "maintainer"},
    "asked, dates": {"observed_from": "{month_ago}", "observed_to": "{week_ago}"},
    "asked, old dates": {"observed_to": "1999-01-01"},
    "asked, everything": {
        "kind": "fact",
        "origin": "agent_derived",
        "source_prefix": "issue:",
        "version": "3.1",
        "observed_from": "{month_ago}",
        "minimum_score": "0.1",
        "max_tokens": 4_000,
        "k": 10,
    },
    "50 notes": {"k": 50},
    "50 notes in 4,000 tokens": {"k": 50, "max_tokens": 4_000},
    "no minimum": {"minimum_score": 0},
    "high minimum": {"minimum_score": 0.95},
}
LIKES: dict[str, dict[str, Any]] = {
    "like": {},
    "like, kind": {"kind": "episode"},
    "like, status": {"status": "rejected"},
    "like, prefix": {"source_prefix": "issue:19"},
    "like, source and word": {"source": "issue:1", "text": "failover"},
    "like, dates": {"observed_from": "{month_ago}", "observed_to": "{week_ago}"},
}


def addresses(store: Store) -> Addresses:
    """The addresses of each page by its name; several stand for several requests of the same kind."""
    return {
        **_plain(store),
        **_inbox(store),
        **_notes(store),
        **{f"activity: {name}": [_url(store, "activity", asked)] for name, asked in ACTIVITY_FILTERS.items()},
        **_deep(store),
        **_recall(store),
    }


def exports(store: Store) -> Addresses:
    """Downloads, of which the first byte counts."""
    wanted = {
        "jsonl": {"format": "jsonl"},
        "json": {"format": "json"},
        "csv": {"format": "csv"},
        "csv of one source": {"format": "csv", "source": "issue:1"},
        "jsonl of a word": {"format": "jsonl", "text": "failover", "status": "approved"},
        "jsonl of a rare word": {"format": "jsonl", "text": "case 777777"},
        "jsonl by risk": {"format": "jsonl", "sort": "risk"},
        "jsonl of a kind and source by risk": {
            "format": "jsonl",
            "kind": "episode",
            "source": "issue:3",
            "sort": "risk",
        },
        "jsonl of a rare word by risk": {"format": "jsonl", "text": "case 777777", "sort": "risk"},
        "csv of a rare word": {"format": "csv", "text": "case 777777"},
        "json of no such word": {"format": "json", "text": "zebra crossing"},
        "jsonl of no such word": {"format": "jsonl", "text": "zebra crossing"},
        "jsonl of versions": {"format": "jsonl", "applies_to": "3.x", "status": "rejected"},
        "jsonl of a prefix": {"format": "jsonl", "source_prefix": "issue:19"},
        "jsonl of two conditions, added": {
            "format": "jsonl",
            "kind": "procedure",
            "origin": "untrusted",
            "sort": "added",
        },
        "csv of old dates": {"format": "csv", "observed_to": "{month_ago}", "sort": "oldest"},
    }
    found = {f"export: {name}": [_url(store, "notes-export", asked)] for name, asked in wanted.items()}
    return found | {
        "export: activity": [_url(store, "activity-export")],
        "export: activity of a rare actor": [_url(store, "activity-export", {"actor": "command:fill"})],
        "export: activity of nobody": [_url(store, "activity-export", {"actor": "person:ada", "action": "swept"})],
    }


def previews(store: Store) -> dict[str, list[Asked]]:
    """What is sent by POST and changes nothing: previews of bulk actions, of forgetting, of another filter policy."""
    forget, policy = _url(store, "forget"), _url(store, "settings-policy")
    ticks = {"note": list(store.memories.filter(status="proposed").values_list("pk", flat=True)[:SIZE])}
    scoped: dict[str, dict[str, Any]] = {
        "ticked": ticks,
        "small source": {"scope": "filter", "source": "issue:1900"},
        "source and status": {"scope": "filter", "source": "issue:3", "status": "proposed"},
        "large source": {"scope": "filter", "source": "issue:1"},
        "status": {"scope": "filter", "status": "proposed"},
        "rare word": {"scope": "filter", "text": "case 777777"},
        "no such word": {"scope": "filter", "text": "zebra crossing"},
        "flagged": {"scope": "filter", "flagged": "true"},
        "versions by risk": {"scope": "filter", "applies_to": "3.x", "sort": "risk"},
    }
    pages: dict[str, list[Asked]] = {}
    for name, fields in scoped.items():
        pages[f"preview: approve, {name}"] = [(_url(store, "bulk"), {"action": "approve", **fields})]
        pages[f"preview: forget, {name}"] = [(_url(store, "bulk"), {"action": "forget", **fields})]
    for score in ("0.9", "0.75", "0.5"):
        pages[f"preview: forget, query above {score}"] = [
            (forget, {"query": query, "minimum_score": score}) for query in QUERIES
        ]
    sample = {"maximum_length": 300, "sample": SENTENCES[0] + " for someone@example.org.", "kind": "fact"}
    return pages | {"settings: a text": [(policy, sample)], "settings: effect": [(policy, sample | {"effect": "1"})]}


def _url(store: Store, name: str, query: Mapping[str, Any] | None = None, *parts: Any) -> str:
    days = {
        "week_ago": timezone.localdate() - timedelta(days=7),
        "month_ago": timezone.localdate() - timedelta(days=30),
    }
    asked = urlencode({key: str(value).format(**days) for key, value in (query or {}).items()})
    return reverse(name, args=[store.slug, *parts]) + (f"?{asked}" if asked else "")


def _plain(store: Store) -> Addresses:
    pages = {name: [_url(store, name)] for name in PLAIN}
    pages |= {f"refused: {days} days": [_url(store, "refused", {"days": days})] for days in (7, 90)}
    pages["refused: source"] = [_url(store, "refused", {"source": "issue:1", "days": 90})]
    pages["refused: rule"] = [_url(store, "refused", {"rule": "personal.phone", "days": 90})]
    pages |= {f"sources: {prefix}": [_url(store, "sources", {"prefix": prefix})] for prefix in ("issue:19", "none:")}
    pages["refused: rule that never spoke"] = [_url(store, "refused", {"rule": "none", "days": 90})]
    pages["sources: whole prefix"] = [_url(store, "sources", {"prefix": "issue:"})]
    for match, name in product(("exact", "prefix"), ("issue:1", "issue:", "issue:1900", "none:1")):
        pages[f"data-requests: {match} {name}"] = [_url(store, "data-requests", {"name": name, "match": match})]
    pages["forget: small source"] = [_url(store, "forget", {"source": "issue:1900"})]
    pages["forget: prefix"] = [_url(store, "forget", {"source_prefix": "issue:19"})]
    pages["forget: rare word"] = [_url(store, "forget", {"text": "case 777777"})]
    pages["forget: source"] = [_url(store, "forget", {"source": "issue:1"})]
    pages["forget: filter"] = [_url(store, "forget", {"status": "rejected", "kind": "episode"})]
    pages["forget: query"] = [_url(store, "forget", {"query": query, "minimum_score": "0.9"}) for query in QUERIES]
    receipts = store.receipts.values_list("operation", flat=True)[:SIZE]
    pages |= {"home": [reverse("home")], "profile": [reverse("profile")], "password": [reverse("password")]}
    return pages | {"receipt": [_url(store, "receipt", None, operation) for operation in receipts]}


def _inbox(store: Store) -> Addresses:
    waiting = store.memories.filter(status="proposed").order_by("pk")
    pages = {f"inbox: {name}": [_url(store, "inbox", asked)] for name, asked in INBOX_FILTERS.items()}
    for kind in ("fact", "episode", "preference", "procedure"):
        numbers = waiting.filter(kind=kind).values_list("pk", flat=True)[:SIZE]
        pages[f"inbox: note of kind {kind}"] = [_url(store, "inbox", {"note": pk}) for pk in numbers]
    numbers = list(waiting.values_list("pk", flat=True)[:SIZE])
    deep = cursor(waiting[max(0, waiting.count() - SIZE * 3)], ORDERS["risk"])
    pages["inbox: last pages"] = [_url(store, "inbox", {"after": deep})]
    pages["impact"] = [_url(store, "impact", None, pk) for pk in numbers]
    return pages


def _notes(store: Store) -> Addresses:
    pages = {f"notes: {name}": [_url(store, "notes", asked)] for name, asked in NOTE_FILTERS.items()}
    for name, more in LIKES.items():
        pages[f"notes: {name}"] = [_url(store, "notes", {"like": query} | more) for query in QUERIES]
    approved = store.memories.filter(status="approved").order_by("pk")
    pages["note"] = [_url(store, "note", None, pk) for pk in approved[1:SIZE].values_list("pk", flat=True)]
    pages["note: shown by very many recalls"] = [_url(store, "note", None, approved[0].pk)]
    return pages


def _deep(store: Store) -> Addresses:
    runs, by_start = store.runs.all(), ("-started_at", "-id")
    pages = {
        "run": [_url(store, "run", None, pk) for pk in runs.order_by("-pk").values_list("pk", flat=True)[:SIZE]],
        "run: very many notes": [_url(store, "run", None, runs.order_by("pk")[0].pk)],
        "runs: deep": [_url(store, "runs", {"after": _at(runs, by_start, runs.count() // 2)})],
        "activity: deep": [_url(store, "activity", {"after": _at(store.audit_events.all(), ("-id",), DEEP * SIZE)})],
        "refused: deep": [_url(store, "refused", {"days": 90, "after": _at_burst(store)})],
        "refused: deep, rule": [
            _url(store, "refused", {"days": 90, "rule": "personal.phone", "after": _at_burst(store)})
        ],
        "sources: deep": [_url(store, "sources", {"after": "issue:19"})],
        "sources: deep, prefix": [_url(store, "sources", {"after": "issue:19", "prefix": "issue:1"})],
        "data-requests: deep": [_url(store, "data-requests", {"after": _at(store.receipts.all(), ("-id",), DEEP)})],
        "pinned: last": [_url(store, "pinned", {"after": _at(store.pinned_queries.all(), ("id",), DEEP)})],
    }
    for name in ("actor", "action"):
        wanted = ActivityFilter.model_validate(ACTIVITY_FILTERS[name])
        place = _at(wanted.apply(store), ACTIVITY_ORDER, DEEP * SIZE)
        pages[f"activity: deep, {name}"] = [_url(store, "activity", wanted.as_query() | {"after": place})]
        pages[f"activity: deep, before, {name}"] = [_url(store, "activity", wanted.as_query() | {"before": place})]
    for name in ("all", "status", "kind", "risk", "added", "word, status and kind"):
        asked = NOTE_FILTERS[name]
        order = ORDERS[asked.get("sort", "newest")]
        chosen = {field: value for field, value in asked.items() if field in ("status", "kind")}
        place = _at(store.memories.filter(**chosen), order, DEEP * SIZE)
        pages[f"notes: page 10,000, {name}"] = [_url(store, "notes", asked | {"after": place})]
        pages[f"notes: before page 10,000, {name}"] = [_url(store, "notes", asked | {"before": place})]
    return pages


def _at(rows: QuerySet[Any], order: Order, number: int) -> str:
    """The cursor of row `number`, or of the middle row where there are fewer."""
    place = min(number, rows.count() // 2)
    return cursor(rows.order_by(*order)[place], order)


def _at_burst(store: Store) -> str:
    """The cursor of a burst with very many refusals before it."""
    rows = store.refusals.order_by(*bursts.ORDER)
    return bursts.write_cursor(bursts.Place(*rows.values_list(*bursts.Place._fields)[min(DEEP * 5, rows.count() // 2)]))


def _recall(store: Store) -> Addresses:
    found = {
        f"recall: {name}": [_url(store, "recall", {"text": query} | more) for query in QUERIES]
        for name, more in RECALLS.items()
    }
    for name in ("asked", "asked, source", "50 notes"):
        asked = [{"text": query} | RECALLS[name] for query in QUERIES]
        found[f"recall: left out, {name}"] = [_url(store, "left-out", one) for one in asked]
        found[f"recall: without script, {name}"] = [_url(store, "recall", one | {"why": 1}) for one in asked]
    long = " ".join(SENTENCES)[:2_000]
    return found | {"recall: long": [_url(store, "recall", {"text": long})]}
