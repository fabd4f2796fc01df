"""Refusals in the reader's language: every error of the rules, the ledger and the tables, translated by its code.

The rules engine knows no Django, so its sentences are repeated here for translation; a test keeps both lists alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from moneyed import Money

from games.errors import BadTerms, GameError
from games.rules import RuleError
from ledger.display import money_text
from ledger.errors import LedgerError

RULES: Mapping[str, Promise] = {
    "unknown_variant": _("There is no variant called {value}."),
    "unknown_option": _("There is no option called {field}."),
    "option_not_offered": _("The variant {variant} does not offer the option {field}."),
    "option_without_effect": _("The option {field} changes no legal turn of {variant}; leave it out."),
    "option_value": _("The option {field} cannot be {value}; choose from {choices}."),
    "option_needs_cube": _("The option {field} is offered only with the cube."),
    "option_needs_auto_double": _("The number of auto-doubles is set only where auto-doubles are on."),
    "start_not_random": _("The variant {variant} has a fixed starting position."),
    "start_checkers": _("A starting position needs {expected} checkers on the points 1 to 24; here are {found}."),
    "start_mirror": _("Points {point} and {mirror} are both used, so they would hold both colours."),
    "start_contact": _("The highest checker of a starting position stands on 13 or higher."),
    "start_blot": _("This starting position needs at least one blot."),
    "start_no_blot": _("This starting position has no blots: every occupied point holds two or more."),
    "bad_dice": _("Dice are two whole numbers from 1 to 6; {value} are not."),
    "bad_position": _("{reason}"),
    "bad_event": _("This is not an event of a game: {reason}"),
    "bad_state": _("This is not a stored game: {reason}"),
    "game_over": _("The game is over."),
    "not_your_turn": _("It is not your turn to act."),
    "not_now": _("This is not possible now: the game waits for {phase}."),
    "answer_double": _("An answer to the double is owed first."),
    "resign_before_lot": _("The game can be resigned from the end of the lot on."),
    "resign_finished": _("A side that has borne off everything cannot resign."),
    "no_clock": _("Only the side that owes the next act can run out of time."),
    "cube_off": _("This game is played without the cube."),
    "cube_dice_rolled": _("A double is offered before the roll; the dice are already on the board."),
    "cube_limit": _("The cube cannot go above its limit of {limit}."),
    "cube_owner": _("Only the owner of the cube may double."),
    "cube_last_roll": _("No double can be offered before the last roll."),
    "beaver_off": _("Beavers are not agreed at this table."),
    "beaver_again": _("A beaver cannot be beavered."),
    "series_length": _("A series is played to a whole number of points from 1 up, not to {value}."),
    "series_first_move": _("The first move of later games cannot be {value}; choose from {choices}."),
    "series_over": _("The series is over."),
    "empty_play": _("No play was written."),
    "bad_notation": _("{text} is not a move; write it like 13/7, 13/7*/5, bar/22, 6/off or 8/4(2)."),
    "bad_point": _("{text}: there is no point {point}; points are 1 to 24, bar and off."),
    "wrong_direction": _("{text}: checkers move from higher points to lower ones."),
    "too_many_steps": _("The dice do not cover all of these moves."),
    "dice_differ": _("The written dice {written} are not the dice on the board, {dice}."),
    "ambiguous_play": _("{text} fits plays that lead to different positions; write every stop and every hit."),
    "must_play": _("A play is possible, so the turn may not be passed."),
    "more_dice": _("As many dice as possible must be played: {possible} can be played, this plays {played}."),
    "larger_die": _("Only one of the dice can be played, and then the larger die, {die}, must be played."),
    "bar_first": _("A checker is on the bar: it must enter before any other checker moves."),
    "no_checker": _("You have no checker on point {point}."),
    "no_bar_checker": _("You have no checker on the bar."),
    "no_die": _("No die on the board moves a checker from {start} to {end}."),
    "closed_point": _("Point {point} is closed by the opponent."),
    "not_home": _("Checkers are borne off only when all your checkers in play are in your home."),
    "higher_checker": _("A larger die bears off only from the highest point; a checker stands on {point}."),
    "not_a_hit": _("{text} is marked as a hit, but nothing is hit there."),
    "dice_unplayable": _("Ø says that a die cannot be played, but every die is played here."),
    "hit_and_hide": _("A checker that hit in its home this turn may not hide on your other checkers (point {point})."),
    "off_after_hit": _("A checker that hit in its home this turn may not be borne off in the same turn."),
    "off_after_hit_unforced": _(
        "A checker that hit at home this turn is borne off only if this die has no other step."
    ),
    "head": _("At most {allowed} may leave the head in this turn."),
    "block": _("That would close six points in a row in front of all the opponent's checkers."),
    "pinned": _("The checker on point {point} is pinned and cannot move."),
    "game_ended": _("The game is over after an earlier step of this play; nothing can follow it."),
}


MOST_SHOWN = 200

#: What the game waits for, in the sentence of `not_now`.
PHASES: Mapping[str, Promise] = {
    "setup": _("the starting position"),
    "lot": _("the lot"),
    "roll": _("a roll"),
    "play": _("a play"),
    "double": _("an answer to the double"),
    "beaver": _("an answer to the beaver"),
}


def refusal(error: Exception) -> str:
    """What to tell a player: what was wrong, which rule, what to do. Raises TypeError for errors of other kinds."""
    if isinstance(error, BadTerms) and isinstance(error.__cause__, RuleError):
        error = error.__cause__  # the rules' own reason, which is translated by its code
    params = {name: _shown(name, value) for name, value in getattr(error, "params", {}).items()}
    if isinstance(error, RuleError):
        return str(RULES[error.code]).format(**params)
    if isinstance(error, GameError | LedgerError):
        return str(error.message) % params
    raise TypeError(f"not a refusal: {error!r}")


def _shown(name: str, value: Any) -> Any:
    if isinstance(value, Money):
        return money_text(value)
    if isinstance(value, str) and len(value) > MOST_SHOWN:
        return value[:MOST_SHOWN] + "…"  # what a client sent may be of any length
    return PHASES.get(value, value) if name == "phase" else value
