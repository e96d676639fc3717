"""Data requests: hand out, or erase, everything that was learnt from one person or place."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memories import access
from memories.listing import Listing
from memories.models import Receipt, Role, Store
from memories.models.memory import SOURCE_LIMIT
from memories.paging import page
from memories.queries import NoteFilter
from memories.sources import sources

SIZE = 20
SAMPLE = 5
ALIKE = 10


@require_safe
def data_requests(request: HttpRequest, slug: str) -> HttpResponse:
    """Find what a source, or the beginning of several, stands for; and the receipts of past erasures."""
    membership = access.membership(request.user, slug, Role.MAINTAINER)
    name, several = request.GET.get("name", "").strip(), request.GET.get("match") == "prefix"
    context: dict[str, Any] = {"membership": membership, "name": name, "several": several}
    status = 200
    if "name" in request.GET:
        try:
            context |= found(membership.store, name, several)
        except ValueError as problem:
            context["problem"], status = str(problem), 422
    receipts = Receipt.objects.filter(store=membership.store).exclude(asked__by="sweep")
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    context["page"] = page(receipts, ("-id",), after=after, before=before, size=SIZE)
    context["query"] = urlencode({field: request.GET[field] for field in ("name", "match") if field in request.GET})
    return render(request, "memories/data_requests.html", context, status=status)


def found(store: Store, name: str, several: bool) -> dict[str, Any]:
    """How many notes were learnt there, some of them, and which other sources begin with the same signs."""
    if not name or len(name) > SOURCE_LIMIT or "\0" in name:
        raise ValueError(_("Give a source such as user:17, in at most 200 characters."))
    wanted = NoteFilter(source_prefix=name) if several else NoteFilter(source=name)
    listing = Listing(store, wanted)
    alike, more = sources(store, prefix=name, size=ALIKE)
    return {
        "total": listing.total(),
        "sample": listing.sample(SAMPLE),
        "notes_query": urlencode(wanted.as_query()),
        "alike": [source.name for source in alike if source.name != name or several],
        "more_alike": bool(more),
    }
