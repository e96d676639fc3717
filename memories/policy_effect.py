"""What another filter policy would mean for the notes that are already there."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from memories.models import Memory, Status, Store
from memories.rescreen import read, screened
from memories.screening import Policy
from memories.screening.verdict import decide

LOOKED_AT = 500
LONGEST_SECONDS = 10.0
# So many first, for a page that comes at once: screening takes about a millisecond a note.
AT_ONCE = 25
AT_ONCE_SECONDS = 0.05


@dataclass
class Effect:
    """Of `looked_at` notes, how many each rule would newly refuse or flag, and which notes were refused.

    `begun`: there are more to look at, which only the whole effect does.
    """

    looked_at: int = 0
    begun: bool = False
    refused: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    refused_notes: list[int] = field(default_factory=list)

    @property
    def by_rule(self) -> list[tuple[str, int, int]]:
        """Each rule that spoke, with how many notes it is part of refusing and of flagging."""
        rules = sorted(self.refused.keys() | self.flagged.keys(), key=lambda rule: (-self.refused[rule], rule))
        return [(rule, self.refused[rule], self.flagged[rule]) for rule in rules]


def effect_of(store: Store, policy: Policy, *, whole: bool = True) -> Effect:
    """Screen the newest approved and waiting notes of `store` under `policy`, few unless `whole`; nothing is changed.

    Slow patterns of the policy end it early, so that a page always comes.
    """
    limit, seconds = (LOOKED_AT, LONGEST_SECONDS) if whole else (AT_ONCE, AT_ONCE_SECONDS)
    effect, until = Effect(), time.monotonic() + seconds
    notes = Memory.objects.filter(store=store).exclude(status=Status.REJECTED).order_by("-pk")
    for one in screened(read(notes[: limit + 1]), policy):
        if effect.looked_at == limit or time.monotonic() > until:
            effect.begun = not whole
            break
        effect.looked_at += 1
        if decide(one.findings) == "refuse":
            effect.refused.update({finding.rule for finding in one.findings})
            effect.refused_notes.append(one.note.pk)
        else:
            effect.flagged.update({finding.rule for finding in one.findings})
    return effect
