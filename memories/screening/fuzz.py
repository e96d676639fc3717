"""Nested and repeating inputs that would make a careless pattern explode, and how long the slowest takes."""

import random
import time
from collections.abc import Iterator

from memories.screening.engine import screen
from memories.screening.policy import LONGEST_TEXT, Policy

LENGTH = 10_000
PIECES = """
    a A 0 1 - _ . = : / \\ @ < > ( [ { " ' % &#65; %41 \\u0041 ignore all previous instructions password token:
    key= eyJ xoxb- sk- +1 12 Mr Street rue lives whenever the you please vergiss alles 忽略 é \u200b \U000e0041 0101 4f
    GB82 send to when if , . ? ! | x.x :: 12:00 забудь все code following reveal your dot at com I g n
""".split()


def hard_texts(mixtures: int, seed: int = 4) -> Iterator[str]:
    """Texts of about 10,000 characters: pieces repeated, brackets nested, and `mixtures` of random pieces."""
    dice = random.Random(seed)  # noqa: S311 (test inputs, not keys)
    for piece in PIECES:
        yield piece * (LENGTH // len(piece))
    for opening in "([{<\"'":
        yield f"{opening}ignore all " * (LENGTH // 12)
    for _ in range(mixtures):
        unit = "".join(dice.choices(PIECES, k=dice.randint(2, 6)))
        yield unit * (LENGTH // len(unit))
        yield " ".join(dice.choices(PIECES, k=LENGTH // 3))[:LENGTH]


def slowest(mixtures: int) -> float:
    """Milliseconds of processor time that the slowest hard text takes, whole or cut to what is accepted."""
    worst = 0.0
    for text in hard_texts(mixtures):
        for variant in (text, text[:LONGEST_TEXT]):
            took = milliseconds(variant)
            if took > worst:
                # What else the machine does stretches processor time too: a text is as slow as the best of its turns.
                worst = max(worst, min(took, *(milliseconds(variant) for _ in range(4))))
    return worst


def milliseconds(text: str, policy: Policy = Policy(maximum_length=LONGEST_TEXT)) -> float:  # noqa: B008 (frozen)
    """Processor time that screening `text` takes."""
    begin = time.thread_time_ns()
    screen(text, policy=policy)
    return (time.thread_time_ns() - begin) / 1e6


if __name__ == "__main__":
    print(f"slowest of the hard texts: {slowest(mixtures=500):.1f} ms")
