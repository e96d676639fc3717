"""A store's settings, each part with its own form: the store, its periods, its filter, its members."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memories import access
from memories.audit import Actor
from memories.models import Kind, Membership, Role
from memories.policy_effect import effect_of
from memories.screening import screen
from memories.store_forms import MemberForm, PolicyForm, RetentionForm, StoreForm
from memories.store_settings import change_settings, remove_member, set_member

FORMS: dict[str, Any] = {"store": StoreForm, "retention": RetentionForm}


@require_safe
def settings_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that an owner can set; others read it."""
    return page(request, access.membership(request.user, slug, Role.MAINTAINER))


def page(request: HttpRequest, membership: Membership, *, status: int = 200, **changed: Any) -> HttpResponse:
    """The settings page, with the form that was sent in the place of a fresh one."""
    store = membership.store
    context = {
        "membership": membership,
        "section": "settings",
        "store_form": StoreForm(instance=store, label_suffix=""),
        "retention_form": RetentionForm(instance=store, label_suffix=""),
        "policy_form": PolicyForm(store=store),
        "member_form": MemberForm(label_suffix=""),
        "members": store.memberships.select_related("user"),
        "roles": Role.choices,
    }
    return render(request, "memories/settings.html", context | changed, status=status)


@require_POST
def settings_save(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """Save the store's own fields, or its periods."""
    membership = access.membership(request.user, slug, Role.OWNER)
    form = FORMS[part](request.POST, instance=type(membership.store)(pk=membership.store.pk), label_suffix="")
    if not form.is_valid():
        return page(request, membership, status=422, **{f"{part}_form": form})
    values = {name: form.cleaned_data[name] for name in form.Meta.fields}
    return saved(request, membership, values, part, form)


def saved(request: HttpRequest, membership: Membership, values: dict[str, Any], part: str, form: Any) -> HttpResponse:
    """Write the values and go back to the page; to the form where they cannot be kept."""
    try:
        changed = change_settings(membership.store, Actor.person(membership.user), values)
    except ValueError as problem:
        form.add_error(None, str(problem))
        return page(request, membership, status=422, **{f"{part}_form": form})
    messages.success(request, _("The settings are saved.") if changed else _("Nothing was changed."))
    return back(membership.store.slug, "filter" if part == "policy" else part)


def back(slug: str, part: str) -> HttpResponse:
    """To the part of the page that was sent, where what became of it stands."""
    return redirect(f"{reverse('settings', args=[slug])}#{part}")


@require_http_methods(["POST"])
def policy(request: HttpRequest, slug: str) -> HttpResponse:
    """Try a filter policy on a text or on the notes that are there, or save it."""
    membership = access.membership(request.user, slug, Role.OWNER)
    form = PolicyForm(request.POST, store=membership.store)
    if not form.is_valid():
        return page(request, membership, status=422, policy_form=form)
    if "save" in request.POST:
        return saved(request, membership, {"policy": form.policy.model_dump(mode="json")}, "policy", form)
    tried: dict[str, Any] = {"policy_form": form}
    if "effect" in request.POST:
        tried["effect"] = effect_of(membership.store, form.policy, whole=request.POST["effect"] == "whole")
    else:
        given = form.cleaned_data
        tried["verdict"] = screen(given["sample"], given["kind"] or Kind.FACT, form.policy)
    return page(request, membership, **tried)


@require_POST
def member_save(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a person, or give them another role."""
    membership = access.membership(request.user, slug, Role.OWNER)
    form = MemberForm(request.POST, label_suffix="")
    if not form.is_valid():
        return page(request, membership, status=422, member_form=form)
    person, role = form.cleaned_data["username"], form.cleaned_data["role"]
    try:
        set_member(membership.store, Actor.person(membership.user), person, role)
        messages.success(request, _("%(name)s is now %(role)s.") % {"name": person.get_username(), "role": role.label})
    except ValueError as problem:
        messages.error(request, str(problem))
    return back(slug, "members")


@require_POST
def member_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a person out of the store."""
    membership = access.membership(request.user, slug, Role.OWNER)
    person = get_object_or_404(User, memberships__store=membership.store, memberships__pk=pk)
    try:
        remove_member(membership.store, Actor.person(membership.user), person)
        messages.success(request, _("%(name)s is no longer a member.") % {"name": person.get_username()})
    except ValueError as problem:
        messages.error(request, str(problem))
    return back(slug, "members")
