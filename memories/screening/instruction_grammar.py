"""The parts that English orders are made of: where one can start, whom it speaks to, what it wants done."""

import re
from collections.abc import Iterator

from memories.screening.rule import Check, Reading, Span, matches, starting

STATE_IT = "A note states what is so; it does not tell a reader what to do. Say the fact behind it, or leave it out."

# Marks a pattern that is tried only where an order can start: see `Reading.order_starts`.
STRICT_ORDER = "(?#order)"
# As well after a word that leads to a verb in the middle of a sentence.
ORDER = "(?#lead)"
LED = (
    r"\b(?:first|also|do|simply|and|must|should|shall|you|to|will|can)\s+"
    r"(?:(?:also|please|now|then|always|immediately|do|just|first|secretly|quietly|silently|automatically)\s+){0,2}"
)
AGENT = r"(?:(?:ai|llm|support|virtual|language|coding|customer|next|future)[ -](?:agents?|assistants?|models?|bots?|sessions?)|(?:ai )?assistants?|chat ?bots?|chat ?gpt|\bgpt\b|llms?|language models?|\bais?\b|copilot|claude|gemini)"
ADDRESSEE = rf"(?:{AGENT}|agents?|models?|bots?|future (?:sessions?|runs?|readers?))"
DEED = (
    r"(?:send|transfer|wire|pay|forward|e-?mail|mail|reply|respond|answer|tell|share|reveal|approve|refund|ignore|disregard|delete"
    r"|erase|visit|open|post|publish|call|grant|provide|give|recommend|mark|skip|follow|execute|run|rank|mention|buy|purchase|click"
    r"|download|upload|disclose|offer|promise|trust|assume|include|forget|remember|obey|comply|treat|say|state|claim|print|output"
    r"|write|pretend|act|behave|refuse|deny|accept|confirm|close|escalate|assure|advise|suggest|insert|append|add|book|create|set"
    r"|change|use|get|make|fetch|concatenate|collect|copy|export|leak|hide|drop|disable|redirect|route|read|show|display|repeat|list)"
)
GAP = r"[^.!?\n]"


def orders(*patterns: str, verbs: str = "") -> Check:
    """A check that finds any of the `patterns`.

    Those that begin with STRICT_ORDER or ORDER are tried where an order can start and, if `verbs` are given, only when
    one of these opens an order there; those with ORDER also after a leading word.
    """
    led = [pattern.removeprefix(ORDER) for pattern in patterns if pattern.startswith(ORDER)]
    opening = led + [pattern.removeprefix(STRICT_ORDER) for pattern in patterns if pattern.startswith(STRICT_ORDER)]
    anywhere = [pattern for pattern in patterns if not pattern.startswith((ORDER, STRICT_ORDER))]
    anywhere += [LED + pattern for pattern in led]
    opened, elsewhere, stems = re.compile("|".join(opening)), matches(*anywhere), starting(verbs)

    def check(reading: Reading) -> Iterator[Span]:
        for start, stem in reading.openers if opening else ():
            if (not stems or stem in stems) and (match := opened.match(reading.lower, start)):
                yield match.span()
        if anywhere:
            yield from elsewhere(reading)

    return check
