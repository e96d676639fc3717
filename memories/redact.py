"""What a person typed, without the secrets in it: a refused form comes back, a secret does not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from memories.models import Store
from memories.screening import Policy, normalise, screen_evidence
from memories.screening.hygiene import hidden_text
from memories.screening.normal import UNSEEN
from memories.screening.policy import LONGEST_TEXT
from memories.wording import policy_or_default

SECRET = ("credential.", "personal.")
# A finding of these would end the search before all readings are looked at.
AT_REST = dict.fromkeys(("hygiene", "instruction", "quality"), "rest")
# No field takes more; and a secret that a stretch cuts stands whole in the next one.
MOST_SHOWN, OVERLAP = 50_000, LONGEST_TEXT // 2


def fit_to_record(asked: Mapping[str, Any], store: Store) -> dict[str, Any]:
    """Fields of a look-up as a record may hold them: "…" stands for a value with a credential in it."""
    # What cannot be read must hold up no erasure or export.
    policy = policy_or_default(store)
    return {
        name: "…" if isinstance(value, str) and holds_credential(value, policy) else value
        for name, value in asked.items()
    }


def holds_credential(text: str, policy: Policy) -> bool:
    """Whether `text`, which may name people and places, holds a credential; what is too long to tell counts as one."""
    said = (normalise(text), normalise(hidden_text(text)))
    return len(text) > MOST_SHOWN or any(
        rule.startswith("credential.") for each in said for rule, *_span in _secrets(each, policy)
    )


def without_secrets(text: str, policy: Policy) -> str:
    """`text` with a gap for each credential and piece of personal data.

    Where one only shows once it is decoded, the whole stretch that it stands in is a gap.
    """
    looked_for = _secrets_only(policy)
    normal = safe = normalise(text[:MOST_SHOWN])
    found = list(_secrets(normal, looked_for))
    if plain := [(start, end) for _rule, start, end, hidden in found if not hidden]:
        safe = _with_gaps(normal, plain)
        # What is refused as it stands is not decoded: only now is the rest.
        found = list(_secrets(safe, looked_for))
    safe = _with_gaps(safe, [(start, end) for _rule, start, end, hidden in found if hidden])
    return text[:MOST_SHOWN] if safe == normal and not UNSEEN.search(text) else safe


def holds_secret(text: str, policy: Policy) -> bool:
    """Whether `text` holds a credential or personal data that `policy` refuses."""
    looked_for = _secrets_only(policy)
    return any(any(_secrets(said, looked_for)) for said in (normalise(text), normalise(hidden_text(text))))


def _secrets_only(policy: Policy) -> Policy:
    return policy.model_copy(update={"families": {**policy.families, **AT_REST}})


def _secrets(normal: str, policy: Policy) -> Iterator[tuple[str, int, int, bool]]:
    """Secrets by their rule, where they stand and whether they are hidden there; read in stretches, as notes are."""
    for start in range(0, max(len(normal) - OVERLAP, 1), LONGEST_TEXT - OVERLAP):
        start += normal.startswith(" ", start)
        stretch = normal[start : start + LONGEST_TEXT].rstrip()
        for finding in screen_evidence(stretch, policy).findings:
            if finding.severity == "refuse" and finding.rule.startswith(SECRET):
                hidden = finding.start == finding.end
                end = len(stretch) if hidden else finding.end
                yield finding.rule, start + finding.start, start + end, hidden


def _with_gaps(text: str, spans: Collection[tuple[int, int]]) -> str:
    pieces, done = [], 0
    for start, end in sorted(spans):
        if start >= done:
            pieces += [text[done:start], _("[removed]")]
        done = max(done, end)
    return "".join([*pieces, text[done:]])
