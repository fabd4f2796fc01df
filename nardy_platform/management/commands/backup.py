"""`manage.py backup FILE`: the whole database in one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nardy_platform import backup


class Command(BaseCommand):
    help = "Dump the database into FILE (pg_dump's custom format) while the site runs; restore it with `restore`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            size = backup.backup(options["file"])
        except (backup.BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{options['file']}: {size:,} bytes. Keep SEED_KEY and SECRET_KEY apart from it.")
