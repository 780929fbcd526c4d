"""Django's settings, from `kgadmin.config`. Only `kgadmin.stores.wiring` reads the engines' addresses."""

import secrets
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from corsheaders.defaults import default_headers
from csp.constants import NONCE, SELF
from pydantic import ValidationError
from pydantic_settings import SettingsError

from kgadmin.config import ROOT, Config

try:
    CONFIG = Config()
    CONFIG_ERRORS: list[str] = []
except ValidationError as error:
    # `manage.py check` names every wrong value at once (kgadmin.E001), so the program must get that far.
    CONFIG = Config.model_construct()
    CONFIG_ERRORS = [
        # Without the value itself: it may be a secret, or an address that holds one.
        f"{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}"
        for e in error.errors()
    ]
except SettingsError as error:  # a list that isn't JSON
    CONFIG = Config.model_construct()
    CONFIG_ERRORS = [f"{error} ({error.__cause__})"]

BASE_DIR = ROOT
DATA_DIR = Path(CONFIG.data_dir)
DEBUG = CONFIG.debug
# Without a key nobody stays signed in over a restart; production is held to one by kgadmin.E002.
SECRET_KEY = CONFIG.secret_key.get_secret_value() if CONFIG.secret_key else secrets.token_urlsafe(50)
PUBLIC_URL = CONFIG.public_url
ALLOWED_HOSTS = [*CONFIG.allowed_hosts, *filter(None, [urlsplit(PUBLIC_URL).hostname])]
DEMO = CONFIG.demo

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "corsheaders",
    "django_htmx",
    "template_partials",
    "csp",
    "ninja",
    "kgadmin.accounts",
    "kgadmin.audit",
    "kgadmin.projection",
    "kgadmin.jobs",
    "kgadmin.knowledge",
    "kgadmin.operations",
    "kgadmin.operations.demo",
    "characters.profiles",
    "characters.authoring",
    "characters.conversations",
    "characters.memory",
    "characters.talk",
    "characters.review",
    "characters.clients",
    "playground.chat",
    "playground.routing",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "csp.middleware.CSPMiddleware",
    "kgadmin.accounts.middleware.SafetyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "kgadmin.accounts.middleware.SignInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "kgadmin.rest.actions.RefusedMiddleware",
]

ROOT_URLCONF = "kgadmin.urls"
ASGI_APPLICATION = "kgadmin.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "kgadmin.accounts.context.navigation",
            ],
            "builtins": [
                "django.contrib.humanize.templatetags.humanize",
                "django.templatetags.static",
                "template_partials.templatetags.partials",
                "characters.profiles.templatetags.unseen",
                "kgadmin.rest.tags",
            ],
        },
    }
]

DATABASES = {
    "default": dj_database_url.parse(CONFIG.database_url or f"sqlite:///{DATA_DIR / 'kgadmin.sqlite3'}", conn_max_age=0)
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Writers queue for the write lock at BEGIN instead of failing at their first write (Django's docs, "SQLite notes").
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;",
    }
else:
    # libpq waits for an address that says nothing as long as TCP does: minutes, in which no page opens. A connection
    # that stays (`characters.talk.say`) prepares what it is asked again, which saves a quarter of the time of a turn's
    # statements; a PgBouncer that knows no prepared statements wants `?prepare_threshold=1000000` in the address.
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5,
        "server_side_binding": True,
        "prepare_threshold": 3,
    } | DATABASES["default"].get("OPTIONS", {})
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "accounts:login"
LOGOUT_REDIRECT_URL = "accounts:login"
AUTHENTICATION_BACKENDS = ["kgadmin.accounts.backend.AccountBackend"]
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "kgadmin.accounts.views.stale_form"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
# Behind https everything is; how a request came is what the proxy in front says.
HTTPS = PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REDIRECT_EXEMPT = [r"^api/health$"]  # asked for from within, past the proxy
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
# Whether other names under the same domain are served by https isn't for this program to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [ROOT / "static"]
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = DEBUG

# A request with more files than the upload page takes (200) must still reach it, to be told so.
DATA_UPLOAD_MAX_NUMBER_FILES = 5_000  # where our own limit says so in a sentence
# A folder sends a path with each file; without script, a page of 200 facts sends five fields of each.
DATA_UPLOAD_MAX_NUMBER_FIELDS = DATA_UPLOAD_MAX_NUMBER_FILES + 100

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "style-src-attr": ["'unsafe-inline'"],  # widths of bars: style="--value:.71"
        "img-src": [SELF, "data:"],
        "object-src": ["'none'"],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": ["'none'"],
    }
}

# Pages of these origins may call /v1, with a key and never with a cookie.
CORS_ALLOWED_ORIGINS = CONFIG.api_origins
CORS_URLS_REGEX = r"^/v1/"
CORS_ALLOW_HEADERS = [
    *default_headers,
    *("x-person-id", "x-conversation-id"),
    *(f"x-stainless-{name}" for name in ("arch", "lang", "os", "package-version", "retry-count", "runtime")),
    *("x-stainless-runtime-version", "x-stainless-timeout", "x-stainless-helper-method"),
]
CORS_EXPOSE_HEADERS = ["x-memory", "x-passed-over", "x-trace-url", "x-turn-id"]

CELERY_BROKER_URL = CONFIG.broker_url
if CONFIG.broker_url.startswith("filesystem"):
    BROKER_DIR = DATA_DIR / "broker"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "messages"),
        "data_folder_out": str(BROKER_DIR / "messages"),
        "control_folder": str(BROKER_DIR / "control"),
        "polling_interval": 0.1,
        "store_processed": False,
    }
    with suppress(OSError):  # `manage.py check` says that the data folder can't be written to (kgadmin.E005)
        for folder in ("messages", "control"):
            (BROKER_DIR / folder).mkdir(parents=True, exist_ok=True)
else:
    # A broker that is away costs whoever kicks a task a second or two (kgadmin.jobs.tasks); rows keep what is to do.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_connect_timeout": 1,
        "socket_timeout": 5,
        "socket_keepalive": True,
        "max_retries": 1,
        "interval_start": 0,
        "interval_max": 0.2,
    }
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker for as long as it takes
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# What must happen is a row first; beat sweeps for rows whose message was lost. `expires` keeps a stopped worker's
# folder from filling up with sweeps.
_EVERY_SECONDS = {
    "kgadmin.projection.tasks.sweep": 2.0,
    "kgadmin.jobs.tasks.sweep": 2.0,
    "kgadmin.knowledge.tasks.write_indexes": 10.0,
    "kgadmin.knowledge.tasks.measure_by_own_talk": 21_600.0,
    "characters.talk.tasks.end_dead_turns": 5.0,
    "characters.profiles.tasks.decay": 600.0,
    "characters.memory.tasks.embed_what_lacks_vectors": 600.0,
    "characters.memory.tasks.write_indexes": 15.0,
    "kgadmin.operations.tasks.keep_safe": 60.0,
    "kgadmin.jobs.tasks.heartbeat": 5.0,
}
CELERY_BEAT_SCHEDULE = {
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for task, seconds in _EVERY_SECONDS.items()
}

# A lower layer finds what it must start in a higher one by these names.
PROJECTORS = [
    "kgadmin.knowledge.projection.CollectionProjector",
    "characters.profiles.projection.SheetProjector",
    "characters.memory.projection.PersonProjector",
]
WATCHES = [
    "kgadmin.knowledge.projection.WATCHES",
    "characters.profiles.projection.WATCHES",
    "characters.memory.projection.WATCHES",
]
GRAPH_SCHEMAS = ["characters.profiles.projection.SCHEMA", "characters.memory.projection.statements.SCHEMA"]
JOB_HANDLERS = {
    "ingest": "kgadmin.knowledge.ingest.run",
    "remember": "characters.after_reply.run",
    "enrich": "characters.memory.enrichment.handler.run",
    "import": "characters.conversations.import_job.run",
    "suggest": "characters.authoring.suggestions.services.run",
    "lint": "characters.authoring.lint.services.run",
    "decide": "characters.review.batches.run",
    "route": "playground.routing.runs.run",
}
FORGETTING_HOOKS = ["characters.review.erasure.forget"]
WITHDRAWAL_HOOKS = ["characters.review.erasure.withdraw"]
OWN_TALK = "characters.talk.idle.own_talk"
NAVIGATION_COUNTS = {"/review/": "characters.review.queue.waiting"}
"""Functions of the user that count what waits at an entry of the navigation."""
WARM_UP_HOOKS = ["characters.talk.requests.warm_up"]
SHUTDOWN_HOOKS = ["characters.talk.say.cancel_all"]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "kgadmin.logs.DiscreetFormatter",
            "fmt": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "filters": {"refusals": {"()": "kgadmin.logs.RefusalFilter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django.request": {"filters": ["refusals"]},
        **{name: {"level": "WARNING"} for name in ("httpx", "httpx2")},
        # Beat's sweeps come every other second; a task that fails is still told.
        **{name: {"level": "WARNING"} for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace")},
        # Notes on queries that name what isn't there yet; a hostname that files as a broker don't have.
        **{name: {"level": "ERROR"} for name in ("neo4j", "kombu.connection")},
    },
}
