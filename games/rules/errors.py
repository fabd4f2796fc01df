"""What can be wrong with an option, a position, an act or a play.

Every error has a stable `code` and `params`; `str(error)` is the English sentence. Pages translate by code:
`MESSAGES[code]` is the source text, with `{placeholders}` named as in `params`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MESSAGES: Mapping[str, str] = {
    # options and set-up
    "unknown_variant": "There is no variant called {value!r}.",
    "unknown_option": "There is no option called {field!r}.",
    "option_not_offered": "The variant {variant} does not offer the option {field}.",
    "option_without_effect": "The option {field} changes no legal turn of {variant}; leave it out.",
    "option_value": "The option {field} cannot be {value!r}; choose from {choices}.",
    "option_needs_cube": "The option {field} is offered only with the cube.",
    "option_needs_auto_double": "The number of auto-doubles is set only where auto-doubles are on.",
    "start_not_random": "The variant {variant} has a fixed starting position.",
    "start_checkers": "A starting position needs {expected} checkers on the points 1 to 24; here are {found}.",
    "start_mirror": "Points {point} and {mirror} are both used, so they would hold both colours.",
    "start_contact": "The highest checker of a starting position stands on 13 or higher.",
    "start_blot": "This starting position needs at least one blot.",
    "start_no_blot": "This starting position has no blots: every occupied point holds two or more.",
    "bad_dice": "Dice are two whole numbers from 1 to 6; {value!r} are not.",
    "bad_position": "{reason}",
    "bad_event": "This is not an event of a game: {reason}",
    "bad_state": "This is not a stored game: {reason}",
    # the wrong moment
    "game_over": "The game is over.",
    "not_your_turn": "It is not your turn to act.",  # for those who know which person acts for which side
    "not_now": "This is not possible now: the game waits for {phase}.",
    "answer_double": "An answer to the double is owed first.",
    "resign_before_lot": "The game can be resigned from the end of the lot on.",
    "resign_finished": "A side that has borne off everything cannot resign.",
    "no_clock": "Only the side that owes the next act can run out of time.",
    "cube_off": "This game is played without the cube.",
    "cube_dice_rolled": "A double is offered before the roll; the dice are already on the board.",
    "cube_limit": "The cube cannot go above its limit of {limit}.",
    "cube_owner": "Only the owner of the cube may double.",
    "cube_last_roll": "No double can be offered before the last roll.",
    "beaver_off": "Beavers are not agreed at this table.",
    "beaver_again": "A beaver cannot be beavered.",
    # series
    "series_length": "A series is played to a whole number of points from 1 up, not to {value!r}.",
    "series_first_move": "The first move of later games cannot be {value!r}; choose from {choices}.",
    "series_over": "The series is over.",
    # plays that cannot be read
    "empty_play": "No play was written.",
    "bad_notation": "{text!r} is not a move; write it like 13/7, 13/7*/5, bar/22, 6/off or 8/4(2).",
    "bad_point": "{text!r}: there is no point {point}; points are 1 to 24, bar and off.",
    "wrong_direction": "{text!r}: checkers move from higher points to lower ones.",
    "too_many_steps": "The dice do not cover all of these moves.",
    "dice_differ": "The written dice {written} are not the dice on the board, {dice}.",
    # plays that break a rule
    "ambiguous_play": "{text!r} fits plays that lead to different positions; write every stop and every hit.",
    "must_play": "A play is possible, so the turn may not be passed.",
    "more_dice": "As many dice as possible must be played: {possible} can be played, this plays {played}.",
    "larger_die": "Only one of the dice can be played, and then the larger die, {die}, must be played.",
    "bar_first": "A checker is on the bar: it must enter before any other checker moves.",
    "no_checker": "You have no checker on point {point}.",
    "no_bar_checker": "You have no checker on the bar.",
    "no_die": "No die on the board moves a checker from {start} to {end}.",
    "closed_point": "Point {point} is closed by the opponent.",
    "not_home": "Checkers are borne off only when all your checkers in play are in your home.",
    "higher_checker": "A larger die bears off only from the highest point; a checker stands on {point}.",
    "not_a_hit": "{text!r} is marked as a hit, but nothing is hit there.",
    "dice_unplayable": "Ø says that a die cannot be played, but every die is played here.",
    "hit_and_hide": "A checker that hit in its home this turn may not hide on your other checkers (point {point}).",
    "off_after_hit": "A checker that hit in its home this turn may not be borne off in the same turn.",
    "off_after_hit_unforced": "A checker that hit at home this turn is borne off only if this die has no other step.",
    "head": "At most {allowed} may leave the head in this turn.",
    "block": "That would close six points in a row in front of all the opponent's checkers.",
    "pinned": "The checker on point {point} is pinned and cannot move.",
    "game_ended": "The game is over after an earlier step of this play; nothing can follow it.",
}


class RuleError(ValueError):
    """A rule was broken, or something could not be understood; nothing has changed."""

    def __init__(self, code: str, **params: Any) -> None:
        self.code = code
        self.params = params
        super().__init__(MESSAGES[code].format(**params))


class UnknownVariant(RuleError):
    """No variant has this key."""

    def __init__(self, value: object) -> None:
        super().__init__("unknown_variant", value=value)


class BadOption(RuleError):
    """An option is unknown, not offered by the variant, or has a value that does not exist. `field` names it."""

    def __init__(self, code: str, field: str, **params: Any) -> None:
        self.field = field
        super().__init__(code, field=field, **params)


class BadPosition(RuleError):
    """A position that cannot stand on a board."""


class BadDice(RuleError):
    """Not two whole numbers from 1 to 6."""


class BadEvent(RuleError):
    """JSON that is no event."""


class NotNow(RuleError):
    """The act is not possible in this phase of the game, or not by this side."""


class PlayError(RuleError):
    """Something is wrong with a play; see the three subclasses."""


class Malformed(PlayError):
    """The text cannot be read as a play."""


class Illegal(PlayError):
    """The play was read, and breaks a rule; `code` says which."""


class Ambiguous(PlayError):
    """The text fits plays that lead to different positions."""
