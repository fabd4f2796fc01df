"""manage.py import_match: settle the games of .mat transcripts (docs/operations.md)."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from moneyed import Money

from games import settle
from games.errors import BadTerms
from games.importing import FileReport, GameReport, ImportRefused, import_file
from games.terms import Terms, make_terms
from ledger import money
from ledger.errors import LedgerError


class Command(BaseCommand):
    help = (
        "Check the games of .mat transcripts by the rules, hold, play and settle them. Importing again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--stake", required=True, help='stake of one point, like "10.00 UAH"')
        parser.add_argument("--cube-limit", type=int, default=64, help="1 (no cube), 2, 4, 8, 16, 32 or 64; default 64")
        parser.add_argument("--endgame", default=None, help="oin, mars or koks; default: the highest of the variant")
        parser.add_argument("--variant", default="short", help="a variant of the short family; default short")
        parser.add_argument("--jacoby", action="store_true", help="the match was played with the Jacoby rule")
        parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        terms = _terms(options)
        reports, errors = [], []
        for name in options["files"]:
            try:
                report = import_file(Path(name), terms, jacoby=options["jacoby"])
            except (OSError, ImportRefused) as error:
                errors.append((name, getattr(error, "strerror", None) or str(error)))
                if not options["json"]:
                    self.stderr.write(f"{name}: {errors[-1][1]}")
                continue
            reports.append(report)
            if not options["json"]:
                self._print(report)
        totals = _totals(reports)
        if options["json"]:
            files = [_file_json(report) for report in reports]
            failed = [{"file": name, "reason": reason} for name, reason in errors]
            self.stdout.write(
                json.dumps({"files": files, "errors": failed, "totals": totals}, ensure_ascii=False, indent=1)
            )
        else:
            self.stdout.write(
                "Total: " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in totals.items())
            )
        if errors or any(report.refused for report in reports):
            raise SystemExit(1)

    def _print(self, report: FileReport) -> None:
        self.stdout.write(report.path)
        if report.torn:
            self.stderr.write(f"{report.path}:{report.torn.line}: {report.torn.reason}")
        for name, amount in report.deposits:
            self.stdout.write(f"  deposit {money.text(amount)} for {name}")
        for game in report.games:
            if game.status == "refused":
                self.stderr.write(f"{report.path}:{game.line}: game {game.number} refused: {game.reason}")
            else:
                self.stdout.write("  " + _line(game))


def _terms(options: dict[str, Any]) -> Terms:
    given = {"cube_limit": options["cube_limit"]}
    if options["endgame"]:
        given["endgame"] = options["endgame"]
    try:
        return make_terms(
            variant=options["variant"], stake=money.parse(options["stake"]), options=given, first_move="lot"
        )
    except (BadTerms, LedgerError) as error:
        raise CommandError(str(error)) from error


def _line(report: GameReport) -> str:
    game = report.game
    assert game is not None
    white, black = report.players
    winner = {"white": white, "black": black}.get(game.winner, "nobody")
    words = [
        f"game {report.number}: {white} – {black}, {winner} wins by {game.kind} ({game.reason}),"
        f" points {game.points}, transcript {report.transcript_points}",
        f"loss {money.text(game.loss)}, rake {money.text(settle.rake_for(game))}, entry {game.entry_id}",
    ]
    if report.difference:
        words.append(f"accepted difference: {report.difference}")
    if report.status == "known":
        words.append("imported before")
    return "; ".join(words)


def _totals(reports: list[FileReport]) -> dict[str, Any]:
    games = [game for report in reports for game in report.games]
    paid = [one.game for one in games if one.game is not None]
    totals: dict[str, Any] = {
        "files": len(reports),
        "torn_files": sum(report.torn is not None for report in reports),
        "games": len(games),
        **{status: sum(game.status == status for game in games) for status in ("imported", "known", "refused")},
        "differences": sum(game.difference is not None for game in games),
    }
    if paid:
        zero = Money(0, paid[0].currency)
        totals["loss"] = money.text(sum((game.loss for game in paid), zero))
        totals["rake"] = money.text(sum((settle.rake_for(game) for game in paid), zero))
    return totals


def _file_json(report: FileReport) -> dict[str, Any]:
    return {
        "file": report.path,
        "torn": report.torn and {"line": report.torn.line, "reason": report.torn.reason},
        "deposits": [{"player": name, "amount": money.text(amount)} for name, amount in report.deposits],
        "games": [_game_json(game) for game in report.games],
    }


def _game_json(report: GameReport) -> dict[str, Any]:
    game = report.game
    settled = game and {
        "game": game.pk,
        "winner": {"white": report.players[0], "black": report.players[1]}.get(game.winner),
        "kind": game.kind,
        "ended_by": game.reason,
        "points": game.points,
        "loss": money.text(game.loss),
        "rake": money.text(settle.rake_for(game)),
        "entry": game.entry_id,
    }
    return {
        "number": report.number,
        "status": report.status,
        "players": list(report.players),
        "transcript_points": report.transcript_points,
        **(settled or {"line": report.line, "reason": report.reason}),
        "difference": report.difference,
    }
