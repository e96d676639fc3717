"""Forget notes for good: preview, confirm, receipt."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memories import access
from memories.audit import Actor
from memories.counts import Count
from memories.embedding import EmbedderError
from memories.forget import MOST_AT_ONCE, Changed, Preview, Selection, TooMany, forget, preview
from memories.glimpse import Glimpse, glimpse_of
from memories.models import Membership, Receipt, Role, Store
from memories.views.render import wants_part
from memories.views.selection import TYPED_ABOVE, carried, confirmed, selection


@require_http_methods(["GET", "HEAD", "POST"])
def forget_notes(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview what a forget would take; forget it once that very set is confirmed."""
    membership = access.membership(request.user, slug, Role.MAINTAINER)
    if request.method == "POST" and "fingerprint" in request.POST:
        return act(request, membership)
    return show_forget(request, membership, request.POST if request.method == "POST" else request.GET)


def act(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Forget what was previewed, or preview again where the set changed or the number is not typed."""
    fields = request.POST
    try:
        meant = selection(fields, membership.store)
        seen = exact_set(membership.store, meant)
        if not confirmed(fields, seen.count):
            problem = _("Type %(count)d to confirm: nothing was forgotten.") % {"count": seen.count}
            return _page(request, membership, fields, problem, 422, preview=seen, asked=meant.described())
        receipt = forget(membership.store, meant, Actor.person(membership.user), fingerprint=fields["fingerprint"])
    except (Changed, ValueError, EmbedderError) as problem:
        return show_forget(request, membership, fields, problem=str(problem), status=409)
    return redirect("receipt", membership.store.slug, receipt.operation)


def show_forget(
    request: HttpRequest, membership: Membership, fields: QueryDict, *, problem: str = "", status: int = 422
) -> HttpResponse:
    """The preview of a forget, with what is wrong about the request, if anything.

    Where very many notes are meant, the page begins with a glimpse of them and asks for the exact preview itself.
    """
    shown: dict[str, Any] = {}
    try:
        meant: Selection = selection(fields, membership.store)
        some = None if problem or "exact" in fields else first_look(membership.store, meant)
        shown = {"later": some} if some else {"preview": exact_set(membership.store, meant)}
        shown["asked"] = meant.described()
    except (ValueError, EmbedderError) as trouble:
        problem = problem or str(trouble)
    return _page(request, membership, fields, problem, status if problem else 200, **shown)


def exact_set(store: Store, meant: Selection) -> Preview:
    """Name the very notes that would go. Raises TooMany, and as `preview` does."""
    seen = preview(store, meant)
    if seen.count > MOST_AT_ONCE:
        raise TooMany
    return seen


def first_look(store: Store, meant: Selection) -> Glimpse | None:
    """A glimpse of very many notes; None where the exact set can be named at once. Raises TooMany."""
    some = glimpse_of(store, meant)
    if some and some.total > Count(MOST_AT_ONCE):
        raise TooMany
    return some


def _page(
    request: HttpRequest, membership: Membership, fields: QueryDict, problem: str, status: int, **shown: Any
) -> HttpResponse:
    context = {"membership": membership, "section": "notes", "typed_above": TYPED_ABOVE, "problem": problem, **shown}
    if shown:
        context["carried"] = list(carried(fields))
    elif wants_part(request):
        # The exact set was fetched into the page of a first look: the sentence takes its place there.
        status = 200
    return render(request, "memories/forget.html", context, status=status)


@require_safe
def receipt(request: HttpRequest, slug: str, operation: str) -> HttpResponse:
    """Proof of one deletion, fit for paper."""
    membership = access.membership(request.user, slug)
    found = get_object_or_404(Receipt, store=membership.store, operation=operation)
    return render(
        request, "memories/receipt.html", {"membership": membership, "section": "data-requests", "receipt": found}
    )
