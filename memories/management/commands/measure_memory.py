"""`manage.py measure_memory`: the scoreboard with and without memory."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from memories.agent.measure import Plan, measure, read_gold, sets_of
from memories.agent.prices import SCRIPTED_MODEL
from memories.agent.scoreboard import Scoreboard, draw
from memories.agent.trial import Contaminated
from memories.management.agents import (
    DATASET,
    add_model_arguments,
    budget_of,
    maintainer,
    model_for,
    price_notice,
    tracker,
    trial_store,
)
from memories.management.base import AtlasCommand


class Command(AtlasCommand):
    help = (
        "Let the agent learn from the original issues, then meet their repeats and novel issues without memory, with "
        "notes in the prompt and with memory as a tool, in a store of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="print how many calls this makes and what they cost")
        parser.add_argument(
            "--only", type=int, nargs="+", default=[], metavar="ISSUE", help="only these repeats or novel"
        )
        parser.add_argument(
            "--maintainer", default="mara", metavar="USER", help="in whose name notes are approved (mara)"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
        parser.add_argument("--picture", type=Path, metavar="FILE", help="draw the scoreboard as .svg or .png")
        add_model_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        world, gold = tracker(), read_gold(DATASET)
        plan = Plan(sets_of(gold, options["only"]), budget=budget_of(options))
        if not plan.sets.measured:
            raise CommandError(f"None of these issues can be measured: choose from {sets_of(gold).measured}.")
        if options["dry_run"]:
            name = SCRIPTED_MODEL if options["scripted"] else settings.ENVIRONMENT.model
            self.stdout.write(plan.estimate(name))
            return
        person = maintainer(options["maintainer"])
        with model_for(options["scripted"]) as model:
            self.watch(price_notice(model))
            store = trial_store("scoreboard", "Scoreboard", person)
            try:
                board = measure(store, world, plan, gold, model, person, self.watch)
            except Contaminated as error:
                raise CommandError(f"Not measured, since memory would win by cheating: {error}") from None
        self.report(board, options)

    def watch(self, line: str) -> None:
        """Progress goes to the error stream, so that what is printed last can be read by a program."""
        if line:
            self.stderr.write(line, self.style.NOTICE)
            self.stderr.flush()

    def report(self, board: Scoreboard, options: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(board.as_json(), indent=2) if options["json"] else f"\n{board.table()}")
        if options["picture"]:
            try:
                draw(board, options["picture"])
            except ImportError:
                raise CommandError(
                    "Pictures need matplotlib: pip install matplotlib, or leave --picture out."
                ) from None
            except (OSError, ValueError) as error:
                raise CommandError(f"The picture could not be written: {error}.") from None
