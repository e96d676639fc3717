"""What the processes of a test do: `python -m tests.workers NAME '{"argument": value}'`, a log line an event.

Times in the log are of the monotonic clock, which all processes of a machine share.
"""

from __future__ import annotations

import json
import os
import random
import secrets
import sys
import time
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
from memories.models import Action, Memory, MemorySource, Store  # noqa: E402
from memories.propose import propose_many  # noqa: E402
from memories.recall import recall  # noqa: E402
from memories.rescreen import rescreen  # noqa: E402
from memories.review import Stale, approve, decide_many, reject  # noqa: E402
from memories.sweep import sweep  # noqa: E402
from tests import helpers  # noqa: E402
from tests.random_steps import Everything, Walk, log  # noqa: E402
from tests.texts import drafts, sentence  # noqa: E402


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


def doubtful(evidence: str) -> None:
    """A note whose evidence the filter refuses, from when the store's policy let it pass."""
    store = Store.objects.get(slug="orbit")
    store.policy = {"families": {"credential": "flag"}}
    helpers.proposed(store, "A lease is held for 30 seconds.", evidence=evidence)


def rescreen_killed(module: str, step: str) -> None:
    """Screen again and die where `module` would take `step`."""
    setattr(sys.modules[module], step, lambda *_arguments, **_options: os._exit(9))
    rescreen(Store.objects.get(slug="orbit"), Actor.command("rescreen"))


def sweep_once(start_at: float) -> None:
    store = Store.objects.get(slug="orbit")
    wait_until(start_at)
    log(swept=sweep(store, Actor.command("sweep")))


def wait_until(moment: float) -> None:
    """Come alive together with the other processes: each has its own time to start."""
    time.sleep(max(0.0, moment - time.monotonic()))


def everything(seed: str, name: str, start_at: float, seconds: float) -> None:
    """Do everything at random for `seconds`."""
    one = Everything(seed, name)
    steps = {"propose": one.propose, "decide": one.decide, "recall": one.recall, "forget": one.forget}
    wait_until(start_at)
    while time.monotonic() < start_at + seconds:
        step = one.chance.choices(list(steps), [4, 8, 6, 1])[0]
        one.timed(step, steps[step])


def walk(seed: str, notes: list[int], steps: int, start_at: float) -> None:
    """Take `steps` random steps."""
    one = Walk(seed, notes, steps)
    wait_until(start_at)
    for number in range(steps):
        one.step(number)


if __name__ == "__main__":
    globals()[sys.argv[1]](**json.loads(sys.argv[2]))
