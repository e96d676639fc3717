"""Every page of the console over a store of real size: `python -m benchmarks.pages --help`.

Each request goes through the whole stack of middleware, views and templates in this process. A line of JSON each:
milliseconds of wall clock and of this thread's processor time, and the number of database queries.
"""

import argparse
import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import Client

Figures = dict[str, Any]
HEADERS = {"host": "localhost"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the store where it is not there yet, request every page, and say which are slow."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory() as folder:
        _start(options.data_dir or Path(folder))
        client, store = _prepare(options.notes)
        slow = [line["page"] for line in _measure(client, store, options) if line["wall_p95"] > options.limit]
    print(json.dumps({"notes": options.notes, "load": os.getloadavg(), "limit": options.limit, "over": slow}))


def _start(folder: Path) -> None:
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
    from benchmarks.addresses import addresses, exports

    for name, urls in addresses(store).items():
        if re.search(options.only, name):
            yield _said(name, pages(client, urls, options.repeat))
    for name, urls in exports(store).items():
        if re.search(options.only, name):
            yield _said(name, first_bytes(client, urls[0], options.repeat))
            if options.whole:
                _said(f"{name}, whole", whole_export(client, urls[0]))


def _said(name: str, figures: Figures) -> Figures:
    line = {"page": name} | figures
    print(json.dumps(line), flush=True)
    return line


def pages(client: "Client", urls: Sequence[str], repeat: int) -> Figures:
    """Figures of `repeat` requests, `urls` in turns, after a first one that is shown by itself."""
    times, queries = [], []
    for number in range(repeat + 1):
        with _queries() as asked, _clocked() as clock:
            answer = client.get(urls[number % len(urls)])
        if answer.status_code != 200:
            raise SystemExit(f"{urls[number % len(urls)]} answered {answer.status_code}.")
        times.append(clock)
        queries.append(len(asked))
    return _percentiles(times) | {"queries": sorted({*queries[1:]}), "kilobytes": len(answer.content) // 1024}


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
    return figures


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=1_000_000, help="notes of a store that is made (1,000,000: 4 GB)")
    parser.add_argument("--data-dir", type=Path, help="keep the store here, and use the one that is here")
    parser.add_argument("--repeat", type=int, default=20, help="requests a page (20)")
    parser.add_argument("--only", default="", metavar="REGEX", help="only the pages whose names match")
    parser.add_argument("--whole", action="store_true", help="also read every export to its end")
    parser.add_argument("--limit", type=float, default=100, help="milliseconds at p95 that are too many (100)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
