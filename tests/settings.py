"""Settings for the tests: the product's own, in a data directory of their own, with cheap password hashing."""

import os
import tempfile

os.environ["ATLAS_SECRET_KEY"] = "tests-only-" + "s" * 40
os.environ["ATLAS_DATA_DIR"] = tempfile.mkdtemp(prefix="atlas-tests-")
for name in ("ATLAS_DEBUG", "ATLAS_DATABASE_URL", "ATLAS_EMBEDDER", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
    os.environ.pop(name, None)

from atlas_site.settings import *  # noqa: E402, F403
from atlas_site.settings import DATABASES, ENVIRONMENT, STORAGES  # noqa: E402

# A database in a file, since the write-ahead log and deletion that is real are things to test.
DATABASES["default"]["TEST"] = {"NAME": str(ENVIRONMENT.data_dir / "test.sqlite3")}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["*"]
# Tests run without `collectstatic`, so static files keep their plain names and lie where they were written.
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
STATIC_ROOT = ENVIRONMENT.data_dir
