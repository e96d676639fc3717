#!/usr/bin/env python3
"""Atlas Memory's command line."""

import os
import sys


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python gets a sentence, not a syntax error
        sys.exit("Atlas Memory needs Python 3.11 or newer: install it and run this again with that python3.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "atlas_site.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Atlas Memory's libraries are not installed here: run `make install`, then use .venv/bin/python.")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Atlas Memory cannot start: {error}")


if __name__ == "__main__":
    main()
