"""Real processes on a data directory of their own, for what only the real thing can show."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
SECRET = "processes-only-" + "s" * 40
# A child that hangs must not hang the tests; nothing here comes near it.
PATIENCE = 600


@dataclass(frozen=True)
class Place:
    """A data directory, its database, and the ways to run something on it."""

    directory: Path
    name: str = "atlas.sqlite3"
    settings: str = "atlas_site.settings"
    secret: str = SECRET

    @property
    def database(self) -> Path:
        return self.directory / self.name

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ATLAS_", "DJANGO_"))}
        return kept | {
            "ATLAS_DATA_DIR": str(self.directory),
            "ATLAS_DATABASE_URL": f"sqlite:///{self.database}",
            "ATLAS_SECRET_KEY": self.secret,
            "DJANGO_SETTINGS_MODULE": self.settings,
            "PYTHONPATH": str(PROJECT),
        }

    def start(self, *command: str, **options: Any) -> subprocess.Popen[str]:
        """Start `python *command` here, its output in pipes."""
        return subprocess.Popen(
            [sys.executable, *command],
            cwd=PROJECT,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def manage(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        """Start `manage.py *arguments`."""
        return self.start("manage.py", *arguments, **options)

    def worker(self, function: str, /, **arguments: Any) -> subprocess.Popen[str]:
        """Start a function of `tests.workers` with `arguments`; its standard input is a pipe."""
        return self.start("-m", "tests.workers", function, json.dumps(arguments), stdin=subprocess.PIPE)

    def run(self, *arguments: str, **options: Any) -> Finished:
        """Run `manage.py *arguments` to its end."""
        return finish(self.manage(*arguments, **options))

    def work(self, function: str, /, **arguments: Any) -> list[dict[str, Any]]:
        """Run a worker to its end; what it logged."""
        return finish(self.worker(function, **arguments)).expect_success().log

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows straight from the file, past all of the product's code."""
        with closing(sqlite3.connect(self.database, timeout=30)) as connection:
            return connection.execute(query, values).fetchall()

    def value(self, query: str, *values: object) -> Any:
        return self.rows(query, *values)[0][0]

    def files_holding(self, needle: bytes) -> list[str]:
        """Names of the files of the data directory that hold `needle`."""
        return self.files_holding_each([needle])[0]

    def files_holding_each(self, needles: list[bytes]) -> list[list[str]]:
        """`files_holding` for each needle.

        Another process looks: closing the database file in this one would drop the locks of its own connection.
        """
        script = (
            "import json, pathlib, sys; files = {p.name: p.read_bytes() for p in map(pathlib.Path, sys.argv[1:])}; "
        )
        script += "found = [[n for n, c in files.items() if bytes.fromhex(x) in c] for x in json.load(sys.stdin)]; "
        script += "print(json.dumps(found))"
        files = [str(path) for path in self.directory.rglob("*") if path.is_file()]
        asked = json.dumps([needle.hex() for needle in needles])
        answer = subprocess.run(
            [sys.executable, "-c", script, *files], input=asked, capture_output=True, text=True, check=True
        )
        found: list[list[str]] = json.loads(answer.stdout)
        return found


@dataclass(frozen=True)
class Finished:
    """How a process ended and what it said."""

    code: int
    output: str
    errors: str

    @property
    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output.splitlines()]

    def expect_success(self) -> Finished:
        assert self.code == 0, self.errors[-4_000:]
        return self


def finish(process: subprocess.Popen[str]) -> Finished:
    """Wait for the process to end."""
    try:
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        if process.poll() is None:
            process.kill()
    return Finished(process.returncode, output, errors)


def finish_all(processes: Iterable[subprocess.Popen[str]]) -> list[dict[str, Any]]:
    """Wait for workers that run side by side; everything they logged. Asserts that none failed."""
    started = list(processes)
    # A pipe that nobody reads stops its process.
    with ThreadPoolExecutor(len(started)) as readers:
        finished = list(readers.map(finish, started))
    return [entry for one in finished for entry in one.expect_success().log]


def kill(process: subprocess.Popen[str]) -> None:
    """`kill -9`, and wait until it is gone."""
    process.send_signal(signal.SIGKILL)
    process.communicate()


def make_template(directory: Path) -> Place:
    """A migrated database with the store "orbit" and its cast, to be copied for each test."""
    place = Place(directory)
    place.run("migrate", "--verbosity", "0").expect_success()
    place.work("prepare")
    return place


def copy_of(template: Place, directory: Path) -> Place:
    shutil.copytree(template.directory, directory)
    return Place(directory)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def open_reader(database: Path) -> Iterator[sqlite3.Connection]:
    """Another program's connection that has read the database and stays open."""
    with closing(sqlite3.connect(database, timeout=30, isolation_level=None)) as connection:
        connection.execute("SELECT count(*) FROM memories_memory").fetchall()
        yield connection
