"""Everything about one note, on one page."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memories import access, beside, review
from memories.audit import Actor
from memories.embedding import EmbedderError
from memories.forms import REASONS, DecisionForm
from memories.models import AuditEvent, Membership, Memory, RecallHit, Role
from memories.models.memory import REMOVED
from memories.views.inbox import as_id, on_desk
from memories.views.render import page_or_part

LATEST = 20


@require_safe
def note(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Text and its history, sources and evidence, decisions, recalls, relations, record."""
    return show(request, access.membership(request.user, slug), pk)


def show(
    request: HttpRequest,
    membership: Membership,
    pk: int,
    *,
    problem: str = "",
    typed: DecisionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page of note `pk`; `typed` is a form that could not be taken."""
    notes = Memory.objects.select_related("run", "reviewer", "author", "conflicts_with", "replaces").defer("terms")
    found = access.in_store(notes, membership.store, pk)
    context = on_desk(membership, found) | _record(found)
    context |= {
        "membership": membership,
        "section": "notes",
        "plain": True,
        "problem": problem,
        "typed": typed,
        "editing": "edit" in request.GET or (typed is not None and "text" in typed.data),
        "reasons": REASONS,
    }
    return render(request, "memories/note.html", context, status=status)


def _record(found: Memory) -> dict[str, Any]:
    """What is kept about the note: earlier texts beside what followed them, sources, recalls, entries."""
    earlier = list(found.earlier_texts.all()[:LATEST])
    followed_by = [found, *earlier]
    hits = RecallHit.objects.filter(memory=found).select_related("recall__run").order_by("-recall__at", "-recall_id")
    return {
        "history": list(zip(earlier, followed_by, strict=False)),
        "sources": list(found.sources.select_related("run")[:LATEST]),
        "hits": list(hits[:LATEST]),
        "hit_count": hits.order_by()[:1_001].count(),
        "entries": list(AuditEvent.objects.filter(store=found.store_id, memory_number=found.pk)[:LATEST]),
        "replaced_by": list(found.replaced_by.only("pk", "text", "store")[:LATEST]),
    }


@require_POST
def restore(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Word the note again as it was worded before."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    found = access.in_store(Memory.objects.all(), membership.store, pk)
    kept = found.earlier_texts.exclude(text=REMOVED)
    earlier = get_object_or_404(kept, version=as_id(request.POST.get("earlier", "")))
    seen = as_id(request.POST.get("version", "")) or 0
    try:
        review.edit(
            membership.store,
            pk,
            Actor.person(membership.user),
            version=seen,
            text=earlier.text,
            applies_to=earlier.applies_to,
            # A note is worded as before even where it would have ended by now.
            expires_at="keep" if earlier.expires_at and earlier.expires_at <= timezone.now() else earlier.expires_at,
        )
    except review.Stale:
        problem = _("This note was changed in the meantime. It is shown as it is now: decide again.")
        return show(request, membership, pk, problem=problem, status=409)
    except (review.NotAllowed, review.Refused, EmbedderError) as error:
        return show(request, membership, pk, problem=str(error), status=422)
    messages.success(request, _("The earlier words are back."))
    return redirect("note", slug, pk)


@require_safe
def impact(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Which of the latest recalls would show the note once it is approved."""
    membership = access.membership(request.user, slug)
    found = access.in_store(Memory.objects.defer("terms"), membership.store, pk)
    context: dict[str, Any] = {"membership": membership, "section": "inbox", "note": found}
    try:
        context["changes"] = beside.changes(membership.store, found)
    except (EmbedderError, ValueError) as problem:
        context["unknown"] = str(problem)
    return page_or_part(request, "impact", context)
