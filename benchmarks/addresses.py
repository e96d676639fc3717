"""Every page of the console with its filters, over a store that `real_size` made."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from memories import bursts
from memories.fill import SENTENCES
from memories.models import Store
from memories.paging import Order, cursor
from memories.queries import ORDERS

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
    }
    found = {f"export: {name}": [_url(store, "notes-export", asked)] for name, asked in wanted.items()}
    return found | {
        "export: activity": [_url(store, "activity-export")],
        "export: activity of a rare actor": [_url(store, "activity-export", {"actor": "command:fill"})],
    }


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
    for match in ("exact", "prefix"):
        asked = {"name": "issue:1", "match": match}
        pages[f"data-requests: {match}"] = [_url(store, "data-requests", asked)]
    pages["forget: source"] = [_url(store, "forget", {"source": "issue:1"})]
    pages["forget: filter"] = [_url(store, "forget", {"status": "rejected", "kind": "episode"})]
    pages["forget: query"] = [_url(store, "forget", {"query": query, "minimum_score": "0.9"}) for query in QUERIES]
    receipts = store.receipts.values_list("operation", flat=True)[:SIZE]
    return pages | {"receipt": [_url(store, "receipt", None, operation) for operation in receipts]}


def _inbox(store: Store) -> Addresses:
    waiting = store.memories.filter(status="proposed").order_by("pk")
    pages = {f"inbox: {name}": [_url(store, "inbox", asked)] for name, asked in INBOX_FILTERS.items()}
    for kind in ("fact", "episode", "preference", "procedure"):
        numbers = waiting.filter(kind=kind).values_list("pk", flat=True)[:SIZE]
        pages[f"inbox: note of kind {kind}"] = [_url(store, "inbox", {"note": pk}) for pk in numbers]
    numbers = list(waiting.values_list("pk", flat=True)[:SIZE])
    deep = waiting[max(0, waiting.count() - SIZE * 3)].pk
    pages["inbox: last pages"] = [_url(store, "inbox", {"after": deep})]
    pages["impact"] = [_url(store, "impact", None, pk) for pk in numbers]
    return pages


def _notes(store: Store) -> Addresses:
    pages = {f"notes: {name}": [_url(store, "notes", asked)] for name, asked in NOTE_FILTERS.items()}
    pages["notes: like"] = [_url(store, "notes", {"like": query}) for query in QUERIES]
    pages["notes: like, kind"] = [_url(store, "notes", {"like": query, "kind": "episode"}) for query in QUERIES]
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
        "sources: deep": [_url(store, "sources", {"after": "issue:19"})],
    }
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
    asked: dict[str, dict[str, Any]] = {
        "recall: asked": {},
        "recall: asked, kind": {"kind": "procedure"},
        "recall: asked, version, preferences": {"version": "3.1", "preferences": "on"},
        "recall: asked, source": {"source_prefix": "issue:19"},
        "recall: 50 notes": {"k": 50},
        "recall: no minimum": {"minimum_score": 0},
    }
    found = {name: [_url(store, "recall", {"text": query} | more) for query in QUERIES] for name, more in asked.items()}
    long = " ".join(SENTENCES)[:2_000]
    return found | {"recall: long": [_url(store, "recall", {"text": long})]}
