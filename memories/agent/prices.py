"""What models cost: list prices, and exact arithmetic on the usage that a server reports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

PRICES_READ = date(2026, 3, 21)
PRICES_SOURCE = (
    "OpenAI's list prices as public price comparisons quoted them, per million tokens, without batch or priority rates"
)
MILLION = Decimal(1_000_000)
MICRO = Decimal("0.000001")
SCRIPTED_MODEL = "scripted-demo"
SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")
# A dated snapshot costs what its model costs; resellers list this one higher, so its price is taken for unknown.
OTHERWISE_PRICED = {"gpt-4o-2024-05-13"}


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens; cached input is a part of the input that the server had already read."""

    input: Decimal
    cached_input: Decimal
    output: Decimal


@dataclass(frozen=True)
class Usage:
    """Calls and tokens as the server counted them.

    `cached_tokens` is a part of `input_tokens`; `uncounted` is the number of calls without any report of tokens.
    """

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    uncounted: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            self.uncounted + other.uncounted,
        )


def price(input: str, cached_input: str, output: str) -> Price:
    return Price(Decimal(input), Decimal(cached_input), Decimal(output))


PRICES = {
    "gpt-5.4": price("2.50", "0.25", "15.00"),
    "gpt-5.1": price("1.25", "0.125", "10.00"),
    "gpt-5": price("1.25", "0.125", "10.00"),
    "gpt-5-mini": price("0.25", "0.025", "2.00"),
    "gpt-5-nano": price("0.05", "0.005", "0.40"),
    "gpt-4.1": price("2.00", "0.50", "8.00"),
    "gpt-4.1-mini": price("0.40", "0.10", "1.60"),
    "gpt-4.1-nano": price("0.10", "0.025", "0.40"),
    "gpt-4o": price("2.50", "1.25", "10.00"),
    "gpt-4o-mini": price("0.15", "0.075", "0.60"),
    "o3": price("2.00", "0.50", "8.00"),
    "o4-mini": price("1.10", "0.275", "4.40"),
    # No server asks for this money: the script is priced like a small model so that the sums can be seen at work.
    SCRIPTED_MODEL: price("0.25", "0.025", "2.00"),
}


def price_of(model: str) -> Price | None:
    """The price of `model` or of the model behind its dated snapshot; None where the table does not know it."""
    if model in OTHERWISE_PRICED:
        return None
    return PRICES.get(model) or PRICES.get(SNAPSHOT.sub("", model))


def exact_cost(model: str, usage: Usage) -> Decimal | None:
    """US dollars, unrounded: (fresh input + cached input + output, each times its price) / 1,000,000.

    None where the price is unknown or the server did not count every call.
    """
    found = price_of(model)
    if found is None or usage.uncounted:
        return None
    fresh = usage.input_tokens - usage.cached_tokens
    total = fresh * found.input + usage.cached_tokens * found.cached_input + usage.output_tokens * found.output
    return total / MILLION


def rounded(cost: Decimal) -> Decimal:
    """US dollars to the sixth decimal, halves up; round once, after the sum."""
    return cost.quantize(MICRO, rounding=ROUND_HALF_UP)


def dollars(cost: Decimal | None) -> str:
    """How a cost is written; an unknown one says so."""
    return "unknown" if cost is None else f"${rounded(cost)}"
