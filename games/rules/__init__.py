"""The rules of nardy as pure values: standard library only, nothing of Django, no dice of its own.

A game is a fold over events:

>>> from games import rules
>>> game = rules.new_game(rules.make_options("short", cube_limit=8), starter="white")
>>> game = rules.apply(game, rules.Roll((3, 1)))
>>> [turn.play for turn in game.turns()][:2]
['6/2', '6/5 6/3']
>>> game = rules.apply(game, rules.Play("8/5 6/5"))
>>> game.to_act, game.pips("white"), game.may_double("black")
('black', 163, True)
>>> rules.apply(rules.apply(game, rules.Double()), rules.Drop()).result
Result(winner='black', factor=1, cube=1, points=1, kind='oin', reason='drop')
>>> rules.apply(game, rules.Play("8/5"))
Traceback (most recent call last):
    ...
games.rules.errors.NotNow: This is not possible now: the game waits for roll.
"""

from . import notation
from .board import Position
from .errors import (
    MESSAGES,
    Ambiguous,
    BadDice,
    BadEvent,
    BadOption,
    BadPosition,
    Illegal,
    Malformed,
    NotNow,
    PlayError,
    RuleError,
    UnknownVariant,
)
from .events import (
    Beaver,
    Double,
    Drop,
    Event,
    Lot,
    Play,
    Resign,
    Roll,
    Setup,
    Side,
    Take,
    TimeOut,
    event_from_json,
    other,
)
from .game import apply, draw_start, new_game
from .notation import Step
from .options import CUBE_LIMITS, GameOptions, make_options, options_from_json
from .results import Result
from .series import FirstMove, PointsSeries, next_starter, points_series
from .state import RULES_VERSION, Cube, GameState, LastTurn, state_from_json
from .turns import Turn, Turns
from .variant import Moment, Variant
from .variants import VARIANTS, variant

__all__ = [
    "CUBE_LIMITS",
    "MESSAGES",
    "RULES_VERSION",
    "VARIANTS",
    "Ambiguous",
    "BadDice",
    "BadEvent",
    "BadOption",
    "BadPosition",
    "Beaver",
    "Cube",
    "Double",
    "Drop",
    "Event",
    "FirstMove",
    "GameOptions",
    "GameState",
    "Illegal",
    "LastTurn",
    "Lot",
    "Malformed",
    "Moment",
    "NotNow",
    "Play",
    "PlayError",
    "PointsSeries",
    "Position",
    "Resign",
    "Result",
    "Roll",
    "RuleError",
    "Setup",
    "Side",
    "Step",
    "Take",
    "TimeOut",
    "Turn",
    "Turns",
    "UnknownVariant",
    "Variant",
    "apply",
    "draw_start",
    "event_from_json",
    "make_options",
    "new_game",
    "next_starter",
    "notation",
    "options_from_json",
    "other",
    "points_series",
    "state_from_json",
    "variant",
]
