"""Quotations kept beside a note: what of them is fit to keep, and what a person is told of them."""

from __future__ import annotations

from memories.models import Memory
from memories.models.memory import EVIDENCE_LIMIT
from memories.screening import Finding, Policy, Verdict, normalise, screen_evidence
from memories.screening.policy import LONGEST_TEXT

DROPPED = Finding(
    rule="evidence.dropped",
    severity="flag",
    sentence="The evidence held something that must not be kept and was dropped: look the source up before deciding.",
)


def screen_quotation(text: str, policy: Policy) -> Verdict:
    """Screen what is kept in part beside a note: evidence, a question, a reason.

    It is cut far behind what is kept, because half a secret at a cut would not be known for one.
    """
    return screen_evidence(text if len(text) <= LONGEST_TEXT else normalise(text)[:LONGEST_TEXT], policy)


def fit_to_keep(evidence: str, policy: Policy) -> tuple[str, list[Finding]]:
    """Evidence that must not be kept is dropped, and a person is told so; the note itself may be sound."""
    if not evidence:
        return "", []
    verdict = screen_quotation(evidence, policy)
    if verdict.decision == "refuse":
        return "", [DROPPED]
    quotation = verdict.text
    if len(quotation) > EVIDENCE_LIMIT:
        quotation = quotation[: EVIDENCE_LIMIT - 1] + "…"
    # Spans belong to the evidence; a note's findings mark its text.
    return quotation, [finding.model_copy(update={"start": 0, "end": 0}) for finding in verdict.findings]


def look_beside(note: Memory, policy: Policy) -> tuple[list[Finding], set[str]]:
    """What `policy` flags in a stored note's quotations, those of later sources too, and which must not be kept."""
    flags, unfit = [], set()
    for quotation in {note.evidence, *(row.evidence for row in note.sources.all())} - {""}:
        kept, found = fit_to_keep(quotation, policy)
        if kept:
            flags += found
        else:
            unfit.add(quotation)
    return list(dict.fromkeys(flags)), unfit


def was_dropped(note: Memory) -> bool:
    """Whether a stored note lost a quotation that nobody can look at any more."""
    return any(finding["rule"] == DROPPED.rule for finding in note.findings)
