"""A note's words with all that hangs on them: what the filter says, the vector and the terms."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F
from pydantic import ValidationError

from memories.embedding import pack
from memories.index import pack_terms, terms
from memories.index.versions import check_spec
from memories.models import Memory, Origin, Store
from memories.quotations import look_beside
from memories.resident import embedder_of
from memories.schemas import explain
from memories.screening import Finding, Policy, Verdict, screen

# What risk is the sum of; the smallest part is for what strangers wrote.
DOUBTED, CONFLICTING = 4, 2


class Refused(Exception):
    """The words do not pass the filter; the message is the filter's sentences, which never quote the text."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(" ".join(verdict.sentences))
        self.verdict = verdict


class PolicyUnreadable(Exception):
    """What is stored as a store's filter policy is none; nothing can be screened until it is mended."""

    def __init__(self, store: Store, error: ValidationError) -> None:
        super().__init__(
            f"The filter policy of {store.slug} cannot be read ({explain(error).rstrip('.')}): "
            "an owner saves the filter again on the store's settings page."
        )


@dataclass(frozen=True)
class Wording:
    """Screened words and what is stored beside them."""

    text: str
    applies_to: str
    embedding: bytes
    terms: bytes
    findings: list[dict[str, Any]] = field(default_factory=list)


def policy_of(store: Store) -> Policy:
    """The store's filter policy, with the store's version rule in it. Raises PolicyUnreadable."""
    stored = store.policy
    if isinstance(stored, dict):
        stored = {**stored, "version_rule": store.version_rule}
    try:
        return Policy.model_validate(stored)
    except ValidationError as error:
        raise PolicyUnreadable(store, error) from None


def policy_or_default(store: Store) -> Policy:
    """The store's filter policy, or the default one where that cannot be read: for what has to go on without it."""
    try:
        return policy_of(store)
    except PolicyUnreadable:
        return Policy()


def version_findings(applies_to: str) -> list[Finding]:
    """What is wrong with the versions a note is said to hold for: recall by version has to read them."""
    longest = Memory._meta.get_field("applies_to").max_length or 0
    try:
        check_spec(applies_to)
    except ValueError:
        sentence = "The versions cannot be read: write them like 2.x, 3.1.0 or >=3.1,<3.3."
        return [Finding(rule="version.malformed", severity="refuse", sentence=sentence)]
    if len(applies_to) > longest:
        sentence = f"The versions take more than {longest} characters: name fewer."
        return [Finding(rule="version.malformed", severity="refuse", sentence=sentence)]
    return []


def risk_of(findings: bool, conflicts: bool, origin: str) -> int:
    """Order in the inbox: what the filter doubts first, then conflicts, then what strangers wrote."""
    return DOUBTED * findings + CONFLICTING * conflicts + (origin == Origin.UNTRUSTED)


def end_conflicts(gone: Collection[int]) -> None:
    """Take the notes `gone` off those that conflict with them; call it in the transaction that deletes them."""
    conflicting = Memory.objects.filter(conflicts_with__in=gone)
    conflicting.update(conflicts_with=None, risk=F("risk").bitand(~CONFLICTING))


def screen_stored(note: Memory, policy: Policy) -> Verdict:
    """What `policy` says of the words that a note has."""
    return screen(note.text, note.kind, policy, source=note.source, origin=note.origin, applies_to=note.applies_to)


def make_wording(store: Store, note: Memory, text: str, applies_to: str) -> Wording:
    """Screen and embed what a person wrote for `note` to say.

    Raises:
        Refused: the filter refuses it.
        EmbedderUnavailable: the embedder did not answer; the same call may succeed later.
    """
    policy = policy_of(store)
    verdict = screen(text, note.kind, policy, source=note.source, origin=note.origin, applies_to=applies_to)
    if unreadable := version_findings(applies_to):
        verdict = Verdict(decision="refuse", findings=(*verdict.findings, *unreadable), text=verdict.text)
    if verdict.decision == "refuse":
        raise Refused(verdict)
    return Wording(
        text=verdict.text,
        applies_to=applies_to,
        embedding=pack(embedder_of(store).embed([verdict.text])[0]),
        terms=pack_terms(terms(verdict.text)),
        findings=[finding.model_dump() for finding in (*verdict.findings, *look_beside(note, policy)[0])],
    )
