"""Installing the ledger's triggers and functions: plain SQL in ledger/sql, one file per thing guarded.

Why not django-pgtrigger: docs/decisions/0003-triggers-in-sql.md.
"""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"


def install(*names: str) -> list[migrations.RunSQL]:
    """Migration operations that run the named files in order."""
    return [migrations.RunSQL((SQL / f"{name}.sql").read_text(), migrations.RunSQL.noop) for name in names]
