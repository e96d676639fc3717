"""Decisions on notes, from the inbox and from a note's own page: one, or all that are ticked."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from memories import access, desk, review
from memories.audit import Actor
from memories.bulk import still_decided
from memories.embedding import EmbedderError
from memories.forms import DecisionForm, TickedForm
from memories.models import Membership, Memory, Role, Status, Store
from memories.queries import start_of
from memories.views import inbox, note
from memories.views.selection import with_decision
from memories.wording import policy_or_default


@require_POST
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take one decision and go on, or say why not and keep what was typed."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    form = DecisionForm(request.POST)
    form.screened_by = policy_or_default(membership.store)
    if not form.is_valid():
        return _show(request, membership, pk, form, problem=form.problem(), status=422)
    # Other words may leave nothing to doubt, and the note's place with it: the work goes on from where it stood.
    place = desk.place_of(membership.store, pk)
    try:
        decided = take(membership.store, pk, Actor.person(membership.user), form)
    except review.Stale as stale:
        return _as_it_is_now(request, membership, stale.memory, form)
    except (review.Refused, review.NotAllowed, EmbedderError) as problem:
        return _show(request, membership, pk, form, problem=str(problem), status=422)
    messages.success(request, said(form.cleaned_data["decision"], decided))
    if _from_note_page(request):
        return redirect("note", slug, pk)
    return inbox.go_on(request, membership, decided, place)


@require_POST
def decide_ticked(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one decision on every ticked note; what was not eligible is said."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    form = TickedForm(with_decision(request.POST, "decision"))
    if not form.is_valid():
        messages.error(request, form.problem())
        return inbox.go_on(request, membership, None)
    given = form.cleaned_data
    actor = Actor.person(membership.user)
    result = review.decide_many(membership.store, given["ticked"], given["decision"], actor, reason=form.why())
    say_result(request, given["decision"], result)
    return inbox.go_on(request, membership, None)


@require_POST
def undo_together(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo one bulk decision, all of it that still stands."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    store = membership.store
    pairs = still_decided(store, request.POST.get("operation", ""))
    if not pairs:
        messages.error(request, _("Nothing of this decision is left to undo."))
        return inbox.go_on(request, membership, None)
    result = review.decide_many(store, pairs, "undo", Actor.person(membership.user))
    say_result(request, "undo", result)
    return inbox.go_on(request, membership, inbox.note_in(store, result.done[0]) if result.done else None)


def take(store: Store, pk: int, actor: Actor, form: DecisionForm) -> Memory:
    """Call the verb that the form names. Raises what the verb raises."""
    given = form.cleaned_data
    version, decision = given["version"], given["decision"]
    if decision == "reject":
        return review.reject(store, pk, actor, version=version, reason=form.why())
    if decision == "undo":
        return review.undo(store, pk, actor, version=version)
    words = {"text": given["text"], "applies_to": given["applies_to"]}
    if decision == "save":
        return review.edit(store, pk, actor, version=version, expires_at=_end(store, pk, form), **words)
    if "text" not in form.data:
        return review.approve(store, pk, actor, version=version, replace=decision == "replace")
    return review.approve(store, pk, actor, version=version, expires_at=_end(store, pk, form), **words)


def _end(store: Store, pk: int, form: DecisionForm) -> review.End:
    """The end that a form asks for; of a note that ends on that day in the reader's zone, the one that it has."""
    if "expires_on" not in form.data:
        return "keep"
    day: date | None = form.cleaned_data["expires_on"]
    known = Memory.objects.filter(store=store, pk=pk).values_list("expires_at", flat=True).first()
    if known and timezone.localdate(known) == day:
        return "keep"
    return start_of(day) if day else None


def _as_it_is_now(request: HttpRequest, membership: Membership, now: Memory | None, form: DecisionForm) -> HttpResponse:
    """Somebody was faster: show the note as it is now; what was typed stays typed."""
    if now is None:
        messages.error(request, _("This note was forgotten in the meantime."))
        return inbox.go_on(request, membership, None)
    if _already_so(now, membership, form):
        return inbox.go_on(request, membership, now)
    problem = _("This note was changed in the meantime. It is shown as it is now: decide again.")
    return _show(request, membership, now.pk, form, problem=problem, status=409)


def _already_so(now: Memory, membership: Membership, form: DecisionForm) -> bool:
    """Whether a form was only sent twice: the same person took the same decision one version ago."""
    wanted = {"approve": "approved", "replace": "approved", "reject": "rejected"}.get(form.cleaned_data["decision"])
    seen = int(form.cleaned_data["version"])
    return now.status == wanted and now.reviewer == membership.user and now.version == seen + 1


def _show(
    request: HttpRequest, membership: Membership, pk: int, typed: DecisionForm, *, problem: str, status: int
) -> HttpResponse:
    show = note.show if _from_note_page(request) else inbox.show
    return show(request, membership, pk, problem=problem, typed=typed, status=status)


def _from_note_page(request: HttpRequest) -> bool:
    return request.POST.get("at") == "note"


def said(decision: str, decided: Memory) -> str:
    """What was done, and what it leaves as it was."""
    other = decided.conflicts_with
    if decision == "approve" and other and other.status == Status.APPROVED:
        return _("Approved. The other note, close to it, is still recalled too.")
    return {
        "approve": _("Approved: agents can recall it now."),
        "replace": _("Approved, and the other note is rejected."),
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
