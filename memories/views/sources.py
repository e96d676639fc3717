"""The sources of a store and what was learnt from each."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memories import access
from memories.sources import schemes, sources


@require_safe
def source_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Sources by name, a page at a time."""
    membership = access.membership(request.user, slug)
    prefix, after = (request.GET.get(name, "").strip()[:200].replace("\0", "") for name in ("prefix", "after"))
    rows, next_after = sources(membership.store, prefix=prefix, after=after)
    context = {"rows": rows, "next": next_after, "prefix": prefix, "after": after, "schemes": schemes(membership.store)}
    return render(request, "memories/sources.html", context | {"membership": membership})
