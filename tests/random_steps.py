"""Random steps on a shared store, for many processes at once; each is logged with its begin and end.

Times are of the monotonic clock, which all processes of a machine share.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import Any

from memories.audit import Actor
from memories.forget import Selection, forget
from memories.models import Memory, Status, Store
from memories.propose import propose_many
from memories.recall import recall
from memories.review import Stale, approve, edit, reject, undo
from tests import helpers
from tests.texts import WORDS, drafts, sentence


def log(**entry: Any) -> None:
    print(json.dumps(entry), flush=True)


class Everything:
    """A process that proposes, decides, recalls and forgets at random, and logs each step with its begin and end."""

    def __init__(self, seed: str, name: str) -> None:
        self.chance = random.Random(seed)
        self.name = name
        self.store = Store.objects.get(slug="orbit")
        self.person = helpers.person(self.chance.choice(["mara", "ren", "olga"]))
        self.proposed = 0

    def timed(self, step: str, act: Callable[[], dict[str, Any] | None]) -> None:
        begun = time.monotonic()
        try:
            outcome = act()
        except Stale:
            log(step="stale", of=step, begun=begun, ended=time.monotonic())
            return
        if outcome is not None:
            log(step=step, begun=begun, ended=time.monotonic(), **outcome)

    def propose(self) -> dict[str, Any]:
        names = [f"{self.name}number{self.proposed + more:06d}" for more in range(self.chance.randint(1, 4))]
        self.proposed += len(names)
        batch = drafts(names, f"{self.name}/{self.proposed}", f"doc:page-{self.chance.randint(1, 20)}")
        outcomes = propose_many(self.store, batch, Actor.agent(self.name))
        return {"ids": [outcome.id for outcome in outcomes if outcome.outcome in {"proposed", "conflict"}]}

    def some_note(self, *statuses: Status) -> tuple[int, int] | None:
        """Id and version of one of the latest notes, those that other processes are after as well."""
        rows = Memory.objects.filter(store=self.store, status__in=statuses).order_by("-pk")[:30]
        found = list(rows.values_list("pk", "version"))
        return self.chance.choice(found) if found else None

    def decide(self) -> dict[str, Any] | None:
        decision = self.chance.choice(["approve", "approve", "reject", "undo"])
        found = self.some_note(*([Status.APPROVED, Status.REJECTED] if decision == "undo" else [Status.PROPOSED]))
        if found is None:
            return None
        number, version = found
        if decision == "approve":
            note = approve(self.store, number, self.person, version=version)
        elif decision == "reject":
            note = reject(self.store, number, self.person, version=version, reason="wrong")
        else:
            note = undo(self.store, number, self.person, version=version)
        return {"decision": decision, "id": number, "version": note.version}

    def recall(self) -> dict[str, Any]:
        text = " ".join(self.chance.sample(WORDS, 3))
        return {"ids": [note.id for note in recall(self.store, text, k=20, minimum_score=0)]}

    def forget(self) -> dict[str, Any] | None:
        found = self.some_note(*Status)
        if found is None:
            return None
        receipt = forget(self.store, Selection(ids=(found[0],)), self.person)
        return {"ids": [found[0]], "count": receipt.count}


class Walk:
    """Random approve, edit, forget and recall steps over notes that every process changes at the same time.

    Each note keeps one word that no other has; a recall for that word must find it whenever it is approved.
    """

    WINDOW = 40
    CHANGES = 0.35

    def __init__(self, seed: str, notes: list[int], steps: int) -> None:
        self.chance = random.Random(seed)
        self.notes = notes
        self.steps = steps
        self.store = Store.objects.get(slug="orbit")
        self.person = helpers.person(self.chance.choice(["mara", "ren", "olga"]))

    def step(self, number: int) -> None:
        """Take one step on a note of the window that moves over all notes as the walk goes on."""
        first = (len(self.notes) - self.WINDOW) * number // self.steps
        name = self.chance.randrange(first, first + self.WINDOW)
        pk = self.notes[name]
        row = Memory.objects.filter(pk=pk).values_list("status", "version").first()
        changes = row and self.chance.random() < self.CHANGES
        begun = time.monotonic()
        try:
            entry = self.change(pk, name, *row) if changes else None
        except Stale:
            entry = {"step": "stale"}
        entry = entry or self.recall(name)
        log(begun=begun, ended=time.monotonic(), id=pk, **entry)

    def change(self, pk: int, name: int, status: str, version: int) -> dict[str, Any] | None:
        """Change the note, if the dice say so and its status lets it."""
        dice = self.chance.random()
        if status == Status.PROPOSED and dice < 0.7:
            if dice < 0.1:
                note = reject(self.store, pk, self.person, version=version, reason="wrong")
            else:
                note = approve(self.store, pk, self.person, version=version)
        elif status != Status.PROPOSED and dice < 0.1:
            note = undo(self.store, pk, self.person, version=version)
        elif dice > 0.8:
            text = sentence(f"note{name:06d}", self.chance)
            note = edit(self.store, pk, self.person, version=version, text=text)
        elif 0.7 < dice < 0.72:
            count = forget(self.store, Selection(ids=(pk,)), self.person).count
            return {"step": "forget", "count": count}
        else:
            return None
        return {"step": "change", "status": note.status, "version": note.version, "text": note.text}

    def recall(self, name: int) -> dict[str, Any]:
        found = recall(self.store, f"note{name:06d}", k=3, minimum_score=0)
        return {"step": "recall", "found": {note.id: note.text for note in found}}
