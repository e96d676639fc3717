"""What the processes of a test do: `python -m tests.workers NAME '{"argument": value}'`, a log line an event.

Times in the log are of the monotonic clock, which all processes of a machine share.
"""

from __future__ import annotations

import json
import random
import secrets
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import django

django.setup()

from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from memories.audit import Actor, record  # noqa: E402
from memories.embedding import get_embedder, pack  # noqa: E402
from memories.forget import Selection, forget  # noqa: E402
from memories.index import pack_terms, terms  # noqa: E402
from memories.models import Action, Memory, MemorySource, Status, Store  # noqa: E402
from memories.propose import propose_many  # noqa: E402
from memories.recall import recall  # noqa: E402
from memories.review import Stale, approve, decide_many, edit, reject, undo  # noqa: E402
from memories.schemas import Draft  # noqa: E402
from memories.sweep import sweep  # noqa: E402
from tests import helpers  # noqa: E402

VOCABULARY = """
lantern harbour copper window orchard tunnel saddle marble ribbon timber kettle meadow anchor velvet pepper
canyon feather compass button cradle
"""
WORDS = VOCABULARY.split()


def log(**entry: Any) -> None:
    print(json.dumps(entry), flush=True)


def sentence(name: str, chance: random.Random) -> str:
    """A text that only the note `name` can have."""
    return f"The {name} service keeps {' '.join(chance.sample(WORDS, 7))}."


def drafts(names: list[str], seed: str, source: str = "doc:leases") -> list[Draft]:
    chance = random.Random(seed)
    return [Draft(text=sentence(name, chance), source=source) for name in names]


def prepare() -> None:
    helpers.make_cast(helpers.make_store())


def fill(names: list[str], store: str = "orbit", source: str = "doc:leases", days_old: int = 0) -> None:
    """Put a note for each name into the inbox of `store`."""
    found = Store.objects.get(slug=store)
    observed = timezone.now() - timedelta(days=days_old)
    for start in range(0, len(names), 500):
        batch = drafts(names[start : start + 500], f"{store}/{start}", source)
        outcomes = propose_many(found, batch, Actor.command("fill"), observed_at=observed)
        log(ids=[outcome.id for outcome in outcomes])


def give_password(person: str) -> None:
    """Let a person of the cast sign in."""
    password = secrets.token_urlsafe(16)
    user = helpers.person(person).user
    user.set_password(password)
    user.save()
    log(password=password)


def make_store(slug: str) -> None:
    helpers.make_store(slug)


def stock(store: str, name: str, count: int, source: str = "doc:leases", days_old: int = 0) -> None:
    """Fill a store past the filter, thousands of notes in a second, with the audit entry that accounts for them."""
    found, chance = Store.objects.get(slug=store), random.Random(name)
    texts = [sentence(f"{name}{number:06d}", chance) for number in range(count)]
    vectors = get_embedder(found.embedder, found.width).embed(texts)
    now = timezone.now()
    observed = now - timedelta(days=days_old)
    with transaction.atomic():
        revision = found.next_revision()
        notes = Memory.objects.bulk_create(
            Memory(
                store=found, kind="fact", text=text, source=source, origin="agent_derived", observed_at=observed,
                proposer="command:stock", width=found.width, embedding=pack(vector), terms=pack_terms(terms(text)),
                revision=revision, created_at=now, changed_at=now,
            )
            for text, vector in zip(texts, vectors, strict=True)
        )  # fmt: skip
        MemorySource.objects.bulk_create(
            MemorySource(memory=note, store=found, source=source, origin=note.origin, observed_at=observed)
            for note in notes
        )
        record(found, Actor.command("stock"), Action.PROPOSED, count=count)


def churn(seed: int) -> None:
    """Insert rows of all sizes, change them and forget many, so that rows move between pages; log what must be gone."""
    chance = random.Random(seed)
    store = Store.objects.get(slug="orbit")
    fill([f"pattern{number}" for number in range(60)])
    pattern = Memory.objects.earliest("pk")
    gone: list[str] = []
    words: dict[int, list[str]] = {}
    for _round in range(40):
        for _row in range(15):
            pattern.pk = None
            word = set_rare_word(pattern, chance)
            pattern.save(force_insert=True)
            pattern.sources.create(store=store, source=pattern.source, origin="untrusted", observed_at=timezone.now())
            words[pattern.pk] = [word]
        for number in chance.sample(sorted(words), 10):
            words[number].append(set_rare_word(pattern, chance))
            Memory.objects.filter(pk=number).update(text=pattern.text, source=pattern.source)
        taken = chance.sample(sorted(words), 6)
        gone += [word for number in taken for word in words.pop(number)]
        forget(store, Selection(ids=tuple(taken)), Actor.command("churn"))
    log(gone=gone)


def set_rare_word(note: Memory, chance: random.Random) -> str:
    """Put a word that nothing else holds into the note's text, evidence and source, in any number."""
    word = "q" + "".join(chance.choices("bcdfghjklmnprstvwxz", k=15))
    note.text, note.evidence = f"{word} " * chance.randint(1, 60), word * chance.randint(1, 14)
    note.source = f"doc:{word}"
    return word


def answer() -> None:
    """Print the ids recalled for each line of standing input, with the index this process keeps."""
    store = Store.objects.get(slug="orbit")
    for line in sys.stdin:
        log(ids=[note.id for note in recall(store, line.strip(), k=5)])


def decide(person: str, decision: str, notes: list[int], start_at: float) -> None:
    """Decide note after note from `start_at` on, against whoever does the same."""
    store, actor = Store.objects.get(slug="orbit"), helpers.person(person)
    wait_until(start_at)
    for number in notes:
        try:
            if decision == "approve":
                note = approve(store, number, actor, version=1)
            else:
                note = reject(store, number, actor, version=1, reason="wrong")
            log(note=number, won=True, status=note.status, version=note.version)
        except Stale as stale:
            now = stale.memory
            log(note=number, won=False, status=now and now.status, version=now and now.version)


def decide_all(person: str, decision: Any, notes: list[int], start_at: float) -> None:
    """Decide all notes at once, in one bulk action."""
    store, actor = Store.objects.get(slug="orbit"), helpers.person(person)
    wait_until(start_at)
    result = decide_many(store, [(number, 1) for number in notes], decision, actor)
    log(decision=decision, done=result.done, skipped=sum(map(len, result.skipped.values())))


def sweep_once(start_at: float) -> None:
    store = Store.objects.get(slug="orbit")
    wait_until(start_at)
    log(swept=sweep(store, Actor.command("sweep")))


def wait_until(moment: float) -> None:
    """Come alive together with the other processes: each has its own time to start."""
    time.sleep(max(0.0, moment - time.monotonic()))


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


def everything(seed: str, name: str, start_at: float, seconds: float) -> None:
    """Do everything at random for `seconds`."""
    one = Everything(seed, name)
    steps = {"propose": one.propose, "decide": one.decide, "recall": one.recall, "forget": one.forget}
    wait_until(start_at)
    while time.monotonic() < start_at + seconds:
        step = one.chance.choices(list(steps), [4, 8, 6, 1])[0]
        one.timed(step, steps[step])


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


def walk(seed: str, notes: list[int], steps: int, start_at: float) -> None:
    """Take `steps` random steps."""
    one = Walk(seed, notes, steps)
    wait_until(start_at)
    for number in range(steps):
        one.step(number)


if __name__ == "__main__":
    globals()[sys.argv[1]](**json.loads(sys.argv[2]))
