"""The proof of a game's dice for its page: what was promised, what was revealed, and every roll worked out again."""

from __future__ import annotations

from typing import Any, NamedTuple

from games import dice, fair, queries
from games.models import Game, GameEvent


class ProvedRoll(NamedTuple):
    """Roll `number` of the game's dice stream; `agrees` is None while the server's seed is secret."""

    number: int
    what: str
    side: str
    shown: tuple[int, ...]
    agrees: bool | None


def proof(game: Game) -> dict[str, Any]:
    """For the template: `fairness` (None where the dice were not ours), `kept_promise`, and `rolls`."""
    fairness = queries.fairness_json(game)
    if fairness is None:
        return {"fairness": None, "rolls": []}
    stream = dice.revealed_stream(game)
    kept = stream and fair.commitment(stream.server_seed) == fairness["commitment"]
    rolls = [
        _proved(event, stream)
        for event in game.events.filter(roll_index__isnull=False).select_related("game").order_by("seq")
    ]
    return {
        "fairness": fairness,
        "kept_promise": kept,
        "rolls": rolls,
        "all_agree": bool(stream) and all(roll.agrees for roll in rolls),
        "example": stream.text(0, 0) if stream else "",
    }


def _proved(event: GameEvent, stream: fair.DiceStream | None) -> ProvedRoll:
    data, number = event.event, event.roll_index
    kind = data["type"]
    stored = (data["white"], data["black"]) if kind == "lot" else tuple(data["dice" if kind == "roll" else "points"])
    return ProvedRoll(
        number=number or 0,
        what=kind,
        side=event.side or data.get("side", ""),
        shown=() if kind == "setup" else stored,
        agrees=None if stream is None else dice.draw_again(stream, number or 0, data, event.game.variant) == data,
    )
