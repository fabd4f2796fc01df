"""`manage.py restore FILE --into DATABASE`: a backup in a new database, verified."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nardy_platform import backup


class Command(BaseCommand):
    help = "Restore a backup into a new database on the same server, migrate and verify it; the present one stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--into", required=True, metavar="DATABASE", help="a database that is new or empty")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = backup.restore(options["file"], options["into"])
        except (backup.BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Restored into {done.database}, up to journal number {done.number}. The ledger holds.")
        if done.lost:
            self.stdout.write(f"NOT in this backup: {done.lost} later entries, which were sealed after it.")
        if done.anchors:
            self.stdout.write(f"When the site moves to this database, set ANCHOR_FILE to {done.anchors}.")
