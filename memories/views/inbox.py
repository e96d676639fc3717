"""The inbox: one note at a time beside its evidence."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from memories import access, beside, desk, review
from memories.embedding import EmbedderError
from memories.forms import REASONS, DecisionForm
from memories.models import Membership, Memory, Role, Status, Store
from memories.queries import NoteFilter
from memories.views.render import page_or_part, wants_part

# The inbox's part of the notes filter. Links and forms carry it along, and the page of the queue.
FILTERED = ("kind", "source", "run", "text", "flagged", "conflict")


@require_safe
def inbox(request: HttpRequest, slug: str) -> HttpResponse:
    """The queue and one note: the one asked for, else the first."""
    membership = access.membership(request.user, slug)
    return show(request, membership, number_in(request.GET, "note"))


def show(
    request: HttpRequest,
    membership: Membership,
    pk: int | None,
    *,
    problem: str = "",
    typed: DecisionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the inbox with note `pk` on the desk; `typed` is a form that could not be taken."""
    store, chosen, after = membership.store, read_filter(request), desk.place_in(request.GET.get("after", ""))
    queue = desk.queue(store, chosen, after)
    note = note_in(store, pk) or (queue.notes[0] if queue.notes else None)
    if note is None or note.pk != pk:
        # What was typed for a note that is gone is not for the one in its place.
        typed = None
    context = {
        "membership": membership,
        "section": "inbox",
        "queue": queue,
        "after": after,
        "chosen": chosen,
        "filtered": not chosen.is_empty,
        "carried": _and_more(carried(request)),
        "chosen_query": _and_more(carried(request, with_page=False)),
        "decided": desk.decided_by(store, membership.user),
        "oldest": desk.oldest_waiting(store),
        "missing": pk is not None and (note is None or note.pk != pk),
        "problem": problem,
        "typed": typed,
        "editing": "edit" in request.GET or (typed is not None and "text" in typed.data),
        "reasons": REASONS,
    }
    if note:
        context |= on_desk(membership, note, queue) | {"edit_url": address(request, membership, note=note.pk, edit=1)}
    return page_or_part(request, "inbox", context, status=status)


def on_desk(membership: Membership, note: Memory, queue: desk.Queue | None = None) -> dict[str, Any]:
    """What templates say of one note: its neighbours in the queue and in meaning, and who may decide it."""
    before, behind = queue.beside(note) if queue else (None, None)
    needed = Role.MAINTAINER if note.kind in review.MAINTAINERS_ONLY else Role.REVIEWER
    near, unknown = _nearest(membership.store, note)
    return {
        "note": note,
        "near": near,
        "near_unknown": unknown,
        "before": before,
        "behind": behind,
        "may_decide": membership.role >= needed,
        "own": membership.store.two_person_review and note.author_id == membership.user_id,
    }


def _nearest(store: Store, note: Memory) -> tuple[list[beside.Near], str]:
    try:
        return beside.nearest(store, note), ""
    except (EmbedderError, ValueError) as problem:
        return [], str(problem)


def go_on(
    request: HttpRequest, membership: Membership, decided: Memory | None, place: desk.Place | None = None
) -> HttpResponse:
    """Show what comes next: an undone or edited note itself, else the one behind the place that the decided one had."""
    upcoming = decided
    if decided and decided.status != Status.PROPOSED:
        place = place or (decided.risk, decided.pk)
        upcoming = desk.next_after(membership.store, read_filter(request), place)
    where = address(request, membership, **({"note": upcoming.pk} if upcoming else {}))
    if not wants_part(request):
        return redirect(where)
    return replace_url(show(request, membership, upcoming.pk if upcoming else None), where)


def read_filter(request: HttpRequest) -> NoteFilter:
    """The inbox's own part of the notes filter; one that cannot be read is said and left out."""
    try:
        return _filter_in(request)
    except ValueError as problem:
        messages.error(request, str(problem))
        return NoteFilter()


def _filter_in(request: HttpRequest) -> NoteFilter:
    return NoteFilter.from_query({name: request.GET.get(name) for name in FILTERED})


def carried(request: HttpRequest, *, with_page: bool = True) -> QueryDict:
    """The part of the query string that links and forms carry along, as far as it can be read."""
    kept = QueryDict(mutable=True)
    with suppress(ValueError):
        kept.update(_filter_in(request).as_query())
    if with_page and desk.place_in(request.GET.get("after", "")):
        kept["after"] = request.GET["after"]
    return kept


def address(request: HttpRequest, membership: Membership, **fields: int) -> str:
    """Where the inbox shows what `fields` ask for, with the filter carried along."""
    query = carried(request)
    query.update({name: str(value) for name, value in fields.items()})
    return reverse("inbox", args=[membership.store.slug]) + (f"?{query.urlencode()}" if query else "")


def _and_more(query: QueryDict) -> str:
    return f"{query.urlencode()}&" if query else ""


def number_in(query: QueryDict, name: str) -> int | None:
    """A whole number out of a query string; None where there is none, or none that could be an id."""
    return as_id(query.get(name, ""))


def as_id(value: str) -> int | None:
    """Read an id as it stands in a form; None for anything else."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None


def note_in(store: Store, pk: int | None) -> Memory | None:
    """A note of `store` with its vector; None where it is gone."""
    if pk is None:
        return None
    return Memory.objects.select_related("run", "reviewer").filter(store=store, pk=pk).defer("terms").first()
