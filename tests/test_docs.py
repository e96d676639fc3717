"""The documentation holds: commands and flags exist, links lead somewhere, every setting and token is named."""

from __future__ import annotations

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from atlas_site.environment import PROJECT, Environment

PAGES = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").glob("*.md"))]
COMMAND = re.compile(r"manage\.py ([a-z_]+)([^`\n|#]*)")
FLAG = re.compile(r"(?<!\S)(--?[a-z][a-z-]*)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
MAKE_TARGET = re.compile(r"`make(?: -s)? ([a-z-]+)")
OURS = "memories"


def parser_of(name: str) -> ArgumentParser:
    parser: ArgumentParser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    return parser


def flags_of(parser: ArgumentParser) -> set[str]:
    """Every flag of a command, those of its subcommands too."""
    found: set[str] = set()
    for action in parser._actions:
        found |= set(action.option_strings)
        if isinstance(action, _SubParsersAction):
            for below in action.choices.values():
                found |= flags_of(below)
    return found


def uses(page: Path) -> Iterator[tuple[str, set[str]]]:
    """Each command that a page names, with the flags it is shown with; also those named as `--flag` of it."""
    for match in COMMAND.finditer(page.read_text(encoding="utf-8")):
        yield match[1], set(FLAG.findall(match[2]))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_flag_on_a_page_exists(page: Path) -> None:
    for name, flags in uses(page):
        assert name in get_commands(), name
        assert flags <= flags_of(parser_of(name)) | {"-"}, name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            path, _, heading = target.partition("#")
            there = (page.parent / path) if path else page
            assert there.exists(), target
            assert not heading or heading in headings(there), target


def headings(page: Path) -> set[str]:
    lines = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in lines}


def test_every_command_of_ours_is_documented() -> None:
    written = " ".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name, app in get_commands().items():
        if app == OURS:
            assert re.search(rf"\b{name}\b", written), name


def test_what_runs_on_a_server_reads_one_file_that_names_one_data_directory() -> None:
    page = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert re.findall(r"ATLAS_DATA_DIR=(.*)", page) == ["/srv/atlas/data"]
    blocks = re.findall(r"```(?:cron|ini)\n(.*?)```", page, re.DOTALL)
    running = [block for block in blocks if "manage.py" in block]
    assert len(running) == 3
    assert all("/srv/atlas/environment" in block for block in running)


def test_the_settings_file_reads_the_same_to_a_shell_and_to_systemd() -> None:
    page = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sh\n((?:#.*\n)?ATLAS_SECRET_KEY.*?)```", page, re.DOTALL)
    assert all(re.fullmatch(r"#.*|ATLAS_[A-Z_]+=\S+", line) for line in block.splitlines())


def test_every_setting_is_documented_with_its_default() -> None:
    operations = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in operations.splitlines() if line.startswith("| `")]
    for name, field in Environment.model_fields.items():
        variable = str(field.validation_alias or f"ATLAS_{name.upper()}")
        defaults = [row[2] for row in rows if f"`{variable}`" in row[1]]
        assert len(defaults) == 1, variable
        if isinstance(field.default, str) and field.default:
            assert defaults == [f" `{field.default}` "], variable


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_on_a_page_exists(page: Path) -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for target in MAKE_TARGET.findall(page.read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
