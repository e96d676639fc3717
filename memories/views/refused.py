"""What the filter refused: by rule, source, run and day, never a text."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memories import access
from memories.charts import bars_by_day
from memories.counts import Count, commonest
from memories.models import Action, Refusal, Role, Run
from memories.overview import refusals_by_day, refused_since
from memories.paging import page

PERIODS = (7, 30, 90)


@require_GET
def refused(request: HttpRequest, slug: str) -> HttpResponse:
    """Counts over the last days, and the refusals behind them."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    days = next((known for known in PERIODS if str(known) == request.GET.get("days")), 30)
    rows = refused_since(membership.store, timezone.now() - timedelta(days=days))
    rule = request.GET.get("rule", "")[:80]
    chosen = rows.filter(rule=rule) if rule else rows
    found = page(chosen.select_related("run"), ("-at", "-id"), after=request.GET.get("after", ""))
    context: dict[str, Any] = {"membership": membership, "periods": PERIODS, "days": days, "rule": rule, "page": found}
    daily = refusals_by_day(membership.store, timezone.localdate(), days, rule)
    context |= {
        "daily": bars_by_day(daily, [Action.REFUSED]),
        "rules": commonest(rows, "rule"),
        "sources": commonest(chosen, "source"),
        "runs": runs_of(chosen),
    }
    return render(request, "memories/refused.html", context)


def runs_of(rows: QuerySet[Refusal]) -> list[tuple[int | None, str | None, Count]]:
    """The runs that most of `rows` came from: number, name and how many."""
    counted = commonest(rows, "run")
    names = dict(Run.objects.filter(pk__in=[run for run, _count in counted]).values_list("pk", "identifier"))
    return [(run, names.get(run), count) for run, count in counted]
