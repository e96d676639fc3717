"""What every page of the console keeps to: the security policy, the error pages, the stylesheet and the sprite."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from django.urls import reverse

import memories
from memories.models import Store
from memories.views.errors import forbidden
from tests.helpers import proposed

PACKAGE = Path(memories.__file__).parent
STATIC = PACKAGE / "static" / "memories"
TEMPLATES = [*(PACKAGE.parent / "templates").rglob("*.html")]
PAGES = ["/sign-in", "/", "/profile", "/profile/password", "/s/orbit/inbox", "/s/orbit/propose", "/s/none/inbox"]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_needs_inline_script_or_style_or_another_host(
    client: Client, store: Store, cast: dict[str, User], page: str
):
    proposed(store, "Leases last 30 seconds.")
    if page != "/sign-in":
        client.force_login(cast["olga"])
    answer = client.get(page, follow=True)
    text = answer.content.decode()
    policy = answer["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:", text)
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text)
    assert "no-store" in answer["Cache-Control"]


def test_a_page_that_is_not_there_says_so(client: Client, store: Store, cast: dict[str, User]):
    client.force_login(cast["ren"])
    answer = client.get("/s/orbit/notes/99999")
    assert answer.status_code == 404
    assert b"Not here" in answer.content


def test_a_missing_role_is_named(client: Client, store: Store, cast: dict[str, User]):
    client.force_login(cast["tove"])
    answer = client.get(reverse("propose", args=["orbit"]))
    assert answer.status_code == 403
    assert b"This needs the role reviewer in this store" in answer.content


def test_a_refusal_without_words_has_some(rf: RequestFactory):
    assert b"You may not do this here." in forbidden(rf.get("/"), PermissionDenied()).content


def test_the_error_page_holds_nothing_of_the_request(client: Client, store: Store, cast: dict[str, User]):
    page = (PACKAGE.parent / "templates" / "500.html").read_text()
    assert "{{" not in page
    assert set(re.findall(r"{% (\w+)", page)) == {"load", "static"}


def test_every_icon_that_a_template_names_is_in_the_sprite():
    sprite = ElementTree.parse(STATIC / "icons.svg").getroot()  # noqa: S314 our own file
    drawn = {symbol.get("id") for symbol in sprite}
    named = {name for template in TEMPLATES for name in re.findall(r'{% icon "([\w-]+)" %}', template.read_text())}
    assert named <= drawn


def test_every_colour_is_a_token():
    rules = re.sub(r"/\*.*?\*/", "", (STATIC / "atlas.css").read_text(), flags=re.S)
    tokens, rest = rules.split("}", 1)
    assert re.findall(r"#[0-9a-f]{6}", tokens)
    assert not re.findall(r"(?<!light-dark\()#[0-9a-f]{6}\b", rest)


def test_every_shortcut_in_a_template_is_in_the_help():
    shown = set(re.findall(r"<kbd>(.)</kbd>", (PACKAGE.parent / "templates" / "_help.html").read_text()))
    used = {key for template in TEMPLATES for key in re.findall(r'aria-keyshortcuts="([^"{])"', template.read_text())}
    assert used <= shown
