"""Strings that many rows share, such as their sources: each distinct one is held once, and gone with its last row."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray


class SharedStrings:
    """One string for each slot, as a number; number 0 is the empty string of a slot without a row."""

    def __init__(self) -> None:
        self._numbers = np.zeros(0, np.int32)
        self._strings = [""]
        self._uses = [0]
        self._number_of: dict[str, int] = {}
        self._free: list[int] = []

    def grow(self, capacity: int) -> None:
        """Make room for `capacity` slots."""
        self._numbers.resize(capacity, refcheck=False)

    def write(self, slots: Sequence[int], strings: Sequence[str]) -> None:
        """Put `strings` at `slots`, in the place of what was there."""
        at = np.asarray(slots)
        replaced = self._numbers[at].tolist()
        self._numbers[at] = [self._taken(string) for string in strings]
        for number in replaced:
            self._release(number)

    def which(self, fits: Callable[[str], bool], used: int) -> NDArray[np.bool_]:
        """For each of the first `used` slots, whether its string `fits`; asks once for each distinct string."""
        fitting = np.fromiter(map(fits, self._strings), np.bool_, len(self._strings))
        return fitting[self._numbers[:used]]

    def _taken(self, string: str) -> int:
        number = self._number_of.get(string, 0) if string else 0
        if string and not number:
            number = self._number_of[string] = self._free.pop() if self._free else self._added()
            self._strings[number] = string
        self._uses[number] += 1
        return number

    def _added(self) -> int:
        self._strings.append("")
        self._uses.append(0)
        return len(self._strings) - 1

    def _release(self, number: int) -> None:
        self._uses[number] -= 1
        if number and not self._uses[number]:
            del self._number_of[self._strings[number]]
            self._strings[number] = ""
            self._free.append(number)
