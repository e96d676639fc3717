"""Delete notes for good: preview, act on the same set, look for traces, hand out a receipt."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit import Actor, new_operation, record
from memories.index import Filters, TermList, terms, unpack_terms
from memories.listing import Listing
from memories.models import Action, EarlierText, Memory, MemorySource, Receipt, Removal, Store
from memories.models.memory import TEXT_LIMIT
from memories.queries import NoteFilter
from memories.receipts import close
from memories.redact import fit_to_record
from memories.resident import ready
from memories.wording import end_conflicts

BATCH = 500
SAMPLE = 10
# A database takes so many ids in one query, and nobody means that many by a few words.
MOST_BY_QUERY = 10_000
LONGEST_QUERY = TEXT_LIMIT
# What a request deletes in about five seconds: more would outlast the patience of browsers and proxies.
MOST_AT_ONCE = 10_000
# Enough to see that deletion works on this disk, few enough to search a large file for.
TRACED = 5


class Changed(Exception):
    """The chosen notes are not the ones of the preview any more."""

    def __init__(self) -> None:
        super().__init__(_("The notes this would forget have changed since the preview: look at it again."))


class TooMany(ValueError):
    """More notes than one request can delete; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "At most 10,000 notes can be forgotten at once on this page: narrow the filter on the notes list and "
                "do it in parts, or run `manage.py forget --source`."
            )
        )


@dataclass(frozen=True)
class Selection:
    """Which notes to forget: by exactly one of ids, source, query with a minimum score, or filter.

    Raises:
        ValueError: none or several of them are given, the filter chooses everything, or the query is too long.
    """

    ids: tuple[int, ...] = ()
    source: str = ""
    query: str = ""
    minimum_score: float = 0.0
    filter: NoteFilter | None = None

    def __post_init__(self) -> None:
        ways = [bool(self.ids), bool(self.source), bool(self.query.strip()), self.filter is not None]
        if sum(ways) != 1:
            raise ValueError(_("Say which notes to forget: by number, by source, by query or by filter."))
        if self.filter is not None and self.filter.is_empty:
            raise ValueError(_("This filter chooses every note: narrow it first."))
        if len(self.query) > LONGEST_QUERY:
            raise ValueError(_("Forget by a query of at most %(count)d characters.") % {"count": LONGEST_QUERY})
        if self.query and not 0 < self.minimum_score <= 1:
            raise ValueError(_("Forgetting by query needs a minimum score above 0 and up to 1."))

    def notes(self, store: Store) -> QuerySet[Memory]:
        """The chosen notes of `store`, oldest id first."""
        notes = Memory.objects.filter(store=store).order_by("pk")
        if self.source:
            learnt = MemorySource.objects.filter(store=store, source=self.source)
            return notes.filter(pk__in=learnt.values("memory"))
        if self.filter is not None:
            return Listing(store, self.filter).rows().order_by("pk")
        return notes.filter(pk__in=self.ids or self._above_score(store))

    def as_filter(self) -> NoteFilter | None:
        """The filter that chooses the same notes; None where they are named or found by a query."""
        return NoteFilter(source=self.source) if self.source else self.filter

    def _above_score(self, store: Store) -> list[int]:
        """Notes of any status, expired ones too, that score at least the minimum for the query.

        A note that waits for its embedding has no score: it counts where it holds every word of the query.
        """
        found = self.best(store, MOST_BY_QUERY + 1, exact=True)
        if len(found) > MOST_BY_QUERY:
            raise ValueError(_("This query chooses more than 10,000 notes: raise the minimum score."))
        return [*found, *_waiting_with(store, terms(self.query))]

    def best(self, store: Store, most: int, *, exact: bool) -> list[int]:
        """The `most` notes that score best for the query, as far as they score at least the minimum.

        Without `exact` an estimate chooses which notes are looked at: enough to show some, not to say which go.
        """
        resident = ready(store)
        # Not through the cache of queries: these words may be the very thing to forget.
        vector = resident.embedder.embed([self.query])[0]
        everything, words = Filters(statuses=None), terms(self.query)
        hits = resident.index.search(
            vector, words, k=most, filters=everything, minimum_score=self.minimum_score, exact=exact
        )
        return [hit.id for hit in hits]

    def described(self) -> dict[str, Any]:
        """What was asked, for the receipt: a query's or filter's words may be the very thing to forget."""
        if self.query:
            return {"by": "query", "minimum_score": self.minimum_score}
        if self.filter is not None:
            fields = self.filter.as_query()
            return {"by": "filter", **fields, **({"text": "…"} if "text" in fields else {})}
        return {"by": "source", "source": self.source} if self.source else {"by": "ids", "ids": list(self.ids[:100])}


def _waiting_with(store: Store, words: TermList) -> list[int]:
    waiting = Memory.objects.filter(store=store, embedding=None).values_list("pk", "terms")
    wanted = set(words.hashes.tolist())
    return [pk for pk, packed in waiting if wanted and wanted <= set(unpack_terms(bytes(packed)).hashes.tolist())]


@dataclass(frozen=True)
class Preview:
    """What a forget would take. `fingerprint` names this very set of notes as they are now."""

    count: int
    sample: list[Memory]
    by_status: dict[str, int]
    with_other_sources: int
    fingerprint: str


def preview(store: Store, selection: Selection) -> Preview:
    """Count and sample what `forget` would take, through the same query."""
    others = MemorySource.objects.filter(memory=OuterRef("pk")).exclude(source=OuterRef("source"))
    # What was seen once has one source: that spares most notes the look at their sources.
    elsewhere = ExpressionWrapper(Q(times_seen__gt=1) & Q(Exists(others)), output_field=BooleanField())
    chosen = selection.notes(store).annotate(elsewhere=elsewhere)
    # Sorted here: for the order's sake a database would walk all notes instead of the index of the chosen ones.
    rows = sorted(chosen.order_by().values_list("pk", "version", "status", "elsewhere"))
    first = {row[0]: row[-1] for row in rows[:SAMPLE]}
    sample = list(Memory.objects.filter(pk__in=first).defer("embedding", "terms").order_by("pk"))
    for note in sample:
        note.learnt_elsewhere = first[note.pk]
    return Preview(
        count=len(rows),
        sample=sample,
        by_status=dict(Counter(status for _pk, _version, status, _elsewhere in rows)),
        with_other_sources=sum(elsewhere for *_rest, elsewhere in rows),
        fingerprint=_fingerprint(rows),
    )


def _fingerprint(rows: Iterable[Sequence[object]]) -> str:
    digest = hashlib.sha256()
    for number, version, *_rest in rows:
        digest.update(f"{number}.{version};".encode())
    return digest.hexdigest()


def forget(store: Store, selection: Selection, actor: Actor, *, fingerprint: str | None = None) -> Receipt:
    """Delete the chosen notes with everything that hangs on them, and return the receipt.

    Notes go in batches, each in one transaction with its audit entry; a receipt without an end is of a forget that
    was cut short, and running it again finishes the job.

    Raises:
        Changed: `fingerprint` is of a preview that showed another set.
        ValueError: a query chooses too many.
        EmbedderError: a query cannot be embedded.
    """
    rows = sorted(selection.notes(store).order_by().values_list("pk", "version"))
    if fingerprint is not None and fingerprint != _fingerprint(rows):
        raise Changed
    asked = fit_to_record(selection.described(), store)
    receipt = Receipt.objects.create(
        store=store, operation=new_operation(), at=timezone.now(), actor=actor.label, asked=asked
    )
    numbers = [number for number, _version in rows]
    needles = _needles(numbers[:TRACED])
    for start in range(0, len(numbers), BATCH):
        chosen = Memory.objects.filter(store=store, pk__in=numbers[start : start + BATCH])
        delete_batch(store, chosen, actor, Action.FORGOTTEN, receipt)
    return close(receipt, needles)


def delete_batch(store: Store, notes: QuerySet[Memory], actor: Actor, action: Action, receipt: Receipt) -> int:
    """Delete notes in one transaction: rows, removals for every index, audit entry and the receipt's count.

    `notes` is looked up inside the transaction, so that what has changed in the meantime is seen.
    """
    with transaction.atomic():
        there = list(notes.select_for_update().values_list("pk", flat=True))
        if not there:
            return 0
        revision = store.next_revision()
        Removal.objects.bulk_create(Removal(store=store, memory_number=number, revision=revision) for number in there)
        end_conflicts(there)
        Memory.objects.filter(pk__in=there).delete()
        single = there[0] if len(there) == 1 else None
        record(store, actor, action, memory=single, count=len(there), operation=receipt.operation)
        receipt.count += len(there)
        # Whoever cleaned up meanwhile may have signed it as cut short: it goes on, so it is open again.
        receipt.save(update_fields=["count", "traces", "finished_at"])
    return len(there)


def _needles(numbers: Sequence[int]) -> list[bytes]:
    """Bytes that must be nowhere after the deletion of these notes: their texts, earlier ones too, and vectors."""
    needles: list[bytes] = []
    for text, vector in Memory.objects.filter(pk__in=numbers).values_list("text", "embedding"):
        needles += [text.encode(), bytes(vector or b"")]
    for text in EarlierText.objects.filter(memory__in=numbers).values_list("text", flat=True):
        needles.append(text.encode())
    return needles
