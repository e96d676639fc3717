"""Look at stored notes again when the filter's rules have changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memories.audit import Actor, new_operation, record
from memories.models import Action, Memory, Receipt, Status, Store
from memories.models.memory import REMOVED
from memories.quotations import DROPPED, look_beside, was_dropped
from memories.receipts import clean_up, end
from memories.redact import holds_secret
from memories.screening import Finding, Policy
from memories.storage import Cleaning
from memories.wording import DOUBTED, policy_of, screen_stored

BATCH = 500
SCREENED = ("version", "status", "text", "kind", "source", "origin", "applies_to", "evidence", "findings", "risk")


@dataclass(frozen=True)
class Screened:
    """A stored note, what the rules say of it and of its quotations, and which of these must not be kept.

    `earlier` are ids of its earlier texts that must not be kept either.
    """

    note: Memory
    findings: list[Finding]
    unfit: set[str]
    earlier: list[int]

    @property
    def fails_anew(self) -> bool:
        """Whether there is something that nobody has looked at yet; of a rejected note, that must not be kept.

        A flag that a person approved stays settled; a refusal never does.
        """
        settled = {(finding["rule"], finding["severity"]) for finding in self.note.findings}
        doubted = any((finding.rule, finding.severity) not in settled for finding in self.findings)
        return bool(self.unfit) or (doubted and self.note.status != Status.REJECTED)

    @property
    def has_to_change(self) -> bool:
        return self.fails_anew or bool(self.earlier)


@dataclass
class Rescreened:
    """How many notes went back into the inbox, how many lost a quotation or an earlier text.

    `receipt` stays open until the files are clean of what went; `cleaning` is what became of them.
    """

    put_back: int = 0
    emptied: int = 0
    receipt: Receipt | None = None
    cleaning: Cleaning | None = None


def read(notes: QuerySet[Memory]) -> QuerySet[Memory]:
    """`notes` with what screening looks at."""
    return notes.only(*SCREENED).prefetch_related("sources", "earlier_texts")


def screened(notes: Iterable[Memory], policy: Policy) -> Iterator[Screened]:
    """Yield `notes` with what `policy` says of each."""
    for note in notes:
        flags, unfit = look_beside(note, policy)
        dropped = [DROPPED] if unfit or was_dropped(note) else []
        earlier = [row.pk for row in note.earlier_texts.all() if holds_secret(row.text, policy)]
        yield Screened(note, [*screen_stored(note, policy).findings, *flags, *dropped], unfit, earlier)


def newly_failing(store: Store, policy: Policy) -> Iterator[Screened]:
    """Yield the notes, oldest first, that `policy` doubts by a rule not found on them before."""
    for page in _failing_pages(store, policy):
        yield from page


def _failing_pages(store: Store, policy: Policy) -> Iterator[list[Screened]]:
    """Look at all notes, those that come meanwhile too.

    Each page is a query of its own: with a cursor open across a write, the write is refused as soon as anybody else
    has written.
    """
    notes, last = read(Memory.objects.filter(store=store).order_by("pk")), 0
    while page := list(notes.filter(pk__gt=last)[:BATCH]):
        yield [one for one in screened(page, policy) if one.has_to_change]
        last = page[-1].pk


def rescreen(store: Store, actor: Actor) -> Rescreened:
    """Put every newly failing note back into the inbox with what is wrong with it.

    An approved one is recalled no more until a person looks. Quotations and earlier texts that must not be kept go
    for good, those of rejected notes too. Each batch is one transaction with one audit entry; the first that lets go
    of something opens a receipt, so that a run cut short leaves word that the files are still to be cleaned.
    """
    operation, done, policy = new_operation(), Rescreened(), policy_of(store)
    for page in _failing_pages(store, policy):
        if page:
            _put_back(store, policy, [one.note.pk for one in page], actor, operation, done)
    if done.receipt:
        end(done.receipt)
    done.cleaning = clean_up([store], however_large=True)
    return done


def _put_back(
    store: Store, policy: Policy, numbers: Sequence[int], actor: Actor, operation: str, done: Rescreened
) -> None:
    back, emptied = [], []
    with transaction.atomic():
        revision = store.next_revision()
        # Looked at once more: whoever decided or edited one of them meanwhile has made it another note.
        for failing in screened(read(Memory.objects.select_for_update().filter(pk__in=numbers)), policy):
            note = failing.note
            if failing.unfit or failing.earlier:
                _empty(failing)
                emptied.append(note.pk)
            if not failing.fails_anew:
                continue
            if note.status != Status.REJECTED:
                _reopen(note)
                back.append(note.pk)
            note.findings = [finding.model_dump() for finding in failing.findings]
            note.risk |= DOUBTED
            note.version += 1
            note.revision, note.changed_at = revision, timezone.now()
            note.save()
        if emptied:
            done.receipt = _owe_cleaning(store, actor, operation, len(emptied))
        if touched := sorted({*back, *emptied}):
            details = {"notes": touched, "evidence_dropped": emptied}
            record(store, actor, Action.RESCREENED, count=len(touched), operation=operation, details=details)
    done.put_back += len(back)
    done.emptied += len(emptied)


def _owe_cleaning(store: Store, actor: Actor, operation: str, count: int) -> Receipt:
    """The receipt of this run, open again where somebody signed it meanwhile."""
    opened = {"store": store, "at": timezone.now(), "actor": actor.label, "asked": {"by": "rescreen"}}
    receipt, _new = Receipt.objects.get_or_create(operation=operation, defaults=opened)
    receipt.count += count
    receipt.traces, receipt.finished_at = [], None
    receipt.save()
    return receipt


def _reopen(note: Memory) -> None:
    note.status, note.reviewer, note.decided_at, note.reason = Status.PROPOSED, None, None, ""
    note.before_replaced = None


def _empty(failing: Screened) -> None:
    """Let go of quotations and earlier texts that must not be kept, wherever the note has them."""
    note = failing.note
    note.sources.filter(evidence__in=failing.unfit).update(evidence="")
    note.earlier_texts.filter(pk__in=failing.earlier).update(text=REMOVED)
    if note.evidence in failing.unfit:
        note.evidence = ""
