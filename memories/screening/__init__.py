"""The write filter: is this text fit to keep? Text in, verdict out; see docs/screening.md."""

from memories.screening.engine import RULES, screen, screen_evidence
from memories.screening.normal import normalise
from memories.screening.policy import FAMILIES, ExtraPattern, Policy
from memories.screening.source import parse_source
from memories.screening.verdict import Finding, Verdict

__all__ = [
    "FAMILIES",
    "RULES",
    "ExtraPattern",
    "Finding",
    "Policy",
    "Verdict",
    "normalise",
    "parse_source",
    "screen",
    "screen_evidence",
]
