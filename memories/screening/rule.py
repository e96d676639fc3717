"""A rule as data, and the reading of a text that rules look at."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from memories.screening.verdict import Severity

Span = tuple[int, int]
WORD = re.compile(r"[^\W_]+")
DIGIT = re.compile(r"\d")
SOLID = re.compile(r"[^\s\"'`<>(){}\[\],;]{12,}")
STEM_LENGTH = 5
# Where an order can start: after a stop, a bracket, a colon or a bullet, or after a word that leads to a verb.
STOPS = re.compile(r"[.!?:;>)\]}\"“”'`|]\s{0,3}|[*#-]\s{1,3}")
LEADING_WORDS = frozenset("please now then just instead kindly".split())
LEADING_WORD = re.compile(r"\b(?:please|now|then|just|instead|kindly)\s+")
ADVERB = re.compile(r"(?:also|please|now|then|always|immediately|do|just|first)\s+")
MOST_SPANS = 3
LEAVE_OUT = "Leave it out, or write the person's role or account number instead."


class Reading:
    """One way to read a text: as written, or as it comes out of look-alike folding or decoding."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lower(self) -> str:
        """Lower-cased text of the same length, so that spans hold in both; curly apostrophes straightened."""
        lowered = self.text.lower()
        if len(lowered) != len(self.text):
            lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in self.text)
        return lowered.replace("’", "'")

    @cached_property
    def words(self) -> frozenset[str]:
        """The lower-cased words."""
        return frozenset(WORD.findall(self.lower))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The first five letters of every lower-cased word, which is what rules are gated by."""
        return frozenset([word[:STEM_LENGTH] for word in self.words])

    @cached_property
    def order_starts(self) -> list[int]:
        """Offsets in `lower` where an order can start: few, so that patterns for orders need not search the text."""
        starts = {0, *(stop.end() for stop in STOPS.finditer(self.lower))}
        if not LEADING_WORDS.isdisjoint(self.words):
            starts.update(word.end() for word in LEADING_WORD.finditer(self.lower))
        for _ in range(2):
            starts.update([adverb.end() for start in starts if (adverb := ADVERB.match(self.lower, start))])
        return sorted(starts)

    @cached_property
    def openers(self) -> list[tuple[int, str]]:
        """Where an order can start, with the first five letters of the word there."""
        words = ((start, WORD.match(self.lower, start)) for start in self.order_starts)
        return [(start, word[0][:STEM_LENGTH]) for start, word in words if word]

    @cached_property
    def runs(self) -> list["re.Match[str]"]:
        """Runs of twelve and more characters without a space, quote or bracket: where tokens and codes hide."""
        return list(SOLID.finditer(self.text))

    @cached_property
    def digits(self) -> int:
        """How many digits there are: most personal numbers need at least six."""
        return len(DIGIT.findall(self.text))


Check = Callable[[Reading], Iterable[Span]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing the filter looks for.

    `good` is a text the rule must leave alone, `bad` one it must speak on. `stems` gates the costly check: unless it is
    empty, one of them must be the beginning of a word (see `starting`).
    """

    id: str
    severity: Severity
    sentence: str
    why: str
    good: str
    bad: str
    check: Check
    stems: frozenset[str] = field(default=frozenset())

    @property
    def family(self) -> str:
        return self.id.partition(".")[0]

    def spans(self, reading: Reading) -> list[Span]:
        """Where the check speaks in `reading`, the first three places, as character offsets."""
        return list(islice(self.check(reading), MOST_SPANS))


class RuleSet:
    """Rules in their order, with their gates turned round: a text's stems tell at once which rules to try."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._always = [number for number, rule in enumerate(self._rules) if not rule.stems]
        self._by_stem: dict[str, list[int]] = {}
        for number, rule in enumerate(self._rules):
            for stem in rule.stems:
                self._by_stem.setdefault(stem, []).append(number)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def fitting(self, reading: Reading) -> Iterator[Rule]:
        """The rules whose gate lets `reading` through."""
        numbers = set(self._always)
        for stem in reading.stems:
            numbers.update(self._by_stem.get(stem, ()))
        return (self._rules[number] for number in sorted(numbers))


def starting(words: str) -> frozenset[str]:
    """A gate that lets texts through in which a word begins with the first five letters of one of `words`."""
    return frozenset(word[:STEM_LENGTH] for word in words.split())


def matches(*patterns: str) -> Check:
    """A check that finds any of the `patterns` in the lower-cased text.

    Patterns that begin with a word boundary share it, so that a place where it does not fit is left after one
    try instead of one a pattern: three times as fast.
    """
    tails = [pattern.removeprefix(r"\b") for pattern in patterns if pattern.startswith(r"\b")]
    rest = [pattern for pattern in patterns if not pattern.startswith(r"\b")]
    compiled = re.compile("|".join(([rf"\b(?:{'|'.join(tails)})"] if tails else []) + rest))

    def check(reading: Reading) -> Iterator[Span]:
        return (match.span() for match in compiled.finditer(reading.lower))

    return check
