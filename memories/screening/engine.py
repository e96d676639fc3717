"""The filter itself: a text goes in, a verdict comes out. Pure: no database, no settings, no clock."""

import itertools
import re
from collections.abc import Iterable, Iterator

from memories.screening import credential, hygiene, instruction, personal, quality
from memories.screening.credential import checksum_fits, known_tokens
from memories.screening.limits import RULES as LIMIT_RULES
from memories.screening.limits import length_findings, limit_findings, source_findings
from memories.screening.normal import UNSEEN, normalise
from memories.screening.policy import DEFAULT_POLICY, LONGEST_TEXT, Policy, compiled
from memories.screening.rule import Reading, Rule, RuleSet, Span
from memories.screening.unfold import decoded, undisguised
from memories.screening.verdict import Finding, Severity, Verdict, decide

LONGEST_RAW = 20_000
# Characters of all other readings of a text together, and how many of them: the rest is left to a person.
MOST_READ, MOST_READINGS = 2_500, 12
PATTERN_SECONDS = 0.02
MOST_SLOW_PATTERNS = 5
WHOLE: Span = (0, 0)
# `issue:4031`, `doc:leases`: one word, too short to hide a sentence in a code, gives no order.
SINGLE_NAME = re.compile(r"[a-z]{1,12}:[a-z]{0,12}[#-]?\d{0,12}", re.I)

CREDENTIAL_RULES = RuleSet(credential.CHECKED_RULES)
INSTRUCTION_RULES = RuleSet(instruction.RULES)
RAW_RULES, MANY_READINGS = RuleSet(hygiene.RAW_RULES), RuleSet([hygiene.MANY_READINGS])
TEXT_RULES = RuleSet(credential.CHECKED_RULES + instruction.RULES + personal.RULES + hygiene.RULES + quality.RULES)
# Screened in every decoded reading too; there, quality and names would only see noise.
DECODED_RULES = RuleSet(
    rule for rule in credential.CHECKED_RULES + instruction.RULES + personal.RULES if rule.severity == "refuse"
)
RULES: dict[str, Rule] = {
    rule.id: rule for rule in (*RAW_RULES, *MANY_READINGS, *TEXT_RULES, *credential.FORMAT_RULES, *LIMIT_RULES)
}


def screen(
    text: str,
    kind: str = "fact",
    policy: Policy = DEFAULT_POLICY,
    *,
    source: str | None = None,
    origin: str | None = None,
    applies_to: str = "",
) -> Verdict:
    """Whether `text` is fit to keep as a memory of `kind`, under `policy`.

    `source` and `origin` are checked unless None; `applies_to` counts as naming a version. Never raises for
    any text. The verdict carries the normalised text; its findings never quote it.
    """
    normal = normalise(text)
    findings = [
        *limit_findings(normal, kind, policy, origin=origin, applies_to=applies_to),
        *(() if source is None else source_findings(source, policy, screened_source(source, policy))),
        *text_findings(text, normal, policy, TEXT_RULES),
        *extra_findings(normal, policy),
    ]
    return verdict_of(findings, normal)


def screen_evidence(evidence: str, policy: Policy = DEFAULT_POLICY) -> Verdict:
    """Screen a quotation kept beside a note: as a note, but quality rests and orders only flag.

    The store's maximum length does not apply, but what is longer than 1,000 characters is refused.
    """
    families = {**policy.families, "quality": "rest"}
    if families["instruction"] != "rest":
        families["instruction"] = "flag"
    softened = policy.model_copy(update={"families": families, "maximum_length": LONGEST_TEXT})
    normal = normalise(evidence)
    findings = [*text_findings(evidence, normal, softened, TEXT_RULES), *length_findings(normal, softened)]
    return verdict_of(findings, normal)


def verdict_of(findings: Iterable[Finding], normal: str) -> Verdict:
    """The verdict that `findings` add up to, refusals first, each finding once."""
    ordered = tuple(sorted(dict.fromkeys(findings), key=lambda finding: finding.severity != "refuse"))
    return Verdict(decision=decide(ordered), findings=ordered, text=normal)


def text_findings(raw: str, normal: str, policy: Policy, rules: RuleSet) -> Iterator[Finding]:
    """Findings on the text as written, and on its other readings as long as nothing refuses it.

    No policy accepts more than 1,000 characters, so of a longer text, refused for its length, only the
    beginning is looked at, and only as it stands.
    """
    raw, reading = raw[:LONGEST_RAW], Reading(normal[:LONGEST_TEXT])
    found = list(reading_findings(reading, policy, rules))
    if UNSEEN.search(raw):
        found += _speak(RAW_RULES, Reading(raw), policy, spans_hold=False)
    if len(normal) <= LONGEST_TEXT and decide(found) != "refuse":
        found += _unfolded_findings(raw, reading, policy)
    yield from found


def _unfolded_findings(raw: str, reading: Reading, policy: Policy) -> Iterator[Finding]:
    """Findings on the other readings, up to the first that refuses; what is too much to be read flags."""
    left = MOST_READ
    for number, (other, rules) in enumerate(_other_readings(raw, reading)):
        begun = Reading(other.text[: left if number < MOST_READINGS else 0])
        found = list(reading_findings(begun, policy, rules, spans_hold=False))
        if begun.text != other.text:
            found += _speak(MANY_READINGS, reading, policy, spans_hold=False)
        yield from found
        if begun.text != other.text or decide(found) == "refuse":
            return
        left -= len(begun.text)


def _other_readings(raw: str, reading: Reading) -> Iterator[tuple[Reading, RuleSet]]:
    """The other readings with the rules that may look at them."""
    hidden = [Reading(text)] if (text := normalise(hygiene.hidden_text(raw))) else []
    for other in itertools.chain(hidden, *map(decoded, [*hidden, reading])):
        yield other, DECODED_RULES
    for other in undisguised(reading):
        yield other, INSTRUCTION_RULES


def reading_findings(reading: Reading, policy: Policy, rules: RuleSet, *, spans_hold: bool = True) -> Iterator[Finding]:
    yield from _token_findings(reading, policy, spans_hold=spans_hold)
    yield from _speak(rules, reading, policy, spans_hold=spans_hold)


def _token_findings(reading: Reading, policy: Policy, *, spans_hold: bool) -> Iterator[Finding]:
    severity = policy.severity("credential", "refuse")
    if severity is None:
        return
    for rule_id, (start, end) in known_tokens(reading):
        sentence = RULES[rule_id].sentence
        if checksum_fits(reading.text[start:end]):
            sentence += " Its checksum fits, so it is very likely a real one."
        yield _finding(rule_id, severity, sentence, (start, end) if spans_hold else WHOLE)


def _speak(rules: RuleSet, reading: Reading, policy: Policy, *, spans_hold: bool) -> Iterator[Finding]:
    for rule in rules.fitting(reading):
        for span in rule.spans(reading):
            severity = policy.severity(rule.family, rule.severity)
            if severity is None or (policy.allow_ip_addresses and rule.id == "personal.ip-address"):
                break
            yield _finding(rule.id, severity, rule.sentence, span if spans_hold else WHOLE)


def _finding(rule: str, severity: Severity, sentence: str, span: Span) -> Finding:
    return Finding(rule=rule, severity=severity, start=span[0], end=span[1], sentence=sentence)


def screened_source(source: str, policy: Policy) -> list[Finding]:
    """Findings of credentials and orders in a source, worded as such; it may hold an address or a name."""
    findings = list(text_findings(source, normalise(source), policy, CREDENTIAL_RULES))
    if not SINGLE_NAME.fullmatch(source):
        # The scheme is no turn of a conversation: `user:ada` names a person, `user:user: do this` does more.
        identifier = source.partition(":")[2]
        findings += text_findings(identifier, normalise(identifier), policy, INSTRUCTION_RULES)
        findings += text_findings("", re.sub(r"[:/_-]+", " ", source), policy, INSTRUCTION_RULES)
    return [
        _finding(finding.rule, finding.severity, f"In the source: {finding.sentence}", WHOLE)
        for finding in findings
        if "refuse" in (finding.severity, RULES[finding.rule].severity) or finding.rule == hygiene.MANY_READINGS.id
    ]


def extra_findings(normal: str, policy: Policy) -> Iterator[Finding]:
    """Findings of the store's own patterns. One that takes longer than 20 ms flags the text and says so; after five
    such patterns the rest are not tried, since a person has to look at the text anyway."""
    slow = 0
    for extra in policy.extra_patterns:
        if slow == MOST_SLOW_PATTERNS:
            return
        try:
            match = compiled(extra.pattern).search(normal, timeout=PATTERN_SECONDS)
        except TimeoutError:
            sentence = f"The store's own pattern '{extra.name}' took too long on this text. Simplify the pattern."
            yield _finding(f"extra.{extra.name}", "flag", sentence, WHOLE)
            slow += 1
            continue
        if match:
            yield _finding(f"extra.{extra.name}", extra.severity, extra.sentence, match.span())
