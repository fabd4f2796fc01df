"""Checks of the configuration that Django runs before its commands."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error


def roles_differ(**_: Any) -> list[CheckMessage]:
    """The ledger's protection rests on an application role that owns no table."""
    if settings.DATABASE_OWNER_ROLE != settings.DATABASE_APP_ROLE:
        return []
    return [
        Error(
            f"The application logs in to the database as the owner of its tables ({settings.DATABASE_OWNER_ROLE}).",
            hint="Give DATABASE_URL a role of its own, and DATABASE_OWNER_URL (for migrations) another; "
            "see docs/operations.md.",
            id="nardy.E001",
        )
    ]
