"""The parts that English orders are made of: where one can start, whom it speaks to, what it wants done."""

from memories.screening.rule import Check, matches

STATE_IT = "A note states what is so; it does not tell a reader what to do. Say the fact behind it, or leave it out."

# Where an order can start: the beginning, after a stop, a bracket or a colon, or after a word that leads to a verb.
ORDER = r"(?:^|[.!?:;>)\]}\"“”'`|]\s{0,3}|[*#-]\s{1,3}|\b(?:please|now|then|just|first|also|instead|do|kindly|simply|and|must|should|shall|you|to|will|can)\s+)(?:(?:also|please|now|then|always|immediately|do|just|first|secretly|quietly|silently|automatically)\s+){0,2}"
STRICT_ORDER = r"(?:^|[.!?:;>)\]}\"“”'`|]\s{0,3}|[*#-]\s{1,3}|\b(?:please|now|then|just|instead|kindly)\s+)(?:(?:also|please|now|then|always|immediately|do|just|first)\s+){0,2}"
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


def orders(*patterns: str) -> Check:
    """A check that finds any of the `patterns`, many of which begin where an order can start."""
    return matches(*patterns, openings=(STRICT_ORDER, ORDER, r"\b"))
