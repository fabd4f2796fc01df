"""manage.py simulate: concurrent bots play and settle whole games through the real services."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import InterfaceError, OperationalError

from games import aftermath, background, simulation, storm
from games.crowd import Cast, Crowd, Tally
from games.models import Game
from ledger import book

#: Groups of counts, each a line of the summary.
SHOWN = (
    "variant", "ended by", "asked", "abandoned and repeated", "raced against itself", "repeated after no answer",
    "refused for the moment", "games left", "overtaken", "errand", "reconciliation", "tournament", "fault", "hit",
    "stood still for a while",
)  # fmt: skip

#: How long a worker that runs besides may take to settle what it has begun.
SETTLED_WITHIN_S = 20


class Command(BaseCommand):
    help = "Concurrent bots play and settle whole games for play chips; prints figures and ends with verify_ledger."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Options in full only: by the word "--faults" the services are chosen before this command reads it."""
        return super().create_parser(prog_name, subcommand, **kwargs | {"allow_abbrev": False})

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1, help="of pairings, terms, choices, faults; not of the dice")
        parser.add_argument("--players", type=int, default=10, help="number of bots, at least 3")
        parser.add_argument("--threads", type=int, default=4, help="games that are played at the same time")
        parser.add_argument(
            "--faults",
            action="store_true",
            help="play over HTTP, for money too, while deposits, withdrawals and reversals go on and web, worker, beat,"
            " PostgreSQL and Valkey are killed; on embedded services in DATA_DIR/faults alone",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["games"] < 1 or options["players"] < 3 or options["threads"] < 1:
            raise CommandError("At least 1 game, 3 players and 1 thread, please.")
        if options["faults"] and not settings.EMBEDDED:
            raise CommandError("--faults breaks things on purpose, so it never runs where DATABASE_URL is set.")
        begun = time.monotonic()
        try:
            done = self._broken(options) if options["faults"] else self._quiet(options)
        except (OperationalError, InterfaceError) as error:
            said = str(error).strip().splitlines()[0]
            raise CommandError(f"The database went away ({said}). Start it, then run verify_ledger.") from None
        self._figures(done, options["seed"], time.monotonic() - begun)
        for failure in done.failures:
            self.stderr.write(f"failure: {failure}")
        call_command("verify_ledger", stdout=self.stdout, stderr=self.stderr)
        if done.failures:
            raise SystemExit(1)

    def guests(self, options: dict[str, Any]) -> Sequence[storm.Guest]:
        """What else goes on in a run with faults."""
        return ()

    def _quiet(self, options: dict[str, Any]) -> storm.Done:
        tally = Tally()
        people = [simulation.bot_player(number) for number in range(1, options["players"] + 1)]
        before = aftermath.Before()
        with background.in_process():
            crowd = Crowd(options["games"], Cast(people), options["seed"], self._say, tally)
            seconds = crowd.run(options["threads"])
        self._await_settlement(crowd.played)
        played = Game.objects.filter(pk__in=crowd.played).select_related("white", "black", "seeds").order_by("pk")
        wrong = [problem for game in played for problem in aftermath.wrong_game(game)]
        held = {hold.key for person in people for hold in book.holds(person.pk)}
        left = [f"hold {key} is left behind" for key in sorted(held)]
        return storm.Done(tally, seconds, dict(before.entries()), tally.failures + wrong + left)

    def _await_settlement(self, played: Sequence[int]) -> None:
        """Where a site runs, its worker may be the one who settles a game, and be a moment later."""
        deadline = time.monotonic() + SETTLED_WITHIN_S
        pending = Game.objects.filter(pk__in=played, settlement=Game.Settlement.PENDING)
        while pending.exists() and time.monotonic() < deadline:
            time.sleep(0.1)

    def _broken(self, options: dict[str, Any]) -> storm.Done:
        data = Path(os.environ["DATA_DIR"])
        size = storm.Size(options["games"], options["players"], options["threads"], options["seed"])
        with self._alone(data):
            self._say(f"Services and logs of this run: {data}")
            return storm.run(size, data, self.guests(options), self._say)

    @contextlib.contextmanager
    def _alone(self, data: Path) -> Iterator[None]:
        with (data / "simulate.lock").open("a") as alone:
            try:
                fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CommandError(f"Another simulation breaks things in {data}; wait for its end.") from None
            yield

    def _figures(self, done: storm.Done, seed: int, total_s: float) -> None:
        counts, seconds = done.tally.counts, done.seconds
        self.stdout.write(
            f"seed {seed}: {counts['games']} games, {counts['acts']} acts in {seconds:.1f} s:"
            f" {counts['games'] / seconds:.1f} games/s, {counts['acts'] / seconds:.0f} acts/s;"
            f" all settled after {total_s:.1f} s; {counts['nonsense refused']} wrong requests refused"
        )
        for group in SHOWN:
            self._line(group, {name: number for name, number in counts.items() if name.startswith(group)})
        self._line("entries", done.entries)
        self.stdout.write(f"  violations: {len(done.failures)}")

    def _line(self, group: str, counts: dict[str, int] | Counter[str]) -> None:
        parts = [f"{name.removeprefix(group).lstrip(' :')} {number}" for name, number in sorted(counts.items())]
        if parts:
            self.stdout.write(f"  {group}: {', '.join(part.strip() for part in parts)}")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
