"""`manage.py demo`: the demo stores and their people."""

from argparse import ArgumentParser
from typing import Any

from memories.demo import make_demo
from memories.management.base import AtlasCommand


class Command(AtlasCommand):
    help = "Create the demo stores and people, or give the people a fresh password; notes that are there stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000", help="where the console will answer")

    def handle(self, *args: Any, **options: Any) -> None:
        password, made = make_demo()
        if made:
            self.stdout.write(f"Made the demo stores {', '.join(made)}.")
        self.stdout.write(
            f"Sign in at {options['address']} as mara (maintainer), ren (reviewer), tove (reader) or olga (owner), "
            f"password {password}"
        )
