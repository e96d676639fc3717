"""The product's settings for a server in a test: static files are collected beside its data, not in the project."""

from atlas_site.settings import *  # noqa: F403
from atlas_site.settings import ENVIRONMENT

STATIC_ROOT = ENVIRONMENT.data_dir / "static"
