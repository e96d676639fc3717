"""Measure what memory is worth: learn from the originals only, then meet their repeats with and without memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from django.contrib.auth.models import User

from memories.agent.client import Model
from memories.agent.investigation import MemoryMode, Options, investigate
from memories.agent.loop import Budget, Watch
from memories.agent.prices import MILLION, price_of
from memories.agent.scoreboard import Measured, Scoreboard, sum_up, summed
from memories.agent.tracker import Tracker
from memories.agent.trial import approve_sound_notes, check_clean
from memories.counts import counted
from memories.models import Store

NOVEL = (10, 102, 179)
VARIANTS = (MemoryMode.NONE, MemoryMode.INJECTED, MemoryMode.TOOL)
# The scripted model took 4.5 calls a run and 1,650 tokens in a call; a model that reasons writes far more than the
# script, so the output is a guess, and printed as such.
TYPICAL_STEPS = 5
TYPICAL_INPUT = 2_000
TYPICAL_OUTPUT = 600


@dataclass(frozen=True)
class Sets:
    """Issues by their part in the measurement."""

    originals: tuple[int, ...]
    repeats: tuple[int, ...]
    novel: tuple[int, ...] = NOVEL

    @property
    def measured(self) -> tuple[int, ...]:
        return self.repeats + self.novel


@dataclass(frozen=True)
class Plan:
    """What would be run."""

    sets: Sets
    variants: Sequence[MemoryMode] = VARIANTS
    budget: Budget = field(default_factory=Budget)

    @property
    def runs(self) -> int:
        return len(self.sets.originals) + len(self.sets.measured) * len(self.variants)

    def estimate(self, model: str) -> str:
        """How many calls this makes and what they cost: a guess, and a bound that no run can pass."""
        writer = len(self.sets.originals)
        typical, most = self.runs * TYPICAL_STEPS + writer, self.runs * self.budget.steps + writer
        lines = [
            f"{counted(self.runs, 'run')} with {model}: about {counted(typical, 'call')}, at most {most}, "
            "besides summaries of long runs."
        ]
        found = price_of(model)
        if found is None:
            return "\n".join([*lines, "The price of this model is not in the table, so the cost is unknown."])
        guess = typical * (TYPICAL_INPUT * found.input + TYPICAL_OUTPUT * found.output) / MILLION
        lines.append(f"About ${guess:.2f}, taking {TYPICAL_INPUT:,} tokens in and {TYPICAL_OUTPUT} out for a call.")
        if self.budget.cost_usd is not None:
            most_dollars = self.runs * self.budget.cost_usd
            lines.append(f"Each run stops near ${self.budget.cost_usd}, so all of them near ${most_dollars} at most.")
        return "\n".join(lines)


def read_gold(folder: Path) -> dict[int, int]:
    """Repeats with their originals. Only choosing the sets and scoring read this; no run ever sees it."""
    rows = (json.loads(line) for line in (folder / "issues.jsonl").read_text(encoding="utf-8").splitlines() if line)
    return {row["id"]: row["duplicate_of"] for row in rows if row["duplicate_of"] is not None}


def sets_of(gold: dict[int, int], only: Iterable[int] = ()) -> Sets:
    """All repeats with their originals and the novel issues, or the part of them that `only` names."""
    wanted = set(only)
    repeats = tuple(sorted(number for number in gold if not wanted or number in wanted))
    novel = tuple(number for number in NOVEL if not wanted or number in wanted)
    return Sets(tuple(sorted({gold[number] for number in repeats})), repeats, novel)


def measure(
    store: Store,
    tracker: Tracker,
    plan: Plan,
    gold: dict[int, int],
    model: Model,
    maintainer: User,
    watch: Watch = lambda line: None,
) -> Scoreboard:
    """Run the originals and keep their sound notes, then run repeats and novel issues in each variant, and score.

    `store` is a fresh trial store. The measured runs write nothing, so that none helps another.

    Raises:
        Contaminated: a note knows what it must not, before or after the measured runs.
    """
    learning = learn(store, tracker, plan, model, watch)
    approved = approve_sound_notes(store, maintainer)
    watch(f"review  {counted(len(approved), 'note')} approved as {maintainer.get_username()}")
    check_clean(store, plan.sets.originals, plan.sets.measured)
    options = Options(budget=plan.budget, write=False)
    runs = [
        run_one(store, tracker, number, group, model, replace(options, memory=variant), watch)
        for variant in plan.variants
        for group, numbers in (("repeats", plan.sets.repeats), ("novel", plan.sets.novel))
        for number in numbers
    ]
    check_clean(store, plan.sets.originals, plan.sets.measured)
    scored = [replace(run, gold=gold.get(run.issue)) for run in runs]
    return Scoreboard(model.name, summed(scored), sum_up(learning) if learning else None, len(approved))


def learn(store: Store, tracker: Tracker, plan: Plan, model: Model, watch: Watch) -> list[Measured]:
    """Run the originals without memory and let the writer propose what they taught."""
    options = Options(memory=MemoryMode.NONE, budget=plan.budget, write=True)
    return [run_one(store, tracker, number, "originals", model, options, watch) for number in plan.sets.originals]


def run_one(
    store: Store, tracker: Tracker, number: int, group: str, model: Model, options: Options, watch: Watch
) -> Measured:
    watch(f"run     #{number} ({group}), memory {options.memory.value}")
    result = investigate(store, tracker, tracker.issues[number], model.fresh(), model.fresh(), options, watch)
    return Measured(options.memory.value, group, number, None, result)
