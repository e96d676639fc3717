"""The inbox: one note at a time beside its evidence."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from memories import access


def inbox(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "memories/inbox.html", {"membership": access.membership(request.user, slug)})
