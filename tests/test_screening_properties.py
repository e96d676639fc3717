"""What must hold for every text: no exception, one answer, nothing hidden by spaces, case or invisibles."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.screening import RULES, Policy, normalise, screen
from memories.screening.fuzz import hard_texts
from memories.screening.limits import RULES as LIMITS
from memories.screening.policy import LONGEST_TEXT

ANY_TEXT = st.text(st.characters(), max_size=400)
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u2066\u200f\U000e0041\ufe0f\x00\ud800"
LIMIT_IDS = {limit.id for limit in LIMITS}
REFUSED = [
    rule.bad
    for rule in RULES.values()
    if rule.severity == "refuse" and rule.id not in LIMIT_IDS and len(rule.bad) <= 300
]
ORDERS = [rule for rule in RULES.values() if rule.family == "instruction"]


@given(ANY_TEXT)
def test_screening_never_raises_and_always_gives_the_same_answer(text):
    assert screen(text) == screen(text)


# Letters that count as Latin ones where case is ignored, and digits that are none of ours.
ODD = "\u0130\u0131\u017f\u212a\u00df\u0663\u0969\uff15\U0001d7db\u00b2\u00bd\u2167"


@settings(max_examples=400)
@given(
    st.sampled_from([rule.bad for rule in RULES.values() if len(rule.bad) <= LONGEST_TEXT]),
    st.lists(st.tuples(st.integers(0, 1000), st.sampled_from(ODD)), min_size=1, max_size=3),
)
def test_odd_letters_and_digits_in_the_place_of_others_raise_nothing(text, replacements):
    for position, odd in replacements:
        at = position % max(len(text), 1)
        text = text[:at] + odd + text[at + 1 :]
    assert screen(text).decision in ("accept", "flag", "refuse")


@pytest.mark.parametrize("letter", "\u0130\u0131\u017f\u212a")
def test_an_account_number_with_an_odd_letter_raises_nothing(letter):
    assert screen(f"The tenant pays from DE89 3704 0044 0532 0130 0{letter} each month.").decision == "accept"


@given(ANY_TEXT)
def test_normalising_twice_changes_nothing_and_the_text_can_be_stored(text):
    once = normalise(text)
    assert normalise(once) == once
    assert once.encode().decode() == once


@given(ANY_TEXT, st.text(" \t\n", max_size=5), st.text(" \t\n", max_size=5))
def test_surrounding_white_space_does_not_matter(text, before, after):
    assert screen(f"{before}{text}{after}") == screen(text)


@given(ANY_TEXT)
def test_findings_lie_inside_the_text_and_the_decision_follows_from_them(text):
    verdict = screen(text)
    assert all(0 <= finding.start <= finding.end <= len(verdict.text) for finding in verdict.findings)
    assert all(finding.rule in RULES for finding in verdict.findings)
    severities = {finding.severity for finding in verdict.findings}
    assert verdict.decision == ("refuse" if "refuse" in severities else "flag" if severities else "accept")


@settings(max_examples=300)
@given(
    st.sampled_from(REFUSED),
    st.lists(st.tuples(st.integers(0, 300), st.sampled_from(INVISIBLE)), max_size=12),
)
def test_a_refused_text_stays_refused_after_adding_invisible_characters(text, insertions):
    for position, invisible in insertions:
        text = text[:position] + invisible + text[position:]
    assert screen(text).decision == "refuse"


@pytest.mark.parametrize("rule", ORDERS, ids=lambda rule: rule.id)
@pytest.mark.parametrize("change", [str.upper, str.lower, str.title])
def test_letter_case_does_not_hide_an_order(rule, change):
    assert any(name.startswith("instruction.") for name in screen(change(rule.bad)).rules)


def test_nested_and_repeating_input_of_ten_thousand_characters_gets_an_answer():
    wide = Policy(maximum_length=LONGEST_TEXT)
    for text in hard_texts(mixtures=12):
        assert screen(text, policy=wide).decision == "refuse"
        assert screen(text[:LONGEST_TEXT], policy=wide).decision in ("accept", "flag", "refuse")
