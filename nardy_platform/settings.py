"""Settings, all from the environment; docs/operations.md lists the variables."""

from pathlib import Path

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from environs import Env
from marshmallow.validate import OneOf, Range, Regexp

from ledger import money as ledger_money
from nardy_platform import log, safety

env = Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# --- Mode and secrets -------------------------------------------------------------------------------------------------
DEMO = env.bool("DEMO", False)  # on loopback only, with demo log-ins; set by `make run`
EMBEDDED = env.bool("EMBEDDED", False)  # set by manage.py alone, where it started the services itself
DEBUG = False
SECRET_KEY = env.str("SECRET_KEY", "")
SEED_KEY = env.str("SEED_KEY", "")  # encrypts the server's dice seeds at rest
LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
ALLOWED_HOSTS = LOOPBACK if DEMO else env.list("ALLOWED_HOSTS", [])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
safety.refuse_insecure(SECRET_KEY, SEED_KEY, ALLOWED_HOSTS, env.str("DATABASE_URL", ""), env.str("VALKEY_URL", ""))

# --- Applications -----------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "djmoney",
    "rest_framework",
    "drf_spectacular",
    "django_filters",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "csp",
    "players",
    "ledger",
    "tournaments",  # before games, whose commands it extends
    "games",
    "watch",
    "nardy_platform",
]
AUTH_USER_MODEL = "players.Player"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "nardy_platform.urls"
WSGI_APPLICATION = "nardy_platform.wsgi.application"

MIDDLEWARE = [
    "nardy_platform.log.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "nardy_platform.middleware.ContentSecurityPolicy",  # before WhiteNoise: static files have it too
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # pads at random, so that lengths tell nothing (BREACH)
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "nardy_platform.middleware.StaffGuard",
    "nardy_platform.refusing.StrangeRequests",
    "axes.middleware.AxesMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
INSTALLED_APPS.insert(0, "django.forms")

# --- Data -------------------------------------------------------------------------------------------------------------
# The application logs in as a role that owns nothing; only migrations use the owner (environment.OWNER_COMMANDS).
# Only migrations are given DATABASE_OWNER_URL: pages and tasks have no business with the owner's role.
AS_OWNER = env.bool("DATABASE_AS_OWNER", False)
DATABASE_URL, DATABASE_OWNER_URL = env.str("DATABASE_URL"), env.str("DATABASE_OWNER_URL", "")
if AS_OWNER and not DATABASE_OWNER_URL:
    raise ImproperlyConfigured("Set DATABASE_OWNER_URL: this command needs the role that owns the tables.")
_as_app = safety.database("DATABASE_URL", DATABASE_URL)
_as_owner = safety.database("DATABASE_OWNER_URL", DATABASE_OWNER_URL) if DATABASE_OWNER_URL else None
DATABASE_APP_ROLE = _as_app["USER"]
DATABASE_OWNER_ROLE = _as_owner["USER"] if _as_owner else None
DATABASES = {"default": _as_owner if AS_OWNER and _as_owner else _as_app}
DATABASES["default"].setdefault("OPTIONS", {})["connect_timeout"] = 5
VALKEY_URL = env.str("VALKEY_URL", validate=Regexp("(redis|rediss|unix)://", error="write it like redis://host:6379/0"))
CACHES = {
    "default": {
        "BACKEND": "nardy_platform.cache.TolerantCache",
        "LOCATION": VALKEY_URL,
        "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
    }
}
LIVE_CHANNEL = env.str("LIVE_CHANNEL", "nardy:live")  # Valkey pub/sub: "topic version"
# The signed ends of the ledger's chain of seals (ledger.anchor). Better a key and a file that the database's masters
# cannot reach; empty: no file, the log line alone.
ANCHOR_KEY = env.str("ANCHOR_KEY", "")
ANCHOR_FILE = env.str(
    "ANCHOR_FILE", f"{env.str('DATA_DIR')}/ledger-anchors.jsonl" if EMBEDDED and env.str("DATA_DIR", "") else ""
)
CURRENCIES = tuple(ledger_money.CURRENCIES)
# What a game blocks: the largest possible loss ("formula"), or 3 stakes without and 10 with the cube, where a loss is
# capped ("table_stakes"). Tables keep what they were opened under.
HOLD_POLICY = env.str("HOLD_POLICY", "formula", validate=OneOf(["formula", "table_stakes"]))
ACCOUNTING_ZONE = env.str("ACCOUNTING_ZONE", "Europe/Kyiv", validate=safety.zone)  # months are closed in this zone
PLAY_CHIPS_TOP_UP = env.int("PLAY_CHIPS_TOP_UP", 1000, validate=Range(min=0))  # what chips are filled up to, once a day

# --- Background work --------------------------------------------------------------------------------------------------
# Tasks are acknowledged early, their results ignored, and they expire: what must be done stands in the database.
CELERY_BROKER_URL = (env.str("BROKER_URL", "") or VALKEY_URL).replace("unix://", "redis+socket://", 1)
CELERY_BROKER_CONNECTION_TIMEOUT = 0.5
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 0.5,
    "max_retries": 0,
    "health_check_interval": 10,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 600
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = True
CELERY_DB_REUSE_MAX = 1_000_000  # never by a count of tasks: see nardy_platform/celery.py
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "nardy_platform.celery:PulsingScheduler"
CELERY_BEAT_SCHEDULE = {
    name: {"task": task, "schedule": every_s, "options": {"expires": every_s * 2, "ignore_result": True}}
    for name, task, every_s in [
        ("settle what a lost wake-up left pending", "games.tasks.settle_pending", 3.0),
        ("end games whose time ran out", "games.tasks.sweep", 1.0),
        ("move tournaments that are due", "tournaments.tasks.sweep", 2.0),
        ("seal the ledger", "ledger.tasks.seal", 5.0),
        ("see what stands still", "watch.tasks.alarm", 30.0),
        ("show that the worker works", "nardy_platform.tasks.pulse", 5.0),
    ]
} | {
    # By the clock: an interval would start anew with each restart of beat, which keeps nothing.
    name: {"task": task, "schedule": when, "options": {"expires": 3600, "ignore_result": True}}
    for name, task, when in [
        ("reconcile", "watch.tasks.reconcile", crontab(minute="5")),
        ("verify all", "watch.tasks.verify_all", crontab(hour="3", minute="30")),
    ]
}

# --- Language and time ------------------------------------------------------------------------------------------------
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("uk", "Українська"), ("ru", "Русский"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]

# --- Static files -----------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT", BASE_DIR / "build" / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "nardy_platform.storage.StaticFiles"},
}

# --- Security ---------------------------------------------------------------------------------------------------------
# Behind a proxy, uvicorn takes scheme and address from it (FORWARDED_ALLOW_IPS), so Django sees the client's own.
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", not DEMO)
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", 0 if DEMO else 365 * 24 * 3600, validate=Range(min=0))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = not DEMO
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "players.views.csrf_failure"
MAX_BODY_BYTES = DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# --- Log-in -----------------------------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
LOGOUT_REDIRECT_URL = ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "players.adapter.AccountAdapter"
ACCOUNT_FORMS = {"signup": "players.forms.SignupForm"}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none" if DEMO else "optional"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if DEMO else "https"
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "nardy_platform.mfa.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Nardy"
# Whole addresses are only slowed down, generously, for many people share one; a mailbox is spared floods of mail.
# No limit counts log-ins by name alone: anybody could lock out anybody. Guessing at one name is what axes counts.
ACCOUNT_RATE_LIMITS = {
    "login": "300/m/ip",
    "login_failed": "100/m/ip",
    "signup": "60/m/ip",
    "reset_password": "60/m/ip,5/m/key",
    "reset_password_from_key": "60/m/ip",
}
# A name is locked only for the address that failed: nobody can lock others out, and one proxy's address locks nobody.
AXES_FAILURE_LIMIT = 10
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "players.adapter.name_tried"
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "lockout.html"
AXES_DISABLE_ACCESS_LOG = False
AXES_VERBOSE = False

# --- Mail -------------------------------------------------------------------------------------------------------------
EMAIL_HOST = env.str("EMAIL_HOST", "localhost")
EMAIL_PORT = env.int("EMAIL_PORT", 25, validate=Range(1, 65535))
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", "nardy@localhost")
if DEMO:  # nothing leaves the machine
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = env.path("DATA_DIR", BASE_DIR / ".data") / "mail"

# --- API --------------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["games.json_body.JsonParser"],
    "EXCEPTION_HANDLER": "games.api_base.refused",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "60/min", "user": "600/min"},
    "COERCE_DECIMAL_TO_STRING": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Nardy Platform",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {  # several fields share a set of choices, or choices differ under one field's name
        "SideEnum": "games.api_schema.SIDE",
        "ClockPresetEnum": "games.timer.PRESETS",
        "TableStatusEnum": "games.models.Table.Status",
        "GameStatusEnum": "games.models.Game.Status",
        "AccountStatusEnum": "ledger.models.Account.Status",
        "TournamentStatusEnum": "tournaments.models.Tournament.Status",
        "EntrantStatusEnum": "tournaments.models.Entrant.Status",
    },
}
UNFOLD = {
    "SITE_TITLE": "Nardy Platform",
    "SITE_HEADER": "Nardy Platform",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("img/favicon.svg")}],
    "STYLES": [lambda request: static("css/admin.css")],
    "COLORS": {  # the site's own green, from light to dark
        "primary": {
            "50": "#EEF7F1",
            "100": "#D6EBDD",
            "200": "#B0D8BE",
            "300": "#80BF97",
            "400": "#4FB27E",
            "500": "#2C8658",
            "600": "#1E6B45",
            "700": "#195A3A",
            "800": "#144A30",
            "900": "#0F3A26",
            "950": "#0B1F14",
        }
    },
}

# --- Logs -------------------------------------------------------------------------------------------------------------
LOGGING = log.configuration(env.str("LOG_LEVEL", "INFO", validate=OneOf(log.LEVELS)))
