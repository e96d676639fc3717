"""A data directory that is read-only, a disk that is full, a database that is locked: one sentence, nothing lost."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.processes import Finished, Place, copy_of
from tests.texts import drafts

DRAFTS = 600


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Drafts for more than one batch."""
    lines = drafts([f"note{number:06d}" for number in range(DRAFTS)], "drafts")
    path = tmp_path / "drafts.jsonl"
    path.write_text("\n".join(draft.model_dump_json(exclude_defaults=True) for draft in lines))
    return path


def assert_one_sentence(finished: Finished, *words: str) -> None:
    [sentence] = finished.errors.strip().splitlines()
    assert finished.code == 1
    assert [word for word in words if word not in sentence] == []


def assert_nothing_is_half_done(place: Place) -> None:
    assert place.value("PRAGMA integrity_check") == "ok"
    proposed = place.value("SELECT total(count) FROM memories_auditevent WHERE action = 'proposed'")
    gone = place.value("SELECT total(count) FROM memories_auditevent WHERE action = 'forgotten'")
    assert place.value("SELECT count(*) FROM memories_memory") == proposed - gone


def assert_the_rest_comes_in(place: Place, file: Path) -> None:
    place.run("propose", "--store", "orbit", str(file)).expect_success()
    assert_nothing_is_half_done(place)
    assert place.value("SELECT count(DISTINCT text) FROM memories_memory") == DRAFTS
    assert place.value("SELECT count(*) FROM memories_memory") == DRAFTS


@pytest.fixture
def read_only(place: Place) -> Iterator[Place]:
    """A data directory that cannot be written, not even by root, for whom permissions say nothing."""
    if os.geteuid() == 0:
        mount("-o", "bind,ro", str(place.directory), str(place.directory))
        yield place
        subprocess.run(["umount", str(place.directory)], check=True)
        return
    for path in (*place.directory.iterdir(), place.directory):
        path.chmod(0o555)
    yield place
    place.directory.chmod(0o755)


def mount(*arguments: str) -> None:
    if not shutil.which("mount") or subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not permitted here")


@pytest.mark.parametrize("command", [["propose", "-"], ["sweep"], ["recall", "lantern"], ["forget", "--id", "1"]])
def test_a_read_only_data_directory_is_said_in_one_sentence(read_only: Place, command: list[str]) -> None:
    finished = read_only.run(command[0], "--store", "orbit", *command[1:], stdin=subprocess.DEVNULL)
    assert_one_sentence(finished, "The database cannot be written", "permissions")


def test_a_missing_data_directory_is_said_in_one_sentence(tmp_path: Path) -> None:
    finished = Place(tmp_path / "nowhere").run("health")
    assert_one_sentence(finished, "ATLAS_DATA_DIR", "not a directory")


@contextmanager
def small_disk(place: Place, directory: Path, spare: int) -> Iterator[Place]:
    """A copy of a data directory on a disk of its own with `spare` bytes left."""
    directory.mkdir()
    size = sum(path.stat().st_size for path in place.directory.iterdir()) + spare
    mount("-t", "tmpfs", "-o", f"size={size}", "atlas-test", str(directory))
    try:
        yield copy_of(place, directory / "data")
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def test_a_full_disk_is_said_in_one_sentence_and_nothing_is_lost(template: Place, file: Path, tmp_path: Path) -> None:
    with small_disk(template, tmp_path / "disk", spare=1_000_000) as place:
        finished = place.run("propose", "--store", "orbit", str(file))
        assert_one_sentence(finished, "The disk is full", "run the command again")
        assert_nothing_is_half_done(place)
        roomy = copy_of(place, tmp_path / "roomy")
    assert_the_rest_comes_in(roomy, file)


def limit_files_to(size: int) -> dict[str, Any]:
    """Options for a process that cannot make a file larger than `size` bytes."""
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}


def test_a_file_that_cannot_grow_is_said_in_one_sentence_and_nothing_is_lost(place: Place, file: Path) -> None:
    finished = place.run("propose", "--store", "orbit", str(file), **limit_files_to(1_000_000))
    assert_one_sentence(finished, "The disk", "run the command again")
    assert_nothing_is_half_done(place)
    assert_the_rest_comes_in(place, file)


def test_a_deletion_without_room_to_clean_up_says_so_and_the_next_sweep_cleans_up(place: Place, tmp_path: Path) -> None:
    place.work("stock", store="orbit", name="note", count=1_500)
    [(number,)] = place.rows("SELECT id FROM memories_memory WHERE text LIKE '%note000007%'")
    with small_disk(place, tmp_path / "disk", spare=1_000_000) as crowded:
        finished = crowded.run("forget", "--store", "orbit", "--id", str(number), "--yes")
        assert "1 note forgotten" in finished.expect_success().output
        assert "could not be rebuilt" in finished.output
        assert crowded.value("SELECT count(*) FROM memories_receipt WHERE finished_at IS NULL") == 1
        assert_nothing_is_half_done(crowded)
        roomy = copy_of(crowded, tmp_path / "roomy")
    roomy.run("sweep").expect_success()
    assert roomy.value("SELECT count(*) FROM memories_receipt WHERE finished_at IS NULL") == 0
    assert roomy.files_holding(b"note000007") == []


def test_a_database_locked_for_too_long_is_said_in_one_sentence_and_nothing_is_lost(place: Place, file: Path) -> None:
    place.work("fill", names=["lamp"])
    impatient = replace(place, settings="tests.impatient")
    with closing(sqlite3.connect(place.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        finished = impatient.run("propose", "--store", "orbit", str(file))
        assert_one_sentence(finished, "Another process has held the database", "run the command again")
        # Who only reads is not held up.
        place.run("recall", "--store", "orbit", "lamp").expect_success()
        other.execute("ROLLBACK")
    assert place.value("SELECT count(*) FROM memories_memory") == 1
    place.run("propose", "--store", "orbit", str(file)).expect_success()
    assert place.value("SELECT count(*) FROM memories_memory") == DRAFTS + 1
