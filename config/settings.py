"""All settings, secure by default. The parameters of memory are in `memory_numbers`.

An instance started with `make run` needs no environment variables: key and database are in
DATA_DIR. A production server sets DATABASE_URL, SECRET_KEY and ALLOWED_HOSTS.
https://docs.djangoproject.com/en/5.2/ref/settings/
"""

import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.memory_numbers import (  # noqa: F401 - settings of the same names
    COHORT,
    COMPACT_EVERY,
    HISTORY_MESSAGES,
    MEMORY,
    MESSAGE_MAX_LENGTH,
)
from config.processes import embedded, local

BASE_DIR = Path(__file__).resolve().parent.parent
# The version, which only pyproject.toml states.
with (BASE_DIR / "pyproject.toml").open("rb") as project:
    VERSION = str(tomllib.load(project)["project"]["version"])
env = local.Environment()
if (BASE_DIR / ".env").exists():
    env.read_env(BASE_DIR / ".env")

# --- This instance -------------------------------------------------------------------------------
DATA_DIR = Path(env.str("DATA_DIR", default="") or BASE_DIR / "data").resolve()
PORT = env.port("PORT", default=8000)
# Without DATABASE_URL this is a local instance: embedded database, no TLS in front.
EMBEDDED = not env.str("DATABASE_URL", default="")

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    if not EMBEDDED:
        raise ImproperlyConfigured("Set SECRET_KEY: a server with its own DATABASE_URL needs one.")
    SECRET_KEY = local.secret_key(DATA_DIR)
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if EMBEDDED else []
)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
BEHIND_TLS = env.bool("BEHIND_TLS", default=not EMBEDDED)
if BEHIND_TLS:
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

# The port in links of e-mails, since a visitor's `Host` header is not trusted.
SITE_PORT = env.int("SITE_PORT", default=PORT if EMBEDDED else 0)

# --- Applications --------------------------------------------------------------------------------
INSTALLED_APPS = [
    # Admin modules are loaded by config.urls, not in every command.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    # Sessions with device and time, for the privacy page.
    "allauth.usersessions",
    "corsheaders",
    "csp",
    "django_htmx",
    "django_structlog",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "accounts",
    "personas",
    "memory",
    "ledger",
    "conversations",
    "privacy",
    "webhooks",
    "config",
]
MIDDLEWARE = [
    "config.visits.NameRequests",
    "config.health.probes",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.visits.MeasureVisits",
    "config.visits.KeepNothing",
    # Before all that refuse requests: pages of other origins have to read the reason.
    "corsheaders.middleware.CorsMiddleware",
    "config.front.compression.CompressWholeAnswers",
    "csp.middleware.CSPMiddleware",
    # Before all that query the database.
    "accounts.database.connections.release_before_streaming",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    # After CommonMiddleware, which sets Content-Length.
    "config.errors.PlainRefusals",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.visits.LogVisits",
    # After authentication and logging.
    "config.front.demo_look.look_around",
    "memory.web.tracing.trace_requests",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["config.templatetags.values"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "conversations.web.sidebar.sidebar",
            ],
        },
    },
]

# --- Storage -------------------------------------------------------------------------------------
# The pool is mandatory under ASGI: without it, each request of a burst opens a connection.
DATABASES = {
    "default": embedded.database(DATA_DIR) if EMBEDDED else env.db("DATABASE_URL"),
}
DATABASES["default"]["ENGINE"] = "django.db.backends.postgresql"
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
    "min_size": 1,
    "max_size": env.int("DATABASE_POOL", default=12),
    "timeout": 8,
}
# Other logins: the owner of the tables, for `migrate` and `restore`, and who reads every row, for
# `backup`. Empty on the site itself, which has no use for them.
DATABASE_OWNER, DATABASE_BACKUP = (
    env.db(name) if env.str(name, default="") else dict[str, Any]()
    for name in ("DATABASE_OWNER_URL", "DATABASE_BACKUP_URL")
)
# Where to listen for notifications, if DATABASE_URL leads to a pooler in transaction mode, such as
# PgBouncer: there the next transaction may run in another session. What needs one goes here, and
# nothing else expects to find the same session again.
DATABASE_LISTEN_URL = env.str("DATABASE_LISTEN_URL", default="")
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = bool(DATABASE_LISTEN_URL)
# Whether frequent statements are prepared; a pooler has to know of it (max_prepared_statements).
DATABASE_PREPARE = env.bool("DATABASE_PREPARE", default=not DATABASE_LISTEN_URL)
# The role the application connects as; it must be neither superuser nor exempt from row security.
DATABASE_APP_ROLE = env.str("DATABASE_APP_ROLE", default="throughline")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {
        # Rate limits must hold across processes, so the cache is shared even without a Redis.
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache_entry",
        # The default of 300 entries would let attackers evict rate limits.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    # The hot tier of memory: lives as long as a session and is never written to disk.
    "hot": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "hot",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
}
if env.str("REDIS_URL", default=""):
    redis = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": env.str("REDIS_URL"),
    }
    CACHES |= {"default": redis, "hot": redis | {"KEY_PREFIX": "hot"}}

# --- Accounts ------------------------------------------------------------------------------------
# https://docs.allauth.org/en/latest/account/configuration.html
AUTH_USER_MODEL = "accounts.User"
# E-mail addresses are unique regardless of case, by a constraint unknown to this check.
SILENCED_SYSTEM_CHECKS = [
    "auth.W004",
    # Whether subdomains use TLS only (HSTS) is for the domain's owner to decide.
    "security.W005",
    "security.W021",
]
AUTHENTICATION_BACKENDS = ["accounts.access.backends.PasswordBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_ADAPTER = "accounts.access.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "accounts.access.sign_in_forms.NewAddressForm",
    "change_password": "accounts.access.sign_in_forms.ChangePasswordForm",
    "reset_password": "accounts.access.sign_in_forms.ResetPasswordForm",
    "signup": "accounts.access.sign_in_forms.SignupForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# A local instance has no mail server, so verification would lock its user out.
ACCOUNT_EMAIL_VERIFICATION = env.str(
    "ACCOUNT_EMAIL_VERIFICATION", default="none" if EMBEDDED else "mandatory"
)
# One address per account, replaced once the new one is confirmed (if e-mail is sent at all).
ACCOUNT_CHANGE_EMAIL = True
CONFIRM_NEW_ADDRESS = bool(
    env.str("EMAIL_URL", default="") or ACCOUNT_EMAIL_VERIFICATION == "mandatory"
)
# Changes of address, password, tokens and the account itself require that the password was
# entered recently.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Whether demo users, whose password is public, may sign in; `up` sets it for its
# processes.
DEMO = env.bool("DEMO", default=False)
# Rate limit of sign-ups per IP address, and the number of proxies in front: with a wrong number,
# all visitors share the proxy's address and its limits.
ACCOUNT_RATE_LIMITS = {"signup": env.str("SIGN_UP_LIMIT", default="20/m/ip")}
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("PROXIES", default=int(BEHIND_TLS))
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "conversations:home"
ACCOUNT_LOGOUT_REDIRECT_URL = "landing"
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = DATA_DIR / "mail"
if env.str("EMAIL_URL", default=""):
    globals().update(env.email("EMAIL_URL"))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Throughline <throughline@localhost>")

# --- API -----------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.access.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.access.throttling.PersonThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.access.readable.ReadableJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.errors.api_exception_handler",
}
# API requests per minute and user; 0 for no limit.
API_LIMIT = env.int("API_LIMIT", default=1200)
# How many sub-users one account may create with a service token; 0 for none.
SUB_USERS = env.int("SUB_USERS", default=1000)
# Origins whose pages may call the API from a browser, with a token and never with a cookie.
CORS_ALLOWED_ORIGINS = env.list("CORS_ALLOWED_ORIGINS", default=[])
CORS_URLS_REGEX = r"^/(api|v1|v2|v3)/"
CORS_ALLOW_HEADERS = [
    *("accept", "authorization", "content-type", "user-agent", "x-request-id"),
    *("idempotency-key", "if-match", "if-none-match", "last-event-id", "x-act-as"),
    *("x-conversation", "x-memory"),
]
CORS_EXPOSE_HEADERS = [
    *("ETag", "Idempotent-Replayed", "Location", "Retry-After", "X-Request-ID"),
    *("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
]
KNOX_TOKEN_MODEL = "accounts.ApiToken"  # noqa: S105
REST_KNOX = {"TOKEN_TTL": timedelta(days=90), "AUTH_HEADER_PREFIX": "Token"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Throughline",
    "DESCRIPTION": "API of a chat assistant that remembers people: conversations, facts, memories"
    " and their history.",
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "PrecisionEnum": "memory.models.Precision.choices",
        "IngestedRoleEnum": "conversations.web.api.ingest.ROLES",
        "RoleEnum": "conversations.web.api.talk_serializers.ROLES",
        "KeptForEnum": "accounts.models.PrivacySettings.KEPT_FOR",
        "ErasureKindEnum": "ledger.models.ErasureKind.choices",
        "DeliveryStateEnum": "webhooks.models.DELIVERY_STATES",
    },
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.errors.describe_problems",
    ],
}

# The choices of token scopes.
TOKEN_SCOPES = "memory.namespaces.registry.scopes"  # noqa: S105

# --- Monitoring ----------------------------------------------------------------------------------
# `/metrics` only answers clients with this token, and nobody if it is empty.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_DIR = DATA_DIR / "metrics"
# The endpoint for spans; needs requirements/telemetry.txt.
OTEL_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
# From how many milliseconds on a statement or a recall is logged; 0: never.
SLOW_QUERY_MS = env.int("SLOW_QUERY_MS", default=500)
SLOW_RECALL_MS = env.int("SLOW_RECALL_MS", default=100)
# Where `manage.py backup` notes when it made the last one.
LAST_BACKUP = env.str("LAST_BACKUP", default=str(DATA_DIR / "last-backup.json"))

# --- Background work -----------------------------------------------------------------------------
# Jobs are rows (accounts.work). Without a broker PostgreSQL notifies `manage.py work` of new ones,
# with a broker a message wakes Celery's worker.
CELERY_BROKER_URL = env.str("BROKER_URL", default=env.str("REDIS_URL", default=""))
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
# The list of erasures to repeat after restoring a backup, see `manage.py erase_again`.
ERASED_LIST = env.str("ERASED_LIST", default=str(DATA_DIR / "erased.jsonl"))
# Limits of exports, and the days of grace before an account is deleted.
PRIVACY = {
    "exports_a_day": 5,
    "export_days": 7,
    # Limits of uploaded exports: per day, size packed and unpacked, and rows.
    "restores_a_day": 5,
    "restore_megabytes": 200,
    "restore_unpacked_megabytes": 500,
    "restore_rows": 500_000,
    # Hours after its last message until a temporary conversation is deleted.
    "temporary_hours": 24,
    "grace_days": env.int("DELETION_GRACE_DAYS", default=7),
}
# Webhooks: endpoints per user, seconds per request, days without success until an endpoint is
# turned off, days for which deliveries are logged, and whether private networks may be called,
# also without TLS.
WEBHOOKS = {
    "endpoints": 10,
    "seconds": 10.0,
    "failing_days": 5,
    "kept_days": 30,
    "private_addresses": env.bool("WEBHOOK_PRIVATE_ADDRESSES", default=False),
}
# The handler of each kind of job, called with its claim.
WORK_HANDLERS = {
    "learn": "conversations.learning.message_learning.learn_from",
    "index": "conversations.learning.indexing.index_late",
    "embed": "conversations.learning.embedding.embed_for",
    "reflect": "conversations.learning.listening_runs.listen_to",
    "answer": "conversations.turns.turn.answer_unattended",
    "compact": "conversations.summaries.compaction.compact_for",
    "topics": "conversations.topics.topic_detection.read_for",
    "tend": "memory.maintenance.lifecycle.tend",
    "lessons": "conversations.learning.lesson_derivation.derive_for",
    "lessons_upkeep": "memory.lessons.upkeep.tend",
    "vanish": "conversations.deletion.vanishing.vanish_for",
    "export": "privacy.exporting.make",
    "restore": "privacy.restoring.making.make",
    "import": "privacy.importing.making.make",
    "retention": "privacy.retention.sweep_for",
    "delete_account": "privacy.account_deletion.delete_for",
    "webhooks": "webhooks.sending.send_for",
}
WORK_TASK = "conversations.tasks.do_waiting_work"
# Periodic tasks with their intervals in seconds.
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # A task not started within its interval is dropped, as the next one follows.
    name: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for name, task, seconds in (
        ("sweep", WORK_TASK, 2.0),
        ("tend", "conversations.tasks.tend_notes", 600.0),
        ("privacy", "privacy.tasks.do_what_is_due", 600.0),
        ("webhooks", "webhooks.tasks.look_for_due", 2.0),
        ("webhooks_log", "webhooks.tasks.drop_old", 600.0),
    )
}
# The Celery application whose worker is woken for jobs if there is a broker.
WORKER_APP = "config.celery.app"
# The lease of a claimed job, renewed by its worker; also how soon another worker takes over
# the job of a killed process.
WORK_LEASE_SECONDS = env.int("WORK_LEASE_SECONDS", default=30)
# Seconds for which a reply waits for a browser before the worker writes it.
ANSWER_GRACE_SECONDS = env.int("ANSWER_GRACE_SECONDS", default=15)
WORKER_HEARTBEAT_SECONDS = 20
# Streamed answers per user at the same time, in each web process.
STREAMS_PER_PERSON = env.int("STREAMS_PER_PERSON", default=20)
# Event streams of memory changes per user at the same time, in each web process.
EVENT_STREAMS_PER_PERSON = env.int("EVENT_STREAMS_PER_PERSON", default=5)

# --- The language model --------------------------------------------------------------------------

# Limits of a prompt: facts and memories in characters (mostly also the tokens), and
# quoted messages in tokens.
_notes_characters = env.int("PROMPT_NOTES_CHARACTERS", default=MEMORY["injected_characters"])
MEMORY |= {
    "injected_tokens": MEMORY["injected_tokens"]
    * _notes_characters
    // MEMORY["injected_characters"],
    "injected_characters": _notes_characters,
    "quote_tokens": env.int("PROMPT_QUOTES_TOKENS", default=MEMORY["quote_tokens"]),
}
# Either one enables the model: a local server needs OPENAI_BASE_URL but no key.
OPENAI_API_KEY = env.str("OPENAI_API_KEY", default="")
OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", default="")
CHAT_MODEL = env.str("CHAT_MODEL", default="gpt-4o-mini")
# Whether a model that staff connect in the app may be on a private network, as it is on one's own
# machine; the environment may always name such a one.
MODEL_PRIVATE_ADDRESSES = env.bool("MODEL_PRIVATE_ADDRESSES", default=EMBEDDED)
MODEL_CONNECT_TIMEOUT = env.float("MODEL_CONNECT_TIMEOUT", default=5.0)
MODEL_READ_TIMEOUT = env.float("MODEL_READ_TIMEOUT", default=60.0)
MODEL_RETRIES = env.int("MODEL_RETRIES", default=2)
# The maximum length of an answer in tokens (0: see `conversations.llm.bounding`), and its
# maximum duration in seconds (0: no limit).
MODEL_MAX_TOKENS = env.int("MODEL_MAX_TOKENS", default=2048)
MODEL_ANSWER_SECONDS = env.float("MODEL_ANSWER_SECONDS", default=180.0)
# The model's context window in tokens: 0 asks its server; if that does not say,
# `conversations.llm.context` has a default.
MODEL_CONTEXT = env.int("MODEL_CONTEXT", default=0)
# Whether the model gets tools: on, off, or auto (if they fit into its context window).
MODEL_TOOLS = env.str("MODEL_TOOLS", default="auto")
# The model for background jobs (default: CHAT_MODEL), with its own timeouts.
BACKGROUND_MODEL = env.str("BACKGROUND_MODEL", default="")
# How far operations proposed by the model are trusted: full, strict, or auto, which depends on
# how many passed the checks so far.
MODEL_TRUST = env.str("MODEL_TRUST", default="auto")
BACKGROUND_SECONDS = env.float("BACKGROUND_SECONDS", default=300.0)
BACKGROUND_MAX_TOKENS = env.int("BACKGROUND_MAX_TOKENS", default=2048)

# --- Embeddings ----------------------------------------------------------------------------------
# A server with the OpenAI embeddings API, and its model; without both the built-in model is used.
EMBEDDING_BASE_URL = env.str("EMBEDDING_BASE_URL", default="")
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", default="")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", default="")
# The length of embeddings: 0 for the model's default.
EMBEDDING_DIMENSIONS = env.int("EMBEDDING_DIMENSIONS", default=0)
# Prefixes of questions and messages, for models that were trained with them.
EMBEDDING_QUERY_PREFIX = env.str("EMBEDDING_QUERY_PREFIX", default="")
EMBEDDING_PASSAGE_PREFIX = env.str("EMBEDDING_PASSAGE_PREFIX", default="")
# Timeouts in seconds for the embedding of a question, and for a batch of messages.
EMBEDDING_QUERY_SECONDS = env.float("EMBEDDING_QUERY_SECONDS", default=0.8)
EMBEDDING_BATCH_SECONDS = env.float("EMBEDDING_BATCH_SECONDS", default=30.0)

# --- Pages ---------------------------------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
# Translations that replace sentences of libraries with this site's own.
LOCALE_PATHS = [BASE_DIR / "locale"]
CSRF_FAILURE_VIEW = "config.errors.untrusted_form"
TIME_ZONE = "UTC"
STATIC_URL = "static/"
# Where `collectstatic` puts the files; an image has them outside of its data.
STATIC_ROOT = Path(env.str("STATIC_ROOT", default="") or DATA_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if not DEBUG
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
# No inline scripts or styles, and nothing from other origins.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [SELF],
        "manifest-src": [SELF],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
FILE_UPLOAD_HANDLERS = ["privacy.web.uploads.WithinBounds"]

# --- Logs: ids and durations, never user text ----------------------------------------------------
# The user is logged in accounts.access.pages: reading it here would make every request,
# even /healthz, depend on the database.
DJANGO_STRUCTLOG_USER_ID_FIELD = None
# It would trust any header with a client address; config.visits does not.
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
# config.visits.NameRequests has validated the id before.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOGGING = local.logging(LOG_LEVEL)
