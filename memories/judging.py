"""What the filter says of a draft with all its fields, before anything is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from django.utils import timezone

from memories.embedding.base import Vectors
from memories.known import Candidate, Relation
from memories.models import Origin, Role, Run
from memories.quotations import fit_to_keep
from memories.schemas import Draft
from memories.screening import Finding, Policy, screen, screen_evidence
from memories.wording import version_findings

RUN_IDENTIFIER = re.compile(r"[\w.:/#-]{1,100}", re.ASCII)


@dataclass
class Judged:
    """A draft with what the filter said of it and what became of it; of a refused one no text goes any further.

    `number` is the id of the new note it became, or of the known one that it repeats.
    """

    draft: Draft
    origin: Origin
    source: str
    text: str
    evidence: str
    findings: list[Finding]
    vector: Vectors | None = None
    run: Run | None = None
    relation: Relation = field(default_factory=Relation)
    number: int | None = None

    @property
    def refused(self) -> bool:
        return any(finding.severity == "refuse" for finding in self.findings)

    @property
    def rules(self) -> list[str]:
        """The rules that refused it, or that flagged it."""
        deciding = [finding for finding in self.findings if finding.severity == "refuse"] or self.findings
        return list(dict.fromkeys(finding.rule for finding in deciding))

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.draft.kind, self.text, self.draft.applies_to, self.vector)


def judge(draft: Draft, policy: Policy, origin: Origin, run: Run | None) -> Judged:
    """Screen a draft. `run` is the known run that it names, if any."""
    source = draft.source.strip()
    verdict = screen(draft.text, draft.kind, policy, source=source, origin=origin, applies_to=draft.applies_to)
    findings = [*verdict.findings, *_form_findings(draft, source, origin, run), *_in_run(draft.run, policy)]
    evidence, doubts = fit_to_keep(draft.evidence, policy)
    return Judged(draft, origin, source, verdict.text, evidence, findings + doubts, run=run)


def default_origin(source: str, role: Role | None) -> Origin:
    """How far to trust a source: a maintainer's own words most, a stranger's page least."""
    if role is not None and role >= Role.MAINTAINER:
        return Origin.MAINTAINER
    scheme = source.strip().partition(":")[0]
    if scheme == "url":
        return Origin.UNTRUSTED
    return Origin.USER_STATED if scheme == "user" and role is not None else Origin.AGENT_DERIVED


def _form_findings(draft: Draft, source: str, origin: Origin, run: Run | None) -> list[Finding]:
    findings = version_findings(draft.applies_to)
    if draft.expires_at and draft.expires_at <= timezone.now():
        findings.append(_refusal("end.past", "This note has ended already: give a later end, or leave it out."))
    if draft.run and not RUN_IDENTIFIER.fullmatch(draft.run):
        findings.append(_refusal("run.malformed", "A run's identifier has letters, digits and . : / # _ - only."))
    if run and run.sources and source not in run.sources and origin in {Origin.AGENT_DERIVED, Origin.UNTRUSTED}:
        findings.append(_refusal("source.not-seen", "The run never saw this source: name one that it read."))
    return findings


def _in_run(name: str, policy: Policy) -> list[Finding]:
    """Credentials in the name of a run, which its record would keep."""
    found = screen_evidence(name, policy).findings if name else ()
    return [
        _refusal(finding.rule, f"In the run's identifier: {finding.sentence}")
        for finding in found
        if finding.severity == "refuse" and finding.family == "credential"
    ]


def _refusal(rule: str, sentence: str) -> Finding:
    return Finding(rule=rule, severity="refuse", sentence=sentence)
