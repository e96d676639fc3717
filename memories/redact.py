"""What a person typed, without the secrets in it: a refused form comes back, a secret does not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from memories.models import Store
from memories.screening import Finding, Policy, normalise, screen_evidence
from memories.screening.hygiene import hidden_text
from memories.screening.policy import LONGEST_TEXT
from memories.wording import PolicyUnreadable, policy_of

SECRET = ("credential", "personal")
# As much as any field of a form takes: of what is longer nothing comes back.
LONGEST_FIELD = 50_000


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
    return len(text) > LONGEST_FIELD or any(family == "credential" for family, _span in _secrets(text, policy))


def without_secrets(text: str, policy: Policy) -> str:
    """`text` with a gap for each secret; nothing of a text where a secret only shows once it is decoded."""
    if len(text) > LONGEST_FIELD:
        return ""
    spans = sorted(span for _family, span in _secrets(text, policy))
    if not spans:
        return text
    if any(start == end for start, end in spans):
        return ""
    normal, pieces, done = normalise(text), [], 0
    for start, end in spans:
        if start >= done:
            pieces += [normal[done:start], _("[removed]")]
        done = max(done, end)
    return "".join([*pieces, normal[done:]])


def _secrets(text: str, policy: Policy) -> Iterator[tuple[str, tuple[int, int]]]:
    """The family of everything that must not be seen, and where it lies in the normalised text.

    Of what is too long for a note the filter reads the beginning only: here it is read in parts that overlap.
    """
    normal, step = normalise(text), LONGEST_TEXT // 2
    parts = [(start, normal[start : start + LONGEST_TEXT]) for start in range(0, max(len(normal) - step, 1), step)]
    for start, part in parts:
        for finding in _refused(part, policy):
            at = start if finding.end else 0
            yield finding.family, (finding.start + at, finding.end + at)
    for finding in _refused(hidden_text(text)[:LONGEST_TEXT], policy):
        yield finding.family, (0, 0)


def _refused(text: str, policy: Policy) -> list[Finding]:
    findings = screen_evidence(text, policy).findings if text else ()
    return [finding for finding in findings if finding.severity == "refuse" and finding.family in SECRET]
