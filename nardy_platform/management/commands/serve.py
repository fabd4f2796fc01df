"""manage.py serve: the whole site on this machine (what `make run` calls)."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nardy_platform import serve


class Command(BaseCommand):
    requires_system_checks = ()  # migrate makes them
    help = "Migrates, makes demo data on first start, and runs web, worker and beat until Ctrl-C."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            serve.run()
        except serve.CannotServe as error:
            raise CommandError(str(error)) from None
