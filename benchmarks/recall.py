"""Recall and propose against their floor: `python -m benchmarks.recall --help`."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each size and width, print a JSON object a line, and draw the picture if asked."""
    options = _options(arguments)
    sizes = [*options.sizes, *([1_000_000] if options.million else [])]
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        _start_product(folder)
        from benchmarks.measure import measure
        from benchmarks.stores import wide_embedder

        with wide_embedder():
            for width, rows in product(options.widths, sizes):
                if rows * width <= options.most_values:
                    lines.append(measure(Path(folder), rows, width))
                    print(json.dumps(lines[-1]), flush=True)
    if options.picture:
        from benchmarks.picture import draw

        draw(lines, options.picture)


def _start_product(folder: str) -> None:
    """Django with a data directory of its own, whatever this machine serves otherwise."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "atlas_site.settings"
    os.environ["ATLAS_DATA_DIR"] = folder
    os.environ.pop("ATLAS_DATABASE_URL", None)
    django.setup()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sizes", type=_numbers, default=[0, 1_000, 10_000, 100_000], help="notes, e.g. 1000,10000; 0: an empty store"
    )
    parser.add_argument("--million", action="store_true", help="measure 1,000,000 notes too (about 6 GB)")
    parser.add_argument("--widths", type=_numbers, default=[256, 1536], help="values a vector, e.g. 256,1536")
    parser.add_argument("--most-values", type=int, default=300_000_000, help="skip what needs more values")
    parser.add_argument("--picture", type=Path, help="write a picture (SVG or PNG) of the figures")
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


if __name__ == "__main__":
    main()
