"""The audit log: who did what, when, to how many notes."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_safe

from memories import access
from memories.activity import ORDER, ActivityFilter, export_activity, reasons
from memories.audit import Actor, record
from memories.models import Action, Role
from memories.paging import page
from memories.redact import fit_to_record


@require_safe
def activity(request: HttpRequest, slug: str) -> HttpResponse:
    """Entries that the filter chooses, newest first."""
    membership = access.membership(request.user, slug)
    typed = {name: request.GET.get(name, "") for name in ActivityFilter.model_fields}
    context: dict[str, Any] = {"membership": membership, "actions": Action.choices, "typed": typed}
    try:
        wanted = ActivityFilter.from_query(request.GET)
    except ValueError as problem:
        return render(request, "memories/activity.html", context | {"problem": str(problem)}, status=422)
    events = wanted.apply(membership.store)
    found = page(events, ORDER, after=request.GET.get("after", ""), before=request.GET.get("before", ""))
    why = reasons(membership.store, found.rows)
    entries = [(event, why.get(event.pk, "")) for event in found.rows]
    context |= {"filter": wanted, "query": urlencode(wanted.as_query()), "page": found, "entries": entries}
    return render(request, "memories/activity.html", context)


@require_GET
def activity_export(request: HttpRequest, slug: str) -> HttpResponse | StreamingHttpResponse:
    """The chosen entries, all pages of them, as JSON lines."""
    membership = access.membership(request.user, slug, Role.MAINTAINER)
    try:
        wanted = ActivityFilter.from_query(request.GET)
    except ValueError as problem:
        return HttpResponse(str(problem), status=422, content_type="text/plain; charset=utf-8")
    actor = Actor.person(membership.user)
    asked = fit_to_record(wanted.as_query(), membership.store)
    record(membership.store, actor, Action.EXPORTED, count=0, details={"activity": asked})
    answer = StreamingHttpResponse(export_activity(wanted.apply(membership.store)), content_type="application/x-ndjson")
    name = f"{slug}-activity-{timezone.now():%Y-%m-%d}.jsonl"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
