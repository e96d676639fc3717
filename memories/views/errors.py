"""The pages for what is not allowed and what went wrong; 404 is Django's own view with our template."""

from __future__ import annotations

import sys

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from memories.wording import PolicyUnreadable

# What is sent to these pages is never written into another one: passwords.
PRIVATE = ("sign-in", "password")


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say why a request could not be read."""
    sentence = _("The server cannot read what your browser sent: go back and try again.")
    if isinstance(exception, RequestDataTooBig):
        megabytes = settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 1_000_000
        sentence = _("This is more than the %(megabytes)s MB that can be sent at once: send less.") % {
            "megabytes": megabytes
        }
    elif isinstance(exception, TooManyFieldsSent):
        sentence = _("These are too many fields for one request: tick fewer notes, or choose them by a filter.")
    context = {"heading": _("Not understood"), "sentence": sentence}
    return render(request, "trouble.html", context, status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say which role is missing; `exception` carries the sentence."""
    return render(request, "403.html", {"sentence": str(exception or "")}, status=403)


def broken(request: HttpRequest) -> HttpResponse:
    """Say what has to be mended first, with what was sent to send it again; for a fault here, the plain page."""
    sentence = trouble(sys.exc_info()[1])
    if not sentence:
        return HttpResponse(render_to_string("500.html"), status=500)
    private = request.path in {reverse(name) for name in PRIVATE}
    context = {"heading": _("Not now"), "sentence": sentence, "typed": [] if private else sent(request)}
    response = render(request, "trouble.html", context, status=503)
    response["Retry-After"] = "30"
    return response


def trouble(error: BaseException | None) -> str:
    """One sentence for what keeps the database or the filter from working; empty for a fault of ours."""
    said = str(error)
    if isinstance(error, PolicyUnreadable):
        return said
    if not isinstance(error, DatabaseError):
        return ""
    if "locked" in said or "busy" in said:
        return _(
            "The database is busy with a long piece of work. Nothing of the last step was kept: try again in a minute."
        )
    if "readonly" in said or "unable to open" in said:
        return _(
            "The database cannot be written now. Nothing of the last step was kept: tell whoever runs this server."
        )
    if "full" in said or "disk I/O" in said:
        return _("The server's disk is full. Nothing of the last step was kept: tell whoever runs this server.")
    return ""


def sent(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of the form that was sent, each value by its name."""
    fields = request.POST.lists()
    return [(name, value) for name, values in fields if name != "csrfmiddlewaretoken" for value in values]
