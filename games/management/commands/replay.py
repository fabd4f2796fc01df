"""manage.py replay: derive games again from their events and compare with what is stored."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import dice, export, rules
from games.models import Game


class Command(BaseCommand):
    help = "Fold the events of games again: state, result and (once revealed) dice must be those that are stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", type=int, metavar="GAME", help="ids; none: every game")
        parser.add_argument("--show", action="store_true", help="print each game's record")

    def handle(self, *args: Any, **options: Any) -> None:
        games = Game.objects.select_related("white", "black", "seeds").order_by("pk")
        if options["games"]:
            games = games.filter(pk__in=options["games"])
            missing = set(options["games"]) - set(games.values_list("pk", flat=True))
            if missing:
                raise CommandError(f"There is no game {', '.join(map(str, sorted(missing)))}.")
        wrong = 0
        for number, game in enumerate(games.iterator(chunk_size=100), start=1):
            if options["show"]:
                self.stdout.write(export.as_record(game))
            for problem in problems(game):
                wrong += 1
                self.stderr.write(f"game {game.pk}: {problem}")
            if not options["games"] and number % 500 == 0:
                self.stdout.write(f"{number} games …")
        self.stdout.write(f"{games.count()} games replayed, {wrong} differences.")
        if wrong:
            raise SystemExit(1)


def problems(game: Game) -> list[str]:
    """What differs between a stored game and its replay, in words; empty when all agrees."""
    try:
        state = export.replayed(game)
    except rules.RuleError as error:
        return [f"its events break the rules: {error}"]
    found = []
    if state.to_json() != game.state:
        found.append("the stored state is not the one that its events lead to")
    if game.status == Game.Status.FINISHED:
        result = state.result
        stored = (game.winner or None, game.factor, game.cube, game.points, game.kind, game.reason)
        if result is None or tuple(result) != stored:
            found.append(f"the stored result {stored} is not the one that its events lead to")
    return found + _wrong_dice(game)


def _wrong_dice(game: Game) -> list[str]:
    """Rolls that are not those of the revealed seeds; nothing while the game runs."""
    stream = dice.revealed_stream(game)
    if stream is None:
        return []
    wrong = [
        str(event.roll_index)
        for event in game.events.filter(roll_index__isnull=False).order_by("seq")
        if dice.draw_again(stream, event.roll_index or 0, event.event, game.variant) != event.event
    ]
    return [f"these rolls are not those of its seeds: {', '.join(wrong)}"] if wrong else []
