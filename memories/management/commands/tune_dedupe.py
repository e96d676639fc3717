"""`manage.py tune_dedupe`: where same and different part."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from memories.embedding import get_embedder
from memories.index.evaluate import tune_dedupe
from memories.management.base import AtlasCommand
from memories.management.commands.evaluate import rows

MOST_WRONG = 0.01
KEPT = 0.95
BAR = 40


class Command(AtlasCommand):
    help = "Measure the duplicate check on labelled pairs {a, b, same} and say which threshold to use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--embedder", default=settings.ENVIRONMENT.new_embedder)
        parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the curves as well")

    def handle(self, *args: Any, **options: Any) -> None:
        pairs, embedder = rows(options["file"]), get_embedder(options["embedder"])
        try:
            table = tune_dedupe(pairs, embedder)
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write("cosine   merged of same   merged of different   (of different by cosine alone)")
        for row in table:
            bar = "█" * round(BAR * row["same_guarded"])
            same, different = row["same_guarded"], row["different_guarded"]
            alone = f"({row['different_by_cosine']:6.1%})"
            self.stdout.write(f"  {row['threshold']:.2f} {same:16.1%} {different:21.1%}   {alone}  {bar}")
        best = threshold_to_use(table)
        if best is None:
            self.stdout.write("No threshold keeps wrong merges at 1% or less.")
        else:
            self.stdout.write(f"Use the threshold {best:.2f}: it merges at most 1% of what is different.")
        if options["plot"]:
            plot(table, options["plot"])


def threshold_to_use(table: list[dict[str, float]]) -> float | None:
    """The highest threshold with few wrong merges that keeps 95% of the right ones.

    What lies above a threshold and differs becomes a conflict that a person looks at: a lower one costs their time.
    """
    fit = [row for row in table if row["different_guarded"] <= MOST_WRONG]
    most = max((row["same_guarded"] for row in fit), default=0.0)
    return max((row["threshold"] for row in fit if row["same_guarded"] >= KEPT * most), default=None)


def plot(table: list[dict[str, float]], path: Path) -> None:
    """Draw the shares over the threshold."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for name in ("same_guarded", "different_guarded", "same_by_cosine", "different_by_cosine"):
        axes.plot([row["threshold"] for row in table], [row[name] for row in table], label=name.replace("_", " "))
    axes.set(xlabel="cosine threshold", ylabel="share merged")
    axes.legend()
    figure.savefig(path, bbox_inches="tight")
