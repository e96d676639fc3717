"""Lighthouse's accessibility score of every page, on a desktop and on a phone: `python -m benchmarks.lighthouse`.

Needs Node.js: `npx` fetches Lighthouse. A line of JSON for each page; it ends with 1 where a page is below 100.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks.demo_server import CHROMIUM_ARGUMENTS, chromium, demo_server, signed_in
from benchmarks.screenshots import ROOMS, inbox, opened, receipt

VERSION = "lighthouse@12"
# A picture may show what a form answered, which has no address: Lighthouse looks at the page itself.
PAGES = {"inbox": inbox, **ROOMS, "receipt": receipt, "settings": opened("/s/orbit/settings")}
FORMS = {"desktop": ["--preset=desktop"], "phone": []}


def main() -> None:
    """Open each page as its picture is taken, and hand its address and session to Lighthouse."""
    with demo_server() as server:
        with chromium() as browser:
            page = signed_in(browser, server, "olga")
            addresses = dict(_addresses(page))
            [session] = [each["value"] for each in page.context.cookies() if each["name"] == "sessionid"]
        addresses["sign-in"] = f"{server.address}/sign-in"
        below = []
        for (name, url), form in product(addresses.items(), FORMS):
            found = _score(url, "" if name == "sign-in" else session, FORMS[form])
            print(json.dumps({"page": name, "form": form} | found), flush=True)
            below += [name] if found["score"] < 100 else []
    if below:
        raise SystemExit(f"Below 100: {', '.join(below)}.")


def _addresses(page: Page) -> Iterator[tuple[str, str]]:
    for name, arrange in PAGES.items():
        arrange(page)
        page.wait_for_load_state("networkidle")
        yield name, page.url


def _score(url: str, session: str, form: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        report, headers = Path(folder) / "report.json", Path(folder) / "headers.json"
        headers.write_text(json.dumps({"Cookie": f"sessionid={session}"} if session else {}))
        command = ["npx", "--yes", VERSION, url, "--only-categories=accessibility", "--quiet", "--output=json"]
        command += [f"--output-path={report}", f"--extra-headers={headers}", *form]
        command.append(f"--chrome-flags={' '.join(CHROMIUM_ARGUMENTS)}")
        subprocess.run(command, check=True, env=os.environ | {"CHROME_PATH": shutil.which("chromium") or ""})
        found = json.loads(report.read_text())
    failed = [name for name, audit in found["audits"].items() if audit["score"] == 0]
    return {"score": round(100 * found["categories"]["accessibility"]["score"]), "failed": failed}


if __name__ == "__main__":
    main()
