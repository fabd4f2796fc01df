from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


class LedgerConfig(AppConfig):
    name = "ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(copy_chart, sender=self)


def copy_chart(using: str, plan: list[Any], **kwargs: Any) -> None:
    """After migrate, the database's copy of the chart is brought up to the registry's."""
    from ledger import chart

    with connections[using].cursor() as cursor:
        if "ledger_chart_rule" in connections[using].introspection.table_names(cursor):  # absent when migrated back
            chart.sync(cursor)
