"""`manage.py close_period 2026-10 --reason …`: close an accounting month for good."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from ledger import book, owners
from ledger.errors import LedgerError


class Command(BaseCommand):
    help = "Close an accounting month: its reports are the same for ever from then on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("month", help="like 2026-10")
        parser.add_argument("--reason", required=True, help="why now, kept with the period")
        parser.add_argument("--actor", help="name or id of the operator")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            month = date.fromisoformat(f"{options['month']}-01")
        except ValueError:
            raise CommandError(f"“{options['month']}” is not a month. Write it like 2026-10.") from None
        actor = owners.find(options["actor"]) if options["actor"] else None
        if options["actor"] and actor is None:
            raise CommandError(f"There is no operator “{options['actor']}”.")
        try:
            with transaction.atomic():
                period = book.close_period(month, actor, options["reason"])
        except LedgerError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{period.month:%Y-%m} is closed: {period.entries} entries, digest {period.digest}.")
