"""Two ways by which simulated people sit down and play: straight into the actions, or over HTTP through the API.

Over HTTP requests are abandoned, raced and repeated (games.client); answers to one request must agree.
"""

from __future__ import annotations

from typing import Any, Protocol

from django.db.models import Q

from games import play, rules, tables
from games.client import Client, Told, patient
from games.errors import GameError
from games.models import Game, Table
from games.queries import money_json
from games.terms import Terms
from players.models import Player


class Refused(GameError):
    """The API said no; `code` is what it said."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(**params)
        self.code = code

    def __str__(self) -> str:
        return f"{self.code} {self.params or ''}".strip()


class Door(Protocol):
    """All raise GameError (its `code` says why), RuleError or LedgerError where a request is refused.

    `name` is a request's own in this run: by it the seed decides what becomes of it.
    """

    def sit(self, white: Player, black: Player, terms: Terms, name: str) -> int:
        """Both take their seats; the table's id. A table of theirs that is half seated is taken up again."""

    def ready(self, player: Player, table_id: int, name: str) -> int | None:
        """Say Ready; the id of the game that runs now, if it is on."""

    def act(self, player: Player, game: Game, version: int, action: play.Action, key: str | None) -> tuple[Game, int]:
        """Act, and answer with the game after it and the version that the request produced."""


class Inside:
    """Calls the actions themselves; a request whose database connection broke is repeated."""

    def sit(self, white: Player, black: Player, terms: Terms, name: str) -> int:
        table = patient(lambda: waiting_table(white, black)) or patient(lambda: tables.create_table(white, terms))
        if table.black_id is None:
            patient(lambda: tables.join_table(black, table.pk))
        return table.pk

    def ready(self, player: Player, table_id: int, name: str) -> int | None:
        table = patient(lambda: tables.say_ready(player, table_id))
        if table.status != Table.Status.PLAYING:
            return None
        return patient(lambda: table.games.latest("number").pk)

    def act(self, player: Player, game: Game, version: int, action: play.Action, key: str | None) -> tuple[Game, int]:
        view = patient(lambda: play.act(player, game.pk, version, action, key))
        assert view.applied is not None
        return view.game, view.applied


def waiting_table(white: Player, black: Player) -> Table | None:
    """White's open table, if its other seat is Black's or free."""
    return Table.objects.filter(Q(black=black) | Q(black=None), white=white, status=Table.Status.OPEN).first()


class Web:
    """Browsers. What they are told must be what one of the allowed orders of their requests gives; see each method."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def sit(self, white: Player, black: Player, terms: Terms, name: str) -> int:
        table_id = self._open(white, terms, name)
        self._join(black, table_id, name)
        return table_id

    def _open(self, player: Player, terms: Terms, name: str) -> int:
        """One table, whatever was repeated: it is opened once, and every other answer names that one."""
        body = {
            "variant": terms.options.variant, "stake": money_json(terms.stake), "options": _own_options(terms),
            "first_move": terms.first_move, "series_length": terms.series_length, "clock": terms.clock,
        }  # fmt: skip
        told = self.client.ask(f"{name} open", player, "tables/", body, rare=True)
        opened = [one.body["id"] for one in told if one.done]
        known = [one.body["params"]["table"] for one in told if one.code == "already_has_table"]
        if len(opened) > 1 or len({*opened, *map(int, known)}) > 1:
            raise AssertionError(f"one request opened {opened} and found {known}")
        if not opened and not known:
            raise _refusal(told)
        self.client.count("asked: open")
        return int((opened + known)[0])

    def _join(self, player: Player, table_id: int, name: str) -> None:
        """The seat is taken once; afterwards it is this player's, whoever of two equal requests got it."""
        told = self.client.ask(f"{name} join", player, f"tables/{table_id}/join/", rare=True)
        if sum(one.done for one in told) > 1:
            raise AssertionError(f"the seat at table {table_id} was taken twice: {told}")
        if not any(one.done for one in told):
            refused = _refusal(told)
            if refused.code == "not_found" or not self._sits(player, table_id):
                raise refused
        self.client.count("asked: join")

    def _sits(self, player: Player, table_id: int) -> bool:
        """Whether an earlier, unanswered request took the seat."""
        return any(one["id"] == table_id and one["you"] == "black" for one in self.client.see(player, "tables/mine/"))

    def ready(self, player: Player, table_id: int, name: str) -> int | None:
        """Said once or twice, it is the same; refused only when all of it was."""
        told = self.client.ask(f"{name} ready", player, f"tables/{table_id}/ready/", rare=True)
        done = [one.body for one in told if one.done]
        if not done:
            raise _refusal(told)
        self.client.count("asked: ready")
        running = {body["game"] for body in done if body["status"] == "playing"}
        if len(running) > 1:
            raise AssertionError(f"one Ready began the games {running}")
        return int(running.pop()) if running else None

    def act(self, player: Player, game: Game, version: int, action: play.Action, key: str | None) -> tuple[Game, int]:
        """With a key every answer to one request is the same; without one it is sent once."""
        kind = action if isinstance(action, str) else action.kind
        body: dict[str, Any] = {"version": version, "type": kind}
        if isinstance(action, rules.Play):
            body["play"] = action.text
        path = f"games/{game.pk}/actions/"
        if key is None:
            told = [self.client.plain(player, path, body)]
        else:
            rare = kind not in ("roll", "play")
            told = self.client.ask(f"{key} {kind}", player, path, body, key, rare=rare)
        answers = {(one.status, one.body["applied"] if one.done else one.code) for one in told}
        if len(answers) > 1:
            raise AssertionError(f"game {game.pk}: one {kind} was answered {answers}")
        if not told[0].done:
            raise _refusal(told)
        self.client.count(f"asked: {kind}")
        found = patient(lambda: Game.objects.select_related("white", "black").get(pk=game.pk))
        return found, int(told[0].body["applied"])


def _refusal(told: list[Told]) -> Refused:
    first = told[0]
    return Refused(first.code, **(first.body.get("params") or {}))


def _own_options(terms: Terms) -> dict[str, Any]:
    """The options of the rules as the API takes them: what differs from the variant's defaults."""
    usual = rules.make_options(terms.options.variant).to_json()
    return {name: value for name, value in terms.options.to_json().items() if value != usual[name]}
