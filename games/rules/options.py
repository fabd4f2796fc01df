"""What a game is played under: variant and options (docs/rules.md#options)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .errors import BadOption, RuleError
from .variant import FACTOR, Kind, Variant

CUBE_LIMITS = (1, 2, 4, 8, 16, 32, 64)
MOST_AUTO_DOUBLES = 6

CHOICES: Mapping[str, tuple[object, ...]] = {
    "cube_limit": CUBE_LIMITS,
    "endgame": ("oin", "mars", "koks"),
    "bear_off_after_hit": ("allowed", "only_if_forced", "forbidden"),
    "head_exception": ("second_player", "both_players", "none"),
    "auto_doubles_max": tuple(range(1, MOST_AUTO_DOUBLES + 1)),
}
YES_NO = ("opening_uses_lot", "mother_draw", "last_roll_draw", "jacoby", "beaver", "auto_double", "crawford_game")


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """The agreed terms of one game. Make it with `make_options`, which fills in and checks; it never changes.

    Options that the variant does not offer hold None, or the value that changes nothing.
    """

    variant: str
    cube_limit: int = 1
    """1: played without the cube."""
    endgame: Kind = "koks"
    bear_off_after_hit: str | None = None
    head_exception: str | None = None
    opening_uses_lot: bool = True
    mother_draw: bool = False
    last_roll_draw: bool = False
    jacoby: bool = False
    beaver: bool = False
    auto_double: bool = False
    auto_doubles_max: int = 1
    crawford_game: bool = False
    """This game of a points series is the Crawford game: no cube, mars and koks in full."""

    @property
    def cube_in_play(self) -> bool:
        """Whether the cube can leave 1."""
        return self.cube_limit > 1 and not self.crawford_game

    @property
    def most_cube(self) -> int:
        """The highest value the cube can reach in this game."""
        return self.cube_limit if self.cube_in_play else 1

    @property
    def max_points(self) -> int:
        """The most that can be lost, in stakes: cube limit × endgame factor (docs/rules.md#holds)."""
        return self.most_cube * FACTOR[self.endgame]

    def to_json(self) -> dict[str, Any]:
        """Plain values, every option named; `options_from_json` reads them back."""
        return asdict(self)


def make_options(variant: str, **given: Any) -> GameOptions:
    """The options of a game: what is given, and the variant's defaults for the rest.

    >>> make_options("short", cube_limit=64).max_points
    192

    Raises UnknownVariant, and BadOption for a name or value that does not exist, that the variant does not offer, or
    that has no meaning without another option.
    """
    from .variants import variant as find

    game = find(variant)
    values: dict[str, Any] = {"endgame": game.endgames[-1], **game.own_options}
    for field, value in given.items():
        _check(game, field, value)
        values[field] = value
    options = GameOptions(variant=game.key, **values)
    _check_together(options)
    return options


def options_from_json(values: Mapping[str, Any]) -> GameOptions:
    """The options that `to_json` wrote; raises RuleError when they are not."""
    if not isinstance(values, Mapping) or not isinstance(values.get("variant"), str):
        raise RuleError("bad_state", reason="its options name no variant.")
    return make_options(**values)


def _check(game: Variant, field: str, value: object) -> None:
    if field == "variant" or field not in GameOptions.__dataclass_fields__:
        raise BadOption("unknown_option", field)
    if field not in game.options:
        if value is not GameOptions.__dataclass_fields__[field].default:
            raise BadOption("option_not_offered", field, variant=game.key)
        return
    choices = game.endgames if field == "endgame" else (True, False) if field in YES_NO else CHOICES[field]
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in choices):
        raise BadOption("option_value", field, value=value, choices=", ".join(map(str, choices)))


def _check_together(options: GameOptions) -> None:
    for field in ("jacoby", "beaver", "auto_double"):
        if getattr(options, field) and not options.cube_in_play:
            raise BadOption("option_needs_cube", field)
    if options.auto_doubles_max != 1 and not options.auto_double:
        raise BadOption("option_needs_auto_double", "auto_doubles_max")
