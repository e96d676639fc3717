"""The demo stores behind a real server, with a signed-in browser in front: what pictures and timings start from."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

PROJECT = Path(__file__).resolve().parent.parent
CHROMIUM_ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE_SECONDS = 60


@dataclass(frozen=True)
class DemoServer:
    """A running console: where it answers, and the password that all of its people have."""

    address: str
    password: str
    data_dir: Path


@contextmanager
def demo_server(workers: int = 2) -> Iterator[DemoServer]:
    """Serve freshly made demo stores from a temporary data directory, as `make run` does; gone at the end."""
    with tempfile.TemporaryDirectory() as folder:
        manage(folder, "migrate", "--verbosity", "0")
        manage(folder, "collectstatic", "--no-input", "--verbosity", "0")
        password = manage(folder, "demo").rsplit("password ", 1)[1].strip()
        port = _free_port()
        command = [*_manage("serve"), "--bind", f"127.0.0.1:{port}", "--workers", str(workers)]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env=_environment(folder), cwd=PROJECT, **quiet)
        try:
            _wait_for(port, process)
            yield DemoServer(f"http://127.0.0.1:{port}", password, Path(folder))
        finally:
            process.terminate()
            process.wait()


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser with a fresh profile. Raises SystemExit where none is installed."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        raise SystemExit("No Chromium on this machine: install the package `chromium`.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


def signed_in(browser: Browser, server: DemoServer, name: str, **options: Any) -> Page:
    """A page of its own in which `name` is signed in; `options` are those of a browser context."""
    page = browser.new_context(base_url=server.address, timezone_id="Europe/Berlin", **options).new_page()
    page.goto("/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(server.password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_load_state("networkidle")
    return page


def manage(data_dir: str | Path, *arguments: str) -> str:
    """Run a management command on a data directory and return what it printed. Raises CalledProcessError."""
    command = _manage(*arguments)
    environment = _environment(data_dir)
    return subprocess.run(command, env=environment, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True).stdout


def _manage(*arguments: str) -> list[str]:
    return [sys.executable, "manage.py", *arguments]


def _environment(data_dir: str | Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ATLAS_", "DJANGO_"))}
    return kept | {"ATLAS_DATA_DIR": str(data_dir), "ATLAS_SECRET_KEY": "for-this-run-only-" + "s" * 40}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise SystemExit("The server did not start: run `manage.py serve` by hand to see why.")
