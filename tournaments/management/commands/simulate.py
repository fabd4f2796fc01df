"""manage.py simulate, with --tournament N: bots play a whole tournament through the real services."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError

from games import background
from games.management.commands import simulate
from games.storm import Guest
from ledger import money
from tournaments import purse
from tournaments.cup import Cup
from tournaments.models import Tournament
from tournaments.simulation import Run
from tournaments.state import load


class Command(simulate.Command):
    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--tournament",
            type=int,
            metavar="N",
            help="instead of --games, with --faults beside them: a tournament of N bots, to its payout",
        )
        parser.add_argument("--format", choices=Tournament.Format.values, default="knockout", help="of the tournament")

    def handle(self, *args: Any, **options: Any) -> None:
        players = options["tournament"]
        if players is not None and not 2 <= players <= (options["players"] if options["faults"] else players):
            raise CommandError(
                "A tournament needs at least 2 bots, and with --faults no more than there are --players."
            )
        if players is None or options["faults"]:
            super().handle(*args, **options)
            return
        begun = time.monotonic()
        run = Run(players, options["seed"], self._say, options["format"])
        with background.in_process():
            tournament = run.play(options["threads"])
        self._report(run, tournament, time.monotonic() - begun)
        call_command("verify_ledger", stdout=self.stdout, stderr=self.stderr)

    def guests(self, options: dict[str, Any]) -> Sequence[Guest]:
        return () if options["tournament"] is None else (Cup(options["tournament"]),)

    def _report(self, run: Run, tournament: Tournament, seconds: float) -> None:
        state = load(tournament)
        paid = purse.paid_out(tournament)
        total = sum((amount.amount for amount in paid.values()), start=tournament.entry_money.amount * 0)
        counts = run.counts
        self._say(
            f"{tournament}: {counts['series']} series, {counts['games']} games, {counts['acts']} acts in"
            f" {len(state.rounds)} rounds, {seconds:.1f} s; {len(paid)} prizes, {total} paid, pool"
            f" {money.text(purse.pool(tournament))}"
        )
        for group in state.groups[:3]:
            self._say("  " + ", ".join(str(state.entrants[pk]) for pk in group[:4]))
