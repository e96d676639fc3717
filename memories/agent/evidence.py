"""What a note rests on: a sentence that the run read, picked by code among those that may be kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memories.agent.tracker import words
from memories.models import Origin
from memories.models.memory import EVIDENCE_LIMIT
from memories.screening import Policy, screen_evidence


@dataclass(frozen=True)
class Evidence:
    """What a source says about a note; `planted` where the source also speaks to machines, so that it counts less."""

    quotation: str
    planted: bool

    @property
    def origin(self) -> Origin:
        """How far to trust what an agent learnt from it."""
        return Origin.UNTRUSTED if self.planted else Origin.AGENT_DERIVED


def read_evidence(text: str, source: str, policy: Policy) -> Evidence:
    """Pick the sentence of `source` that shares most words with `text`, among those that may be kept.

    Evidence is cut out by code, since a model could tell a quotation that is none.
    """
    verdicts = [(sentence, screen_evidence(sentence, policy)) for sentence in sentences(source)]
    wanted = words(text)
    sound = [sentence for sentence, verdict in verdicts if verdict.decision == "accept"]
    best = max(sound, key=lambda sentence: len(wanted & words(sentence)), default="")
    rules = [rule for _sentence, verdict in verdicts for rule in verdict.rules]
    planted = any(rule.startswith("instruction.") for rule in rules)
    return Evidence(best[:EVIDENCE_LIMIT] if wanted & words(best) else "", planted)


def sentences(text: str) -> Iterator[str]:
    for part in re.split(r"(?<=[.!?。！？])\s+|\n+", text):
        if part.strip():
            yield part.strip()
