"""Decide many notes at once: preview first, then act on the very set that was previewed."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from memories import access
from memories.audit import Actor
from memories.bulk import ELIGIBLE, LIMIT, BulkPreview, TooMany, preview
from memories.counts import Count
from memories.forms import words_of
from memories.glimpse import Glimpse, glimpse
from memories.models import Membership, Role
from memories.queries import NoteFilter
from memories.redact import without_secrets
from memories.review import BulkResult, Decision, decide_many
from memories.views.forget import show_forget
from memories.views.render import wants_part
from memories.views.selection import carried, chosen, with_decision
from memories.wording import policy_or_default


@require_POST
def bulk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a decision would be taken on, and take it once it is confirmed."""
    forgets = request.POST.get("action") == "forget"
    membership = access.membership(request.user, slug, Role.MAINTAINER if forgets else Role.REVIEWER)
    decision = cast(Decision, with_decision(request.POST, "action").get("action", ""))
    try:
        meant = chosen(request.POST, membership.store)
        if forgets:
            return show_forget(request, membership, request.POST)
        if decision not in ELIGIBLE:
            raise ValueError(_("Choose what to do with the notes."))
        if some := first_look(membership, meant, request.POST):
            return render(request, "memories/bulk.html", shown(request, membership, decision) | {"later": some})
        seen = preview(membership.store, meant, decision)
    except (ValueError, TooMany) as problem:
        messages.error(request, str(problem))
        # The exact set is fetched into the page of a first look, where a list of notes has no place.
        notes = f"{reverse('notes', args=[slug])}?{back_query(request.POST)}".rstrip("?")
        return HttpResponseClientRedirect(notes) if wants_part(request) else redirect(notes)
    if request.POST.get("fingerprint") == seen.fingerprint:
        return act(request, membership, decision, seen)
    changed = "fingerprint" in request.POST
    return render(
        request,
        "memories/bulk.html",
        shown(request, membership, decision) | {"preview": seen, "changed": changed},
        status=409 if changed else 200,
    )


def first_look(membership: Membership, meant: NoteFilter | tuple[int, ...], fields: QueryDict) -> Glimpse | None:
    """A glimpse of very many notes, unless the exact set is asked for; raises TooMany for more than can be decided."""
    if "fingerprint" in fields or "exact" in fields or not isinstance(meant, NoteFilter):
        return None
    some = glimpse(membership.store, meant)
    if some and some.total > Count(LIMIT):
        raise TooMany
    return some


def shown(request: HttpRequest, membership: Membership, decision: Decision) -> dict[str, Any]:
    """What every page of a preview needs."""
    return {
        "membership": membership,
        "section": "notes",
        "decision": decision,
        "carried": list(carried(request.POST)),
        "reason": without_secrets(reason_in(request.POST), policy_or_default(membership.store)),
        "back": back_query(request.POST),
        "by_filter": request.POST.get("scope") == "filter",
    }


def reason_in(fields: QueryDict) -> str:
    """The reason in words, also where a button of the panel of reasons said it with a digit."""
    reason = fields.get("reason", "")
    return words_of(reason, fields.get("own_reason", "")) if "own_reason" in fields else reason


def back_query(fields: QueryDict) -> str:
    """The query string of the list that the notes were chosen from."""
    try:
        return urlencode(NoteFilter.from_query(fields).as_query())
    except ValueError:
        return ""


def act(request: HttpRequest, membership: Membership, decision: Decision, seen: BulkPreview) -> HttpResponse:
    """Take the decision and say what was done and what was skipped."""
    reason = request.POST.get("reason", "")
    result = decide_many(membership.store, seen.pairs, decision, Actor.person(membership.user), reason=reason)
    context = {"membership": membership, "section": "notes", "decision": decision, "result": result}
    context |= {"sentence": sentence(decision, result), "skipped": dict(result.skipped)}
    return render(request, "memories/bulk_done.html", context | {"back": back_query(request.POST)})


def sentence(decision: Decision, result: BulkResult) -> str:
    """What happened, in words."""
    done = len(result.done)
    words = {
        "approve": ngettext("%(count)d note is approved.", "%(count)d notes are approved.", done),
        "reject": ngettext("%(count)d note is rejected.", "%(count)d notes are rejected.", done),
        "undo": ngettext("%(count)d decision is undone.", "%(count)d decisions are undone.", done),
    }
    return words[decision] % {"count": done}
