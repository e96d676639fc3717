"""Limits that hold whatever the families are set to: empty, too long, kind, origin, source, version."""

import re
from collections.abc import Iterable, Iterator

from memories.screening.policy import Policy
from memories.screening.rule import Rule
from memories.screening.source import is_allowed, parse_source
from memories.screening.verdict import Finding

KINDS = ("fact", "preference", "episode", "procedure")
ORIGINS = ("maintainer", "user_stated", "agent_derived", "untrusted")
VERSION = re.compile(
    r"(?i)\b(?:v|version |release |since |python |django )?\d+\.(?:\d+|x)(?:\.(?:\d+|x))*\b|\bv\d+\b|\bversion \d+\b"
)


def _limit(rule_id: str, sentence: str, why: str) -> Rule:
    return Rule(id=rule_id, severity="refuse", sentence=sentence, why=why, good="", bad="", check=lambda reading: ())


RULES: tuple[Rule, ...] = (
    _limit(
        "quality.empty",
        "There is no text to keep. Write one sentence.",
        "Only white space or invisible characters came in.",
    ),
    _limit(
        "quality.too-long",
        "The text is longer than this store allows. Say it in one short sentence.",
        "Long notes hide things and eat the prompt.",
    ),
    _limit(
        "quality.version-missing",
        "This store wants to know which version a note holds for. Name it.",
        "Facts about a product age with its releases.",
    ),
    _limit(
        "kind.unknown",
        f"There is no such kind of note. Use one of: {', '.join(KINDS)}.",
        "Kinds decide lifetime and trust.",
    ),
    _limit(
        "kind.agent-preference",
        "Preferences and procedures come from maintainers only. Propose a fact or an episode.",
        "They steer every later run: an agent must not write its own rules, nor a stranger or a user.",
    ),
    _limit(
        "source.missing",
        "The source is missing. Say where this was learnt, for example doc:leases.",
        "What cannot be traced cannot be forgotten.",
    ),
    _limit(
        "source.malformed",
        "The source is malformed. Write scheme:name, for example doc:leases.",
        "Sources are grouped and erased by scheme.",
    ),
    _limit(
        "source.not-allowed",
        "This store takes no notes from this source. Use one that its policy allows.",
        "The policy lists its sources.",
    ),
    _limit(
        "source.origin-unknown",
        f"There is no such origin. Use one of: {', '.join(ORIGINS)}.",
        "The origin says how far to trust a note.",
    ),
)
SENTENCES = {rule.id: rule.sentence for rule in RULES}


def _found(rule_id: str, sentence: str = "") -> Finding:
    return Finding(rule=rule_id, severity="refuse", sentence=sentence or SENTENCES[rule_id])


def limit_findings(normal: str, kind: str, policy: Policy, *, origin: str | None, applies_to: str) -> Iterator[Finding]:
    if not normal:
        yield _found("quality.empty")
    yield from length_findings(normal, policy)
    if kind not in KINDS:
        yield _found("kind.unknown")
    if origin is not None and origin not in ORIGINS:
        yield _found("source.origin-unknown")
    if kind in ("preference", "procedure") and origin not in (None, "maintainer"):
        yield _found("kind.agent-preference")
    if (
        policy.version_rule == "required"
        and kind != "preference"
        and not (applies_to.strip() or VERSION.search(normal))
    ):
        yield _found("quality.version-missing")


def length_findings(normal: str, policy: Policy) -> Iterator[Finding]:
    if len(normal) > policy.maximum_length:
        yield _found("quality.too-long")


def source_findings(source: str, policy: Policy, screened: Iterable[Finding]) -> Iterator[Finding]:
    """What is wrong with `source` itself, then what screening it found."""
    try:
        parse_source(source)
    except ValueError as error:
        yield _found("source.malformed" if source.strip() else "source.missing", str(error))
    else:
        if not is_allowed(source, policy.allowed_sources):
            yield _found("source.not-allowed")
    yield from screened
