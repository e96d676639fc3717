"""`manage.py demo_agent`: two runs without a key, and what the first one's notes change in the second."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User

from memories.agent.client import Model
from memories.agent.investigation import MemoryMode, Options
from memories.agent.measure import run_one
from memories.agent.scoreboard import Measured, Scoreboard, sum_up, summed
from memories.agent.tracker import Tracker
from memories.agent.trial import approve_sound_notes, check_clean
from memories.demo import make_demo
from memories.management.agents import maintainer, model_for, tracker, trial_store
from memories.management.base import AtlasCommand
from memories.models import Memory, Status, Store

ORIGINAL, REPEAT = 4, 22
POLL_SECONDS = 2.0


class Command(AtlasCommand):
    help = "Play a run on #4, have its notes approved, and play #22 without and with them; a script plays the model."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--maintainer", default="mara", metavar="USER", help="who approves the notes (mara)")
        parser.add_argument(
            "--wait", action="store_true", help="wait until a person has decided the notes in the console"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not User.objects.exists():
            password, _made = make_demo()
            self.stdout.write(f"Made the demo stores and people; sign in as mara, password {password}")
        person, world = maintainer(options["maintainer"]), tracker()
        store = trial_store("agent-demo", "Agent demo", person)
        with model_for(scripted=True) as model:
            first = self.play(store, world, ORIGINAL, "originals", model, Options(memory=MemoryMode.NONE))
            self.decide(store, person, options["wait"])
            check_clean(store, [ORIGINAL], [REPEAT])
            quiet = Options(write=False)
            second = [
                self.play(store, world, REPEAT, "repeats", model, replace(quiet, memory=mode)) for mode in MemoryMode
            ]
        approved = Memory.objects.filter(store=store, status=Status.APPROVED).count()
        scored = [replace(run, gold=ORIGINAL) for run in second]
        board = Scoreboard(model.name, summed(scored), sum_up([first]), approved)
        self.stdout.write(f"\n{board.table()}")

    def play(self, store: Store, world: Tracker, number: int, group: str, model: Model, options: Options) -> Measured:
        self.stdout.write("")
        run = run_one(store, world, number, group, model, options, self.stdout.write)
        answer = run.result.ending.answer
        self.stdout.write(
            f"answer  duplicate of {f'#{answer.duplicate_of}' if answer and answer.duplicate_of else 'none'}"
        )
        return run

    def decide(self, store: Store, person: User, wait: bool) -> None:
        """Approve the sound notes, or wait until a person has decided every one in the console."""
        waiting = Memory.objects.filter(store=store, status=Status.PROPOSED)
        self.stdout.write(f"\nreview  {waiting.count()} notes wait in the inbox of the store {store.slug}")
        if not wait:
            approved = approve_sound_notes(store, person)
            self.stdout.write(f"review  this command approves {len(approved)} of them as {person.get_username()}")
            return
        while waiting.exists():
            time.sleep(POLL_SECONDS)
