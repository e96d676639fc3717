"""What the commands share that run the agent: which model, which data, which limits."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from memories.agent.client import Model, ModelError, connect
from memories.agent.loop import Budget
from memories.agent.player import load_script
from memories.agent.prices import SCRIPTED_MODEL, price_of
from memories.agent.scripted import ScriptedServer
from memories.agent.tracker import Tracker, load_tracker
from memories.agent.trial import Taken, open_trial
from memories.models import Store

DATASET = Path(settings.BASE_DIR) / "datasets" / "orbit"
NO_DATASET = "The demo data set is not there: this command needs datasets/orbit next to manage.py."


def add_model_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--scripted", action="store_true", help="let a script play the model: no key, no network")
    parser.add_argument("--max-steps", type=int, default=Budget.steps, help=f"model calls a run ({Budget.steps})")
    parser.add_argument("--max-cost", type=money, default=Budget.cost_usd, help=f"dollars a run ({Budget.cost_usd})")


def money(written: str) -> Decimal:
    """Read a positive amount. Raises ValueError, which the parser reports."""
    try:
        amount = Decimal(written)
    except InvalidOperation:
        raise ValueError(written) from None
    if not amount.is_finite() or amount <= 0:
        raise ValueError(written)
    return amount


def budget_of(options: dict[str, Any]) -> Budget:
    """The limits of a run. Raises CommandError for a budget without a step."""
    if options["max_steps"] < 1:
        raise CommandError("A run needs at least one step: give --max-steps a positive number.")
    return Budget(steps=options["max_steps"], cost_usd=options["max_cost"])


def tracker() -> Tracker:
    """The demo project. Raises CommandError where its files are missing."""
    try:
        return load_tracker(DATASET)
    except FileNotFoundError:
        raise CommandError(NO_DATASET) from None


def maintainer(username: str) -> User:
    """The person in whose name a trial approves notes. Raises CommandError where there is no such user."""
    found = User.objects.filter(username=username, is_active=True).first()
    if found is None:
        raise CommandError(f"There is no user {username!r}: run `manage.py demo` first, or name one of yours.")
    return found


def trial_store(slug: str, name: str, person: User) -> Store:
    """Open the store of a trial. Raises CommandError where a store of another making has its short name."""
    try:
        return open_trial(slug, name, person)
    except Taken as error:
        raise CommandError(str(error)) from None


@contextmanager
def model_for(scripted: bool) -> Iterator[Model]:
    """The model of the settings, or the script behind its own server for as long as the block runs.

    Raises:
        CommandError: there is no key and no server, or no script.
    """
    if scripted:
        try:
            script = load_script(DATASET / "script.jsonl")
        except FileNotFoundError:
            raise CommandError(NO_DATASET) from None
        with ScriptedServer(script) as server:
            yield connect(SCRIPTED_MODEL, base_url=server.base_url)
        return
    environment = settings.ENVIRONMENT
    try:
        yield connect(environment.model, api_key=environment.openai_api_key, base_url=environment.openai_base_url)
    except ModelError as error:
        raise CommandError(str(error)) from None


def price_notice(model: Model) -> str:
    """Said before a run whose cost cannot be watched; empty where the price is known."""
    if price_of(model.name) is not None:
        return ""
    return f"The price of {model.name} is not in the table: its cost is unknown, and no budget in dollars is kept."
