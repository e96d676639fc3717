"""What the filter refused: by rule, source, run and day, never a text."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memories import access
from memories.charts import bars_by_day
from memories.models import Action, Refusal, Role
from memories.overview import refusals_by_day
from memories.paging import page

PERIODS = (7, 30, 90)
TOP = 10


@require_GET
def refused(request: HttpRequest, slug: str) -> HttpResponse:
    """Counts over the last days, and the refusals behind them."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    days = next((known for known in PERIODS if str(known) == request.GET.get("days")), 30)
    rows = Refusal.objects.filter(store=membership.store, at__gte=timezone.now() - timedelta(days=days))
    rule = request.GET.get("rule", "")[:80]
    chosen = rows.filter(rule=rule) if rule else rows
    found = page(chosen.select_related("run"), ("-at", "-id"), after=request.GET.get("after", ""))
    context: dict[str, Any] = {"membership": membership, "periods": PERIODS, "days": days, "rule": rule, "page": found}
    daily = refusals_by_day(membership.store, chosen, timezone.localdate(), days)
    context |= {
        "daily": bars_by_day(daily, [Action.REFUSED]),
        "rules": top(rows, "rule"),
        "sources": top(chosen, "source"),
        "runs": top(chosen, "run", "run__identifier"),
    }
    return render(request, "memories/refused.html", context)


def top(rows: QuerySet[Refusal], *fields: str) -> list[tuple[Any, ...]]:
    """The commonest values of `fields` with their counts."""
    return list(rows.order_by().values_list(*fields).annotate(count=Count("pk")).order_by("-count", *fields)[:TOP])
