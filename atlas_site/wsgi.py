"""The WSGI application that a production server loads."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atlas_site.settings")

application = get_wsgi_application()


def check_secret() -> None:
    """Refuse to serve without a secret: sessions signed with a known key can be forged."""
    from django.conf import settings

    if not settings.ENVIRONMENT.secret_key and not settings.DEBUG:
        raise ImproperlyConfigured("ATLAS_SECRET_KEY is missing: `make secret` prints a fresh one to set.")


check_secret()
