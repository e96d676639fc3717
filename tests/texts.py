"""Texts that are sure to be notes of their own: each has a name in it that no other has."""

from __future__ import annotations

import random

from memories.schemas import Draft

VOCABULARY = """
lantern harbour copper window orchard tunnel saddle marble ribbon timber kettle meadow anchor velvet pepper
canyon feather compass button cradle
"""
WORDS = VOCABULARY.split()


def sentence(name: str, chance: random.Random) -> str:
    """A text that only the note `name` can have."""
    return f"The {name} service keeps {' '.join(chance.sample(WORDS, 7))}."


def drafts(names: list[str], seed: str, source: str = "doc:leases") -> list[Draft]:
    """A draft for each name, the same for the same seed."""
    chance = random.Random(seed)
    return [Draft(text=sentence(name, chance), source=source) for name in names]
