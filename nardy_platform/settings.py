"""Settings, all from the environment; docs/operations.md lists the variables."""

from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from environs import Env

from ledger import money as ledger_money

env = Env()
BASE_DIR = Path(__file__).resolve().parent.parent

# --- Mode and secrets -------------------------------------------------------------------------------------------------
DEMO = env.bool("DEMO", False)
DEBUG = False
SECRET_KEY = env.str("SECRET_KEY", "")
SEED_KEY = env.str("SEED_KEY", "")
if not (SECRET_KEY and SEED_KEY):
    raise ImproperlyConfigured("Set SECRET_KEY and SEED_KEY (see docker/.env.example); DEMO=1 of `make run` makes its own.")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"] if DEMO else [])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", [])

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
    "drf_spectacular_sidecar",
    "django_filters",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "csp",
    "players",
    "ledger",
    "games",
    "nardy_platform",
]
AUTH_USER_MODEL = "players.Player"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "nardy_platform.urls"
WSGI_APPLICATION = "nardy_platform.wsgi.application"

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
    "allauth.account.middleware.AccountMiddleware",
    "csp.middleware.CSPMiddleware",
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

# --- Data -------------------------------------------------------------------------------------------------------------
# The application logs in as a role that owns nothing; only migrations use the owner (environment.OWNER_COMMANDS).
DATABASE_URL = env.str("DATABASE_URL")
DATABASE_OWNER_URL = env.str("DATABASE_OWNER_URL", "") or DATABASE_URL
EMBEDDED = env.bool("EMBEDDED", False)  # set by manage.py alone, where it started the services itself
_app = dj_database_url.parse(DATABASE_URL, conn_max_age=60, conn_health_checks=True)
_owner = dj_database_url.parse(DATABASE_OWNER_URL)
DATABASE_APP_ROLE, DATABASE_OWNER_ROLE = _app["USER"], _owner["USER"]
DATABASES = {"default": _owner if env.bool("DATABASE_AS_OWNER", False) else _app}
VALKEY_URL = env.str("VALKEY_URL")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": VALKEY_URL}}
LIVE_CHANNEL = env.str("LIVE_CHANNEL", "nardy:live")  # Valkey pub/sub: "topic version"
CURRENCIES = tuple(ledger_money.CURRENCIES)

# --- Background work --------------------------------------------------------------------------------------------------
CELERY_BROKER_URL = env.str("BROKER_URL", "") or VALKEY_URL.replace("unix://", "redis+socket://", 1)

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
