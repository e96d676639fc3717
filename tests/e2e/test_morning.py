"""One morning with the demo stores, from signing in to the activity page, as a newcomer would spend it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from memories.demo import make_demo
from memories.models import Action, AuditEvent, Memory, Status

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

INBOX = "/s/orbit/inbox"


@pytest.fixture
def page(transactional_db: None, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A browser that comes for the first time; Mara has just signed in to freshly made demo stores."""
    password, _made = make_demo()
    context = browser.new_context(base_url=live_server.url, timezone_id="Europe/Berlin")
    page = context.new_page()
    page.goto(INBOX)
    page.get_by_label("Name").fill("mara")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{live_server.url}{INBOX}")
    yield page
    context.close()


def decide_by_keyboard(page: Page, keys: list[str]) -> None:
    """One decision: wait for the note to be on the desk, press the keys, wait for the next one."""
    desk = page.locator("#desk-title")
    shown = desk.inner_text()
    for key in keys:
        page.keyboard.press(key)
    expect(desk).not_to_have_text(shown)
    expect(desk).to_be_focused()


def decided() -> int:
    return Memory.objects.filter(store__slug="orbit", reviewer__username="mara").count()


def test_a_morning_from_signing_in_to_the_activity_page(page: Page) -> None:
    before = decided()

    # Ten notes by keyboard, one of them undone again.
    for keys in [["r", "3"], ["r", "1"], ["a"], ["r", "2"], ["a"], ["r", "5"], ["a"], ["a"], ["r", "4"], ["a"]]:
        decide_by_keyboard(page, keys)
    assert decided() == before + 10
    decide_by_keyboard(page, ["u"])
    assert decided() == before + 9

    # One edited before it is approved.
    page.keyboard.press("e")
    field = page.get_by_label("Note", exact=True)
    expect(field).to_be_focused()
    field.fill("A worker that loses its broker ends with status 75, as the thistlewick test shows.")
    page.get_by_role("button", name="Approve with these words").click()
    expect(page.get_by_role("status")).to_contain_text("Approved")
    assert decided() == before + 10

    # It is found through the recall page.
    page.get_by_role("link", name="Recall", exact=True).click()
    page.get_by_label("What would an agent ask?").fill("which status does a worker end with that loses its broker?")
    page.keyboard.press("Enter")
    expect(page.locator(".hit").first).to_contain_text("thistlewick")
    expect(page.get_by_role("region", name="The prompt block")).to_contain_text("thistlewick")

    # A source is forgotten after its preview.
    source = "doc:leases-and-heartbeats"
    page.goto("/s/orbit/sources?prefix=doc:l")
    page.get_by_role("link", name=f"Forget… {source}").click()
    expect(page.get_by_role("heading", name="These notes")).to_be_visible()
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_role("heading", name="Receipt of a deletion")).to_be_visible()
    assert not Memory.objects.filter(store__slug="orbit", sources__source=source).exists()

    # A person's notes are handed out.
    page.goto("/s/travel/data-requests")
    page.get_by_label("Source", exact=True).fill("user:17")
    page.keyboard.press("Enter")
    with page.expect_download() as download:
        page.get_by_role("link", name="JSONL").click()
    rows = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert len(rows) == Memory.objects.filter(store__slug="travel", sources__source="user:17").count() > 0
    page.goto("/s/travel/activity")
    expect(page.locator("tbody tr").first).to_contain_text("exported")

    # All of it stands in the activity page.
    page.goto("/s/orbit/activity")
    for action in (Action.APPROVED, Action.REJECTED, Action.UNDONE, Action.FORGOTTEN):
        page.get_by_label("What").select_option(action.value)
        page.get_by_role("button", name="Show").click()
        shown = page.locator("tbody tr").filter(has_text="mara")
        wanted = AuditEvent.objects.filter(store__slug="orbit", action=action, actor="person:mara").count()
        expect(shown).to_have_count(wanted)
        assert wanted > 0, action


def test_bad_notes_are_waiting_and_worse_ones_were_refused(page: Page) -> None:
    page.get_by_role("link", name="in conflict", exact=True).click()
    expect(page.get_by_text("Do both hold, or does one replace the other?")).to_be_visible()
    page.get_by_role("link", name="Refused").click()
    page.get_by_role("link", name="90 days").click()
    for rule in ("credential.url-password", "instruction.override"):
        expect(page.get_by_role("region", name="By rule")).to_contain_text(rule)
    assert not Memory.objects.filter(store__slug="orbit", status=Status.PROPOSED, text__contains="ignore all").exists()
