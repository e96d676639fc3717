"""Clocks, and how much memory this process has."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

Figures = dict[str, Any]


def in_turns(ways: Mapping[str, Callable[[int], object]], queries: int) -> Figures:
    """Time each way with each query, taking turns, so that what else the machine does falls on all alike."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for at in range(queries):
        for name, way in ways.items():
            way(at)
            times[name].append(clock(partial(way, at)))
    figures: Figures = {}
    for name, values in times.items():
        figures |= percentiles(name, values)
    return figures


def clock(call: Callable[[], object]) -> float:
    """Milliseconds that `call` takes."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def percentiles(name: str, milliseconds: Sequence[float]) -> Figures:
    """Half and nineteen twentieths of the calls took no longer than these."""
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return {f"{name}_p50": round(float(p50), 3), f"{name}_p95": round(float(p95), 3)}


def resident_bytes() -> int:
    """Memory of this process that lies in RAM; Linux tells it exactly, elsewhere the peak must do."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * 4096
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
