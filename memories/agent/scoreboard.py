"""The scoreboard: what the runs with and without memory came to, as figures, a table and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from memories.agent.investigation import Investigation
from memories.agent.prices import PRICES_READ, PRICES_SOURCE, SCRIPTED_MODEL, dollars
from memories.counts import counted
from memories.models import RecallHit

COLUMNS = [
    "memory",
    "set",
    "runs",
    "answered",
    "recall@3",
    "duplicate right",
    "tool calls",
    "calls",
    "tokens",
    "dollars",
]
COLOURS = {"repeats": "#2f6f8f", "novel": "#b7c4cc"}
SCRIPT_NOTICE = (
    "A script played the model: the figures show that every part works together, not what memory is worth. "
    "Its tokens are counted by length and priced like a small model's."
)


@dataclass(frozen=True)
class Measured:
    """One run with what it should have found: `gold` is the original's number, None for a novel issue."""

    variant: str
    group: str
    issue: int
    gold: int | None
    result: Investigation

    @property
    def recalled(self) -> bool | None:
        """Whether one of the first three notes of any look-up was learnt from the original; None where none is."""
        if self.gold is None or self.variant == "none":
            return None
        hits = RecallHit.objects.filter(recall__run=self.result.run, rank__lte=3)
        return hits.filter(memory__sources__source=f"issue:{self.gold}").exists()

    @property
    def right(self) -> bool:
        """An answer counts as right when it names the original, or nothing where there is none."""
        answer = self.result.ending.answer
        return answer is not None and answer.duplicate_of == self.gold


@dataclass(frozen=True)
class Row:
    """The runs of one variant on one set of issues, summed. `recalled` is None where recall plays no part."""

    variant: str
    group: str
    runs: int
    answered: int
    recalled: int | None
    right: int
    tool_calls: int
    calls: int
    tokens: int
    cost: Decimal | None


@dataclass(frozen=True)
class Scoreboard:
    """All rows, what learning cost before, and what played the model."""

    model: str
    rows: list[Row]
    learning: Row | None
    notes: int

    def as_json(self) -> dict[str, Any]:
        rows = [row_json(row) for row in self.rows]
        return {
            "model": self.model,
            "scripted": self.model == SCRIPTED_MODEL,
            "prices": {"source": PRICES_SOURCE, "read": PRICES_READ.isoformat()},
            "notes_approved": self.notes,
            "learning": row_json(self.learning) if self.learning else None,
            "rows": rows,
        }

    def table(self) -> str:
        rows = [*([self.learning] if self.learning else []), *self.rows]
        lines = [COLUMNS, *(cells(row) for row in rows)]
        widths = [max(len(line[at]) for line in lines) for at in range(len(COLUMNS))]
        text = "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )
        return f"{text}\n\n{self.remarks()}"

    def remarks(self) -> str:
        remarks = [f"Model {self.model}, {counted(self.notes, 'note')} approved before the measured runs."]
        if self.model == SCRIPTED_MODEL:
            remarks.append(SCRIPT_NOTICE)
        elif any(row.cost is None for row in self.rows):
            remarks.append("The price of this model is not in the table, so its cost is unknown.")
        else:
            remarks.append(f"Dollars by {PRICES_SOURCE}, read on {PRICES_READ}.")
        remarks.append("Each issue ran once: differences of one or two runs can be chance.")
        return "\n".join(remarks)


def row_json(row: Row) -> dict[str, Any]:
    return {**asdict(row), "cost": None if row.cost is None else str(row.cost)}


def cells(row: Row) -> list[str]:
    recalled = "-" if row.recalled is None else f"{row.recalled} of {row.runs}"
    right = "-" if row.group == "originals" else f"{row.right} of {row.runs}"
    counts = [str(row.tool_calls), str(row.calls), f"{row.tokens:,}"]
    return [row.variant, row.group, str(row.runs), str(row.answered), recalled, right, *counts, dollars(row.cost)]


def summed(runs: Sequence[Measured]) -> list[Row]:
    """One row for each variant and set, in the order of the runs."""
    pairs = dict.fromkeys((run.variant, run.group) for run in runs)
    return [sum_up([run for run in runs if (run.variant, run.group) == pair]) for pair in pairs]


def sum_up(runs: Sequence[Measured]) -> Row:
    """Sum runs of one variant and set."""
    recalled = [run.recalled for run in runs]
    costs = [run.result.cost for run in runs]
    records = [run.result.run for run in runs]
    return Row(
        variant=runs[0].variant,
        group=runs[0].group,
        runs=len(runs),
        answered=sum(run.result.ending.answer is not None for run in runs),
        recalled=None if None in recalled else sum(map(bool, recalled)),
        right=sum(run.right for run in runs),
        tool_calls=sum(run.result.tool_calls for run in runs),
        calls=sum(record.calls for record in records),
        tokens=sum(record.input_tokens + record.output_tokens for record in records),
        cost=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
    )


def draw(board: Scoreboard, file: Path) -> None:
    """Write the scoreboard as a picture; the file's ending chooses the format.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from matplotlib.figure import Figure

    labels = [f"{row.variant}\n{row.group}" for row in board.rows]
    panels = {
        "tool calls": [row.tool_calls / row.runs for row in board.rows],
        "tokens": [row.tokens / row.runs for row in board.rows],
        "share of right answers": [row.right / row.runs for row in board.rows],
    }
    figure = Figure(figsize=(4.2 * len(panels), 3.8), layout="constrained")
    for axes, (title, values) in zip(figure.subplots(1, len(panels)), panels.items(), strict=True):
        bars = axes.bar(labels, values, color=[COLOURS[row.group] for row in board.rows])
        axes.bar_label(bars, fmt="{:,.2f}" if max(values) < 10 else "{:,.0f}")
        axes.set_title(f"{title}, a run" if title != "share of right answers" else title)
        axes.tick_params(axis="x", labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
    scripted = " (a script played the model)" if board.model == SCRIPTED_MODEL else ""
    figure.suptitle(f"Memory and {board.model}{scripted}")
    figure.savefig(file)
