"""What another filter policy would mean for the notes that are already there."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from memories.models import Store
from memories.rescreen import screened
from memories.screening import Policy

LOOKED_AT = 500
LONGEST_SECONDS = 10


@dataclass
class Effect:
    """Of `looked_at` notes, how many each rule would newly refuse or flag, and which notes were refused."""

    looked_at: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    refused_notes: list[int] = field(default_factory=list)

    @property
    def by_rule(self) -> list[tuple[str, int, int]]:
        """Each rule that spoke, with how many notes it is part of refusing and of flagging."""
        rules = sorted(self.refused.keys() | self.flagged.keys(), key=lambda rule: (-self.refused[rule], rule))
        return [(rule, self.refused[rule], self.flagged[rule]) for rule in rules]


def effect_of(store: Store, policy: Policy) -> Effect:
    """Screen the newest approved and waiting notes of `store` under `policy`; nothing is changed.

    Slow patterns of the policy end it early, so that a page always comes.
    """
    effect, until = Effect(), time.monotonic() + LONGEST_SECONDS
    for note, verdict in screened(store, policy, LOOKED_AT):
        effect.looked_at += 1
        if verdict.decision == "refuse":
            effect.refused.update(verdict.rules)
            effect.refused_notes.append(note.pk)
        elif verdict.decision == "flag":
            effect.flagged.update(verdict.rules)
        if time.monotonic() > until:
            break
    return effect
