"""The start page of a store: a few honest pictures, drawn on the server."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memories import access
from memories.charts import bars_by_day, shares
from memories.models import Action
from memories.overview import by_day, queue_by_age, refusals_by_rule, standing, writers


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """What came in, what was decided, what waits, what was refused."""
    membership = access.membership(request.user, slug)
    store, now = membership.store, timezone.now()
    days = by_day(store, timezone.localdate(now))
    context = {
        "membership": membership,
        "standing": standing(store),
        "days": days,
        "proposals": bars_by_day(days, [Action.PROPOSED]),
        "decisions": bars_by_day(days, [Action.APPROVED, Action.REJECTED]),
        "writers": writers(store),
        "rules": shares(refusals_by_rule(store, now)),
        "ages": shares(queue_by_age(store, now)),
    }
    return render(request, "memories/overview.html", context)
