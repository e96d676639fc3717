"""Data requests: hand out, or erase, everything that was learnt from one person or place."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memories import access
from memories.listing import Listing
from memories.models import Receipt, Role
from memories.paging import page
from memories.queries import NoteFilter

SAMPLE = 5


@require_GET
def data_requests(request: HttpRequest, slug: str) -> HttpResponse:
    """Find what a source prefix stands for, and the receipts of past erasures."""
    membership = access.membership(request.user, slug, Role.MAINTAINER)
    context: dict[str, Any] = {"membership": membership, "prefix": request.GET.get("source_prefix", "").strip()}
    status = 200
    if "source_prefix" in request.GET:
        try:
            context |= found(membership.store, context["prefix"])
        except ValueError as problem:
            context["problem"], status = str(problem), 422
    receipts = Receipt.objects.filter(store=membership.store).exclude(asked__by="sweep")
    context["page"] = page(receipts, ("-id",), after=request.GET.get("after", ""), size=20)
    return render(request, "memories/data_requests.html", context, status=status)


def found(store: Any, prefix: str) -> dict[str, Any]:
    """How many notes were learnt from sources that begin with `prefix`, and the first of them."""
    if not prefix or len(prefix) > 200 or "\0" in prefix:
        raise ValueError(
            _("Give the beginning of the sources that are meant, such as user:17, in at most 200 characters.")
        )
    listing = Listing(store, NoteFilter(source_prefix=prefix))
    return {"total": listing.total(), "sample": listing.page(size=SAMPLE).rows}
