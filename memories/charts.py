"""Where the parts of a drawing lie; the templates write them out as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memories.counts import Count

WIDTH, HEIGHT = 640, 200
LEFT, BOTTOM, TOP = 56, 30, 14


@dataclass(frozen=True)
class Bar:
    """A rectangle of one series: `series` counts from 1."""

    x: float
    y: float
    width: float
    height: float
    series: int
    day: date
    count: int


@dataclass(frozen=True)
class Chart:
    """Stacked bars by day with the two lines of the scale; lengths in the units of the view box."""

    bars: list[Bar]
    highest: int
    half: float
    ticks: list[tuple[float, date]]
    totals: list[int]
    width: int = WIDTH
    height: int = HEIGHT
    top: int = TOP
    left: int = LEFT
    base: int = HEIGHT - BOTTOM

    @property
    def middle(self) -> float:
        return (self.top + self.base) / 2


def bars_by_day(days: Sequence[tuple[date, Counter[str]]], series: Sequence[str]) -> Chart:
    """Lay out one stacked bar a day; the scale ends at an even number so that its half is whole."""
    most = max((sum(counts[name] for name in series) for _day, counts in days), default=0)
    highest = max(2, most + most % 2)
    step = (WIDTH - LEFT) / max(len(days), 1)
    bars: list[Bar] = []
    for place, (day, counts) in enumerate(days):
        base = float(HEIGHT - BOTTOM)
        for number, name in enumerate(series, start=1):
            height = (HEIGHT - BOTTOM - TOP) * counts[name] / highest
            base -= height
            if counts[name]:
                bars.append(
                    Bar(
                        round(LEFT + place * step + step * 0.15, 1),
                        round(base, 1),
                        round(step * 0.7, 1),
                        round(height, 1),
                        number,
                        day,
                        counts[name],
                    )
                )
    apart = 7 * max(1, round(len(days) / 35))
    last = len(days) - 1
    ticks = [(round(LEFT + (at + (1 if at == last else 0.5)) * step, 1), days[at][0]) for at in range(last, -1, -apart)]
    totals = [sum(counts[name] for _day, counts in days) for name in series]
    return Chart(bars, highest, highest / 2, ticks[::-1], totals)


def shares(rows: Sequence[tuple[str, Count]]) -> list[tuple[str, Count, float]]:
    """Each row with its share of the largest, in percent, for horizontal bars."""
    largest = max((count.number for _label, count in rows), default=0) or 1
    return [(label, count, round(100 * count.number / largest, 1)) for label, count in rows]
