"""`kill -9` at random moments: the file opens, counts and audit entries agree, the command run again finishes."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.processes import Place, kill
from tests.texts import drafts

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("processes")]

COUNTS = """
SELECT (SELECT count(*) FROM memories_memory n WHERE n.store_id = s.id),
       (SELECT total(count) FROM memories_auditevent WHERE store_id = s.id AND action = 'proposed'),
       (SELECT total(count) FROM memories_auditevent WHERE store_id = s.id AND action IN ('forgotten', 'swept')),
       (SELECT total(count) FROM memories_receipt WHERE store_id = s.id),
       (SELECT count(*) FROM memories_removal WHERE store_id = s.id)
FROM memories_store s WHERE s.slug = ?
"""
RECEIPTS = """
SELECT count(*), total(count) FROM memories_receipt
WHERE store_id = (SELECT id FROM memories_store WHERE slug = '{}')
"""


@dataclass
class Chain:
    """One command on a store of its own, killed and started again; a new job whenever it has finished one."""

    place: Place
    store: str
    prepare: Callable[[Chain], list[str]]
    progress: str
    after: float
    chance: random.Random
    jobs: int = 0
    command: list[str] = field(default_factory=list)

    def run(self, kills: int) -> None:
        self.command = self.prepare(self)
        while kills:
            if self._start_and_kill():
                kills -= 1
                self.check()
            else:
                self.jobs += 1
                self.command = self.prepare(self)
        self.place.run(*self.command).expect_success()
        self.check()

    def _start_and_kill(self) -> bool:
        """Whether the process was killed before it had finished."""
        process = self.place.manage(*self.command)
        if self.chance.random() < 0.8:
            # Most time goes into the start of the process: wait until it has done something.
            before = self.place.rows(self.progress)
            while self.place.rows(self.progress) == before and process.poll() is None:
                time.sleep(0.01)
        time.sleep(self.chance.uniform(0, self.after))
        killed = process.poll() is None
        kill(process)
        assert killed or process.returncode == 0
        return killed

    def check(self) -> None:
        assert self.place.value("PRAGMA integrity_check") == "ok"
        [(notes, proposed, deleted, receipts, removals)] = self.place.rows(COUNTS, self.store)
        assert notes == proposed - deleted
        assert deleted == receipts == removals


def propose_a_file(chain: Chain) -> list[str]:
    names = [f"file{chain.jobs}line{line:06d}" for line in range(2_000)]
    file = chain.place.directory.parent / f"drafts-{chain.jobs}.jsonl"
    lines = [draft.model_dump_json(exclude_defaults=True) for draft in drafts(names, f"drafts/{chain.jobs}")]
    file.write_text("\n".join(lines))
    return ["propose", "--store", chain.store, str(file)]


def forget_a_source(chain: Chain) -> list[str]:
    chain.place.work("stock", store=chain.store, name=f"forgetme{chain.jobs}", count=4_000, source="doc:wrong")
    return ["forget", "--store", chain.store, "--source", "doc:wrong", "--yes"]


def sweep_old_notes(chain: Chain) -> list[str]:
    chain.place.work("stock", store=chain.store, name=f"sweepme{chain.jobs}", count=4_000, days_old=380)
    return ["sweep", "--store", chain.store]


def change_embedder(chain: Chain) -> list[str]:
    if not chain.jobs:
        chain.place.work("stock", store=chain.store, name="keepme", count=3_000)
    return ["reembed", "--store", chain.store, "--embedder", "hashed", "--width", str([128, 64][chain.jobs % 2])]


def test_killed_commands_lose_nothing_and_do_nothing_twice(place: Place) -> None:
    seed = random.randrange(10**9)
    print(f"seed {seed}")
    for store in ("propose", "forget", "sweep", "reembed"):
        place.work("make_store", slug=store)
    chains = {
        "propose": (propose_a_file, "SELECT count(*), total(lines) FROM memories_importprogress", 1.0),
        "forget": (forget_a_source, RECEIPTS.format("forget"), 0.5),
        "sweep": (sweep_old_notes, RECEIPTS.format("sweep"), 0.5),
        "reembed": (change_embedder, "SELECT count(*) FROM memories_nextembedding", 0.4),
    }
    running = {
        store: Chain(place, store, prepare, progress, after, random.Random(f"{seed}/{store}"))
        for store, (prepare, progress, after) in chains.items()
    }
    with ThreadPoolExecutor(len(running)) as pool:
        done = [pool.submit(chain.run, kills) for chain, kills in zip(running.values(), (14, 13, 12, 11), strict=True)]
    for one in done:
        one.result()
    print({store: chain.jobs for store, chain in running.items()})
    # A deletion that found the other commands writing leaves its receipt open: the next sweep cleans up and signs it.
    place.run("sweep").expect_success()
    assert_every_line_is_a_note_once(place, running["propose"])
    assert_nothing_is_left_of(place, running["forget"], b"forgetme")
    assert_nothing_is_left_of(place, running["sweep"], b"sweepme")
    assert_all_vectors_are_of_one_embedder(place, running["reembed"])
    place.run("health").expect_success()


def notes_of(place: Place, store: str, columns: str) -> list[tuple[Any, ...]]:
    query = f"SELECT {columns} FROM memories_memory n JOIN memories_store s ON s.id = n.store_id WHERE s.slug = ?"
    return place.rows(query, store)


def assert_every_line_is_a_note_once(place: Place, chain: Chain) -> None:
    files = [place.directory.parent / f"drafts-{job}.jsonl" for job in range(chain.jobs + 1)]
    lines = [json.loads(line)["text"] for file in files for line in file.read_text().splitlines()]
    assert sorted(text for (text,) in notes_of(place, "propose", "text")) == sorted(lines)
    assert place.rows("SELECT * FROM memories_importprogress") == []


def assert_nothing_is_left_of(place: Place, chain: Chain, word: bytes) -> None:
    assert notes_of(place, chain.store, "n.id") == []
    assert place.value("SELECT count(*) FROM memories_receipt WHERE finished_at IS NULL") == 0
    assert place.files_holding(word) == []


def assert_all_vectors_are_of_one_embedder(place: Place, chain: Chain) -> None:
    [(width,)] = place.rows("SELECT width FROM memories_store WHERE slug = ?", chain.store)
    assert width == int(chain.command[-1])
    assert notes_of(place, chain.store, "DISTINCT n.width, length(embedding)") == [(width, 4 * width)]
    assert len(notes_of(place, chain.store, "n.id")) == 3_000
    assert place.value("SELECT count(*) FROM memories_nextembedding") == 0
