"""`manage.py investigate ISSUE`: one run of the agent, watched live."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from memories.agent.investigation import Investigation, MemoryMode, Options, investigate
from memories.agent.prices import dollars
from memories.agent.tracker import Issue
from memories.counts import counted
from memories.management.agents import add_model_arguments, budget_of, model_for, price_notice, tracker
from memories.management.base import StoreCommand


class Command(StoreCommand):
    help = "Let the agent triage a demo issue as it was filed; what it learns waits in the inbox afterwards."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("issue", type=int, metavar="ISSUE")
        parser.add_argument("--store", default="orbit", metavar="SLUG", help="short name of the store (orbit)")
        parser.add_argument(
            "--memory", choices=list(MemoryMode), default=MemoryMode.INJECTED, help="how the run uses memory (injected)"
        )
        parser.add_argument("--no-notes", action="store_true", help="do not let the writer propose notes")
        parser.add_argument("--episode", action="store_true", help="propose a summary of the run as an episode too")
        add_model_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        store, world = self.store(options["store"]), tracker()
        task = world.issues.get(options["issue"])
        if task is None:
            raise CommandError(f"There is no issue #{options['issue']} in the demo data.")
        wanted = Options(
            memory=MemoryMode(options["memory"]),
            budget=budget_of(options),
            write=not options["no_notes"],
            episode=options["episode"],
        )
        with model_for(options["scripted"]) as model:
            self.watch(price_notice(model))
            result = investigate(store, world, task, model, model.fresh(), wanted, self.watch)
        self.report(task, result)

    def watch(self, line: str) -> None:
        if line:
            self.stdout.write(line)
            self.stdout.flush()

    def report(self, task: Issue, result: Investigation) -> None:
        answer = result.ending.answer
        if answer is not None:
            named = f"#{answer.duplicate_of}" if answer.duplicate_of else "none"
            self.stdout.write(f"\nDuplicate of: {named}\nCause: {answer.cause}\nReply: {answer.reply}")
        run = result.run
        self.stdout.write(
            f"\nRun {run.identifier} on #{task.id}: {counted(run.steps, 'step')}, "
            f"{counted(result.tool_calls, 'tool call')}, {counted(run.calls, 'call')} of the model, "
            f"{counted(run.input_tokens, 'token')} in, {run.output_tokens:,} out, {dollars(result.cost)}"
        )
