"""What the filter answers with: findings and the verdict they add up to."""

from collections.abc import Iterable
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Severity = Literal["refuse", "flag"]
Decision = Literal["accept", "flag", "refuse"]


class Finding(BaseModel):
    """One rule that spoke.

    `start` and `end` are character offsets into the verdict's normalised text; both are 0 for a finding about
    the whole text, its source, or something found only after decoding. `sentence` never quotes the text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    severity: Severity
    start: int = 0
    end: int = 0
    sentence: str

    @property
    def family(self) -> str:
        """The part of the rule id before the first dot."""
        return self.rule.partition(".")[0]


class Verdict(BaseModel):
    """The filter's answer on one text. Its repr leaves the text out, so that a log line cannot leak a secret."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision: Decision
    findings: tuple[Finding, ...] = ()
    text: str = Field(repr=False)

    @property
    def rules(self) -> list[str]:
        """Ids of the rules that spoke, each once, in the order of the findings."""
        return list(dict.fromkeys(finding.rule for finding in self.findings))

    @property
    def sentences(self) -> list[str]:
        """What is wrong, each sentence once."""
        return list(dict.fromkeys(finding.sentence for finding in self.findings))


def decide(findings: Iterable[Finding]) -> Decision:
    """The harshest severity among the findings, `accept` without any."""
    severities = {finding.severity for finding in findings}
    if "refuse" in severities:
        return "refuse"
    return "flag" if severities else "accept"
