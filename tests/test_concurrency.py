"""Many processes on one SQLite file: nothing is lost, nothing is locked, nothing comes back."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from memories.models import AuditEvent, Memory, Status
from memories.review import Stale, approve, reject
from tests import helpers
from tests.processes import Place, finish, finish_all
from tests.texts import drafts

pytestmark = [pytest.mark.xdist_group("processes")]

# Seconds a process has for loading what it needs, so that all begin at once.
LOADING = 1.0

Log = list[dict[str, Any]]


def all_ids(place: Place, store: str = "orbit") -> list[int]:
    query = (
        "SELECT n.id FROM memories_memory n JOIN memories_store s ON s.id = n.store_id WHERE s.slug = ? ORDER BY n.id"
    )
    return [number for (number,) in place.rows(query, store)]


def audited(place: Place, action: str) -> Counter[int]:
    """How often each note stands in audit entries of `action`."""
    found: Counter[int] = Counter()
    rows = place.rows(
        "SELECT memory_number, json_extract(details, '$.notes') FROM memories_auditevent WHERE action = ?", action
    )
    for number, several in rows:
        found.update([number] if several is None else json.loads(several))
    return found


@pytest.mark.slow
def test_eight_processes_at_once_lose_nothing(place: Place) -> None:
    seed = random.randrange(10**9)
    print(f"seed {seed}")
    start_at = time.monotonic() + 8 * LOADING
    log = finish_all(
        place.worker("everything", seed=f"{seed}/{name}", name=name, start_at=start_at, seconds=30)
        for name in "abcdefgh"
    )
    steps = Counter(entry["step"] for entry in log)
    print(steps)
    assert min(steps[step] for step in ("propose", "decide", "recall", "forget")) > 10
    assert_every_step_is_kept_once(place, log)
    assert_nothing_forgotten_is_recalled(log)
    assert place.value("PRAGMA integrity_check") == "ok"


def assert_every_step_is_kept_once(place: Place, log: Log) -> None:
    """What processes reported, what the audit log says and what the table holds are the same."""
    decisions = Counter((entry["decision"], entry["id"]) for entry in log if entry["step"] == "decide")
    for decision, action in (("approve", "approved"), ("reject", "rejected"), ("undo", "undone")):
        reported = {number: count for (what, number), count in decisions.items() if what == decision}
        assert audited(place, action) == reported
    proposed = [number for entry in log if entry["step"] == "propose" for number in entry["ids"]]
    forgotten = [entry["ids"][0] for entry in log if entry["step"] == "forget" and entry["count"]]
    assert audited(place, "proposed") == Counter(proposed)
    assert audited(place, "forgotten") == Counter(forgotten)
    assert set(all_ids(place)) == set(proposed) - set(forgotten)
    assert_last_decision_stands(place, log)


def assert_last_decision_stands(place: Place, log: Log) -> None:
    last: dict[int, tuple[int, str]] = {}
    outcome = {"approve": "approved", "reject": "rejected", "undo": "proposed"}
    for entry in log:
        if entry["step"] == "decide":
            number, version = entry["id"], entry["version"]
            last[number] = max(last.get(number, (1, "proposed")), (version, outcome[entry["decision"]]))
    for number, version, status in place.rows("SELECT id, version, status FROM memories_memory"):
        assert (version, status) == last.get(number, (1, "proposed"))


def assert_nothing_forgotten_is_recalled(log: Log) -> None:
    gone = {entry["ids"][0]: entry["ended"] for entry in log if entry["step"] == "forget" and entry["count"]}
    for entry in log:
        if entry["step"] == "recall":
            assert [number for number in entry["ids"] if gone.get(number, entry["begun"]) < entry["begun"]] == []


@pytest.mark.slow
def test_every_process_sees_every_change_at_its_next_recall(place: Place) -> None:
    """Four processes, 20,000 random steps on notes that all of them change."""
    seed = random.randrange(10**9)
    print(f"seed {seed}")
    place.work("fill", names=[f"note{number:06d}" for number in range(1_200)])
    notes = all_ids(place)
    start_at = time.monotonic() + 4 * LOADING
    log = finish_all(
        place.worker("walk", seed=f"{seed}/{walker}", notes=notes, steps=5_000, start_at=start_at)
        for walker in range(4)
    )
    steps = Counter(entry["step"] for entry in log)
    print(steps)
    assert steps.total() == 20_000
    assert min(steps[step] for step in ("change", "recall", "forget")) > 50
    history = History(log)
    recalls = [entry for entry in log if entry["step"] == "recall"]
    assert [problem for entry in recalls for problem in history.problems(entry)] == []
    # The oracle must have had something to say, in both directions.
    assert history.had_to_appear > 1_000
    assert history.had_to_stay_away > 1_000


class History:
    """What the notes were when, as far as the log of all processes tells for certain."""

    def __init__(self, log: Log) -> None:
        self.changes: dict[int, Log] = {}
        self.had_to_appear = 0
        self.had_to_stay_away = 0
        for entry in log:
            if entry["step"] == "change" or (entry["step"] == "forget" and entry["count"]):
                self.changes.setdefault(entry["id"], []).append(entry)
        for changes in self.changes.values():
            # A note's versions are the order of its changes, and being forgotten is the last of them.
            changes.sort(key=lambda entry: entry.get("version", 10**9))

    def problems(self, recall: dict[str, Any]) -> list[str]:
        """What is wrong with one recall: the note it was after, and others that came along."""
        found = {int(number): text for number, text in recall["found"].items()}
        problems = [problem for number in found if (problem := self._returned(number, found[number], recall))]
        if self._status_throughout(recall["id"], recall) == "approved":
            self.had_to_appear += 1
            if recall["id"] not in found:
                problems.append(f"note {recall['id']} was missed")
        elif self._status_throughout(recall["id"], recall):
            self.had_to_stay_away += 1
        return problems

    def _returned(self, number: int, text: str, recall: dict[str, Any]) -> str | None:
        status = self._status_throughout(number, recall)
        if status and status != "approved":
            return f"note {number} was {status} and recalled"
        before = [entry["text"] for entry in self.changes.get(number, ()) if entry["step"] == "change"]
        known = [entry for entry in self.changes.get(number, ()) if entry["ended"] < recall["begun"]]
        if status and known and text != known[-1]["text"]:
            return f"note {number} was recalled with words of {before.index(text) if text in before else 'nowhere'}"
        return None

    def _status_throughout(self, number: int, recall: dict[str, Any]) -> str | None:
        """The status that the note had from before the recall until after it; None where that is not certain."""
        status = "proposed"
        for entry in self.changes.get(number, ()):
            if entry["ended"] < recall["begun"]:
                status = entry.get("status", "forgotten")
            elif entry["begun"] < recall["ended"]:
                return None
        return status


@pytest.mark.slow
def test_of_two_processes_that_decide_the_same_notes_one_wins_each(place: Place) -> None:
    place.work("fill", names=[f"note{number:06d}" for number in range(60)])
    notes = all_ids(place)
    start_at = time.monotonic() + 2 * LOADING
    log = finish_all(
        place.worker("decide", person=person, decision=decision, notes=notes, start_at=start_at)
        for person, decision in (("mara", "approve"), ("ren", "reject"))
    )
    won = {entry["note"]: (entry["status"], entry["version"]) for entry in log if entry["won"]}
    lost = {entry["note"]: (entry["status"], entry["version"]) for entry in log if not entry["won"]}
    assert sum(entry["won"] for entry in log) == len(won) == len(notes)
    # Whoever comes second is shown the note as the first one left it.
    assert lost == won
    assert audited(place, "approved") + audited(place, "rejected") == Counter(notes)


@pytest.mark.slow
def test_two_bulk_decisions_at_once_decide_each_note_once(place: Place) -> None:
    place.work("fill", names=[f"note{number:06d}" for number in range(300)])
    notes = all_ids(place)
    start_at = time.monotonic() + 2 * LOADING
    approval, rejection = finish_all(
        place.worker("decide_all", person=person, decision=decision, notes=notes, start_at=start_at)
        for person, decision in (("mara", "approve"), ("ren", "reject"))
    )
    assert sorted(approval["done"] + rejection["done"]) == notes
    assert approval["skipped"] + rejection["skipped"] == len(notes)
    assert audited(place, "approved") == Counter(approval["done"])
    assert audited(place, "rejected") == Counter(rejection["done"])


@pytest.mark.slow
def test_two_sweeps_at_once_take_each_note_once(place: Place) -> None:
    place.work("fill", names=[f"old{number:06d}" for number in range(700)], days_old=380)
    start_at = time.monotonic() + 2 * LOADING
    swept = finish_all(place.worker("sweep_once", start_at=start_at) for _sweep in range(2))
    assert sum(entry["swept"] for entry in swept) == 700
    assert place.value("SELECT sum(count) FROM memories_auditevent WHERE action = 'swept'") == 700
    assert place.value("SELECT sum(count) FROM memories_receipt") == 700
    assert all_ids(place) == []


@pytest.mark.slow
def test_one_file_proposed_twice_at_once_gives_each_note_once(place: Place, tmp_path: Path) -> None:
    lines = drafts([f"note{number:06d}" for number in range(700)], "drafts")
    file = tmp_path / "drafts.jsonl"
    file.write_text("\n".join(draft.model_dump_json(exclude_defaults=True) for draft in lines))
    runs = [place.manage("propose", "--store", "orbit", str(file)) for _run in range(2)]
    for run in runs:
        finish(run).expect_success()
    kept = [text for (text,) in place.rows("SELECT text FROM memories_memory")]
    assert sorted(kept) == sorted(draft.text for draft in lines)
    assert place.rows("SELECT * FROM memories_importprogress") == []


def test_of_two_people_who_decide_at_once_the_second_gets_the_note_as_it_is_now(transactional_db: None) -> None:
    store = helpers.make_store()
    helpers.make_cast(store)
    note = helpers.proposed(store, "The harbour lantern is lit at dusk.")
    together = threading.Barrier(2)
    outcomes: list[Memory | Stale] = []

    def decide(name: str) -> None:
        actor = helpers.person(name)
        together.wait()
        try:
            if name == "mara":
                outcomes.append(approve(store, note.pk, actor, version=note.version))
            else:
                outcomes.append(reject(store, note.pk, actor, version=note.version, reason="wrong"))
        except Stale as stale:
            outcomes.append(stale)
        finally:
            connection.close()

    people = [threading.Thread(target=decide, args=(name,)) for name in ("mara", "ren")]
    for one in people:
        one.start()
    for one in people:
        one.join()
    [winner] = [outcome for outcome in outcomes if isinstance(outcome, Memory)]
    [loser] = [outcome for outcome in outcomes if isinstance(outcome, Stale)]
    assert loser.memory is not None
    assert (loser.memory.version, loser.memory.status) == (winner.version, winner.status)
    assert AuditEvent.objects.filter(action__in=[Status.APPROVED, Status.REJECTED]).count() == 1
