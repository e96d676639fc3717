"""The benchmark's figures as a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

WAYS = (
    ("naive", "every BLOB read on each call", "#9a9a9a"),
    ("floor", "floor: matrix in memory, one product", "#c9741a"),
    ("words", "resident index, meaning and words", "#7fb3d9"),
    ("recall", "recall(): the index, Django, text and source", "#1f5f99"),
    ("propose", "propose(): filter, duplicate check, commit", "#3b7d4f"),
)


def draw(lines: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw p50 over the number of notes, a panel a width, into an SVG or PNG file."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "atlas"
    from matplotlib import pyplot

    widths = sorted({line["width"] for line in lines if line["rows"]})
    size = (5.2 * len(widths), 4.2)
    figure, panels = pyplot.subplots(1, len(widths), figsize=size, squeeze=False, sharey=True)
    for width, panel in zip(widths, panels[0], strict=True):
        chosen = sorted(
            (line for line in lines if line["width"] == width and line["rows"]), key=lambda line: line["rows"]
        )
        for way, label, colour in WAYS:
            measured = [line for line in chosen if f"{way}_p50" in line]
            panel.plot(
                [line["rows"] for line in measured],
                [line[f"{way}_p50"] for line in measured],
                marker="o", color=colour, label=label,
            )  # fmt: skip
        panel.set(xscale="log", yscale="log", title=f"{width} dimensions", xlabel="notes")
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("milliseconds a call, p50")
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="lower center", ncols=2, frameon=False, fontsize=8)
    figure.tight_layout(rect=(0, 0.2, 1, 1))
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
