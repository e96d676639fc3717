"""The page for what is not allowed; 404 and 500 are Django's own views with our templates."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say which role is missing; `exception` carries the sentence."""
    return render(request, "403.html", {"sentence": str(exception or "")}, status=403)
