"""The pages for what is not allowed and what went wrong; 404 is Django's own view with our template."""

from __future__ import annotations

import sys

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.defaults import server_error

# What is sent to these pages is never written into another one: passwords.
PRIVATE = ("sign-in", "password")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say which role is missing; `exception` carries the sentence."""
    return render(request, "403.html", {"sentence": str(exception or "")}, status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """Say what is wrong with the database, with what was sent to send it again; for a fault here, the plain page."""
    error = sys.exc_info()[1]
    sentence = trouble(error) if isinstance(error, DatabaseError) else ""
    if not sentence:
        return server_error(request)
    private = request.path in {reverse(name) for name in PRIVATE}
    context = {"sentence": sentence, "typed": [] if private else sent(request)}
    answer = render(request, "503.html", context, status=503)
    answer["Retry-After"] = "30"
    return answer


def trouble(error: DatabaseError) -> str:
    """One sentence for what stops the database from taking a change; empty for a fault of ours."""
    said = str(error)
    if "locked" in said or "busy" in said:
        return _("The database is busy with a long piece of work. Nothing was changed: try again in a minute.")
    if "readonly" in said or "unable to open" in said:
        return _("The database cannot be written now. Nothing was changed: tell whoever runs this server.")
    if "full" in said or "disk I/O" in said:
        return _("The server's disk is full. Nothing was changed: tell whoever runs this server.")
    return ""


def sent(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of the form that was sent, each value by its name."""
    fields = request.POST.lists()
    return [(name, value) for name, values in fields if name != "csrfmiddlewaretoken" for value in values]
