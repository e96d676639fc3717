"""How long notes are kept, what goes when, and what past sweeps took."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memories import access
from memories.audit import Actor
from memories.counts import capped_count
from memories.models import Kind, Receipt, Role
from memories.retention import CAP, calendar
from memories.sweep import RECALLS_KEPT, ClockJumped, due_notes, sweep
from memories.views.selection import TYPED_ABOVE, confirmed

SAMPLE = 10
SHOWN = 20


@require_safe
def retention(request: HttpRequest, slug: str) -> HttpResponse:
    """The periods, the weeks to come, what the next sweep takes, and past sweeps."""
    membership = access.membership(request.user, slug)
    store, now = membership.store, timezone.now()
    due = due_notes(store, now)
    context = {
        "membership": membership,
        "periods": [(kind, label, store.days_kept(kind)) for kind, label in Kind.choices],
        "recalls_kept": RECALLS_KEPT.days,
        "calendar": calendar(store, now),
        "due": capped_count(due, CAP),
        "typed_above": TYPED_ABOVE,
        # Sorted after the choice: for the order's sake a database would walk all notes until it met enough due ones.
        "sample": sorted(due.order_by()[:SAMPLE], key=lambda note: note.pk),
        "sweeps": Receipt.objects.filter(store=store, asked__by="sweep")[:SHOWN],
    }
    return render(request, "memories/retention.html", context)


@require_POST
def sweep_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Do at once what the scheduled sweep would do; many notes take their number typed, as forgetting does."""
    membership = access.membership(request.user, slug, Role.MAINTAINER)
    due = capped_count(due_notes(membership.store, timezone.now()), CAP).number
    if not confirmed(request.POST, due):
        messages.error(request, _("Type %(count)d to confirm: nothing was swept.") % {"count": due})
        return redirect("retention", slug)
    try:
        gone = sweep(membership.store, Actor.person(membership.user), most=CAP)
    except ClockJumped as problem:
        messages.error(request, str(problem))
    else:
        said = ngettext("%(count)d note was swept.", "%(count)d notes were swept.", gone) % {"count": gone}
        if gone == CAP:
            said += " " + _("What is still due goes with the next sweep.")
        messages.success(request, said if gone else _("Nothing was due."))
    return redirect("retention", slug)
