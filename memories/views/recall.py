"""The recall playground, and the pinned queries that run as regression tests."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memories import access
from memories.audit import Actor
from memories.block import prompt_block
from memories.embedding import EmbedderError
from memories.explain import Explanation, explain_recall, left_out
from memories.models import Membership, Memory, PinnedQuery, Role
from memories.pinned import check_some, pin, unpin
from memories.recall import standing_preferences
from memories.recall_form import RecallForm
from memories.views.inbox import as_id

# As many notes as the form lets somebody ask for.
SHOWN_AT_MOST = 50


@require_safe
def recall_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask what an agent would ask, and see what it would be shown and why."""
    membership = access.membership(request.user, slug)
    asked = "text" in request.GET
    form = RecallForm(request.GET if asked else None, store=membership.store)
    context: dict[str, Any] = {"membership": membership, "form": form, "asked": asked}
    if asked and form.is_valid():
        try:
            context |= answer(membership, form, explained="why" in request.GET)
        except (ValueError, EmbedderError) as problem:
            form.add_error(None, str(problem))
    context["pins"] = PinnedQuery.objects.filter(store=membership.store)
    return render(request, "memories/recall.html", context, status=422 if form.errors else 200)


def answer(membership: Membership, form: RecallForm, *, explained: bool) -> dict[str, Any]:
    """The ranks and the block an agent would read; what was left out takes another search and follows later."""
    store, question = membership.store, form.question()
    explanation = explain_recall(store, question) if explained else Explanation(question.ask(store))
    preferences = standing_preferences(store) if form.cleaned_data["preferences"] else []
    tokens = form.cleaned_data["max_tokens"]
    block = prompt_block(store, "", explanation.hits, preferences=preferences, max_tokens=tokens)
    later = not explained and bool(question.text.strip())
    return {"explanation": explanation, "prompt": block, "question": question, "later": later}


@require_safe
def left_out_part(request: HttpRequest, slug: str) -> HttpResponse:
    """What a recall left out besides the notes that the page shows already, and why."""
    membership = access.membership(request.user, slug)
    form = RecallForm(request.GET, store=membership.store)
    context: dict[str, Any] = {"membership": membership}
    if form.is_valid():
        shown = {number for text in request.GET.getlist("shown")[:SHOWN_AT_MOST] if (number := as_id(text))}
        question = form.question()
        try:
            context |= {"question": question, "left_out": left_out(membership.store, question, shown)}
        except (ValueError, EmbedderError) as problem:
            context["problem"] = str(problem)
    return render(request, "memories/_left_out.html", context)


@require_POST
def pin_query(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep that a query must, or must never, recall a note."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    note = access.in_store(Memory.objects.all(), membership.store, as_id(request.POST.get("note", "")) or 0)
    must = request.POST.get("must") != "never"
    try:
        pin(membership.store, Actor.person(membership.user), request.POST.get("query", ""), note, must_recall=must)
        messages.success(request, _("The query is pinned."))
    except ValueError as problem:
        messages.error(request, str(problem))
    return redirect("pinned", slug)


@require_POST
def pin_delete(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Drop a pinned query."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    unpin(
        membership.store,
        Actor.person(membership.user),
        access.in_store(PinnedQuery.objects.all(), membership.store, pk),
    )
    messages.success(request, _("The pinned query is dropped."))
    return redirect("pinned", slug)


@require_safe
def pinned(request: HttpRequest, slug: str) -> HttpResponse:
    """Run the pinned queries, a few with each request, and show which hold; what was found before is carried along."""
    membership = access.membership(request.user, slug)
    checked, failed = (as_id(request.GET.get(name, "")) or 0 for name in ("checked", "failed"))
    context: dict[str, Any] = {"membership": membership, "section": "recall"}
    try:
        checks, after = check_some(membership.store, request.GET.get("after", ""))
        failed += sum(not check.passed for check in checks)
        context |= {"checks": checks, "checked": checked + len(checks), "failed": failed, "after": after}
    except EmbedderError as problem:
        context |= {"checks": [], "problem": str(problem)}
    return render(request, "memories/pinned.html", context)
