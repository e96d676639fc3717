"""What axe finds on a page: every rule once, and the contrast of the other colour scheme as well."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def no_violation(page: Page, state: str = "") -> None:
    """Fail on any violation, in light and in dark, and on a page that scrolls sideways."""
    # Without motion: a colour half way between two schemes is nobody's.
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = _violations(page, {"type": "tag", "values": TAGS})
    page.emulate_media(color_scheme="dark")
    found += _violations(page, {"type": "rule", "values": ["color-contrast", "link-in-text-block"]})
    assert not found, f"{state or page.url}: {found}"
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0, f"{state or page.url} scrolls sideways by {over} pixels"


def _violations(page: Page, rules: dict[str, object]) -> list[str]:
    found = Axe().run(page, options={"runOnly": rules, "resultTypes": ["violations"]}).response["violations"]
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes'][:3]]}" for rule in found]
