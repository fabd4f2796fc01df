"""Rights of the application's database role. It owns nothing; the owner, who migrates, grants it what it needs."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper


def grant_after_migrate(sender: Any, using: str = "default", **_: Any) -> None:
    """post_migrate: give the application's role exactly what it needs, in one transaction."""
    app_role = settings.DATABASE_APP_ROLE
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute("SELECT current_user")
        if cursor.fetchone()[0] != app_role:
            grant(cursor, app_role)


def grant(cursor: CursorWrapper, app_role: str) -> None:
    """Rows of every table may be read and changed, but for the ledger's, which states its own rights."""
    role = connections["default"].ops.quote_name(app_role)
    cursor.execute(f"GRANT USAGE ON SCHEMA public TO {role}")
    cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}")
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'ledger\\_%'")
    for (table,) in cursor.fetchall():
        rights = "SELECT" if table == "django_migrations" else "SELECT, INSERT, UPDATE, DELETE"
        cursor.execute(f'GRANT {rights} ON "{table}" TO {role}')
    if find_spec("ledger.grants"):
        import_module("ledger.grants").apply(cursor, app_role)
