"""A real browser in front of a real server, with the small cast signed in by their session."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, Response, sync_playwright
from pytest_django.live_server_helper import LiveServer

from memories.models import Store
from tests import helpers

# Playwright keeps an event loop in this thread, and Django would take every query for one inside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PASSWORD = "correct horse battery"
SignIn = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a browser that was late on a busy machine try once more; what is wrong on the page fails at once."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError"]))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        missing = "No Chromium on this machine: install the package `chromium`."
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def store(transactional_db: None) -> Store:
    return helpers.make_store(dedupe_threshold=0.6)


@pytest.fixture
def sign_in(browser: Browser, live_server: LiveServer, store: Store) -> Iterator[SignIn]:
    """Open a page as one of the cast: `sign_in("ren", "/s/orbit/inbox", color_scheme="dark")`.

    Errors of the page, requests to anywhere else and answers without a strict security policy fail the test when
    it ends.
    """
    people = helpers.make_cast(store)
    for user in people.values():
        user.set_password(PASSWORD)
        user.save()
    contexts, trouble = [], []

    def open_page(name: str, path: str, **options: object) -> Page:
        context = browser.new_context(base_url=live_server.url, timezone_id="Europe/Berlin", **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.add_cookies([{"name": "sessionid", "value": _session(people[name]), "url": live_server.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: request.url.startswith(live_server.url) or trouble.append(request.url))
        page.on("response", lambda answer: trouble.extend(_loose(answer)))
        page.on("console", lambda line: "Content Security Policy" in line.text and trouble.append(line.text))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


def _loose(answer: Response) -> list[str]:
    """Pages without a policy, or with one that lets anything inline or foreign in."""
    policy = answer.headers.get("content-security-policy", "")
    strict = "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    is_page = "text/html" in answer.headers.get("content-type", "") and answer.status != 500
    return [f"{answer.url}: {policy or 'no policy'}"] if is_page and not strict else []


def _session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
