"""`manage.py export_report NAME --from … --to … -o FILE`: a report for the accountant."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger import book, owners
from ledger.reports import REPORTS, BadParams, export
from ledger.reports.export import whole_file
from ledger.reports.formats import FORMATS
from ledger.reports.params import read


class Command(BaseCommand):
    help = "Export a report over the half-open period [from, to): " + ", ".join(REPORTS) + "."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help=", ".join(REPORTS))
        parser.add_argument("--from", dest="start", required=True, help="first day or moment, like 2026-11-01")
        parser.add_argument("--to", dest="end", required=True, help="the day or moment after the last")
        parser.add_argument("--tz", default="UTC", help="time zone of --from, --to and of all times in the report")
        parser.add_argument("--currency", help="only this currency")
        parser.add_argument("--player", help="only this player (id or name)")
        parser.add_argument("--format", dest="form", default="csv", help=", ".join(FORMATS))
        parser.add_argument("-o", "--output", required=True, help="the file to write, or - for standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._export(**options)
        except BadParams as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"The report could not be written: {error}") from None

    def _export(
        self, name: str, start: str, end: str, tz: str, currency: str | None, player: str | None, form: str,
        output: str, **_: Any,
    ) -> None:  # fmt: skip
        if name not in REPORTS:
            raise BadParams(f"There is no report “{name}”. There are: {', '.join(REPORTS)}.")
        params = read(start, end, tz, currency, player)
        owner = params.player if REPORTS[name].player == "must" else None
        if owner is not None and not owners.exists(owner) and not book.wallets(owner):
            raise BadParams(f"--player “{player}”: there is no such player.")
        if output == "-":
            with tempfile.TemporaryFile() as whole:  # nothing is printed of a report that fails midway
                export(REPORTS[name], params, form, whole)
                whole.seek(0)
                shutil.copyfileobj(whole, sys.stdout.buffer)
            return
        with whole_file(Path(output)) as out:
            header = export(REPORTS[name], params, form, out)
        self.stderr.write(f"{output}: {header.rows} rows{' (provisional)' if header.provisional else ''}.")
