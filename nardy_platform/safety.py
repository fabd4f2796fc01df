"""What must not start: missing secrets and settings that would be unsafe for real money."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from marshmallow import ValidationError

WEAK = ("change-me", "changeme", "secret", "insecure", "example")


def refuse_insecure(secret_key: str, seed_key: str, hosts: list[str], database_url: str, valkey_url: str) -> None:
    """Raise ImproperlyConfigured with every reason at once."""
    reasons = [
        f"{name} is not set"
        for name, value in (("DATABASE_URL", database_url), ("VALKEY_URL", valkey_url))
        if not value
    ]
    if len(secret_key) < 50 or any(word in secret_key.lower() for word in WEAK):
        reasons.append("SECRET_KEY is missing, shorter than 50 characters, or an example")
    if not _is_fernet_key(seed_key):
        reasons.append("SEED_KEY is missing or is not 32 random bytes in URL-safe base64")
    if not hosts or any(host == "*" for host in hosts):
        reasons.append("ALLOWED_HOSTS must name the site's own hosts, and not be '*'")
    if reasons:
        raise ImproperlyConfigured(
            "The settings are not safe to start with: "
            + "; ".join(reasons)
            + ". See docs/operations.md, or use `make run`"
            " for a demo on this machine, which makes its own."
        )


def _is_fernet_key(text: str) -> bool:
    try:
        key = urlsafe_b64decode(text)
    except ValueError:
        return False
    return len(key) == 32 and len(set(key)) > 8


def database(name: str, url: str) -> dict[str, Any]:
    """Django's settings of the database at `url`, the value of the variable `name`. Raises ImproperlyConfigured."""
    try:
        found: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    except ValueError:  # whose text may hold the password
        found = {}
    if not found.get("ENGINE", "").endswith("postgresql"):
        raise ImproperlyConfigured(
            f"{name} is no address of PostgreSQL: write it like postgresql://user:word@host/name."
        )
    return found


def zone(name: str) -> None:
    """For a variable that names a time zone; raises marshmallow's ValidationError for what is none."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValidationError(f"“{name[:40]}” is not a time zone. Write one like Europe/Kyiv.") from None
