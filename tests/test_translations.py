"""German is complete, and the compiled catalogue is the one that is written."""

from __future__ import annotations

import ast
import gettext
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

import memories
from memories.models import Store
from memories.templatetags.console import capped
from tests.helpers import proposed

CATALOGUE = Path(memories.__file__).parent / "locale" / "de" / "LC_MESSAGES" / "django"
STRING = r'((?:".*"\n?)+)'
ENTRY = re.compile(
    rf"(?:^msgctxt {STRING})?^msgid {STRING}(?:msgid_plural {STRING})?((?:msgstr(?:\[\d\])? {STRING})+)", re.M
)
LITERAL = re.compile(r'{% translate "([^"]+)"')
PLACEHOLDER = re.compile(r"%\(\w+\)(?:\.\d)?[sdf]")


def entries() -> list[tuple[str, str, list[str]]]:
    """Each message of the written catalogue: its key, its English plural, its German forms."""

    def read(text: str | None) -> str:
        return "".join(ast.literal_eval(line) for line in (text or "").splitlines())

    found = []
    for context, english, plural, german, _last in ENTRY.findall(CATALOGUE.with_suffix(".po").read_text()):
        forms = [read(text) for text in re.findall(rf"^msgstr(?:\[\d\])? {STRING}", german, re.M)]
        key = f"{read(context)}\x04{read(english)}" if context else read(english)
        found.append((key, read(plural), forms))
    return [entry for entry in found if entry[0]]


def test_no_message_is_left_in_english_or_loses_a_placeholder():
    assert len(entries()) > 500
    for english, plural, german in entries():
        assert all(german), english
        wanted = set(PLACEHOLDER.findall(plural or english))
        assert all(set(PLACEHOLDER.findall(form)) <= wanted for form in german), english
        assert set(PLACEHOLDER.findall(german[-1])) == wanted, english


def test_every_literal_of_the_templates_is_in_the_catalogue():
    known = {english.rpartition("\x04")[2] for english, _plural, _german in entries()}
    for template in (Path(settings.BASE_DIR) / "templates").rglob("*.html"):
        assert set(LITERAL.findall(template.read_text())) <= known, template.name


def test_the_compiled_catalogue_is_up_to_date():
    with CATALOGUE.with_suffix(".mo").open("rb") as compiled:
        catalogue = gettext.GNUTranslations(compiled)
    for english, plural, german in entries():
        said = catalogue.ngettext(english, plural, 1) if plural else catalogue.gettext(english)
        assert said == german[0], english


@pytest.mark.parametrize(
    "path", ["/s/orbit/inbox", "/s/orbit/propose", "/profile", "/", "/s/orbit/notes", "/s/orbit/settings"]
)
def test_pages_speak_german(client: Client, store: Store, cast: dict[str, User], path: str):
    proposed(store, "Leases last 30 seconds.")
    client.force_login(cast["olga"])
    page = client.get(path, follow=True, HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert 'lang="de"' in page
    assert "Abmelden" in page
    assert ">Sign out" not in page


def test_numbers_are_grouped_as_the_language_does():
    with translation.override("en"):
        assert capped(12_345, 10_000) == "10,000+"
    with translation.override("de"):
        assert capped(12_345, 10_000) == "10.000+"
        assert capped(9_999, 10_000) == "9.999"
