"""manage.py demo_data: fills a demo site; running it again changes nothing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import demo_site


class Command(BaseCommand):
    help = "Make the demo people, their money, games and tables (DEMO=1 only). Running it again changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("Demo log-ins have known passwords, so they are made only with DEMO=1.")
        self.stdout.write("Demo data …")
        self.make()
        self.stdout.write("Demo log-ins (name, password, role):")
        for line in demo_site.log_ins():
            self.stdout.write(f"  {line}")

    def make(self) -> None:
        """All that the site has; tournaments adds its own."""
        demo_site.make(self._say)

    def _say(self, step: str) -> None:
        self.stdout.write(f"  {step}")
        self.stdout.flush()
