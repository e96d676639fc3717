"""What the filter refused: by rule, source, run and day, never a text."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memories import access
from memories.bursts import bursts
from memories.charts import bars_by_day
from memories.counts import Count, commonest
from memories.models import Action, Membership, Refusal, Role, Run
from memories.overview import drawn_to, refusals_by_day, refused_since
from memories.paging import page
from memories.refusals import NO_RUN, RefusalFilter

PERIODS = (7, 30, 90)


@require_safe
def refused(request: HttpRequest, slug: str) -> HttpResponse:
    """Counts over the last days, and the bursts of refusals behind them; or, of a single day, each refusal."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    wanted = RefusalFilter.from_query(request.GET)
    days = next((known for known in PERIODS if str(known) == request.GET.get("days")), 30)
    context: dict[str, Any] = {"membership": membership, "wanted": wanted, "days": days}
    context["query"] = urlencode({"days": days} | wanted.as_query())
    if wanted.on:
        return _each(request, membership, wanted, context)
    since = timezone.now() - timedelta(days=days)
    rows = refused_since(membership.store, since)
    daily = refusals_by_day(membership.store, timezone.localdate(), days, wanted.conditions)
    context |= {
        "periods": PERIODS,
        "daily": bars_by_day(daily, [Action.REFUSED]),
        "drawn_to": drawn_to(days) if any(counts.total() == drawn_to(days) for _day, counts in daily) else None,
        "rules": commonest(wanted.without("rule").apply(rows), "rule"),
        "sources": commonest(wanted.without("source").apply(rows), "source"),
        "runs": runs_of(wanted.without("run").apply(rows)),
        "run": Run.objects.filter(store=membership.store, pk=wanted.run or NO_RUN).first(),
    }
    found = bursts(wanted.apply(Refusal.objects.filter(store=membership.store)), since, request.GET.get("after", ""))
    opened = [wanted.burst(one.source, one.proposer, one.day) for one in found.rows]
    links = [urlencode({"days": days} | one.as_query()) for one in opened]
    context |= {"page": found, "groups": list(zip(found.rows, links, strict=True))}
    return render(request, "memories/refused.html", context)


def _each(request: HttpRequest, membership: Membership, wanted: RefusalFilter, context: dict[str, Any]) -> HttpResponse:
    """The refusals of one day one by one, as a burst is opened."""
    rows = wanted.apply(Refusal.objects.filter(store=membership.store)).select_related("run")
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    context["page"] = page(rows, ("-at", "-id"), after=after, before=before)
    context["back"] = urlencode({"days": context["days"]} | wanted.without("on").without("proposer").as_query())
    return render(request, "memories/refused_each.html", context)


def runs_of(rows: QuerySet[Refusal]) -> list[tuple[int | None, str | None, Count]]:
    """The runs that most of `rows` came from: number, name and how many."""
    counted = commonest(rows, "run")
    names = dict(Run.objects.filter(pk__in=[run for run, _count in counted]).values_list("pk", "identifier"))
    return [(run, names.get(run), count) for run, count in counted]
