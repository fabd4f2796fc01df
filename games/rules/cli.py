"""`python -m games.rules`: legal turns as a service on standard input and output (docs/rules.md#machine-interface).

One JSON question a line, one JSON answer a line, in order; a bad question is answered with an error, and it reads on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any, BinaryIO, NamedTuple, NoReturn, TextIO

from .errors import BadDice, BadOption, BadPosition, RuleError, UnknownVariant
from .events import check_dice
from .options import GameOptions, make_options
from .turns import Turn, Turns
from .validity import check_position, is_over
from .variant import Moment, Variant
from .variants import variant

REQUIRED = ("id", "variant", "options", "mine", "theirs", "dice")
OPTIONAL: dict[str, Any] = {"pinned": [], "pins": [], "first_turn": False, "second_starter": False}

CODES: tuple[tuple[type[RuleError], str], ...] = (
    (UnknownVariant, "unknown_variant"),
    (BadOption, "bad_option"),
    (BadDice, "bad_dice"),
    (BadPosition, "bad_position"),
)


class Refusal(Exception):
    """A question that gets no turns."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Question(NamedTuple):
    """What is asked, checked."""

    game: Variant
    turns: Turns


def serve(lines: Iterable[bytes] | BinaryIO, out: TextIO) -> None:
    """Answers every line, flushing after each."""
    for line in lines:
        out.write(json.dumps(answer(line)) + "\n")
        out.flush()


def answer(line: bytes) -> dict[str, Any]:
    """The answer to one line: its turns, or an error with code and message."""
    asked: Any = None
    try:
        asked = _parse(line)
        question = _question(asked)
        return {"id": asked["id"], "turns": [_turn_json(question.game, turn) for turn in question.turns.all]}
    except Refusal as refusal:
        code, message = refusal.code, str(refusal)
    except RuleError as error:
        code, message = next(code for kind, code in CODES if isinstance(error, kind)), str(error)
    return {"id": asked.get("id") if isinstance(asked, dict) else None, "error": {"code": code, "message": message}}


def _parse(line: bytes) -> Any:
    try:
        return json.loads(
            line.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        why = f"{error.msg} at column {error.colno} of this line"
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1} of it is not UTF-8"
    except RecursionError:
        why = "it is nested too deeply"
    except ValueError as error:  # ours, and Python's for integers of thousands of digits
        why = str(error) if isinstance(error, _NotJson) else "a number has too many digits"
    raise Refusal("bad_json", f"This line is not JSON: {why}.")


class _NotJson(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _NotJson(f"the field {name[:60]!a} is given twice")
        found[name] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise _NotJson(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise _NotJson(f"{text[:60]} is too large")
    return number


def _question(asked: Any) -> Question:
    if not isinstance(asked, dict):
        raise Refusal("bad_question", "A question is a JSON object.")
    missing = [name for name in REQUIRED if name not in asked]
    unknown = [name for name in asked if name not in REQUIRED and name not in OPTIONAL]
    if missing or unknown:
        said = [
            f"{', '.join(ascii(name[:60])[1:-1] for name in names[:10])} {'is' if len(names) == 1 else 'are'} {what}"
            for what, names in (("missing", missing), ("not known", unknown))
            if names
        ]
        raise Refusal("bad_question", f"The fields of the question are wrong: {'; '.join(said)}.")
    asked = OPTIONAL | asked
    for name in ("first_turn", "second_starter"):
        if not isinstance(asked[name], bool):
            raise Refusal("bad_question", f"{name} must be true or false.")
    game = variant(asked["variant"])
    options = _options(game, asked["options"])
    dice = check_dice(asked["dice"])
    position = check_position(game, asked["mine"], asked["theirs"], asked["pinned"], asked["pins"])
    if is_over(game, position, options):
        raise Refusal("game_over", "This game is over: there are no turns.")
    moment = Moment(dice, asked["first_turn"], asked["second_starter"])
    return Question(game, Turns(options, position, moment))


def _options(game: Variant, given: Any) -> GameOptions:
    if not isinstance(given, dict):
        raise Refusal("bad_option", "options must be a JSON object.")
    for field in given:
        if field not in game.turn_options:
            raise BadOption("option_without_effect", field, variant=game.key)
    return make_options(game.key, **given)


def _turn_json(game: Variant, turn: Turn) -> dict[str, Any]:
    after = turn.position
    said: dict[str, Any] = {"play": turn.play, "mine": list(after.mine), "theirs": list(after.theirs)}
    if game.has_pins:
        said |= {"pinned": sorted(after.pinned), "pins": sorted(after.pins)}
    return said
