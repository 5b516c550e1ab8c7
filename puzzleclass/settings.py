"""All settings of the site.

Without any environment variable, the site runs with SQLite and the Redis that `manage.py run`
starts on a private socket. `.env.example` lists the variables.
"""

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path
from urllib.parse import quote, urlsplit

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.contrib.messages import ERROR, SUCCESS, WARNING
from platformdirs import user_data_path

from puzzleclass.operations.env import env, private_folder, socket_path
from puzzleclass.operations.machine import cores, memory_mb
from solvers.registry import locale_folders, static_folders

BASE_DIR = Path(__file__).resolve().parent.parent
IS_CHECKOUT = (BASE_DIR / "manage.py").is_file()
"""Whether the site runs from its sources. Otherwise it was installed as a distribution, which has
`templates` and `static` inside the package."""
FILES_DIR = BASE_DIR if IS_CHECKOUT else BASE_DIR / "puzzleclass"
"""The folder with `templates` and `static`."""

VAR_DIR = private_folder(
    Path(
        env.str("VAR_DIR", str(BASE_DIR / "var" if IS_CHECKOUT else user_data_path("PuzzleClass")))
    )
)
"""The folder of everything that this installation writes: database, secret, Redis's socket, static
files."""

DEBUG = env.bool("DEBUG", False)
SAYS_TIMES = env.bool("TIMES", False)
"""Whether a start prints how long its parts take."""
SECRET_KEY = env.secret("SECRET_KEY", kept_in=VAR_DIR / "secret-key")
LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "::1"}
"""The names by which a machine refers to itself."""
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
PUBLIC_URL = env.address("PUBLIC_URL")
"""The address at which people open the site, such as https://puzzles.school.example. It is printed
on cards, in QR codes, invitations and e-mails. Without it, these contain the host name of the
request that made them."""
if PUBLIC_URL:
    ALLOWED_HOSTS.append(str(urlsplit(PUBLIC_URL).hostname))
    CSRF_TRUSTED_ORIGINS.append(PUBLIC_URL)
HTTPS = env.bool("HTTPS", False)
"""Whether the site is behind a proxy that speaks HTTPS and sets X-Forwarded-Proto."""
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 1 if HTTPS else 0)
"""The number of proxies of ours between visitors and the site, one behind the other. Each adds the
address that it saw to X-Forwarded-For."""

LOCAL_SERVERS = env.bool("LOCAL_SERVERS", False)
"""Whether learning platforms and sign-in servers may be in a private network and be requested
without HTTPS (`outbound`): in a school's own network, for development and for tests."""
HTTPS_PROXY = env.address("HTTPS_PROXY")
"""The proxy by which requests to other servers leave the school's network; empty for none."""
NO_PROXY = env.str("NO_PROXY", "")
"""The hosts that are reached without that proxy: names, their endings, addresses and networks."""

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    # allauth's `account` holds only tables that its `socialaccount` refers to.
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "puzzleclass.operations",
    "puzzleclass.help",
    "puzzleclass.accounts",
    "puzzleclass.forms",
    "puzzleclass.classes",
    "puzzleclass.rosters",
    "puzzleclass.school_accounts",
    "puzzleclass.jobs",
    "puzzleclass.kinds",
    "puzzleclass.puzzles",
    "puzzleclass.sharing",
    "puzzleclass.assignments",
    "puzzleclass.play",
    "puzzleclass.workshop",
    "puzzleclass.stats",
    "puzzleclass.lessons",
    "puzzleclass.gallery",
    "puzzleclass.practice",
    "puzzleclass.studies",
    "puzzleclass.lti",
    "puzzleclass.calendars",
    "puzzleclass.api",
    "puzzleclass.home",
]

MIDDLEWARE = [
    "puzzleclass.operations.probes.ProbeMiddleware",
    # This stands above the middleware whose headers browsers obey only on a page. A play page has
    # eighteen static files, and their heads take half as many bytes without these headers.
    "puzzleclass.static_files.StaticFilesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "puzzleclass.http.HeadersMiddleware",
    "csp.middleware.CSPMiddleware",
    # GZipMiddleware stands below WhiteNoise, whose files are already compressed, and above all
    # middleware that changes a response. The length of a page can reveal its content (BREACH), but
    # not its CSRF token: Django masks the token anew for every response, and this middleware adds
    # up to 100 random bytes.
    "django.middleware.gzip.GZipMiddleware",
    "puzzleclass.language.reader.ReaderMiddleware",
    "puzzleclass.http.RefusingMiddleware",
    "puzzleclass.http.SessionMiddleware",
    "puzzleclass.accounts.visitors.AddressMiddleware",
    "puzzleclass.accounts.sign_in.SessionEndMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "puzzleclass.accounts.sessions.UserMiddleware",
    "puzzleclass.language.furigana.FuriganaMiddleware",
    "puzzleclass.accounts.sign_in.TimeZoneMiddleware",
    "puzzleclass.accounts.second_step.SecondStepMiddleware",
    "puzzleclass.kinds.choice.SeenKindsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "puzzleclass.http.BusyMiddleware",
]

ROOT_URLCONF = "puzzleclass.urls"
ASGI_APPLICATION = "puzzleclass.asgi.application"

TEMPLATES = [
    {
        "NAME": "django",
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "puzzleclass.templating.loader.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "puzzleclass.templating.context_processors.reader",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "django.contrib.humanize.templatetags.humanize",
                "puzzleclass.templating.templatetags.boards",
                "puzzleclass.templating.templatetags.forms",
                "puzzleclass.templating.templatetags.pages",
                "puzzleclass.templating.templatetags.words",
            ],
        },
    }
]

# Size

MEMORY_MB = env.int("MEMORY_MB", memory_mb())
"""The megabytes of memory that the site may use; by default what the machine has."""
IS_SMALL = MEMORY_MB < 2000
"""Whether `manage.py run` saves memory: one web process, and one worker that serves all queues with
threads and loads the compiled kernels when the first question needs them."""
ONE_PROCESS = env.bool("ONE_PROCESS", not hasattr(os, "fork"))
"""Whether `manage.py run` does everything in one process, without a Redis. Where there is no fork
(Windows), there is no Redis to install, and Celery runs no processes."""

# Web processes

WEB_PROCESSES = env.int("WEB_PROCESSES", 1 if IS_SMALL or ONE_PROCESS else min(cores(), 8))
WEB_THREADS = env.int("WEB_THREADS", 4)
"""The number of threads in each web process, each of which works on one request. Any number of
requests may wait (`asgi`)."""

# Database

SQLITE_OPTIONS = {
    # A transaction takes the write lock at its start and waits for it at most `timeout` seconds.
    # Therefore none fails half way with "database is locked".
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    # Deleted data is overwritten with zeros, so that no name stays in the free pages.
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;"
    ),
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
else:
    DATABASES["default"]["ENGINE"] = "puzzleclass.database.postgresql"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The cache of each process holds the studies' pages for guests (`studies.guest_cache`). Each takes
# up to a megabyte.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 40},
    }
}

# Jobs

REDIS_SOCKET = socket_path(VAR_DIR / "redis.sock")
REDIS_URL = env.str("REDIS_URL", f"redis+socket://{quote(str(REDIS_SOCKET))}")
HEARTBEATS_DIR = VAR_DIR / "heartbeats"
"""The folder in which a site of one process says that it is alive (`jobs.heartbeat_files`)."""

JOB_DEADLINE_SECONDS = env.int("JOB_DEADLINE_SECONDS", 600)
"""Seconds that one attempt at a job may take. The limits behind it follow in this order: the runner
stops by itself, Celery asks, Celery kills, Redis delivers the message again."""

STUDENT_JOB_SECONDS = env.int("STUDENT_JOB_SECONDS", 60)
"""Seconds that one attempt at a job may take when only students wait for the answer, because they
may draw any board."""

JOBS_KEPT_DAYS = env.int("JOBS_KEPT_DAYS", 90)
"""Days for which an answer is kept that no page shows any more. `pruning` then deletes it."""

MAX_JOBS = env.int("MAX_JOBS", 200)
"""The most long questions that one teacher may have waiting or running at a time."""

CELERY_BROKER_URL = "memory://localhost/" if ONE_PROCESS else REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": JOB_DEADLINE_SECONDS + 90,
    # A request that asks for a job must not wait for a Redis that does not answer: the job's row is
    # stored, and the sweeper sends its message later.
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    "max_retries": 1,
    "interval_start": 0.1,
    # A worker of several queues takes from the first one as long as it holds messages.
    "queue_order_strategy": "priority",
    # In the memory of its own process, a worker looks for messages this often. At Redis, it waits
    # this long for a message before it asks again: less than `socket_timeout`.
    "polling_interval": 0.1 if ONE_PROCESS else 4,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SOFT_TIME_LIMIT = JOB_DEADLINE_SECONDS + 30
CELERY_TASK_TIME_LIMIT = JOB_DEADLINE_SECONDS + 60
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "solve"
# Celery does not close a worker's connection to the database after each task, because opening one
# takes longer than most tasks. `jobs.delivery` closes it when it is old.
CELERY_DB_REUSE_MAX = sys.maxsize
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "Asia/Tokyo"
CALM = 4 if IS_SMALL else 1
"""How many times longer a small machine waits between two rounds of what nobody waits for. Each
round takes processor time, even if there is nothing to do."""
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "puzzleclass.jobs.delivery.sweep",
        "schedule": 3.0 * CALM,
        # The worker for this queue does only short work, so that no flood of jobs delays the
        # sweeper. A sweep that was missed need not be made up for.
        "options": {"queue": "sweep", "expires": 3},
    },
    "look": {
        "task": "puzzleclass.stats.dead_ends.look_at_running_attempts",
        "schedule": 1.5 * CALM,
        # Uses the hint worker, at a lower priority than hints: short work that must not wait for
        # reviews.
        "options": {"queue": "look", "expires": 3},
    },
    "review": {
        "task": "puzzleclass.play.reviews.review_quiet_attempts",
        "schedule": 10.0 * CALM,
        "options": {"queue": "sweep", "expires": 10},
    },
    "stock": {
        "task": "puzzleclass.practice.stock.fill_stock",
        # Each round lets the workers calculate for up to some seconds for each kind. Nobody waits
        # for these boards, because there is the collection. A new site makes none while somebody
        # has a first look at it.
        "schedule": 120.0,
        "options": {"queue": "sweep", "expires": 120},
    },
    "results": {
        "task": "puzzleclass.practice.counting.count_ended_attempts",
        "schedule": 60.0 * CALM,
        "options": {"queue": "sweep", "expires": 60},
    },
    "rosters": {
        "task": "puzzleclass.rosters.uploads.look_after_uploads",
        "schedule": 60.0,
        "options": {"queue": "sweep", "expires": 60},
    },
    "scores": {
        "task": "puzzleclass.lti.grades.find_scores",
        "schedule": 15.0 * CALM,
        "options": {"queue": "sweep", "expires": 15},
    },
    "roster services": {
        "task": "puzzleclass.rosters.uploads.fetch_every_night",
        "schedule": crontab(hour="3", minute="0"),
        "options": {"queue": "sweep", "expires": 3600},
    },
    "daily mail": {
        "task": "puzzleclass.home.daily_mail.mail_every_day",
        "schedule": crontab(minute="10"),
        "options": {"queue": "sweep", "expires": 3000},
    },
    "prune": {
        "task": "puzzleclass.operations.pruning.prune",
        "schedule": 60.0 * CALM,
        "options": {"queue": "sweep", "expires": 60},
    },
}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")

# People

# The CSS class of a message by its level, as in static/components.css.
MESSAGE_TAGS = {SUCCESS: "ok", WARNING: "warn", ERROR: "bad"}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["puzzleclass.accounts.sessions.Backend"]
SESSION_ENGINE = "puzzleclass.accounts.sessions"
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
"""Minutes without a request after which a user is signed out; 0: never."""
KEPT_YEARS = env.int("KEPT_YEARS", 3)
"""Years for which students' data is kept. Teachers are reminded of classes that are older."""
LOG_MONTHS = env.int("LOG_MONTHS", 12)
"""Months for which the audit log is kept, unless a school has chosen another time."""
SIGN_UP_OPEN = env.bool("SIGN_UP_OPEN", not HTTPS)
"""Whether anybody may create a teacher's account without an invitation (`manage.py invite`). A site
that others reach, behind HTTPS, is closed unless it says otherwise."""

MAX_SIGN_UPS_PER_DAY = env.int("MAX_SIGN_UPS_PER_DAY", 100)
"""The most teachers' accounts created from one address in a day, without those by invitation."""
MAX_ATTEMPTS_PER_DAY = env.int("MAX_ATTEMPTS_PER_DAY", 500)
"""The most attempts that one student may begin in a day, at all puzzles together."""
MAX_STEPS_PER_DAY = env.int("MAX_STEPS_PER_DAY", 20_000)
"""The most steps that one student may make in a day, in all attempts together."""
MAX_PUZZLES = env.int("MAX_PUZZLES", 20_000)
"""The most puzzles in one teacher's library."""

PASSWORD_RESET_TIMEOUT = 2 * 3600
"""Seconds for which a link to set a new password is valid."""
OTP_TOTP_ISSUER = "PuzzleClass"
# Our own lock limits wrong codes (`two_factor.check`).
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0

# Signing in with the account of a school (`school_accounts`)

SOCIALACCOUNT_ADAPTER = "puzzleclass.school_accounts.adapter.SchoolAccountAdapter"
SOCIALACCOUNT_ONLY = True
ACCOUNT_EMAIL_VERIFICATION = SOCIALACCOUNT_EMAIL_VERIFICATION = "none"

MONITORING_TOKEN = env.str("MONITORING_TOKEN", "")
"""The token with which a request may read `/metrics` and the figures of `/readyz`. Without one,
only requests from this machine may."""

# E-mail, only to teachers who have forgotten their password or changed their account

EMAIL_HOST = env.str("EMAIL_HOST", "")
"""The server that sends e-mail (SMTP). Without one no message is sent, and none is written to the
log: anybody who read it there could follow a link to set a new password."""
EMAIL_PORT = env.int("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", True)
EMAIL_USE_SSL = env.bool("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", "PuzzleClass <puzzleclass@localhost>")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'dummy'}.EmailBackend"

# Language and time

LANGUAGE_CODE = "en"
"""The language of the sources. A text that a catalogue lacks is shown in it."""
FORMAT_MODULE_PATH = "puzzleclass.language.formats"
LANGUAGES = [("ja", "日本語"), ("en", "English")]
"""What readers can choose from, each named in itself. The first language is for readers who ask for
none of these. CONTRIBUTING.md says how to add one."""
LOCALE_PATHS = [BASE_DIR / "puzzleclass" / "locale", *locale_folders()]
USE_I18N = True
TIME_ZONE = env.str("TIME_ZONE", "Asia/Tokyo")
USE_TZ = True

# Static files

STATIC_URL = "static/"
STATICFILES_DIRS = [FILES_DIR / "static", *(("kinds", path) for path in static_folders())]
STATIC_ROOT = VAR_DIR / "static"
RELEASES_ROOT = VAR_DIR / "static-releases"
"""The static files of the last releases. A page that was loaded before an update may ask for one of
them later, such as a script that it imports at the first key."""
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "puzzleclass.static_files.StaticFiles"
    },
}

WHITENOISE_KEEP_ONLY_HASHED_FILES = True
"""Pages use only the hashed names, so there are half as many files to write and to compress."""
WHITENOISE_ALLOW_ALL_ORIGINS = False


def add_static_headers(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """Forbid other sites to embed a static file, and browsers to guess its type. Say as shortly as
    possible how long it may be kept, because a page has twenty files with a head each."""
    if "immutable" in headers["Cache-Control"]:
        headers["Cache-Control"] = "max-age=31536000, immutable"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["X-Content-Type-Options"] = "nosniff"


WHITENOISE_ADD_HEADERS_FUNCTION = add_static_headers

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
CSRF_FAILURE_VIEW = "puzzleclass.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
# The ZIP of a roster of 20,000 people has 3 to 4 MB.
MAX_ROSTER_BYTES = 8_000_000
# The form of an assignment sends four fields for each puzzle of the library.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"refusals": {"()": "puzzleclass.errors.RefusalFilter"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "WARNING")},
    # This log is always written, whatever the level of the others.
    "loggers": {"puzzleclass.security": {"level": "INFO"}},
}
