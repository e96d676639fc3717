"""Decide many notes at once: preview first, then act on the very set that was previewed."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from memories import access
from memories.audit import Actor
from memories.bulk import ELIGIBLE, BulkPreview, TooMany, preview
from memories.models import Membership, Role
from memories.queries import NoteFilter
from memories.review import BulkResult, Decision, decide_many
from memories.views.forget import show_forget
from memories.views.selection import carried, chosen


@require_POST
def bulk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a decision would be taken on, and take it once it is confirmed."""
    if request.POST.get("action") == "forget":
        return show_forget(request, access.membership(request.user, slug, Role.MAINTAINER), request.POST)
    membership = access.membership(request.user, slug, Role.REVIEWER)
    decision = cast(Decision, request.POST.get("action", ""))
    try:
        if decision not in ELIGIBLE:
            raise ValueError(_("Choose what to do with the notes."))
        seen = preview(membership.store, chosen(request.POST), decision)
    except (ValueError, TooMany) as problem:
        messages.error(request, str(problem))
        return redirect("notes", slug)
    if request.POST.get("fingerprint") == seen.fingerprint:
        return act(request, membership, decision, seen)
    changed = "fingerprint" in request.POST
    return render(
        request,
        "memories/bulk.html",
        shown(request, membership, decision, seen, changed),
        status=409 if changed else 200,
    )


def shown(
    request: HttpRequest, membership: Membership, decision: Decision, seen: BulkPreview, changed: bool
) -> dict[str, Any]:
    """What the page of a preview needs."""
    fields = list(carried(request.POST))
    return {
        "membership": membership,
        "section": "notes",
        "decision": decision,
        "preview": seen,
        "changed": changed,
        "carried": fields,
        "reason": request.POST.get("reason", ""),
        "back": back_query(request.POST),
    }


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
