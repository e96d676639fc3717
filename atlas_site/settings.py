"""Django settings: everything that differs between machines comes from `atlas_site.environment`."""

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from atlas_site.environment import PROJECT, read_environment

ENVIRONMENT = read_environment()
BASE_DIR = PROJECT

# Commands need no secret; `atlas_site.wsgi` refuses to serve without one.
SECRET_KEY = ENVIRONMENT.secret_key or ("development-only-" + "x" * 32 if ENVIRONMENT.debug else "")
DEBUG = ENVIRONMENT.debug
ALLOWED_HOSTS = ENVIRONMENT.allowed_hosts

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "memories",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "memories.middleware.ConsoleMiddleware",
    "memories.middleware.PreferencesMiddleware",
    "memories.middleware.SignInMiddleware",
]

ROOT_URLCONF = "atlas_site.urls"
WSGI_APPLICATION = "atlas_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

SQLITE_OPTIONS = {
    # Seconds a writer waits for another one: write transactions are short, so a wait means a burst.
    "timeout": 30,
    # A transaction that will write takes the write lock first: upgrading later would fail at once under WAL.
    "transaction_mode": "IMMEDIATE",
    # NORMAL loses nothing when a process is killed; forgetting ends in a checkpoint, which reaches the disk.
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; "
        "PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536;"
    ),
}


def database(url: str) -> dict[str, object]:
    """Return Django's settings for the database that `url` names (default: SQLite in the data directory)."""
    try:
        settings = dict(dj_database_url.parse(url or f"sqlite:///{ENVIRONMENT.data_dir / 'atlas.sqlite3'}"))
    except (ValueError, KeyError):
        raise ImproperlyConfigured(
            "ATLAS_DATABASE_URL is not a database URL: write it like sqlite:////srv/atlas/atlas.sqlite3."
        ) from None
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        # A connection takes 3 ms to open, and its cache of pages is worth up to 30 ms a page in a store of a million.
        settings |= {"OPTIONS": SQLITE_OPTIONS, "CONN_MAX_AGE": 600}
    return settings


DATABASES = {"default": database(ENVIRONMENT.database_url)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "memories" / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
# Without `collectstatic` (tests, development) files are found where they lie and keep their plain names.
WHITENOISE_USE_FINDERS = True
WHITENOISE_MANIFEST_STRICT = False

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Bulk decisions post one field a note, up to a page of ids; a form is never larger than this.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    # The client logs request bodies at DEBUG, and those carry notes.
    "loggers": {"openai": {"level": "WARNING"}, "httpx": {"level": "WARNING"}, "httpx2": {"level": "WARNING"}},
}
