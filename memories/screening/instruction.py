"""Instructions: orders, planted rules and requests, in English and other languages. A note states what is so."""

from memories.screening import (
    instruction_claims,
    instruction_duties,
    instruction_errands,
    instruction_languages,
    instruction_planted,
    instruction_requests,
)
from memories.screening.rule import Rule

RULES: tuple[Rule, ...] = (
    instruction_planted.RULES
    + instruction_claims.RULES
    + instruction_requests.RULES
    + instruction_errands.RULES
    + instruction_duties.RULES
    + instruction_languages.RULES
)
