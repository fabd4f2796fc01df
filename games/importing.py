"""Import of match transcripts: read, referee, hold, play and settle, through the same code as live games.

One file is one transaction. A game that breaks the rules is refused with its line and leaves nothing behind; the other
games of the file are imported. A game is known by the digest of its players, number and text, so that importing it
again changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from moneyed import Money

from games import rules, settle
from games.finish import finish
from games.models import Game, Table
from games.rules import mat, replay
from games.rules.transcript_errors import TranscriptError
from games.start import create_game, write_events
from games.terms import Terms
from ledger import book, money
from players.models import Player

NAMESPACE = "import"
_LOCK = 0x6E61726479  # one import at a time: "nardy" in ASCII


class ImportRefused(Exception):
    """A whole file that cannot be imported now; the message says why and what to do."""


@dataclass(frozen=True)
class GameReport:
    """What became of one game of a file. `status`: imported, known (imported before) or refused."""

    number: int
    line: int
    status: str
    players: tuple[str, str]
    game: Game | None = None
    transcript_points: int | None = None
    difference: str | None = None
    reason: str = ""


@dataclass
class FileReport:
    """What became of one file; `torn` when its text could not be read at all, with the line."""

    path: str
    games: list[GameReport] = field(default_factory=list)
    deposits: list[tuple[str, Money]] = field(default_factory=list)
    torn: TranscriptError | None = None

    @property
    def refused(self) -> bool:
        return self.torn is not None or any(game.status == "refused" for game in self.games)


@dataclass(frozen=True)
class _Checked:
    """A game that keeps the rules, and its digest."""

    source: mat.Game
    game: replay.CheckedGame
    digest: str


def import_file(path: Path, terms: Terms, *, jacoby: bool = False) -> FileReport:
    """Import one transcript on these terms. Nothing of a refused game, or of a torn file, reaches the database.

    Raises:
        ImportRefused: settlement is paused, so that no game could be settled.
        OSError: the file cannot be read.
    """
    report = FileReport(str(path))
    data = path.read_bytes()
    try:
        match = mat.read(mat.decode(data))
    except TranscriptError as error:
        report.torn = error
        return report
    checked = _referee(match, terms, jacoby, report)
    if settle.is_paused():
        raise ImportRefused("settlement is paused: resume it in the admin and import again")
    with transaction.atomic():
        _Importer(match, terms, path.name, hashlib.sha256(data).hexdigest(), report).run(checked)
    report.games.sort(key=lambda game: game.number)
    return report


def _referee(match: mat.Match, terms: Terms, jacoby: bool, report: FileReport) -> list[_Checked]:
    """Every game checked by the rules before anything is written; refused ones go into the report."""
    checked = []
    for game in match.games:
        try:
            kept = replay.check_game(match, game, terms.options, jacoby=jacoby)
        except TranscriptError as error:
            report.games.append(_refused(match, game, error.line, error.reason))
            continue
        text = "\n".join([match.player1, match.player2, str(game.number), kept.text_for_digest])
        checked.append(_Checked(game, kept, hashlib.sha256(text.encode()).hexdigest()))
    return checked


def _refused(match: mat.Match, game: mat.Game, line: int, reason: str) -> GameReport:
    return GameReport(game.number, line, "refused", (match.player1, match.player2), None, game.points, None, reason)


class _Importer:
    """Writes the checked games of one file, inside its transaction."""

    def __init__(self, match: mat.Match, terms: Terms, name: str, file_digest: str, report: FileReport) -> None:
        self.match, self.terms, self.name, self.file_digest, self.report = match, terms, name, file_digest, report
        self.rake = book.current_rake(str(terms.stake.currency))
        self.now = timezone.now()

    def run(self, checked: Sequence[_Checked]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        known = {
            game.import_digest: game for game in _with_players().filter(import_digest__in=[c.digest for c in checked])
        }
        new = [one for one in checked if one.digest not in known]
        for one in checked:
            if one.digest in known:
                self._report_known(one, known[one.digest])
        if new:
            table = self._table(new)
            self._fund(table, new)
            for one in new:
                self._write(table, one)

    def _report_known(self, one: _Checked, game: Game) -> None:
        """The same game on the same terms changes nothing; on other terms it is an error."""
        if (game.stake_money, game.options) != (self.terms.stake, one.game.options.to_json()):
            was = f"stake {money.text(game.stake_money)}, {_words(game.options, one.game.options.to_json())}".rstrip(
                ", "
            )
            reason = f"this game was imported before on other terms ({was}); it stays as it is"
            self.report.games.append(_refused(self.match, one.source, one.source.line, reason))
        else:
            self._add(one, game, "known")

    def _table(self, new: Sequence[_Checked]) -> Table:
        white, black = imported_player(self.match.player1), imported_player(self.match.player2)
        return Table.objects.create(  # type: ignore[misc]  # MoneyField takes Money
            variant=self.terms.options.variant, options=new[0].game.options.to_json(),
            rules_version=rules.RULES_VERSION,
            stake=self.terms.stake, factor_cap=self.terms.factor_cap, first_move="lot", series_length=len(new),
            rake_percent=self.rake.percent, rake_cap=self.rake.cap.amount if self.rake.cap is not None else None,
            white=white, black=black, white_seen_at=self.now, black_seen_at=self.now, version=1,
            status=Table.Status.CLOSED, close_reason="imported", source="import",
        )  # fmt: skip

    def _fund(self, table: Table, new: Sequence[_Checked]) -> None:
        """One deposit per player for what the holds of this file's games lack, counting what each game will bring."""
        code = str(self.terms.stake.currency)
        assert table.black is not None
        for side, player in (("white", table.white), ("black", table.black)):
            have = book.wallet(player.pk, code).available
            lacking = Money(0, code)
            for one in new:
                lacking = max(lacking, self.terms.hold - have)
                have += self._net(one, side)
            if lacking.amount > 0:
                self._deposit(player, money.quantize(lacking), new)

    def _net(self, one: _Checked, side: str) -> Money:
        result = one.game.result
        loss = self.terms.cost(result.points)
        if result.winner is None:
            return loss * 0
        if result.winner != side:
            return -loss
        return loss - money.rake_of(loss, self.rake.percent, self.rake.cap)

    def _deposit(self, player: Player, amount: Money, new: Sequence[_Checked]) -> None:
        # The games belong to the key: a file that was imported in part before may need a second deposit.
        games = hashlib.sha256("".join(one.digest for one in new).encode()).hexdigest()[:16]
        key = f"import:{self.file_digest[:32]}:{games}:{player.pk}"
        give = book.grant_play_chips if str(amount.currency) == money.PLAY_CHIPS else book.deposit
        give(key, player.pk, amount, None, f"import of {self.name[:100]}")
        self.report.deposits.append((str(player), amount))

    def _write(self, table: Table, one: _Checked) -> None:
        details = {
            "file": self.name, "line": one.source.line, "transcript_points": one.game.transcript_points,
            "difference": one.game.difference,
        }  # fmt: skip
        game = create_game(
            table, one.source.number, one.game.starter, None, import_digest=one.digest, import_details=details
        )
        state = rules.state_from_json(game.state)
        events: list[tuple[rules.Event, str, int | None]] = []
        for event in one.game.events:
            events.append((event, _actor(state, event), None))
            state = rules.apply(state, event)
        write_events(game, events, self.now)
        game.state, game.starter = state.to_json(), state.starter or ""
        game.white_moved = game.black_moved = True
        finish(game, one.game.result, self.now)
        game.save()
        if settle.settle_now([game.pk]).settled != 1:
            note = Game.objects.values_list("settlement_note", flat=True).get(pk=game.pk)
            raise ImportRefused(f"game {one.source.number} could not be settled, so nothing was imported: {note}")
        game.refresh_from_db()
        self._add(one, game, "imported")

    def _add(self, one: _Checked, game: Game, status: str) -> None:
        players = (self.match.player1, self.match.player2)
        self.report.games.append(
            GameReport(
                one.source.number,
                one.source.line,
                status,
                players,
                game,
                one.game.transcript_points,
                one.game.difference,
            )
        )


def imported_player(name: str) -> Player:
    """The player of this name among imported ones, made without a log-in where missing."""
    player, made = Player.objects.get_or_create(
        username=f"{NAMESPACE}:{name}", defaults={"namespace": NAMESPACE, "display_name": name[:60]}
    )
    if made:
        player.set_unusable_password()
        player.save(update_fields=["password"])
    return player


def _with_players() -> Any:
    return Game.objects.select_related("white", "black")


def _actor(state: rules.GameState, event: rules.Event) -> str:
    """Who acted: the lot and a time-out are the server's."""
    if isinstance(event, rules.Resign):
        return event.side
    return "" if isinstance(event, rules.Lot | rules.TimeOut) else state.to_act or ""


def _words(was: dict[str, Any], now: dict[str, Any]) -> str:
    """The options that differ, as they were."""
    return ", ".join(f"{name} {value}" for name, value in was.items() if now.get(name) != value)
