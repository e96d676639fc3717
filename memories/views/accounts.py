"""Signing in and out, the start page, and how a person likes the console."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memories import access
from memories.forms import ProfileForm
from memories.models import Membership


class SignIn(LoginView):
    template_name = "sign-in.html"
    redirect_authenticated_user = True


class SignOut(LogoutView):
    http_method_names = ["post"]


class ChangePassword(PasswordChangeView):
    template_name = "password.html"

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        return super().get_context_data(**given, membership=where_from(self.request))

    def get_success_url(self) -> str:
        return profile_of(where_from(self.request))

    def form_valid(self, form: object) -> HttpResponse:
        messages.success(self.request, _("Your password is changed."))
        return super().form_valid(form)  # type: ignore[arg-type]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Choose a store, the one where most waits first; who has one only goes straight to its inbox."""
    mine = access.by_waiting(request.user)
    if len(mine) == 1:
        return redirect("inbox", mine[0].store.slug)
    return render(request, "home.html", {"memberships": mine, "waiting_shown": access.WAITING_SHOWN})


@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Colours, shortcuts, time zone and language of the signed-in person."""
    kept = request.profile  # type: ignore[attr-defined]
    kept.user = request.user
    membership = where_from(request)
    form = ProfileForm(request.POST or None, instance=kept)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your preferences are saved."))
        return redirect(profile_of(membership))
    context = {"form": form, "membership": membership}
    return render(request, "profile.html", context, status=422 if form.errors else 200)


def where_from(request: HttpRequest) -> Membership | None:
    """The membership in the store that a person came from, whose rail stays beside pages of no store."""
    mine = Membership.objects.filter(user=request.user).select_related("store")  # type: ignore[misc]
    return mine.filter(store__slug=request.GET.get("store", "").replace("\0", "")).first()


def profile_of(membership: Membership | None) -> str:
    """The address of the preferences, and where one came from."""
    return reverse("profile") + (f"?store={membership.store.slug}" if membership else "")
