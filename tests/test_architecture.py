"""Who may import whom: the rooms of CONTRIBUTING.md, read out of the code itself."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import memories

PACKAGE = Path(memories.__file__).parent
# From the doors down. A module imports from its own room and the ones below it.
ROOMS: dict[str, set[str]] = {
    "doors": {
        "admin", "apps", "charts", "forms", "management", "middleware", "recall_form", "shown_again", "store_forms",
        "templatetags", "urls", "views", "warm",
    },
    "agent": {"agent", "demo", "experiments", "fill"},
    "verbs": {
        "activity", "beside", "block", "bulk", "bursts", "deciding", "desk", "explain", "export", "forget", "glimpse",
        "health", "intake", "judging", "known", "listing", "overview", "pinned", "policy_effect", "propose", "recall",
        "receipts", "reembed", "refusals", "rescreen", "retention", "review", "saved_views", "sightings", "similar",
        "sources", "stated", "store_settings", "sweep", "waiting",
    },
    "support": {
        "access", "audit", "counts", "lifetime", "marks", "paging", "queries", "quotations", "redact", "resident",
        "rows", "schemas", "storage", "wording",
    },
    "models": {"models"},
    "workshops": {"embedding", "index", "screening", "statements"},
}  # fmt: skip
ORDER = list(ROOMS)
ROOM_OF = {name: room for room, names in ROOMS.items() for name in names}


@cache
def imported(path: Path) -> frozenset[str]:
    """Full names of the modules that a file imports, and of what it imports from them."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name} imports relatively: name the package"
            names |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def part(path: Path) -> str:
    """The first name below `memories`: the module at the top, or the package a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def parts_imported(path: Path) -> set[str]:
    found = {name.split(".")[1] for name in imported(path) if name.startswith("memories.")}
    return {name for name in found if name in ROOM_OF} - {part(path)}


FILES = sorted(
    path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py" and "migrations" not in path.parts
)


def files_in(*rooms: str) -> list[Path]:
    return [path for path in FILES if ROOM_OF[part(path)] in rooms]


def test_every_module_has_its_room() -> None:
    assert {part(path) for path in FILES} <= set(ROOM_OF)


def test_imports_go_down_the_list_of_rooms() -> None:
    for path in FILES:
        own = ORDER.index(ROOM_OF[part(path)])
        assert not {name for name in parts_imported(path) if ORDER.index(ROOM_OF[name]) < own}, path


def test_workshops_know_neither_django_nor_the_database() -> None:
    for path in files_in("workshops"):
        assert not {name for name in imported(path) if name.partition(".")[0] in {"django", "atlas_site"}}, path


def test_models_rest_on_nothing_of_ours() -> None:
    for path in files_in("models"):
        assert not parts_imported(path), path


def test_no_module_needs_itself() -> None:
    needs: dict[str, set[str]] = {}
    for path in FILES:
        needs.setdefault(part(path), set()).update(parts_imported(path))
    TopologicalSorter(needs).prepare()


def test_the_environment_is_read_in_one_place() -> None:
    """`embedding` reads the two names of the official client's own, which Django's settings do not reach."""
    readers = {path for path in FILES if "os" in imported(path) and "environ" in path.read_text(encoding="utf-8")}
    assert readers == {PACKAGE / "embedding" / "__init__.py"}


# Ways to write to a database; a door calls a verb instead, which writes its audit entry.
WRITES = {
    "save", "delete", "create", "update", "bulk_create", "bulk_update", "get_or_create", "update_or_create",
    "execute", "executemany", "executescript",
}  # fmt: skip
# Calls in doors that are such a way, or look like one, and why each of them changes no note.
NO_NOTE = {
    ("views/accounts.py", "form.save"): "how one person likes the console, in no store",
    ("views/inbox.py", "kept.update"): "a query string",
    ("views/inbox.py", "query.update"): "a query string",
    ("management/base.py", "super().execute"): "how Django runs a command",
    ("management/commands/add_person.py", "person.save"): "a sign-in name; a verb makes it a member",
    ("management/commands/add_store.py", "store.save"): "a store without notes; a verb makes somebody its owner",
    ("management/commands/propose.py", "bar.update"): "the bar on the screen",
    ("management/commands/propose.py", "ImportProgress.objects.get_or_create"): "how far a file was read",
    (
        "management/commands/propose.py",
        "ImportProgress.objects.filter(pk=progress.pk).update",
    ): "how far a file was read",
    ("management/commands/propose.py", "progress.delete"): "how far a file was read",
}


def writes(code: str) -> set[str]:
    """What a piece of code calls that may write, by whatever name it has got hold of it."""
    called = {node.func for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)}
    return {
        ast.unparse(function)
        for function in called
        if isinstance(function, ast.Attribute) and (function.attr in WRITES or function.attr[1:] in WRITES)
    }


def test_doors_change_no_note_themselves() -> None:
    found = {
        (path.relative_to(PACKAGE).as_posix(), written)
        for path in files_in("doors")
        for written in writes(path.read_text(encoding="utf-8"))
    }
    assert found == set(NO_NOTE)
    for path in files_in("doors"):
        assert "rows" not in parts_imported(path), f"{path} writes rows past the models"


@pytest.mark.parametrize(
    "code",
    [
        "Memory.objects.filter(pk=1).delete()", "note.save()", "store.memories.update(status='approved')",
        "notes = Memory.objects.all()\nfor note in notes:\n    note.save(update_fields=['text'])",
        "Memory(text='x').save()", "await note.asave()", "[one.delete() for one in notes]",
        "connection.cursor().execute('UPDATE memories_memory SET status = 1')",
    ],
)  # fmt: skip
def test_a_write_is_seen_whatever_it_is_called_on(code: str) -> None:
    assert writes(code)


def test_a_verb_is_no_write() -> None:
    assert not writes("review.approve(store, pk, actor, version=1)\nfields |= {'a': 1}\nsaved = note.saved()")
