"""Floats of a Swiss tournament: who met somebody of another score, and which way (docs/tournaments.md, "Swiss")."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from tournaments.core.results import How, Tally


class Float(StrEnum):
    """DOWN: met a lower score, or had the bye. UP: met a higher score."""

    DOWN = "down"
    UP = "up"


def last_floats(past: Tally, number: int) -> Mapping[int, Float]:
    """How each entrant floated in round `number`, by the scores they had before it; who did not is absent."""
    before = {
        entrant: sum(line.points for line in lines if line.round < number) for entrant, lines in past.lines.items()
    }
    floats: dict[int, Float] = {}
    for entrant, lines in past.lines.items():
        for line in lines:
            if line.round != number:
                continue
            if line.how is How.BYE:
                floats[entrant] = Float.DOWN
            elif line.opponent is not None and before[entrant] != before[line.opponent]:
                floats[entrant] = Float.DOWN if before[entrant] > before[line.opponent] else Float.UP
    return floats
