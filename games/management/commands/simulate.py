"""manage.py simulate: concurrent bots play and settle whole games through the real services."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from games import background
from games.crowd import Crowd
from games.models import Game


class Command(BaseCommand):
    help = "Concurrent bots play and settle whole games for play chips; prints figures and ends with verify_ledger."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1, help="of pairings, terms and choices; not of the dice")
        parser.add_argument("--players", type=int, default=10, help="number of bots, at least 3")
        parser.add_argument("--threads", type=int, default=4, help="games that are played at the same time")
        parser.add_argument(
            "--faults",
            action="store_true",
            help="kill the worker, cut database connections, lose messages; only on the embedded services",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["games"] < 1 or options["players"] < 3 or options["threads"] < 1:
            raise CommandError("At least 1 game, 3 players and 1 thread, please.")
        if options["faults"] and not settings.EMBEDDED:
            raise CommandError("--faults breaks things on purpose, so it never runs where DATABASE_URL is set.")
        begun = time.monotonic()
        crowd = Crowd(options["games"], options["players"], options["seed"], self._say)
        behind = background.under_faults(options["seed"], self._say) if options["faults"] else background.in_process()
        with behind:
            seconds = crowd.run(options["threads"])
        self._figures(crowd, seconds, time.monotonic() - begun)
        unsettled = Game.objects.filter(settlement__in=[Game.Settlement.PENDING, Game.Settlement.PARKED]).count()
        for failure in crowd.tally.failures:
            self.stderr.write(f"failure: {failure}")
        if unsettled:
            self.stderr.write(f"failure: {unsettled} games are not settled")
        call_command("verify_ledger", stdout=self.stdout, stderr=self.stderr)
        if crowd.tally.failures or unsettled:
            raise SystemExit(1)

    def _figures(self, crowd: Crowd, seconds: float, total_s: float) -> None:
        counts = crowd.tally.counts
        self.stdout.write(
            f"{counts['games']} games, {counts['acts']} acts in {seconds:.1f} s:"
            f" {counts['games'] / seconds:.1f} games/s, {counts['acts'] / seconds:.0f} acts/s;"
            f" all settled after {total_s:.1f} s; {counts['nonsense refused']} wrong requests refused"
        )
        for group in ("variant", "ended by"):
            parts = [f"{name.removeprefix(group)} {n}" for name, n in sorted(counts.items()) if name.startswith(group)]
            self.stdout.write(f"  {group}:{','.join(parts)}")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
