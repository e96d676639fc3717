"""Propose a note by hand: it goes the same way as an agent's."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memories import access
from memories.audit import Actor
from memories.embedding import EmbedderError
from memories.forms import ProposalForm
from memories.models import Membership, Role
from memories.propose import Outcome, propose
from memories.schemas import Draft
from memories.screening import Finding
from memories.wording import policy_or_default

# Where a refusal is said, by rule or by family of rules; any other is about the words.
FIELDS = {"source": "source", "kind": "kind", "version": "applies_to", "quality.version-missing": "applies_to"}


@require_http_methods(["GET", "HEAD", "POST"])
def propose_note(request: HttpRequest, slug: str) -> HttpResponse:
    """The form, and what the filter says to it."""
    membership = access.membership(request.user, slug, Role.REVIEWER)
    source = f"maintainer:{request.user.get_username()}"
    form = ProposalForm(request.POST or None, initial={"source": source}, role=membership.role)
    form.screened_by = policy_or_default(membership.store)
    outcome = _hand_in(membership, form) if request.method == "POST" and form.is_valid() else None
    if outcome and outcome.id is not None:
        say(request, outcome)
        return redirect("note", slug, outcome.id)
    context = {"membership": membership, "section": "inbox", "form": form, "refused": outcome is not None}
    return render(request, "memories/propose.html", context, status=422 if form.errors else 200)


def _hand_in(membership: Membership, form: ProposalForm) -> Outcome | None:
    """Propose what the form holds; sentences of a refusal become the form's errors."""
    draft = Draft.model_validate(form.cleaned_data)
    try:
        outcome = propose(membership.store, draft, Actor.person(membership.user))
    except EmbedderError as problem:
        form.add_error(None, str(problem))
        return None
    if outcome.outcome == "refused":
        for name, sentence in dict.fromkeys((field_of(one), one.sentence) for one in outcome.refusals):
            form.add_error(name, sentence)
    return outcome


def field_of(finding: Finding) -> str | None:
    """The field of the form that a refusal is about, where it is one of the short ones."""
    return FIELDS.get(finding.rule) or FIELDS.get(finding.family)


def say(request: HttpRequest, outcome: Outcome) -> None:
    """Say what became of the draft."""
    sentences = {
        "proposed": _("Proposed: it waits for a decision."),
        "conflict": _(
            "Proposed: close to a known note, but not the same. Do both hold, or does one replace the other?"
        ),
        "duplicate": _("Already known: this note's date and sources were refreshed."),
    }
    messages.success(request, sentences[outcome.outcome])
