"""`manage.py serve`, the real process: it answers, its workers agree, and it fails and stops in one sentence."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import pytest

from tests.processes import PATIENCE, Place, finish, free_port

WORKERS = 2


@pytest.fixture
def served(place: Place) -> Place:
    """A data directory with everything a server needs."""
    ready = replace(place, settings="tests.served")
    ready.run("collectstatic", "--no-input", "--verbosity", "0").expect_success()
    return ready


@contextmanager
def serving(place: Place, port: int) -> Iterator[subprocess.Popen[str]]:
    """A server that answers, stopped at the end whatever happens."""
    process = place.manage("serve", "--bind", f"127.0.0.1:{port}", "--workers", str(WORKERS), "--threads", "1")
    try:
        wait_until_it_listens(process, port)
        yield process
    finally:
        process.terminate()
        finish(process)


def wait_until_it_listens(process: subprocess.Popen[str], port: int) -> None:
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise AssertionError(finish(process).errors[-4_000:])


class Browser:
    """Just enough of one: a cookie jar and forms."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies = SimpleCookie()

    def get(self, path: str) -> tuple[int, str]:
        return self._ask("GET", path)

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        token = self.cookies["csrftoken"].value
        return self._ask("POST", path, urlencode(fields | {"csrfmiddlewaretoken": token}))

    def sign_in(self, username: str, password: str) -> None:
        self.get("/sign-in")
        status, _page = self.post("/sign-in", username=username, password=password)
        assert status == 302

    def _ask(self, method: str, path: str, body: str = "") -> tuple[int, str]:
        """Ask on a connection of its own, so that any worker may take it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Cookie": "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", ()):
            self.cookies.load(cookie)
        page = answer.read().decode()
        connection.close()
        return answer.status, page


def test_the_server_answers_with_the_sign_in_page_and_stops_cleanly(served: Place) -> None:
    port = free_port()
    with serving(served, port) as server:
        status, page = Browser(port).get("/sign-in")
        assert status == 200
        assert 'name="password"' in page
        server.send_signal(signal.SIGTERM)
        stopped = finish(server)
    assert stopped.code == 0
    assert "Traceback" not in stopped.errors
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=1)


def recalls(browser: Browser) -> bool:
    """Whether the playground recalls the store's only note; it shows what it leaves out as well."""
    status, page = browser.get(f"/s/orbit/recall?{urlencode({'text': 'thistlewick'})}")
    assert status == 200, page[:2_000]
    return "1 note is recalled" in page


def test_every_worker_sees_a_change_at_its_next_recall(served: Place) -> None:
    password = served.work("give_password", person="mara")[0]["password"]
    [number] = served.work("fill", names=["thistlewick"])[0]["ids"]
    port = free_port()
    with serving(served, port):
        browser = Browser(port)
        browser.sign_in("mara", password)
        # Many requests, so that each worker has an index of its own before the change and is asked after it.
        assert not any(recalls(browser) for _request in range(8))
        served.work("decide", person="mara", decision="approve", notes=[number], start_at=0)
        assert all(recalls(browser) for _request in range(8))
        served.run("forget", "--store", "orbit", "--id", str(number), "--yes").expect_success()
        assert not any(recalls(browser) for _request in range(8))


def test_static_files_that_were_never_collected_are_said_in_one_sentence(place: Place) -> None:
    refused = replace(place, settings="tests.served").run("serve", "--bind", f"127.0.0.1:{free_port()}")
    assert refused.code == 1
    [sentence] = refused.errors.strip().splitlines()
    assert "run `manage.py collectstatic --no-input`" in sentence


def test_a_missing_secret_is_said_in_one_sentence(place: Place) -> None:
    refused = replace(place, secret="").run("serve", "--bind", f"127.0.0.1:{free_port()}")
    assert refused.code == 1
    [sentence] = refused.errors.strip().splitlines()
    assert "ATLAS_SECRET_KEY is missing" in sentence


def test_an_address_in_use_is_said_in_one_sentence(served: Place) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused = served.run("serve", "--bind", f"127.0.0.1:{port}")
    assert refused.code == 1
    [sentence] = refused.errors.strip().splitlines()
    assert f"127.0.0.1:{port} cannot be used" in sentence
