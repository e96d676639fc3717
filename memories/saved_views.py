"""Filters on the notes list that the people of a store share under a name."""

from __future__ import annotations

from urllib.parse import urlencode

from django.db import transaction
from django.utils.translation import gettext as _

from memories.audit import Actor, record
from memories.models import Action, SavedView, Store
from memories.queries import NoteFilter
from memories.redact import fit_to_record
from memories.screening import screen_evidence
from memories.wording import policy_of


def save_view(store: Store, actor: Actor, name: str, wanted: NoteFilter) -> SavedView:
    """Keep a filter under `name`; a view of that name is replaced.

    Raises:
        ValueError: the name is empty or too long, or the filter chooses everything.
    """
    name, query = " ".join(name.split()), urlencode(wanted.as_query())
    if not 0 < len(name) <= 60:
        raise ValueError(_("Give the view a name of at most 60 characters."))
    if wanted.is_empty:
        raise ValueError(_("Choose a filter first: a view of every note is the notes list itself."))
    if len(query) > 1_000:
        raise ValueError(_("This filter is too long to be saved: shorten the text it looks for."))
    if not _fit_to_keep(store, name, wanted):
        raise ValueError(_("This view holds something that must not be kept: leave it out of its name and filter."))
    with transaction.atomic():
        view, _created = SavedView.objects.update_or_create(
            store=store, name=name, defaults={"query": query, "created_by": actor.user}
        )
        record(store, actor, Action.VIEWS, details={"saved": name})
    return view


def _fit_to_keep(store: Store, name: str, wanted: NoteFilter) -> bool:
    policy, asked = policy_of(store), wanted.as_query()
    said = (screen_evidence(text, policy).decision for text in (name, wanted.text))
    return "refuse" not in said and fit_to_record(asked, store) == asked


def delete_view(store: Store, actor: Actor, view: SavedView) -> None:
    """Drop a saved view; the notes it showed stay as they are."""
    with transaction.atomic():
        record(store, actor, Action.VIEWS, details={"deleted": view.name})
        view.delete()
