"""The inbox: one note at a time beside its evidence, decided by key or mouse, alone or several together."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import replace_url

from memories import access, beside, desk, review
from memories.audit import Actor
from memories.embedding import EmbedderError
from memories.forms import REASONS, DecisionForm
from memories.models import Kind, Membership, Memory, Role, Status, Store
from memories.queries import NoteFilter
from memories.views.render import page_or_part, wants_part

FILTER_FIELDS = ("kind", "source", "run", "text", "flagged", "conflict")


@require_GET
def inbox(request: HttpRequest, slug: str) -> HttpResponse:
    """The queue and one note: the one asked for, else the first."""
    membership = access.membership(request.user, slug)
    return show(request, membership, number_in(request.GET, "note"))


@require_POST
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take one decision and go on to the next note, or say why not and keep what was typed."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        sentence = _("This decision cannot be read: %(problem)s") % {"problem": first_error(form)}
        return show(request, membership, pk, problem=sentence, typed=request.POST, status=422)
    try:
        note = take(membership.store, pk, Actor.person(membership.user), form)
    except review.Stale as stale:
        return _as_it_is_now(request, membership, stale.memory, form)
    except (review.NotAllowed, review.Refused, EmbedderError) as problem:
        return show(request, membership, pk, problem=str(problem), typed=request.POST, status=422)
    messages.success(request, said(form.cleaned_data["decision"]))
    return go_on(request, membership, note)


@require_POST
def decide_ticked(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one decision on every ticked note; what was not eligible is said."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    ticked = [pair for value in request.POST.getlist("ticked") if (pair := read_pair(value))]
    decision = request.POST.get("decision", "")
    if not ticked or decision not in ("approve", "reject", "undo"):
        messages.error(request, _("Nothing was ticked: tick notes in the queue first."))
        return go_on(request, membership, None)
    reason = REASONS.get(request.POST.get("reason", ""), "") or request.POST.get("own_reason", "")
    actor = Actor.person(membership.user)
    result = review.decide_many(membership.store, ticked, decision, actor, reason=reason)  # type: ignore[arg-type]
    say_result(request, decision, result)
    first = access.in_store(Memory.objects.all(), membership.store, result.done[0]) if result.done else None
    return go_on(request, membership, first if decision == "undo" else None)


def show(
    request: HttpRequest,
    membership: Membership,
    pk: int | None,
    *,
    problem: str = "",
    typed: QueryDict | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the inbox with note `pk` on the desk; `typed` is a form that could not be taken."""
    store = membership.store
    try:
        chosen = read_filter(request.GET)
    except ValueError as error:
        return HttpResponseBadRequest(str(error))
    after = number_in(request.GET, "after")
    queue = desk.queue(store, chosen, _note(store, after))
    note = _note(store, pk) or (queue.notes[0] if queue.notes else None)
    context = {
        "membership": membership,
        "section": "inbox",
        "queue": queue,
        "after": after,
        "chosen": chosen,
        "filtered": bool(filter_query(request.GET)),
        "filter_query": filter_query(request.GET),
        "decided": desk.decided_by(store, membership.user),
        "oldest": desk.oldest_waiting(store),
        "missing": pk is not None and (note is None or note.pk != pk),
        **(on_desk(membership, note, queue) if note else {}),
        "problem": problem,
        "typed": typed,
        "editing": typed is not None and "text" in typed or "edit" in request.GET,
        "reasons": REASONS,
    }
    return page_or_part(request, "inbox", context, status=status)


def on_desk(membership: Membership, note: Memory, queue: desk.Queue | None = None) -> dict[str, Any]:
    """What the desk says of one note."""
    before, behind = queue.beside(note.pk) if queue else (None, None)
    near, unknown = _nearest(membership.store, note)
    return {
        "note": note,
        "near": near,
        "near_unknown": unknown,
        "before": before,
        "behind": behind,
        "may_decide": may_decide(membership, note),
        "own": membership.store.two_person_review and note.author_id == membership.user_id,
    }


def _nearest(store: Store, note: Memory) -> tuple[list[beside.Near], str]:
    try:
        return beside.nearest(store, note), ""
    except (EmbedderError, ValueError) as problem:
        return [], str(problem)


def may_decide(membership: Membership, note: Memory) -> bool:
    """Whether buttons are worth showing; the verb checks again."""
    needed = Role.MAINTAINER if note.kind in review.MAINTAINERS_ONLY else Role.REVIEWER
    return membership.role >= needed


def take(store: Store, pk: int, actor: Actor, form: DecisionForm) -> Memory:
    """Call the verb that the form names. Raises what the verb raises."""
    given = form.cleaned_data
    version, decision = given["version"], given["decision"]
    if decision == "reject":
        return review.reject(store, pk, actor, version=version, reason=form.why())
    if decision == "undo":
        return review.undo(store, pk, actor, version=version)
    if decision == "save":
        return review.edit(store, pk, actor, version=version, text=given["text"], applies_to=given["applies_to"])
    worded = {"text": given["text"], "applies_to": given["applies_to"]} if "text" in form.data else {}
    return review.approve(store, pk, actor, version=version, replace=decision == "replace", **worded)


def go_on(request: HttpRequest, membership: Membership, decided: Memory | None) -> HttpResponse:
    """Show what comes next: an undone or edited note itself, else the one behind the decided one."""
    chosen = read_filter(request.GET)
    upcoming = decided
    if decided and decided.status != Status.PROPOSED:
        upcoming = desk.next_after(membership.store, chosen, decided)
    query = filter_query(request.GET)
    if upcoming:
        query["note"] = str(upcoming.pk)
    address = reverse("inbox", args=[membership.store.slug]) + (f"?{query.urlencode()}" if query else "")
    if not wants_part(request):
        return redirect(address)
    return replace_url(show(request, membership, upcoming.pk if upcoming else None), address)


def _as_it_is_now(request: HttpRequest, membership: Membership, note: Memory | None, form: DecisionForm) -> HttpResponse:
    """Somebody was faster: show the note as it is now, and keep what was typed."""
    if note is None:
        messages.error(request, _("This note was forgotten in the meantime; here is the next one."))
        return go_on(request, membership, None)
    problem = _("This note was changed in the meantime. It is shown as it is now; decide again.")
    typed = form.data if form.cleaned_data["text"] not in ("", note.text) else None
    return show(request, membership, note.pk, problem=problem, typed=typed, status=409)  # type: ignore[arg-type]


def said(decision: str) -> str:
    """One sentence on what was done."""
    return {
        "approve": _("Approved: agents can recall it now."),
        "replace": _("Approved: it replaces the note it conflicted with."),
        "reject": _("Rejected."),
        "undo": _("Undone: the note waits again."),
        "save": _("Saved."),
    }[decision]


def say_result(request: HttpRequest, decision: str, result: review.BulkResult) -> None:
    """Say how many were decided, and for each reason how many were not."""
    count = len(result.done)
    sentence = {
        "approve": ngettext("%(count)d note approved.", "%(count)d notes approved.", count),
        "reject": ngettext("%(count)d note rejected.", "%(count)d notes rejected.", count),
        "undo": ngettext("%(count)d note waits again.", "%(count)d notes wait again.", count),
    }[decision]
    messages.success(request, sentence % {"count": count})
    for why, skipped in result.skipped.items():
        left = ngettext("%(count)d left as it was: %(why)s", "%(count)d left as they were: %(why)s", len(skipped))
        messages.warning(request, left % {"count": len(skipped), "why": why})


def read_filter(query: QueryDict) -> NoteFilter:
    """The inbox's own part of the notes filter. Raises ValueError with one sentence."""
    return NoteFilter.from_query(filter_query(query))


def filter_query(query: QueryDict) -> QueryDict:
    """The part of a query string that chooses notes, to be carried along by links and forms."""
    kept = QueryDict(mutable=True)
    kept.update({name: query[name] for name in FILTER_FIELDS if query.get(name)})
    return kept


def number_in(query: QueryDict, name: str) -> int | None:
    """A whole number out of a query string; None where there is none or it is no id."""
    value = query.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None


def read_pair(value: str) -> tuple[int, int] | None:
    """`id:version` of a ticked note; None for anything else."""
    pk, _colon, version = value.partition(":")
    if all(part.isascii() and part.isdigit() and len(part) < 19 for part in (pk, version)):
        return int(pk), int(version)
    return None


def first_error(form: DecisionForm) -> str:
    field, errors = next(iter(form.errors.items()))
    return f"{field}: {errors[0]}"


def _note(store: Store, pk: int | None) -> Memory | None:
    return Memory.objects.filter(store=store, pk=pk).defer("terms").first() if pk else None
