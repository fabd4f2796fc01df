"""The project's own settings, pointed at embedded services in a data folder of the tests' own (TEST_DATA_DIR)."""

import os
from pathlib import Path

from nardy_platform import embedded, environment

TEST_DATA_DIR = os.environ.get("TEST_DATA_DIR") or str(environment.BASE_DIR / ".data-test")
_services = embedded.services(TEST_DATA_DIR)
# One private Valkey per test process: messages and tasks of two runs must never meet (conftest starts it).
_valkey = f"unix:///tmp/nardy-test-{os.getuid()}-{os.getpid()}/valkey.sock?db=0"
os.environ.update(
    DATABASE_URL=os.environ.get("TEST_DATABASE_URL", _services.database_url),
    DATABASE_OWNER_URL=_services.owner_url,
    VALKEY_URL=os.environ.get("TEST_VALKEY_URL", _valkey),
    BROKER_URL="",
    SECRET_KEY="only-for-tests-" + "0" * 40,
    SEED_KEY="MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    DEMO="1",
    EMBEDDED="1",
    ANCHOR_FILE="",
)

from nardy_platform.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Pages of tests name static files and serve none; WhiteNoise still wants its folder to be there.
STATIC_ROOT = Path(TEST_DATA_DIR) / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
