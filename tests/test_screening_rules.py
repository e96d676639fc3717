"""Every rule's own examples: it speaks on the bad one and leaves the good one alone."""

import pytest

from memories.screening import RULES, Policy, screen
from memories.screening.credential_formats import FORMATS
from memories.screening.limits import RULES as LIMITS

STRICT = Policy(allow_ip_addresses=False, maximum_length=1_000)
WITH_EXAMPLES = [rule for rule in RULES.values() if rule.id not in {limit.id for limit in LIMITS}]


@pytest.mark.parametrize("rule", WITH_EXAMPLES, ids=lambda rule: rule.id)
def test_a_rule_speaks_on_its_bad_example(rule):
    verdict = screen(rule.bad, policy=STRICT)
    family = {finding.rule for finding in verdict.findings if finding.family == rule.family}
    assert rule.id in family or (rule.id.startswith("credential.") and family)
    assert rule.severity != "refuse" or verdict.decision == "refuse"


@pytest.mark.parametrize("rule", WITH_EXAMPLES, ids=lambda rule: rule.id)
def test_a_rule_leaves_its_good_example_alone(rule):
    assert rule.id not in screen(rule.good, policy=STRICT).rules
    assert screen(rule.good, policy=STRICT).decision != "refuse"


def test_every_rule_says_why_it_is_there_and_what_to_do():
    assert all(rule.why.endswith((".", ")")) and rule.sentence.endswith(".") for rule in RULES.values())


def test_formats_of_at_least_120_services_are_known():
    assert len({token_format.service for token_format in FORMATS}) >= 120


@pytest.mark.parametrize("token_format", FORMATS, ids=lambda token_format: token_format.name)
@pytest.mark.parametrize("seed", [2, 3, 5])
def test_a_token_is_refused_wherever_it_stands(token_format, seed):
    token = token_format.example(seed)
    for text in (
        f"The console printed {token} at the end.",
        f'"value":"{token}",',
        f"https://ci.example/?t={token}&q=1",
    ):
        assert any(rule.startswith("credential.") for rule in screen(text, policy=STRICT).rules), text
