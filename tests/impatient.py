"""The product's settings for a process that gives a locked database up after a second instead of half a minute."""

from atlas_site.settings import *  # noqa: F403
from atlas_site.settings import SQLITE_OPTIONS

SQLITE_OPTIONS["timeout"] = 1
