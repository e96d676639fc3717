"""Finished runs of agents: what they cost, what they were reminded of, what they proposed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection

from django.db.models import Count, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memories import access
from memories.models import Memory, Recall, Refusal, Run
from memories.paging import page

ORDER = ("-started_at", "-id")
SHOWN = 100


@require_safe
def run_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Runs, newest first."""
    membership = access.membership(request.user, slug)
    runs = Run.objects.filter(store=membership.store)
    found = page(runs, ORDER, after=request.GET.get("after", ""), before=request.GET.get("before", ""), size=25)
    numbers = [run.pk for run in found.rows]
    notes, recalls = notes_of(numbers), dict(counted(Recall.objects.filter(run__in=numbers)))
    rows = [(run, notes[run.pk], recalls.get(run.pk, 0)) for run in found.rows]
    return render(request, "memories/runs.html", {"membership": membership, "page": found, "rows": rows})


def notes_of(runs: Collection[int]) -> dict[int, Counter[str]]:
    """How many notes of each status came from each run."""
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    rows = Memory.objects.filter(run__in=runs).order_by().values_list("run", "status").annotate(Count("pk"))
    for run, status, count in rows:
        found[run][status] = count
    return found


def counted(rows: object) -> list[tuple[int, int]]:
    """How many rows belong to each run."""
    return list(rows.order_by().values_list("run").annotate(Count("pk")))  # type: ignore[attr-defined]


@require_safe
def run(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One run: its figures, the recalls before it spoke, and the notes it left."""
    membership = access.membership(request.user, slug)
    found = access.in_store(Run.objects.all(), membership.store, pk)
    without_vectors = Memory.objects.defer("embedding", "terms")
    recalls = found.recalls.prefetch_related(Prefetch("hits__memory", without_vectors))[:SHOWN]
    notes = without_vectors.filter(run=found).order_by("pk")
    context = {
        "membership": membership,
        "section": "runs",
        "run": found,
        "recalls": recalls,
        "notes": notes[:SHOWN],
        "note_count": notes.count(),
        "refusals": Refusal.objects.filter(run=found)[:SHOWN],
    }
    return render(request, "memories/run.html", context)
