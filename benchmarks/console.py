"""How quick a decision in the inbox is, from the key press to the next note: `python -m benchmarks.console --help`."""

import argparse
import json
from collections.abc import Sequence
from itertools import cycle, islice

import numpy as np
from playwright.sync_api import Page

from benchmarks.demo_server import chromium, demo_server, signed_in

# Every second decision is undone, so that the demo's inbox lasts; the last key of each is the one that is timed.
KEYS = (("a",), ("u",), ("r", "1"), ("a",), ("u",), ("a",), ("r", "3"), ("u",))
# Runs in the page: from the key event to the frame in which the next note has been painted.
STOPWATCH = """
() => {
  document.addEventListener("keydown", () => { window.pressed = performance.now(); }, true);
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "inbox") return;
    requestAnimationFrame(() => setTimeout(() => {
      document.documentElement.dataset.took = performance.now() - window.pressed;
    }));
  });
}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Decide notes of the demo store by keyboard and print a JSON object with the figures in milliseconds."""
    options = _options(arguments)
    with demo_server(options.workers) as server, chromium() as browser:
        page = signed_in(browser, server, "mara")
        page.goto("/s/orbit/inbox")
        page.evaluate(STOPWATCH)
        _decisions(page, len(KEYS))
        took = _decisions(page, options.decisions)
    p50, p95 = np.percentile(took, [50, 95])
    figures = {"decisions": len(took), "p50": round(p50, 1), "p95": round(p95, 1), "most": round(max(took), 1)}
    print(json.dumps(figures))


def _decisions(page: Page, count: int) -> list[float]:
    return [_decide(page, keys) for keys in islice(cycle(KEYS), count)]


def _decide(page: Page, keys: Sequence[str]) -> float:
    """Press the keys and wait for the next note; milliseconds from the last key."""
    page.evaluate("delete document.documentElement.dataset.took")
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_selector("html[data-took]")
    page.wait_for_load_state("networkidle")
    return float(page.evaluate("document.documentElement.dataset.took"))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=64, help="how many to time (default: 64)")
    parser.add_argument("--workers", type=int, default=2, help="workers of the server (default: 2)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
