"""What people state about themselves: found in what they say, proposed as their own, and theirs to see and change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import Q, QuerySet

from memories.audit import Actor
from memories.forget import Selection, forget
from memories.models import Kind, Memory, Origin, Receipt, Store
from memories.propose import Outcome, propose
from memories.queries import learnt_from
from memories.redact import fit_to_record
from memories.review import keep_unreviewed
from memories.schemas import Draft
from memories.screening import normalise, parse_source
from memories.statements import LONGEST, Statement, find_statements

SecondLook = Callable[[str], list[Statement]]


class NotTheirs(Exception):
    """The note was not learnt from this person, or is gone."""

    def __init__(self, memory_id: int) -> None:
        super().__init__(f"Note {memory_id} is not among what is remembered about this person.")


def source_of(user: str) -> str:
    """The source of everything that `user` states. Raises ValueError for an identifier that no source can hold."""
    source = f"user:{user}"
    parse_source(source)
    return source


def actor_of(store: Store, source: str) -> Actor:
    """The user behind `source`, as who did something: the record names no credential that was given for one."""
    return Actor(str(fit_to_record({"by": source}, store)["by"])[:160])


def remember_stated(store: Store, user: str, message: str, *, second_look: SecondLook | None = None) -> list[Outcome]:
    """Propose what `user` states about themselves in `message`.

    Patterns look first, `second_look` where they find nothing. Where the store asks for no review of such notes, one
    that the filter has no doubt about and that contradicts nothing is approved at once.

    Raises:
        ValueError: `user` cannot be part of a source.
    """
    source = source_of(user)
    statements = find_statements(message)
    if not statements and second_look is not None:
        statements = second_look(message)
    return [take_in(store, source, statement) for statement in statements]


def take_in(store: Store, source: str, statement: Statement) -> Outcome:
    # What is longer than a message is read only so far; the filter says that it is too long.
    text, quotation = normalise(statement.text[:LONGEST]), normalise(statement.quotation[:LONGEST])
    draft = Draft(kind=Kind.FACT, text=text, source=source, evidence=quotation)
    outcome = propose(store, draft, actor_of(store, source), origin=Origin.USER_STATED)
    if outcome.outcome == "proposed" and outcome.id is not None:
        keep_unreviewed(store, outcome.id)
    return outcome


def remembered_about(store: Store, user: str) -> QuerySet[Memory]:
    """Every note learnt from `user`, of any status, newest first. Raises ValueError as `source_of` does."""
    return Memory.objects.filter(learnt_from(Q(source=source_of(user))), store=store).order_by("-observed_at", "-pk")


def correct(store: Store, user: str, memory_id: int, text: str) -> Outcome:
    """Put what `user` says now in the place of a note about them; a refused correction changes nothing.

    The new words take the way of everything they state. The old note is forgotten, since they say that it is wrong.

    Raises:
        NotTheirs: the note was not learnt from them.
    """
    check_theirs(store, user, [memory_id])
    outcome = take_in(store, source_of(user), Statement(text, text))
    if outcome.id is not None and outcome.id != memory_id:
        forget(store, Selection(ids=(memory_id,)), actor_of(store, source_of(user)))
        keep_unreviewed(store, outcome.id)
    return outcome


def forget_about(store: Store, user: str, ids: Sequence[int] = ()) -> Receipt:
    """Delete what is remembered about `user` for good: the notes `ids`, or all of them.

    Raises:
        NotTheirs: one of `ids` was not learnt from them; then nothing is deleted.
    """
    check_theirs(store, user, ids)
    selection = Selection(ids=tuple(ids)) if ids else Selection(source=source_of(user))
    return forget(store, selection, actor_of(store, source_of(user)))


def check_theirs(store: Store, user: str, ids: Sequence[int]) -> None:
    theirs = set(remembered_about(store, user).filter(pk__in=ids).values_list("pk", flat=True))
    for memory_id in ids:
        if memory_id not in theirs:
            raise NotTheirs(memory_id)
