"""`manage.py about_user`: what is remembered about a person, and their way to say, correct and delete it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError

from memories.agent.second_look import second_look
from memories.counts import counted
from memories.management.agents import model_for
from memories.management.base import StoreCommand
from memories.models import Store
from memories.propose import Outcome
from memories.stated import (
    NotTheirs,
    SecondLook,
    correct,
    forget_about,
    remember_stated,
    remembered_about,
)


class Command(StoreCommand):
    help = "List what a store remembers about a user; take in what they say, correct a note, or delete notes for good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--user", required=True, metavar="ID", help="the identifier behind user: in a source")
        act = parser.add_mutually_exclusive_group()
        act.add_argument("--say", metavar="MESSAGE", help="propose what this message states about them")
        act.add_argument("--correct", nargs=2, metavar=("NOTE", "TEXT"), help="put TEXT in the place of a note")
        act.add_argument("--forget", type=int, nargs="+", metavar="NOTE", help="delete these notes for good")
        act.add_argument("--forget-all", action="store_true", help="delete everything learnt from them for good")
        parser.add_argument("--ask-model", action="store_true", help="with --say: ask the model where no pattern fits")

    def handle(self, *args: Any, **options: Any) -> None:
        store, user = self.store(options["store"]), options["user"]
        try:
            self.act(store, user, options)
        except (NotTheirs, ValueError) as error:
            raise CommandError(str(error)) from None

    def act(self, store: Store, user: str, options: dict[str, Any]) -> None:
        if options["say"] is not None:
            with detector(options["ask_model"]) as look:
                outcomes = remember_stated(store, user, options["say"], second_look=look)
            self.stdout.write("\n".join(map(in_words, outcomes)) or "This message states nothing lasting about them.")
        elif options["correct"]:
            number, text = options["correct"]
            if not number.isdecimal():
                raise CommandError("The first word after --correct is the number of a note.")
            self.stdout.write(in_words(correct(store, user, int(number), text)))
        elif options["forget"] or options["forget_all"]:
            receipt = forget_about(store, user, options["forget"] or ())
            self.stdout.write(f"{counted(receipt.count, 'note')} deleted for good, receipt {receipt.operation}.")
        else:
            for note in remembered_about(store, user).defer("embedding", "terms"):
                self.stdout.write(f"{note.pk}  {note.status:<8}  {note.observed_at:%Y-%m-%d}  {note.text}")


@contextmanager
def detector(ask_model: bool) -> Iterator[SecondLook | None]:
    if not ask_model:
        yield None
        return
    with model_for(scripted=False) as model:
        yield second_look(model)


def in_words(outcome: Outcome) -> str:
    """What became of one statement; a refused one is not quoted."""
    if outcome.outcome == "refused":
        return f"refused: {' '.join(outcome.sentences)}"
    return f"{outcome.outcome}: note {outcome.id}"
