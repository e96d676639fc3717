"""What a first visit costs, from the server as it is run: compressed files, nothing from anywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.processes import Place, free_port
from tests.test_server import serving

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MOST_BYTES = 120_000


@pytest.fixture
def served(tmp_path: Path) -> Place:
    """The demo stores in a data directory of their own, and the static files collected beside them."""
    (tmp_path / "data").mkdir()
    place = Place(tmp_path / "data", settings="tests.served")
    place.run("migrate", "--verbosity", "0").expect_success()
    place.run("collectstatic", "--no-input", "--verbosity", "0").expect_success()
    return place


def test_a_first_visit_of_the_inbox_is_light_and_asks_nobody_else(served: Place, browser: Browser) -> None:
    made = served.run("demo").expect_success()
    password = made.output.rsplit("password ", 1)[1].strip()
    port = free_port()
    home = f"http://127.0.0.1:{port}"
    with serving(served, port):
        page = browser.new_context(base_url=home).new_page()
        page.goto("/s/orbit/inbox")
        page.get_by_label("Name").fill("mara")
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Sign in").click()
        cookies = page.context.cookies()

        context = browser.new_context(base_url=home)
        context.add_cookies(cookies)  # type: ignore[arg-type]
        first = context.new_page()
        asked: list[str] = []
        received: list[int] = []
        first.on("request", lambda request: asked.append(request.url))
        network = context.new_cdp_session(first)
        network.send("Network.enable")
        network.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
        with first.expect_response("**/impact"):
            first.goto("/s/orbit/inbox")
        first.wait_for_load_state("networkidle")
        context.close()
        page.context.close()
    assert len(asked) >= 5
    assert [url for url in asked if not url.startswith(home)] == []
    assert 0 < sum(received) < MOST_BYTES
