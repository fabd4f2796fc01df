"""Everything that can happen in a game, as frozen values with a plain JSON form.

The dice come from outside; the engine never rolls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from .errors import BadDice, BadEvent

Side = Literal["white", "black"]
"""White is the table's creator (the first player of a transcript)."""

Dice = tuple[int, int]


def other(side: Side) -> Side:
    """The opponent's side."""
    return "black" if side == "white" else "white"


def check_dice(value: object) -> Dice:
    """Two ints from 1 to 6, as a tuple; raises BadDice (True is no die)."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise BadDice("bad_dice", value=value)
    if any(type(die) is not int or not 1 <= die <= 6 for die in value):
        raise BadDice("bad_dice", value=value)
    return value[0], value[1]


class Event:
    """One thing that happened; `kind` is its name in JSON."""

    kind: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """`{"type": kind, …fields}`; `event_from_json` reads it back."""
        return {"type": self.kind, **asdict(self)}  # type: ignore[call-overload]


@dataclass(frozen=True)
class Setup(Event):
    """The drawn start of a random variant: White's 26 counts, Black's being the same in Black's own numbering."""

    kind: ClassVar[str] = "setup"
    points: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", tuple(self.points))


@dataclass(frozen=True)
class Lot(Event):
    """The opening lot: one die each."""

    kind: ClassVar[str] = "lot"
    white: int
    black: int

    def __post_init__(self) -> None:
        check_dice((self.white, self.black))


@dataclass(frozen=True)
class Roll(Event):
    """Two dice for the side to act."""

    kind: ClassVar[str] = "roll"
    dice: Dice

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", check_dice(self.dice))


@dataclass(frozen=True)
class Play(Event):
    """The whole play of a roll in notation, in the mover's numbering."""

    kind: ClassVar[str] = "play"
    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise BadEvent("bad_event", reason="the text of a play must be a string.")


@dataclass(frozen=True)
class Double(Event):
    """The side to act offers a double."""

    kind: ClassVar[str] = "double"


@dataclass(frozen=True)
class Take(Event):
    """The double is taken; after a beaver, the first doubler plays on."""

    kind: ClassVar[str] = "take"


@dataclass(frozen=True)
class Drop(Event):
    """The double, or the beaver, is passed; the game ends."""

    kind: ClassVar[str] = "drop"


@dataclass(frozen=True)
class Beaver(Event):
    """Instead of taking, the doubled side doubles at once and keeps the cube."""

    kind: ClassVar[str] = "beaver"


@dataclass(frozen=True)
class Resign(Event):
    """A side gives the game up; the position decides what it costs."""

    kind: ClassVar[str] = "resign"
    side: Side

    def __post_init__(self) -> None:
        _check_side(self.side)


@dataclass(frozen=True)
class TimeOut(Event):
    """The side that owes the next act has run out of time."""

    kind: ClassVar[str] = "time_out"
    side: Side

    def __post_init__(self) -> None:
        _check_side(self.side)


KINDS: Mapping[str, type[Event]] = {
    event.kind: event for event in (Setup, Lot, Roll, Play, Double, Take, Drop, Beaver, Resign, TimeOut)
}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The event that `to_json` wrote; raises BadEvent or BadDice."""
    if not isinstance(data, Mapping) or data.get("type") not in KINDS:
        raise BadEvent("bad_event", reason=f"its type is none of {', '.join(KINDS)}.")
    fields = {name: value for name, value in data.items() if name != "type"}
    try:
        return KINDS[data["type"]](**fields)
    except TypeError:
        raise BadEvent("bad_event", reason=f"{data['type']} has other fields than {sorted(fields)}.") from None


def _check_side(side: object) -> None:
    if side not in ("white", "black"):
        raise BadEvent("bad_event", reason="a side is white or black.")
