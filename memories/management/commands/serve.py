"""`manage.py serve`: the console behind a production WSGI server."""

from __future__ import annotations

import socket
from argparse import ArgumentParser
from pathlib import Path
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db import connection
from gunicorn.app.base import BaseApplication

from memories.management.base import AtlasCommand
from memories.warm import warm


class Server(BaseApplication):
    """gunicorn with the console's application and nothing read from elsewhere."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        from atlas_site.wsgi import application

        return application


class Command(AtlasCommand):
    help = "Serve the console with gunicorn."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default="127.0.0.1:8000", metavar="HOST:PORT")
        parser.add_argument("--workers", type=at_least_one, default=2, help="processes; each keeps its own index (2)")
        parser.add_argument("--threads", type=at_least_one, default=4, help="threads a process (4)")
        parser.add_argument("--check", action="store_true", help="only say whether the server could start")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.ENVIRONMENT.secret_key and not settings.DEBUG:
            raise ImproperlyConfigured("ATLAS_SECRET_KEY is missing: `make secret` prints a fresh one to set.")
        check_collected()
        check_free(options["bind"])
        if options["check"]:
            return
        Server(
            {
                "bind": options["bind"],
                "workers": options["workers"],
                "threads": options["threads"],
                "worker_class": "gthread",
                "control_socket_disable": True,
                "post_worker_init": warm_up,
                "loglevel": "warning",
                "timeout": 60,
            }
        ).run()


def at_least_one(text: str) -> int:
    """A number of processes or threads. Raises ValueError, which the command line explains."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def warm_up(worker: object) -> None:
    """Load in the background what the first requests of a worker would wait for; it answers meanwhile."""
    Thread(target=_warm, daemon=True).start()


def _warm() -> None:
    try:
        warm()
    finally:
        connection.close()


def check_collected() -> None:
    """Raise CommandError where the console's style and scripts were never collected: every page would fail."""
    if not settings.DEBUG and not (Path(settings.STATIC_ROOT) / "staticfiles.json").is_file():
        raise CommandError("The static files are not collected yet: run `manage.py collectstatic --no-input` first.")


def check_free(bind: str) -> None:
    """Raise CommandError where the address is malformed or another program listens there."""
    host, _, port = bind.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise CommandError(f"{bind} is no address: write it like 127.0.0.1:8000.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except OSError as error:
            raise CommandError(
                f"{bind} cannot be used: {error.strerror}. Choose another with --bind (make run BIND=…)."
            ) from None
