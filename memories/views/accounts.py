"""Signing in and out, the start page, and how a person likes the console."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.db.models import OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memories.counts import RowCount
from memories.forms import ProfileForm
from memories.models import Membership, Memory, Status

WAITING_SHOWN = 999


class SignIn(LoginView):
    template_name = "sign-in.html"
    redirect_authenticated_user = True


class SignOut(LogoutView):
    http_method_names = ["post"]


class ChangePassword(PasswordChangeView):
    template_name = "password.html"
    success_url = reverse_lazy("profile")

    def form_valid(self, form: object) -> HttpResponse:
        messages.success(self.request, _("Your password is changed."))
        return super().form_valid(form)  # type: ignore[arg-type]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Choose a store, the one where most waits first; who has one only goes straight to its inbox."""
    waiting = Memory.objects.filter(store=OuterRef("store"), status=Status.PROPOSED).order_by()
    counted = Membership.objects.annotate(waiting=RowCount(waiting.values("pk")[: WAITING_SHOWN + 1]))
    mine = list(counted.filter(user=request.user).select_related("store").order_by("-waiting", "store__name"))  # type: ignore[misc]
    if len(mine) == 1:
        return redirect("inbox", mine[0].store.slug)
    return render(request, "home.html", {"memberships": mine, "waiting_shown": WAITING_SHOWN})


@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Colours, shortcuts, time zone and language of the signed-in person."""
    kept = request.profile  # type: ignore[attr-defined]
    kept.user = request.user
    form = ProfileForm(request.POST or None, instance=kept)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your preferences are saved."))
        return redirect("profile")
    return render(request, "profile.html", {"form": form}, status=422 if form.errors else 200)
