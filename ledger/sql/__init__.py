"""The ledger's triggers and functions as plain SQL, one file per thing guarded; migrations install them.

Why not django-pgtrigger: docs/decisions/0003-triggers-in-sql.md.
"""

from pathlib import Path

from django.db import migrations


def install(*names: str) -> list[migrations.RunSQL]:
    """Migration operations that run the named files in order. Functions are CREATE OR REPLACE, so a later one may repeat."""
    here = Path(__file__).parent
    return [migrations.RunSQL((here / f"{name}.sql").read_text(), migrations.RunSQL.noop) for name in names]
