"""Load what the first requests of a server process would otherwise wait for."""

from __future__ import annotations

import gc
import logging
from pathlib import Path

from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver
from django.utils import translation

from memories.embedding import EmbedderError
from memories.models import Store
from memories.resident import ready

log = logging.getLogger(__name__)
# The stores that changed most; the index of any other is loaded when it is first asked for.
STORES = 20


def warm() -> None:
    """Load views, words, templates and the indexes of the busiest stores; what cannot be loaded is left for later.

    Raises:
        DatabaseError: the stores cannot be read.
    """
    _load_console()
    for store in Store.objects.order_by("-revision", "pk")[:STORES]:
        try:
            ready(store)
        except EmbedderError as error:
            log.warning("The index of %s is not loaded in advance: %s", store.slug, error)
    # What is loaded stays: a search for garbage through a million notes would hold up one request in ten by 70 ms.
    gc.collect()
    gc.freeze()


def _load_console() -> None:
    get_resolver().url_patterns  # noqa: B018 - imports every view
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            translation.gettext("note")
    folder = Path(settings.BASE_DIR) / "templates"
    for path in folder.rglob("*.html"):
        get_template(path.relative_to(folder).as_posix())
