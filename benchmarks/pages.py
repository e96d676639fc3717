"""Every page of the console over a store of real size: `python -m benchmarks.pages --help`.

Each request goes through the whole stack of middleware, views and templates in this process. A line of JSON each:
milliseconds of wall clock and of this thread's processor time, and the number of database queries.
"""

import argparse
import json
import os
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

Figures = dict[str, Any]
FEW = 4_000
QUICKEST = [inf]
HEADERS = {"host": "localhost"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the store where it is not there yet, request every page, and say which are slow."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as folder:
        _start(options.data_dir or Path(folder))
        client, store = _prepare(options.notes)
        lines = list(_measure(client, store, options))
    slow = [line["page"] for line in lines if line[f"{options.clock}_p95"] > options.limit]
    summary = {"notes": options.notes, "load": os.getloadavg(), "limit": options.limit, "over": slow}
    if options.compare:
        summary["other_queries"] = differing(lines, _of_few_notes(options))
    print(json.dumps(summary))


def _start(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {"ATLAS_DATA_DIR": str(folder), "ATLAS_SECRET_KEY": secrets.token_urlsafe(48)}
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atlas_site.settings")
    import django

    django.setup()


def _prepare(notes: int) -> tuple["Client", Any]:
    """A signed-in client, and the store; like a server's process, this one is warm before the first request."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client

    from benchmarks.real_size import SLUG, real_size
    from memories.models import Store
    from memories.warm import warm

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    store = Store.objects.filter(slug=SLUG).first() or real_size(notes, lambda step: print(f"# {step}", flush=True))
    started = time.perf_counter()
    warm()
    print(json.dumps({"warm_seconds": round(time.perf_counter() - started, 2)}), flush=True)
    client = Client(headers=HEADERS)
    client.force_login(User.objects.get(username="ada"))
    return client, store


def _measure(client: "Client", store: Any, options: argparse.Namespace) -> Iterator[Figures]:
    from benchmarks.addresses import addresses, exports, previews

    for name, asked in {**addresses(store), **previews(store)}.items():
        if re.search(options.only, name):
            yield _said(name, pages(client, asked, options.repeat))
    for kind in ("fact", "episode"):
        if re.search(options.only, name := f"decide: {kind}"):
            yield _said(name, decisions(client, store, kind, options.repeat))
    for name, [url] in exports(store).items():
        if re.search(options.only, name):
            yield _said(name, first_bytes(client, url, options.repeat))
            if options.whole:
                _said(f"{name}, whole", whole_export(client, url))


def _of_few_notes(options: argparse.Namespace) -> list[Figures]:
    """The same pages over a store of few notes, in a process of its own: settings name one database."""
    few = ["--notes", str(FEW), "--only", options.only, "--repeat", "4"]
    command = [sys.executable, "-m", "benchmarks.pages", *few]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in said.splitlines() if line.startswith('{"page"')]


def differing(lines: Sequence[Figures], few: Sequence[Figures]) -> Figures:
    """Pages that ask more queries over many notes than over `few`: most of each, many first."""
    most = {line["page"]: max(line["queries"]) for line in few if "queries" in line}
    return {
        line["page"]: [max(line["queries"]), most[line["page"]]]
        for line in lines
        if "queries" in line and max(line["queries"]) > most.get(line["page"], 0)
    }


def _said(name: str, figures: Figures) -> Figures:
    line = {"page": name} | figures
    print(json.dumps(line), flush=True)
    return line


def pages(client: "Client", asked: Sequence[Any], repeat: int) -> Figures:
    """Figures of `repeat` requests, those of `asked` in turns, after a first one that is shown by itself."""
    requests = [one if isinstance(one, tuple) else (one, None) for one in asked]

    def ask(number: int) -> "HttpResponse":
        url, fields = requests[number % len(requests)]
        answer = client.get(url) if fields is None else client.post(url, fields)
        if answer.status_code not in (200, 302, 422):
            raise SystemExit(f"{url} answered {answer.status_code}.")
        return answer

    return _figures(ask, repeat)


def decisions(client: "Client", store: Any, kind: str, repeat: int) -> Figures:
    """Figures of approving a note and showing the next one, as the inbox does it; each note waits again afterwards."""
    from django.urls import reverse

    notes = list(store.memories.filter(status="proposed", kind=kind).order_by("-risk", "pk")[: repeat + 1])

    def decide(number: int, decision: str = "approve") -> "HttpResponse":
        note = notes[number % len(notes)]
        note.refresh_from_db(fields=["version"])
        url = reverse("decide", args=[store.slug, note.pk])
        answer = client.post(url, {"decision": decision, "version": note.version}, headers={"HX-Request": "true"})
        if answer.status_code != 200:
            raise SystemExit(f"{url} answered {answer.status_code}.")
        return answer

    figures = _figures(decide, repeat)
    for number in range(repeat + 1):
        decide(number, "undo")
    return figures


def _figures(ask: Callable[[int], "HttpResponse"], repeat: int) -> Figures:
    times, queries, slowed = [], [], []
    for number in range(repeat + 1):
        with _queries() as counted, _clocked() as clock:
            answer = ask(number)
        times.append(clock)
        queries.append(len(counted))
        slowed.append(yardstick())
    figures = _percentiles(times) | {"queries": sorted({*queries[1:]}), "kilobytes": len(answer.content) // 1024}
    return figures | {"slowed": round(statistics.median(slowed) / QUICKEST[0], 2)}


def first_bytes(client: "Client", url: str, repeat: int) -> Figures:
    """Figures of the time until the first piece of a download is there."""
    times = []
    for _number in range(repeat + 1):
        with _clocked() as clock:
            next(iter(client.get(url)), None)
        times.append(clock)
    return _percentiles(times)


def whole_export(client: "Client", url: str) -> Figures:
    """Seconds, megabytes and the most memory that a download grew this process by, in megabytes."""
    from benchmarks.timing import resident_bytes

    started, before, peak, size = time.perf_counter(), resident_bytes(), 0, 0
    for number, piece in enumerate(client.get(url)):
        size += len(piece)
        if number % 100 == 0:
            peak = max(peak, resident_bytes() - before)
    seconds = time.perf_counter() - started
    return {"seconds": round(seconds, 1), "megabytes": size // 2**20, "growth": round(peak / 2**20, 1)}


def yardstick() -> float:
    """Milliseconds of processor time that a fixed piece of work takes now; `slowed` compares it with its quickest.

    Other processes share caches and memory with this one, which costs processor time too: at times twice as much.
    """
    started = time.thread_time()
    found: dict[int, str] = {}
    for number in range(20_000):
        found[number % 977] = str(number)
    took = (time.thread_time() - started) * 1000
    QUICKEST[0] = min(QUICKEST[0], took)
    return took


@contextmanager
def _clocked() -> Iterator[list[float]]:
    clock: list[float] = []
    wall, processor = time.perf_counter(), time.thread_time()
    yield clock
    clock += [(time.perf_counter() - wall) * 1000, (time.thread_time() - processor) * 1000]


@contextmanager
def _queries() -> Iterator[list[str]]:
    from django.db import connection

    asked: list[str] = []

    def count(execute: Any, sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        yield asked


def _percentiles(times: Sequence[Sequence[float]]) -> Figures:
    import numpy as np

    figures: Figures = {"first": round(times[0][0], 1)}
    for name, column in zip(("wall", "cpu"), zip(*times[1:], strict=True), strict=True):
        p50, p95 = np.percentile(column, [50, 95])
        figures |= {f"{name}_p50": round(float(p50), 1), f"{name}_p95": round(float(p95), 1)}
        # What other work on the machine adds to, but never takes from.
        figures[f"{name}_least"] = round(min(column), 1)
    return figures


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=1_000_000, help="notes of a store that is made (1,000,000: 4 GB)")
    parser.add_argument("--data-dir", type=Path, help="keep the store here, and use the one that is here")
    parser.add_argument("--repeat", type=int, default=20, help="requests a page (20)")
    parser.add_argument("--only", default="", metavar="REGEX", help="only the pages whose names match")
    parser.add_argument("--whole", action="store_true", help="also read every export to its end")
    parser.add_argument(
        "--compare", action="store_true", help=f"name pages that ask more queries than over {FEW:,} notes"
    )
    parser.add_argument(
        "--clock", choices=("wall", "cpu"), default="wall", help="which clock the limit is held to (wall)"
    )
    parser.add_argument("--limit", type=float, default=100, help="milliseconds at p95 that are too many (100)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
