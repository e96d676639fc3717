"""`manage.py reembed`: change a store's embedder."""

from argparse import ArgumentParser
from typing import Any

from tqdm import tqdm

from memories.embedding import get_embedder
from memories.management.base import StoreCommand, refuse_credentials
from memories.reembed import reembed


class Command(StoreCommand):
    help = "Embed a store's notes with another embedder; the store stays readable, and a run cut short goes on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--embedder", required=True, metavar="E", help="hashed, wordllama, openai:MODEL, …")
        parser.add_argument("--width", type=int, help="values a vector, where the embedder has a choice")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_credentials(options["embedder"])
        store = self.store(options["store"])
        before = (store.dedupe_threshold, store.minimum_score)
        embedder = get_embedder(options["embedder"], options["width"])
        with tqdm(total=store.memories.count(), unit=" notes", disable=None) as bar:
            count = reembed(store, embedder, self.actor, bar.update)
        self.stdout.write(f"{store.slug}: {count:,} notes embedded with {embedder.name}, {embedder.width} values each.")
        now = (store.dedupe_threshold, store.minimum_score)
        if now != before:
            self.stdout.write(
                f"Scores of another embedder mean something else, so its measured values apply now: duplicates from "
                f"{now[0]:g} (before {before[0]:g}), minimum score {now[1]:g} (before {before[1]:g}). Change them in "
                "the store's settings."
            )
