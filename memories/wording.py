"""A note's words with all that hangs on them: what the filter says, the vector and the terms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memories.embedding import pack
from memories.index import pack_terms, terms
from memories.models import Store
from memories.resident import embedder_of
from memories.screening import Policy, Verdict, screen


class Refused(Exception):
    """The words do not pass the filter; the message is the filter's sentences, which never quote the text."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(" ".join(verdict.sentences))
        self.verdict = verdict


@dataclass(frozen=True)
class Wording:
    """Screened words and what is stored beside them."""

    text: str
    applies_to: str
    embedding: bytes
    terms: bytes
    findings: list[dict[str, Any]] = field(default_factory=list)


def policy_of(store: Store) -> Policy:
    """The store's filter policy, with the store's version rule in it."""
    return Policy.model_validate({**store.policy, "version_rule": store.version_rule})


def make_wording(store: Store, text: str, kind: str, source: str, origin: str, applies_to: str) -> Wording:
    """Screen and embed what a person wrote.

    Raises:
        Refused: the filter refuses it.
        EmbedderUnavailable: the embedder did not answer; the same call may succeed later.
    """
    verdict = screen(text, kind, policy_of(store), source=source, origin=origin, applies_to=applies_to)
    if verdict.decision == "refuse":
        raise Refused(verdict)
    return Wording(
        text=verdict.text,
        applies_to=applies_to,
        embedding=pack(embedder_of(store).embed([verdict.text])[0]),
        terms=pack_terms(terms(verdict.text)),
        findings=[finding.model_dump() for finding in verdict.findings],
    )
