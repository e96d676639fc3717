"""The notes list: filter, facets, search by words or by meaning, saved views, export."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from memories import access
from memories.audit import Actor, record
from memories.embedding import EmbedderError
from memories.export import FORMATS, export
from memories.forms import REASONS
from memories.listing import Listing
from memories.models import Action, Role, SavedView, Store
from memories.queries import NoteFilter
from memories.redact import fit_to_record
from memories.saved_views import delete_view, save_view
from memories.similar import LOOKED_AT, similar

CONTENT_TYPES = {"jsonl": "application/x-ndjson", "json": "application/json", "csv": "text/csv; charset=utf-8"}


@require_safe
def notes(request: HttpRequest, slug: str) -> HttpResponse:
    """The notes that the filter in the query string chooses."""
    membership = access.membership(request.user, slug)
    context: dict[str, Any] = {"membership": membership, "store": membership.store}
    try:
        wanted = NoteFilter.from_query(request.GET)
        context |= found(request, membership.store, wanted)
    except (ValueError, EmbedderError) as problem:
        return render(request, "memories/notes.html", context | {"problem": str(problem)}, status=422)
    context["views"] = SavedView.objects.filter(store=membership.store)
    return render(request, "memories/notes.html", context)


def found(request: HttpRequest, store: Store, wanted: NoteFilter) -> dict[str, Any]:
    """One page of notes with what stands around it."""
    listing = Listing(store, wanted)
    context = {"filter": wanted, "query": urlencode(wanted.as_query()), "facets": listing.facets(), "reasons": REASONS}
    if meaning := request.GET.get("like", "").strip():
        near = similar(store, meaning, wanted)
        recalled = sum(score >= store.minimum_score for _note, score in near.ranked)
        return context | {"like": meaning, "similar": near, "recalled": recalled, "looked_at": LOOKED_AT}
    page = listing.page(after=request.GET.get("after", ""), before=request.GET.get("before", ""))
    return context | {"page": page, "total": listing.total()}


@require_GET
def notes_export(request: HttpRequest, slug: str) -> HttpResponse | StreamingHttpResponse:
    """Exactly the notes that the filter shows, all pages of them, as a file."""
    membership = access.membership(request.user, slug, Role.MAINTAINER)
    format = next((known for known in FORMATS if known == request.GET.get("format", "csv")), None)
    if format is None:
        return HttpResponse(_("Choose one of these formats: jsonl, json, csv."), status=422, content_type="text/plain")
    try:
        wanted = NoteFilter.from_query(request.GET)
    except ValueError as problem:
        return HttpResponse(str(problem), status=422, content_type="text/plain; charset=utf-8")
    return file_of(membership.store, wanted, format, Actor.person(membership.user))


def file_of(store: Store, wanted: NoteFilter, format: Any, actor: Actor) -> StreamingHttpResponse:
    """Stream an export and write down who asked for how many notes; the text looked for is not kept."""
    listing = Listing(store, wanted)
    total = listing.total()
    asked = {name: value for name, value in wanted.as_query().items() if name != "text"}
    details = {"format": format, "filter": fit_to_record(asked, store), "at_least": total.more}
    record(store, actor, Action.EXPORTED, count=total.number, details=details)
    answer = StreamingHttpResponse(export(listing.rows(), format), content_type=CONTENT_TYPES[format])
    name = f"{store.slug}-notes-{timezone.now():%Y-%m-%d}.{format}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_POST
def view_save(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the filter under a name, for everybody in the store."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    back = reverse("notes", args=[slug])
    try:
        wanted = NoteFilter.from_query(request.POST)
        view = save_view(membership.store, Actor.person(membership.user), request.POST.get("name", ""), wanted)
    except ValueError as problem:
        messages.error(request, str(problem))
        return redirect(back)
    messages.success(request, _("The view “%(name)s” is saved.") % {"name": view.name})
    return redirect(f"{back}?{view.query}")


@require_POST
def view_delete(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Drop a saved view."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    view = access.in_store(SavedView.objects.all(), membership.store, pk)
    delete_view(membership.store, Actor.person(membership.user), view)
    messages.success(request, _("The saved view is deleted; its notes stay."))
    return redirect("notes", slug)
