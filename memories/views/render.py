"""One view, page or part: htmx gets the part that changes, everybody else the whole page."""

from __future__ import annotations

from typing import Any

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string


def wants_part(request: HttpRequest) -> bool:
    """Whether the answer goes into a page that is already there."""
    htmx = getattr(request, "htmx", None)
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request  # type: ignore[union-attr]


def page_or_part(
    request: HttpRequest, name: str, context: dict[str, Any], *, part: str = "", status: int = 200
) -> HttpResponse:
    """Render `memories/<name>.html`, or for htmx `memories/_<part or name>.html` and what there is to say."""
    if not wants_part(request):
        return render(request, f"memories/{name}.html", context, status=status)
    fragment = render_to_string(f"memories/_{part or name}.html", context, request)
    # Without news the last message stays where it is.
    news = render_to_string("memories/_said.html", context, request) if len(get_messages(request)) else ""
    return HttpResponse(fragment + news, status=status)
