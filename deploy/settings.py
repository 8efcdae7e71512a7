"""Django settings. Only environment variables change them. If no variable is set, the site uses SQLite.

| variable | meaning | default |
|---|---|---|
| `DATABASE_URL` | the database, e.g. `postgres://user:password@host/name` | SQLite in `var/` |
| `REDIS_URL` | Redis or Valkey for cache and jobs, e.g. `unix:///path/of/socket` | none: no broker |
| `PLUMBLINE_WEBHOOK_HOSTS` | hosts in the local network that can receive webhooks | none: only public hosts |
| `EMAIL_URL` | mail server, e.g. `smtp+tls://user:password@host:587` | none: no e-mail |
| `PLUMBLINE_FROM` | the sender of e-mails; required with `EMAIL_URL` | none |
| `PLUMBLINE_URL` | the site's public URL, for links in e-mails | the first of `PLUMBLINE_ALLOWED_HOSTS` |
| `PLUMBLINE_DOCS_URL` | where the documentation is published; the help page links to it | none |
| `PLUMBLINE_SECRET_KEY` | signs cookies and links; at least 50 characters | created once, kept in `var/` |
| `PLUMBLINE_ALLOWED_HOSTS` | host names that the site serves, separated by commas | only this machine |
| `PLUMBLINE_HTTPS` | `1` if people reach the site by https | `0` |
| `PLUMBLINE_HSTS_PRELOAD` | `1`: browsers require https for every subdomain too | `0` |
| `PLUMBLINE_DEBUG` | `1` shows tracebacks in the browser; never use it on a public site | `0` |
| `PLUMBLINE_METRICS_TOKEN` | token for Prometheus to read `/metrics` | none: only this machine can read it |
| `PLUMBLINE_LOG` | format of the log: `plain` for people, `json` for one object per line | `plain` |
| `PLUMBLINE_SENTRY_DSN` | the Sentry DSN that gets error reports | none: no reports |
| `PLUMBLINE_VAR` | folder for all data that is not in a database server | `var/` of the checkout |
| `PLUMBLINE_UPLOAD_MB` | maximum size of one upload, and of all files of one set-up, in MB | 512 |
| `PLUMBLINE_IR_DATASETS` | `ir_datasets` collections to offer | none; all if only this machine is served |
| `PLUMBLINE_ARRIVALS_PER_HOUR` | workers who can start from one network address in an hour | 1000 |
| `PLUMBLINE_RESERVATIONS_PER_HOUR` | units that can be reserved from one network address in an hour | 1000 |
| `PLUMBLINE_PROLIFIC_TOKEN` | the token of your Prolific account, for the command `prolific` | none |
| `PLUMBLINE_PROLIFIC_HOOK_SECRET` | the secret that signs Prolific's messages | none: no messages |
| `PLUMBLINE_JUDGE_URL` | the address of the model of `machine_judge`, e.g. `http://localhost:80/v1` | none |
| `PLUMBLINE_JUDGE_KEY` | the key for this address | none |
| `PLUMBLINE_FONTS` | fonts for letters of a report's PDF that DejaVu lacks | none: the system's fonts |
| `PLUMBLINE_STATIC` | folder that `collectstatic` fills | `static/` in `PLUMBLINE_VAR` |
"""

from pathlib import Path

from csp.constants import NONE, SELF

from deploy.environment import (
    broker,
    choice,
    database,
    existing_folder,
    flag,
    folder,
    link,
    mail_server,
    names,
    private_link,
    private_text,
    redis,
    release,
    report_address,
    secret_key,
    sender,
    site_url,
    text,
    token,
    whole_number,
)
from deploy.hosts import hosts, origins
from deploy.logs import FORMS, logging_settings
from deploy.private import PRIVATE_FILE, PRIVATE_FOLDER, STATIC_FILE, STATIC_FOLDER, output_mode, repair
from deploy.queues import QUEUES, ROUTES
from judging.limits import (
    API_ACCOUNT,
    API_ADDRESS,
    API_LOG_IN,
    ARRIVALS,
    FORM_MEGABYTES,
    RESERVATIONS,
    RESET_LINK,
    TIDYING,
)

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = folder("PLUMBLINE_VAR", default=BASE_DIR / "var", mode=PRIVATE_FOLDER)

SECRET_KEY = secret_key("PLUMBLINE_SECRET_KEY", key_file=VAR / "secret_key")
DEBUG = flag("PLUMBLINE_DEBUG")
ALLOWED_HOSTS = hosts("PLUMBLINE_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
HTTPS = flag("PLUMBLINE_HTTPS")
SITE_URL = site_url("PLUMBLINE_URL", hosts=ALLOWED_HOSTS, https=HTTPS, needed_by="EMAIL_URL")
CSRF_TRUSTED_ORIGINS = origins(ALLOWED_HOSTS, SITE_URL) if HTTPS else []

INSTALLED_APPS = [
    "deploy.administration.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "judging",
]

MIDDLEWARE = [
    # Headers come first, so that every response has them: pages, static files and early refusals.
    "judging.core.pages.middleware.HeadersMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "judging.core.pages.observed.ObservedMiddleware",
    "judging.core.pages.middleware.Utf8Middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "judging.core.pages.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "judging.core.pages.limits.BodyLimitMiddleware",  # before the CSRF check, which reads the form
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "judging.core.pages.middleware.NoStoreMiddleware",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["judging.core.pages.templates.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "judging.core.pages.context.visitor",
            ],
        },
    }
]

DATABASES = {
    "default": database("DATABASE_URL", default=f"sqlite:///{VAR / 'plumbline.sqlite3'}"),
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Writers wait at BEGIN instead of failing halfway, and readers never wait (WAL).
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 60,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # Tests use a file, like a real site, because a shared in-memory database has different locking rules.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

UPLOAD_MEGABYTES = whole_number("PLUMBLINE_UPLOAD_MB", default=512, least=1)
FILE_UPLOAD_HANDLERS = [
    "judging.core.pages.limits.UploadLimit",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
FONTS = existing_folder("PLUMBLINE_FONTS")
# Collections can be large, so a site with PLUMBLINE_ALLOWED_HOSTS offers only those that its operator lists.
IR_DATASETS = names(
    "PLUMBLINE_IR_DATASETS", default=[] if text("PLUMBLINE_ALLOWED_HOSTS", default="") else ["*"]
)
DATA_UPLOAD_MAX_MEMORY_SIZE = FORM_MEGABYTES * 1024 * 1024  # the limit for a form without its files
# Without REDIS_URL, sessions are only in the database, and the process that requests a job also runs it. With
# REDIS_URL, Django also caches sessions, and job processes run the jobs.
REDIS_URL = redis("REDIS_URL")
SESSION_ENGINE = "deploy.sessions"
# All processes of the site must share these three folders.
DRAFTS_FOLDER = VAR / "drafts"  # uploads for the set-up of studies
EXPORTS_FOLDER = VAR / "exports"  # exports from jobs
DOWNLOADS_LOCK = VAR / "downloads.lock"  # held while a page computes a download
JOBS_LOCK = VAR / "jobs.lock"  # held by the process that runs jobs without a broker
REPORTS_FOLDER = VAR / "reports"  # figures from jobs
OUTPUT_MODE = output_mode()  # for files that commands write to a place of the user's choice
PRIVATE_PATHS = [VAR, VAR / "secret_key", DRAFTS_FOLDER, EXPORTS_FOLDER, REPORTS_FOLDER]
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    PRIVATE_PATHS += [Path(f"{DATABASES['default']['NAME']}{end}") for end in ("", "-wal", "-shm")]
for path in PRIVATE_PATHS:
    repair(path, PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)
JOBS_APP = "deploy.celery.app"
JOB_QUEUES = tuple(QUEUES)
CELERY_BROKER_URL = broker(REDIS_URL)
CELERY_ACCEPT_CONTENT = ["json"]  # Pickled messages would run code that their sender chose.
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # If this were shorter than the longest task, Redis would deliver the task twice.
    "visibility_timeout": 3 * 3600,
    "socket_connect_timeout": 5,
    "retry_policy": {"timeout": 5.0},
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.2}
CELERY_TASK_TIME_LIMIT = 2 * 3600
CELERY_TASK_IGNORE_RESULT = True  # The result of a job is in its row.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_IMPORTS = ["judging.jobs"]
CELERY_TASK_ROUTES = ROUTES
# Celery's default scheduler keeps its times in a file, with pickle. They need not survive a restart, because
# every start requests the regular jobs at once.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {"tidy": {"task": "judging.tidy", "schedule": TIDYING}}
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "django_redis.cache.RedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "plumbline",
            "VERSION": 2,  # The entries of version 1 were pickled.
            # The site works while Redis is unavailable, because sessions are also in the database.
            # Afterwards, the rate limits of log-ins and of the API count from zero again.
            "OPTIONS": {
                # The default is pickle, which would run code that anybody with access to Redis chooses.
                "SERIALIZER": "django_redis.serializers.json.JSONSerializer",
                "IGNORE_EXCEPTIONS": True,
                "SOCKET_CONNECT_TIMEOUT": 1,
                "SOCKET_TIMEOUT": 2,
            },
        }
    }
    DJANGO_REDIS_LOG_IGNORED_EXCEPTIONS = True
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            # This is so large that attackers cannot fill the cache to evict the counts of their own requests.
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    }
ARRIVALS_PER_HOUR = whole_number("PLUMBLINE_ARRIVALS_PER_HOUR", default=ARRIVALS.most, least=1)
RESERVATIONS_PER_HOUR = whole_number("PLUMBLINE_RESERVATIONS_PER_HOUR", default=RESERVATIONS.most, least=1)

MAIL_SERVER = mail_server("EMAIL_URL")
DEFAULT_FROM_EMAIL = sender("PLUMBLINE_FROM", needed_by="EMAIL_URL")
DOCS_URL = link("PLUMBLINE_DOCS_URL")
EMAIL_TIMEOUT = 10  # seconds
if MAIL_SERVER:
    EMAIL_HOST, EMAIL_PORT = MAIL_SERVER.host, MAIL_SERVER.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL_SERVER.user, MAIL_SERVER.password
    EMAIL_USE_TLS = MAIL_SERVER.scheme == "smtp+tls"
    EMAIL_USE_SSL = MAIL_SERVER.scheme == "smtps"

PROLIFIC_API = "https://api.prolific.com"
PROLIFIC_TOKEN = text("PLUMBLINE_PROLIFIC_TOKEN", default="")
PROLIFIC_HOOK_SECRET = text("PLUMBLINE_PROLIFIC_HOOK_SECRET", default="")

JUDGE_URL = private_link("PLUMBLINE_JUDGE_URL")
JUDGE_KEY = private_text("PLUMBLINE_JUDGE_KEY")

MTURK_LIVE = "https://mturk-requester.us-east-1.amazonaws.com"
MTURK_SANDBOX = "https://mturk-requester-sandbox.us-east-1.amazonaws.com"

WEBHOOK_HOSTS = [host.lower() for host in names("PLUMBLINE_WEBHOOK_HOSTS", default=[])]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "console:login"
LOGIN_REDIRECT_URL = "console:studies"
LOGOUT_REDIRECT_URL = "console:login"
PASSWORD_RESET_TIMEOUT = int(RESET_LINK.total_seconds())

LANGUAGE_CODE = "en"
USE_I18N = True
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["deploy.formats"]
LANGUAGES = [(path.name.replace("_", "-").lower(), path.name) for path in sorted(LOCALE_PATHS[0].iterdir())]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = folder("PLUMBLINE_STATIC", default=VAR / "static", mode=STATIC_FOLDER)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "deploy.staticfiles.HashedOnceCollected",
        "OPTIONS": {"file_permissions_mode": STATIC_FILE, "directory_permissions_mode": STATIC_FOLDER},
    },
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 3600
WHITENOISE_ALLOW_ALL_ORIGINS = False

SECURE_CONTENT_TYPE_NOSNIFF = True
# With the stricter "no-referrer", browsers send forms with "Origin: null". The site could not distinguish
# these forms from forms on other sites.
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]  # Probes on the server use plain http.
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# These settings are off by default. They affect other hosts in the domain, and removing a domain from the
# preload lists in browsers takes months.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = flag("PLUMBLINE_HSTS_PRELOAD") and HTTPS
SILENCED_SYSTEM_CHECKS = [
    "security.W005",
    "security.W021",
]  # `check --deploy` would ask for these two settings.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
if HTTPS:
    # Browsers accept cookies with this prefix only from this host over https, so other hosts cannot set them.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "judging.core.pages.errors.cookie_missing"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "judging.api.defaults.SignedTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["judging.api.defaults.MayUseConsole"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "judging.api.defaults.SmallJSONParser",
        "judging.api.defaults.SmallFormParser",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "judging.api.defaults.FirstRenderer",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "judging.api.defaults.AnonymousLimit",
        "judging.api.defaults.AccountLimit",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": API_ADDRESS.throttle,
        "user": API_ACCOUNT.throttle,
        "token": API_LOG_IN.throttle,
    },
    "EXCEPTION_HANDLER": "judging.api.errors.handle",
    "NUM_PROXIES": 1 if HTTPS else 0,  # How many proxies can report a client's address.
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Plumbline",
    "DESCRIPTION": "Read studies, their judgments, and the gains computed from them. This API is read-only.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "judging.api.schema.complete",
    ],
    "ENUM_NAME_OVERRIDES": {
        "StudyStateEnum": "judging.protocol.states.StudyState",
        "AttemptStateEnum": "judging.protocol.states.AssignmentState",
    },
}

LOGGING = logging_settings(choice("PLUMBLINE_LOG", options=FORMS))
METRICS_TOKEN = token("PLUMBLINE_METRICS_TOKEN")
SENTRY_DSN = report_address("PLUMBLINE_SENTRY_DSN")
if SENTRY_DSN:
    from deploy import fault_reports  # Sites without a DSN do not import the Sentry SDK.

    fault_reports.start(SENTRY_DSN, release=release(BASE_DIR))
