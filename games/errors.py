"""What can go wrong at a table or in a game: each error has a stable code, parameters and a translatable sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from moneyed import Money

from ledger import money

if TYPE_CHECKING:
    from games.play import GameView


class GameError(Exception):
    """Base of all refusals of this app. A refused call has changed nothing."""

    code = "game_error"
    message: Any = _("This is not possible.")

    def __init__(self, **params: Any) -> None:
        self.params = params
        super().__init__(self.code)

    def __str__(self) -> str:
        shown = {name: money.text(value) if isinstance(value, Money) else value for name, value in self.params.items()}
        return str(self.message) % shown


class NotFound(GameError):
    """Not there, or not for this person: nobody learns which of the two."""

    code = "not_found"
    message = _("There is no such page.")


class NotYourGame(NotFound):
    """A game in which this person has no seat; answered like a game that does not exist."""


class BadTerms(GameError):
    """Terms of a table that cannot be offered; `field` names the one to change, `message` says why, with `params`."""

    code = "bad_terms"

    def __init__(self, field: str, code: str, message: Any, **params: Any) -> None:
        self.code, self.message = code, message
        super().__init__(field=field, **params)


class NotEnoughMoney(GameError):
    code = "insufficient_funds"
    message = _("This table blocks %(needed)s; you have %(available)s available. Nothing was blocked.")


class OpponentShort(GameError):
    """The other side cannot cover the hold. Their balance stays theirs to know, so only the sum needed is named."""

    code = "opponent_insufficient_funds"
    message = _("Your opponent cannot cover the %(needed)s that this table blocks. Nothing was blocked.")


class AccountBlocked(GameError):
    code = "account_frozen"
    message = _("An account of one of the players is blocked, so no game can start. Nothing was blocked.")


class OwnTable(GameError):
    code = "own_table"
    message = _("This is your own table: somebody else has to join it.")


class TableTaken(GameError):
    code = "table_taken"
    message = _("Somebody has already joined this table.")


class TableClosed(GameError):
    code = "table_closed"
    message = _("This table is closed.")


class CreatorAway(GameError):
    code = "creator_away"
    message = _("The player who opened this table has left it.")


class AlreadyHasTable(GameError):
    code = "already_has_table"
    message = _("You already have an open table (no. %(table)s). Close it first.")


class AlreadyWaiting(GameError):
    code = "already_waiting"
    message = _("You already sit at table no. %(table)s that has not started. Leave it first.")


class NobodyJoined(GameError):
    code = "nobody_joined"
    message = _("Nobody has joined this table yet.")


class GameRunning(GameError):
    code = "game_running"
    message = _("A game is being played at this table: resign it, or play on.")


class SeriesGoesOn(GameError):
    code = "series_goes_on"
    message = _("This series belongs to %(name)s and is played to its end. There you can also withdraw.")


class NoMoneyForBots(GameError):
    code = "bots_play_for_chips"
    message = _("Bots play for play chips only.")


class SeedFrozen(GameError):
    code = "seed_frozen"
    message = _("The game has started: its dice seeds can no longer change.")


class BadSeed(GameError):
    code = "bad_seed"
    message = _("A dice seed is 1 to 64 visible characters.")


class BadAction(GameError):
    code = "bad_action"
    message = _("“%(action)s” is not an action of a game.")


class StaleVersion(GameError):
    """The game has moved on since the version that the request was made for; carries the present view."""

    code = "stale_version"
    message = _("The game has moved on: you acted on version %(given)s, it is now at %(present)s.")

    def __init__(self, given: int, view: GameView) -> None:
        self.view = view
        super().__init__(given=given, present=view.version)


class KeyReused(GameError):
    code = "key_reused"
    message = _("This idempotency key was already used for another action of this game.")
