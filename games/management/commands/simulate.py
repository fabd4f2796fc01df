"""manage.py simulate: concurrent bots play and settle whole games through the real services."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, connection

from games import background, faults, site
from games.crowd import Crowd
from games.doors import Web
from games.management.commands.replay import problems
from games.models import Game
from ledger import book


class Command(BaseCommand):
    help = "Concurrent bots play and settle whole games for play chips; prints figures and ends with verify_ledger."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1, help="of pairings, terms, choices, faults; not of the dice")
        parser.add_argument("--players", type=int, default=10, help="number of bots, at least 3")
        parser.add_argument("--threads", type=int, default=4, help="games that are played at the same time")
        parser.add_argument(
            "--faults",
            action="store_true",
            help="play over HTTP while web, worker, beat, PostgreSQL and Valkey are killed; on embedded services in"
            " DATA_DIR/faults alone",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["games"] < 1 or options["players"] < 3 or options["threads"] < 1:
            raise CommandError("At least 1 game, 3 players and 1 thread, please.")
        if options["faults"] and not settings.EMBEDDED:
            raise CommandError("--faults breaks things on purpose, so it never runs where DATABASE_URL is set.")
        begun = time.monotonic()
        try:
            with self._broken_site(options) if options["faults"] else self._quiet(options) as crowd:
                seconds = crowd.run(options["threads"])
        except (OperationalError, InterfaceError) as error:
            said = str(error).strip().splitlines()[0]
            raise CommandError(f"The database went away ({said}). Start it, then run verify_ledger.") from None
        self._figures(crowd, seconds, time.monotonic() - begun)
        failures = crowd.tally.failures + remainders(crowd)
        for failure in failures:
            self.stderr.write(f"failure: {failure}")
        call_command("verify_ledger", stdout=self.stdout, stderr=self.stderr)
        if failures:
            raise SystemExit(1)

    @contextlib.contextmanager
    def _quiet(self, options: dict[str, Any]) -> Iterator[Crowd]:
        with background.in_process():
            yield Crowd(options["games"], options["players"], options["seed"], self._say)

    @contextlib.contextmanager
    def _broken_site(self, options: dict[str, Any]) -> Iterator[Crowd]:
        """A crowd of HTTP clients at a whole site of its own, to which faults happen."""
        data = Path(os.environ["DATA_DIR"])
        with (data / "simulate.lock").open("a") as alone:
            try:
                fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CommandError(f"Another simulation breaks things in {data}; wait for its end.") from None
            self._say(f"Services and logs of this run: {data}")
            site.migrate()
            with site.serving(data / "log") as running:
                crowd = Crowd(options["games"], options["players"], options["seed"], self._say)
                crowd.door = Web(running.address, random.Random(options["seed"]), crowd.tally.add)
                with faults.happening(options["seed"], running, crowd.tally.add, self._say):
                    yield crowd
            connection.close()

    def _figures(self, crowd: Crowd, seconds: float, total_s: float) -> None:
        counts = crowd.tally.counts
        self.stdout.write(
            f"{counts['games']} games, {counts['acts']} acts in {seconds:.1f} s:"
            f" {counts['games'] / seconds:.1f} games/s, {counts['acts'] / seconds:.0f} acts/s;"
            f" all settled after {total_s:.1f} s; {counts['nonsense refused']} wrong requests refused"
        )
        for group in ("variant", "ended by", "requests", "games left", "overtaken", "fault"):
            parts = [f"{name.removeprefix(group)} {n}" for name, n in sorted(counts.items()) if name.startswith(group)]
            if parts:
                self.stdout.write(f"  {group}:{','.join(parts)}")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def remainders(crowd: Crowd) -> list[str]:
    """What a run must not leave behind: games that are not settled or not what their events say, and blocked money."""
    found = []
    for game in Game.objects.filter(pk__in=crowd.played).select_related("white", "black", "seeds").order_by("pk"):
        if game.settlement != Game.Settlement.SETTLED:
            found.append(f"game {game.pk} is {game.status}, its settlement {game.settlement} {game.settlement_note}")
        found += [f"game {game.pk}: {problem}" for problem in problems(game)]
    held = {hold.key for bot in crowd.bots for hold in book.holds(bot.pk)}
    return found + [f"hold {key} is left behind" for key in sorted(held)]
