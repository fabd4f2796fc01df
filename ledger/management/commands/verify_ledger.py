"""`manage.py verify_ledger`: exit 0 when every invariant of the ledger holds, 1 with a line per violation."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ledger.verify import CHECKS, run


class Command(BaseCommand):
    help = "Check every invariant of the ledger; exit 0 when all hold, 1 with a line per violation."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object: checks, violations")

    def handle(self, *args: Any, **options: Any) -> None:
        found = 0
        violations = []
        for violation in run():
            found += 1
            if options["json"]:
                violations.append(asdict(violation))
            else:
                self.stdout.write(str(violation))
        if options["json"]:
            self.stdout.write(
                json.dumps({"ok": not found, "checks": list(CHECKS), "violations": violations}, ensure_ascii=False)
            )
        elif not found:
            self.stdout.write(f"The ledger holds: {len(CHECKS)} checks, no violation.")
        if found:
            sys.exit(1)
