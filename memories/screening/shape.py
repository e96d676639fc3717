"""Token shapes: one short notation from which both a regular expression and a fake example are made.

`ghp_{A36}` is the literal `ghp_` and 36 letters or digits; `{A20-40}` gives a range, `{A20+}` a minimum.
Keeping shapes instead of sample tokens means that no file here ever holds something that looks like a live credential.
"""

import random
import re
from dataclasses import dataclass

LOWER, UPPER, DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
ALPHABETS = {
    "a": ("[a-z0-9]", LOWER + DIGITS),
    "A": ("[A-Za-z0-9]", LOWER + UPPER + DIGITS),
    "U": ("[A-Z0-9]", UPPER + DIGITS),
    "l": ("[a-z]", LOWER),
    "L": ("[A-Za-z]", LOWER + UPPER),
    "d": ("[0-9]", DIGITS),
    "h": ("[a-f0-9]", "abcdef" + DIGITS),
    "x": ("[A-Fa-f0-9]", "abcdef" + DIGITS),
    "w": (r"[\w-]", LOWER + UPPER + DIGITS),
    "b": ("[A-Za-z0-9+/]", LOWER + UPPER + DIGITS),
    "t": (r"[\w.~-]", LOWER + UPPER + DIGITS),
    "e": ("[A-Za-z0-9+/_=.-]", LOWER + UPPER + DIGITS),
}
SLOT = re.compile(r"\{(?:(uuid)|([a-zA-Z])(\d+)(?:-(\d+)|(\+))?)\}")
UUID = "{x8}-{x4}-{x4}-{x4}-{x12}"


@dataclass(frozen=True, slots=True)
class TokenFormat:
    """A service's token format: the rule is `credential.<name>`; `prefixes` are space-separated alternatives."""

    name: str
    service: str
    prefixes: str
    tail: str

    @property
    def pattern(self) -> str:
        """An uncompiled regular expression without groups that capture."""
        heads = "|".join(re.escape(prefix) for prefix in self.prefixes.split())
        return f"(?:{heads}){pattern_of(self.tail)}" if heads else pattern_of(self.tail)

    def example(self, seed: int = 1) -> str:
        """A fake token of this shape, the same for the same seed."""
        return (self.prefixes.split() or [""])[0] + example_of(self.tail, seed)


def pattern_of(shape: str) -> str:
    parts, end = [], 0
    shape = shape.replace("{uuid}", UUID)
    for slot in SLOT.finditer(shape):
        quantifier = f"{{{slot[3]},{slot[4] or ''}}}" if slot[4] or slot[5] else f"{{{slot[3]}}}"
        parts += [re.escape(shape[end : slot.start()]), ALPHABETS[slot[2]][0] + quantifier]
        end = slot.end()
    return "".join([*parts, re.escape(shape[end:])])


def example_of(shape: str, seed: int = 1) -> str:
    dice = random.Random(seed)  # noqa: S311 (fake examples, not keys)
    shape = shape.replace("{uuid}", UUID)
    return SLOT.sub(lambda slot: "".join(dice.choices(ALPHABETS[slot[2]][1], k=int(slot[3]))), shape)
