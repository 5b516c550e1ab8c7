"""Settings, all in one file.

Without any environment variable this runs: SQLite, and the Redis that
`manage.py run` starts on a private socket. `.env.example` lists the variables.
"""

import os
from pathlib import Path
from urllib.parse import quote

from csp.constants import NONE, SELF
from django.contrib.messages import ERROR, SUCCESS, WARNING
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from puzzleclass.env import env, socket_path
from solvers.registry import BadKind, kinds, locale_folders, style_sheets

try:
    kinds()
except BadKind as error:
    raise ImproperlyConfigured(str(error)) from error

BASE_DIR = Path(__file__).resolve().parent.parent

VAR_DIR = Path(env.str("VAR_DIR", str(BASE_DIR / "var")))
"""Everything this installation writes: database, secret, Redis's socket, static files."""

DEBUG = env.bool("DEBUG", False)
SECRET_KEY = env.secret("SECRET_KEY", kept_in=VAR_DIR / "secret-key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("HTTPS", False)
"""The site stands behind a proxy that speaks HTTPS and sets X-Forwarded-Proto."""

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "puzzleclass",
    "puzzleclass.accounts",
    "puzzleclass.classes",
    "puzzleclass.jobs",
    "puzzleclass.puzzles",
    "puzzleclass.sharing",
    "puzzleclass.assignments",
    "puzzleclass.play",
    "puzzleclass.stats",
    "puzzleclass.practice",
    "puzzleclass.learn",
]

MIDDLEWARE = [
    "puzzleclass.http.HealthMiddleware",
    "puzzleclass.monitoring.probes.ProbeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Below WhiteNoise, whose files are compressed already; above all that writes into an answer.
    # That the length of a page can tell what stands in it (BREACH) is no way to its CSRF token:
    # Django masks that anew for every answer, and this middleware adds up to 100 random bytes.
    "django.middleware.gzip.GZipMiddleware",
    "puzzleclass.http.PrivateMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "puzzleclass.language.ReaderMiddleware",
    "puzzleclass.http.RefusingMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "puzzleclass.accounts.sign_in.SessionEndMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "puzzleclass.furigana.FuriganaMiddleware",
    "puzzleclass.accounts.sign_in.TimeZoneMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "puzzleclass.http.BusyMiddleware",
]

ROOT_URLCONF = "puzzleclass.urls"
WSGI_APPLICATION = "puzzleclass.wsgi.application"
ASGI_APPLICATION = "puzzleclass.asgi.application"

LOADERS = [
    "puzzleclass.template_loader.Loader",
    # Those of the admin.
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "loaders": LOADERS if DEBUG else [("django.template.loaders.cached.Loader", LOADERS)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "puzzleclass.language.reader_in_templates",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "django.contrib.humanize.templatetags.humanize",
                "puzzleclass.templatetags.boards",
                "puzzleclass.templatetags.pages",
                "puzzleclass.templatetags.words",
            ],
        },
    }
]

# Web processes

WEB_PROCESSES = env.int("WEB_PROCESSES", min(os.cpu_count() or 1, 8))
WEB_THREADS = env.int("WEB_THREADS", 4)
"""In each process: as many requests are worked at. Any number may wait (`asgi`)."""

# Database

SQLITE_OPTIONS = {
    # A transaction takes the write lock at its start, so none fails half way with
    # "database is locked": it waits, at most `timeout` seconds.
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}
DATABASES = {
    "default": {
        **env.database("DATABASE_URL", f"sqlite:///{quote(str(VAR_DIR / 'puzzleclass.sqlite3'))}"),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Jobs

REDIS_SOCKET = socket_path(VAR_DIR / "redis.sock")
REDIS_URL = env.str("REDIS_URL", f"redis+socket://{quote(str(REDIS_SOCKET))}")

JOB_DEADLINE_SECONDS = env.int("JOB_DEADLINE_SECONDS", 600)
"""How long one try of a job may work. The limits behind it follow, in this order: the
runner stops by itself, Celery asks, Celery kills, Redis hands the message out again."""

STUDENT_JOB_SECONDS = env.int("STUDENT_JOB_SECONDS", 60)
"""The same where only students wait for the answer: what they draw may be any board."""

JOBS_KEPT_DAYS = env.int("JOBS_KEPT_DAYS", 90)
"""How long an answer is kept that no page shows any more: `pruning` deletes it then."""

MOST_JOBS = env.int("MOST_JOBS", 200)
"""Long questions that one teacher may have waiting or running at a time."""

CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": JOB_DEADLINE_SECONDS + 90,
    # A request that asks for a job must not wait for a Redis that is away: the job's
    # row is the order, and the sweeper hands it in later.
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    "max_retries": 1,
    "interval_start": 0.1,
    # A worker of several queues takes from the first as long as anything lies there.
    "queue_order_strategy": "priority",
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SOFT_TIME_LIMIT = JOB_DEADLINE_SECONDS + 30
CELERY_TASK_TIME_LIMIT = JOB_DEADLINE_SECONDS + 60
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "solve"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "Asia/Tokyo"
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "puzzleclass.jobs.delivery.sweep",
        "schedule": 3.0,
        # Its worker does nothing else: no flood of jobs keeps it from its rounds. One that was
        # missed need not be made up for.
        "options": {"queue": "sweep", "expires": 3},
    },
    "look": {
        "task": "puzzleclass.stats.dead_ends.look_at_running_tries",
        "schedule": 1.5,
        # Behind the hints, for the same worker: short work that must not wait behind reviews.
        "options": {"queue": "look", "expires": 3},
    },
    "review": {
        "task": "puzzleclass.stats.reviews.review_quiet_tries",
        "schedule": 10.0,
        "options": {"queue": "sweep", "expires": 10},
    },
    "stock": {
        "task": "puzzleclass.practice.stock.fill_stock",
        "schedule": 30.0,
        "options": {"queue": "sweep", "expires": 30},
    },
    "prune": {
        "task": "puzzleclass.pruning.prune",
        "schedule": 60.0,
        "options": {"queue": "sweep", "expires": 60},
    },
}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")

# People

# A message's style, by its level, as static/app.css names it.
MESSAGE_TAGS = {SUCCESS: "ok", WARNING: "warn", ERROR: "bad"}

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "name")},
    },
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    "puzzleclass.accounts.models.PinHasher",
]

IDLE_MINUTES = env.int("IDLE_MINUTES", 240)
"""Who does nothing for so long is signed out; 0: never."""
KEPT_YEARS = env.int("KEPT_YEARS", 3)
"""How long students' data are kept: teachers are reminded of classes that are older."""
SIGN_UP_OPEN = env.bool("SIGN_UP_OPEN", True)
"""Anybody may make a teacher's account; else an invitation is needed (`manage.py invite`)."""

MOST_SIGN_UPS_A_DAY = env.int("MOST_SIGN_UPS_A_DAY", 100)
"""Teachers' accounts made from one address; those by invitation don't count."""
MOST_TRIES_A_DAY = env.int("MOST_TRIES_A_DAY", 500)
"""Of one student, at all puzzles together; and so many steps in them."""
MOST_STEPS_A_DAY = env.int("MOST_STEPS_A_DAY", 20_000)
MOST_PUZZLES = env.int("MOST_PUZZLES", 20_000)
"""In one teacher's library."""

PASSWORD_RESET_TIMEOUT = 2 * 3600
"""Seconds that a link to a new password is good for."""
OTP_TOTP_ISSUER = "PuzzleClass"
# Wrong codes close a lock of ours (`two_factor.check`).
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0

MONITORING_TOKEN = env.str("MONITORING_TOKEN", "")
"""Who bears it may read `/metrics` and the figures of `/readyz`; without one, this machine."""

# E-mail: only teachers who have forgotten their password get some, and who changed their account

EMAIL_HOST = env.str("EMAIL_HOST", "")
"""The server that takes e-mail (SMTP). Without one messages are written to the log."""
EMAIL_PORT = env.int("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", True)
EMAIL_USE_SSL = env.bool("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", "PuzzleClass <puzzleclass@localhost>")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"

# Language and time

LANGUAGE_CODE = "ja"
LANGUAGES = [("ja", _("Japanese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "puzzleclass" / "locale", *locale_folders()]
USE_I18N = True
TIME_ZONE = env.str("TIME_ZONE", "Asia/Tokyo")
USE_TZ = True

# Static files

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static", *(("kinds", sheet.parent) for sheet in style_sheets())]
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "puzzleclass.http.StaticFiles"
    },
}

WHITENOISE_KEEP_ONLY_HASHED_FILES = True
"""Pages know no other names: half the files to write and to compress."""

# Safety

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
CSRF_FAILURE_VIEW = "puzzleclass.http.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
# The form of an assignment sends four for each puzzle of the library.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "WARNING")},
    # Always written, whatever the level of the rest.
    "loggers": {"puzzleclass.security": {"level": "INFO"}},
}
