"""What every answer of the console carries, and how each reader likes it."""

from collections.abc import Callable
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect

from memories.models import Profile

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
ZONE_COOKIE = "zone"
SAFE = ("GET", "HEAD")


class ConsoleMiddleware:
    """Send the security policy, keep pages out of shared caches, and tell fragments and pages apart in caches."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.setdefault("Cache-Control", "no-store")
        patch_vary_headers(response, ["HX-Request"])
        return response


class SignInMiddleware(LoginRequiredMiddleware):
    """Send who is not signed in to the sign-in page; a fragment would show that page inside the one it came from."""

    def handle_no_permission(  # type: ignore[override]
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        if request.method in SAFE and not request.htmx:  # type: ignore[attr-defined]
            return super().handle_no_permission(request, view_func)
        # What was asked for is no page; the one that is open is, and the browser has kept what was typed into it.
        came_from = page_of(request.headers.get("HX-Current-URL") or request.headers.get("Referer", ""))
        address = f"{resolve_url('sign-in')}?{urlencode({'next': came_from})}"
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)  # type: ignore[attr-defined]


def page_of(address: str) -> str:
    """The path and query of `address`; the start page where it is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    return f"{parts.path}?{parts.query}" if parts.query else parts.path or "/"


class PreferencesMiddleware:
    """Show times and words as the reader likes them: their profile first, then what the browser says."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        profile = profile_of(request)
        request.profile = profile  # type: ignore[attr-defined]
        zone = known_zone(profile.time_zone) or known_zone(request.COOKIES.get(ZONE_COOKIE, ""))
        if profile.language:
            translation.activate(profile.language)
        with timezone.override(zone):
            return self.get_response(request)


def profile_of(request: HttpRequest) -> Profile:
    """The reader's saved profile, or an unsaved one that follows the browser."""
    saved = Profile.objects.filter(user=request.user).first() if request.user.is_authenticated else None
    return saved or Profile(time_zone="", language="")


def known_zone(name: str) -> ZoneInfo | None:
    """The zone called `name`; None where no such zone is known."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        return None
