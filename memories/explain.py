"""Why a recall answers as it does: what it shows, and what it left out for which reason."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from memories.embedding import embed_query
from memories.index import ORIGINS, Filters, terms
from memories.index.versions import applies
from memories.lifetime import end_of
from memories.models import Memory, MemorySource, Origin, Status, Store
from memories.queries import begins_with, start_of
from memories.recall import FIELDS, QUERY_LIMIT, Recalled, recall, recalled
from memories.resident import ready

LEFT_OUT = 8


@dataclass(frozen=True)
class Question:
    """What an agent would ask; fields mean what they mean in `recall`."""

    text: str
    k: int = 3
    kinds: tuple[str, ...] = ()
    minimum_score: float | None = None
    version: str = ""
    sources: tuple[str, ...] = ()
    source_prefix: str = ""
    origin_at_least: str = ""
    observed_from: date | None = None
    observed_to: date | None = None

    @property
    def conditions(self) -> bool:
        """Whether more is asked than the words; how many notes are wanted is no condition on them."""
        return self != Question(self.text, self.k)

    def ask(self, store: Store) -> list[Recalled]:
        """Recall exactly as an agent does. Raises as `recall` does."""
        return recall(
            store,
            self.text,
            k=self.k,
            kinds=self.kinds,
            minimum_score=self.minimum_score,
            version=self.version,
            sources=self.sources,
            source_prefix=self.source_prefix,
            origin_at_least=self.origin_at_least or None,
            observed_from=start_of(self.observed_from) if self.observed_from else None,
            observed_to=start_of(self.observed_to + timedelta(days=1)) if self.observed_to else None,
        )


@dataclass(frozen=True)
class LeftOut:
    """A note near the question that recall does not show, and the sentence that says why."""

    note: Recalled
    why: str


@dataclass(frozen=True)
class Explanation:
    """What was recalled, best first, and the best of what was not."""

    hits: list[Recalled]
    left_out: list[LeftOut] = field(default_factory=list)


def explain_recall(store: Store, question: Question) -> Explanation:
    """Recall for `question`, and say why others are missing. Raises ValueError, EmbedderError: as `recall` does."""
    shown = question.ask(store)
    return Explanation(shown, left_out(store, question, {note.id for note in shown}))


def left_out(store: Store, question: Question, shown: Collection[int]) -> list[LeftOut]:
    """Rank every note without any condition, and say of the best that are not among `shown` why they are missing.

    Raises:
        EmbedderError: as `recall` does.
    """
    if not question.text.strip():
        return []
    resident, text = ready(store), question.text[:QUERY_LIMIT]
    vector = embed_query(resident.embedder, text)
    hits = resident.index.search(vector, terms(text), k=len(shown) + LEFT_OUT, filters=Filters(statuses=None))
    missing = [hit for hit in hits if hit.id not in shown][:LEFT_OUT]
    notes = Memory.objects.filter(store=store).defer("embedding", "terms").in_bulk([hit.id for hit in missing])
    now, learnt_there = timezone.now(), learnt_from_prefix(question.source_prefix, notes)
    return [
        LeftOut(
            recalled([getattr(note, name) for name in FIELDS], hit),
            why(store, question, note, hit.score, now, note.pk in learnt_there),
        )
        for hit in missing
        if (note := notes.get(hit.id))
    ]


def learnt_from_prefix(prefix: str, notes: Collection[int]) -> set[int]:
    """Those of `notes` of which a source begins with `prefix`, looked up at once; all where nothing is asked for."""
    if not prefix:
        return set(notes)
    rows = MemorySource.objects.filter(begins_with("source", prefix), memory__in=notes)
    return set(rows.values_list("memory", flat=True))


def why(store: Store, question: Question, note: Memory, score: float, now: datetime, learnt_there: bool = True) -> str:
    """The first reason for which recall does not show `note`; `learnt_there`: one of its sources is as asked for."""
    if sentence := _state(note) or _expired(store, note, now) or _not_asked_for(question, note, learnt_there):
        return sentence
    minimum = store.minimum_score if question.minimum_score is None else question.minimum_score
    if score < minimum:
        return _("It scores below the minimum of %(minimum).2f.") % {"minimum": minimum}
    return _("It ranks below the first %(k)d.") % {"k": question.k}


def _state(note: Memory) -> str:
    return {
        Status.PROPOSED.value: _("It waits in the inbox: only approved notes are recalled."),
        Status.REJECTED.value: _("It was rejected."),
    }.get(note.status, "")


def _expired(store: Store, note: Memory, now: datetime) -> str:
    if note.expires_at and note.expires_at <= now:
        return _("Its own end date has passed.")
    days = store.days_kept(note.kind)
    end = end_of(note.observed_at, None, days)
    if end and end <= now:
        return _("It is older than the %(days)d days that this store keeps its kind.") % {"days": days}
    return ""


def _not_asked_for(question: Question, note: Memory, learnt_there: bool) -> str:
    if question.kinds and note.kind not in question.kinds:
        return _("Its kind was not asked for.")
    if question.version and not applies(note.applies_to, question.version):
        return _("It holds for %(versions)s, not for %(version)s.") % {
            "versions": note.applies_to,
            "version": question.version,
        }
    if question.origin_at_least and ORIGINS.index(note.origin) > ORIGINS.index(question.origin_at_least):
        return _("Its origin is trusted less than “%(origin)s”.") % {"origin": Origin(question.origin_at_least).label}
    if not learnt_there:
        return _("None of its sources begins with %(prefix)s.") % {"prefix": question.source_prefix}
    before = question.observed_from and note.observed_at < start_of(question.observed_from)
    after = question.observed_to and note.observed_at >= start_of(question.observed_to + timedelta(days=1))
    return _("It was learnt outside the dates asked for.") if before or after else ""
