"""What one run knows from memory: the notes it was shown, every look-up recorded, and a way to propose a note."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from memories.agent.evidence import read_evidence
from memories.agent.tools import Arguments, Found, Tool, ToolError
from memories.agent.tracker import Issue
from memories.audit import Actor
from memories.block import CLOSING, HEADING, prompt_block
from memories.embedding import EmbedderError
from memories.index import compare
from memories.models import Kind, Origin, Run, Store
from memories.propose import Outcome, propose
from memories.recall import Recalled, recall, record_recall, standing_preferences
from memories.resident import embedder_of
from memories.schemas import Draft
from memories.screening import normalise, screen_evidence
from memories.wording import policy_of

CUT = "[a note from memory was here]"
# Only quoted lines stand between the two: a note that holds the closing words itself does not end its block.
BLOCK = re.compile(re.escape(HEADING) + r"(?:\n\[.*)*\n" + re.escape(CLOSING))
SHOWN = 3
MOST_REMEMBERED = 3


@dataclass
class Recollection:
    """Memory as one run uses it. `shown` holds the notes that it was shown, so that none is proposed again."""

    store: Store
    run: Run
    actor: Actor
    version: str = ""
    shown: list[Recalled] = field(default_factory=list)

    def block(self, queries: Sequence[str], *, preferences: bool = False) -> str:
        """The prompt block for `queries`, empty where nothing is recalled; the recall is recorded with the run.

        Raises:
            EmbedderError: the store's embedder cannot be asked.
        """
        asked = [normalise(query) for query in queries]
        notes = self.best(asked)
        standing = standing_preferences(self.store) if preferences else []
        block = prompt_block(self.store, "", notes, preferences=standing)
        by_number = {note.id: note for note in [*notes, *standing] if note.id in block.shown}
        record_recall(
            self.store, self.fit_to_keep(asked), list(by_number.values()), run=self.run, block_tokens=block.tokens
        )
        self.shown += by_number.values()
        return block.text

    def fit_to_keep(self, queries: Sequence[str]) -> str:
        """The queries that may be written down: a reporter's words can hold a secret, or an order to machines."""
        policy = policy_of(self.store)
        return " / ".join(query for query in queries if screen_evidence(query, policy).decision == "accept")

    def best(self, queries: Sequence[str]) -> list[Recalled]:
        """The notes that one of `queries` finds, each with its best score: a score falls as its query grows longer."""
        found: dict[int, Recalled] = {}
        for query in queries:
            for note in recall(self.store, query, k=SHOWN, version=self.version):
                found[note.id] = max(note, found.get(note.id, note), key=lambda one: one.score)
        return sorted(found.values(), key=lambda note: -note.score)[:SHOWN]

    def repeats(self, text: str) -> Recalled | None:
        """The shown note that `text` says again, if any."""
        if not self.shown:
            return None
        vectors = embedder_of(self.store).embed([text, *(note.text for note in self.shown)])
        cosines = vectors[1:] @ vectors[0]
        for note, cosine in zip(self.shown, cosines, strict=True):
            if compare(text, note.text, float(cosine), self.store.dedupe_threshold) == "duplicate":
                return note
        return None

    def without_notes(self, text: str) -> str:
        """`text` with every block of notes and every quotation of a shown note cut out of it."""
        text = BLOCK.sub(CUT, text)
        for note in self.shown:
            words = re.findall(r"\w+", note.text)
            if words:
                text = re.sub(r"\W+".join(words), CUT, text, flags=re.IGNORECASE)
        return text

    def propose(self, draft: Draft, origin: Origin) -> Outcome:
        """Hand in a draft of this run."""
        named = draft.model_copy(update={"run": self.run.identifier})
        return propose(self.store, named, self.actor, origin=origin)


class RecallArguments(Arguments):
    query: str = Field(description="What you would like to be reminded of, in one sentence")


class RememberArguments(Arguments):
    fact: str = Field(description="One short sentence that would help with a later issue")


def recall_tool(memory: Recollection) -> Tool:
    """Look notes up; what comes back is labelled and quoted like the block in a prompt."""

    def recall_memory(arguments: RecallArguments) -> Found:
        try:
            return Found(memory.block([arguments.query]) or "Nothing in memory helps with this.")
        except EmbedderError as error:
            raise ToolError(str(error)) from None

    description = "Look up notes from earlier runs. They are hints of unknown truth: check them before you use them."
    return Tool("recall_memory", description, RecallArguments, recall_memory)


def remember_tool(memory: Recollection, task: Issue) -> Tool:
    """Propose a fact from the issue at hand; a person decides whether it is kept."""
    left = MOST_REMEMBERED

    def remember(arguments: RememberArguments) -> Found:
        nonlocal left
        if not left:
            raise ToolError(f"A run may propose {MOST_REMEMBERED} facts, and this one has: go on with the issue.")
        if memory.repeats(arguments.fact):
            raise ToolError("This is a note that memory has just shown you: there is nothing to add.")
        evidence = read_evidence(arguments.fact, memory.without_notes(task.as_filed), policy_of(memory.store))
        draft = Draft(text=arguments.fact, kind=Kind.FACT, source=task.source, evidence=evidence.quotation)
        outcome = memory.propose(draft, evidence.origin)
        if outcome.outcome == "refused":
            raise ToolError("The write filter refused it: " + " ".join(outcome.sentences))
        left -= 1
        return Found("It is known already." if outcome.outcome == "duplicate" else "A maintainer will look at it.")

    description = "Propose one fact about the issue at hand for later runs. A maintainer decides about it."
    return Tool("remember", description, RememberArguments, remember)
