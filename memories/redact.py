"""What a person typed, without the secrets in it: a refused form comes back, a secret does not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from memories.models import Store
from memories.screening import Policy, screen_evidence
from memories.wording import PolicyUnreadable, policy_of

SECRET = ("credential.", "personal.")


def redacted(typed: Mapping[str, Any], fields: Collection[str], policy: Policy) -> QueryDict:
    """A copy of `typed` in which a gap stands for every credential and piece of personal data in `fields`."""
    kept = QueryDict(mutable=True)
    kept.update(typed)
    for name in fields:
        if name in kept:
            kept[name] = without_secrets(str(kept[name]), policy)
    return kept


def fit_to_record(asked: Mapping[str, Any], store: Store) -> dict[str, Any]:
    """Fields of a look-up as a record may hold them: "…" stands for a value with a credential in it."""
    policy = _policy_for_records(store)
    return {
        name: "…" if isinstance(value, str) and holds_credential(value, policy) else value
        for name, value in asked.items()
    }


def _policy_for_records(store: Store) -> Policy:
    """The store's policy; the filter's own where it cannot be read, since that must hold up no erasure or export."""
    try:
        return policy_of(store)
    except PolicyUnreadable:
        return Policy()


def holds_credential(text: str, policy: Policy) -> bool:
    """Whether `text`, which may name people and places, holds a credential."""
    return any(
        finding.severity == "refuse" and finding.family == "credential"
        for finding in screen_evidence(text, policy).findings
    )


def without_secrets(text: str, policy: Policy) -> str:
    """`text` with a gap for each secret; nothing of a text where a secret only shows once it is decoded."""
    verdict = screen_evidence(text, policy)
    spans = [
        (finding.start, finding.end)
        for finding in verdict.findings
        if finding.severity == "refuse" and finding.rule.startswith(SECRET)
    ]
    if not spans:
        return text
    if any(start == end for start, end in spans):
        return ""
    pieces, done = [], 0
    for start, end in sorted(spans):
        if end > done:
            pieces += [verdict.text[done:start], _("[removed]")]
            done = end
    return "".join([*pieces, verdict.text[done:]])
