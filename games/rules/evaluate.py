"""What the bot thinks of a position: a few weighted features for each family of games, in points of the race.

Each function looks at a position whose mover has just moved (`mine`), the opponent being next to roll; more is better
for the mover. The weights were set by hand and tried against random play; they make sensible plays, not strong ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import erf, sqrt

from .board import BAR, Points, Position, pips

# Of 36 rolls, how many bring a checker exactly this many points on, nothing standing in its way.
_ROLLS_OF_36 = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3, 15: 1, 16: 1,
                18: 1, 20: 1, 24: 1}  # fmt: skip
SHOT = tuple(_ROLLS_OF_36.get(distance, 0) / 36 for distance in range(26))


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each feature counts, in points of the race. Families use the ones that mean something to them."""

    off: float = 1.0
    blot: float = 0.0
    """Part of what a hit (or a pin) would cost that is feared."""
    bar: float = 0.0
    """An opposing checker on the bar, and as much again for each closed point of my home."""
    home_point: float = 0.0
    prime: float = 0.0
    anchor: float = 0.0
    stack: float = 0.0
    head: float = 0.0
    block: float = 0.0
    spread: float = 0.0
    pin: float = 0.0
    mother: float = 0.0


def short_game(position: Position, weights: Weights) -> float:
    """Games with hitting: the race, blots in danger, the bar, home points, primes and anchors."""
    mine, theirs = position.mine, position.theirs
    score = pips(theirs) - pips(mine) + weights.off * (mine[0] - theirs[0])
    if highest(mine) + highest(theirs) <= BAR:
        return score
    home = sum(mine[point] > 1 for point in range(1, 7))
    score += weights.home_point * home + weights.bar * theirs[BAR] * (1 + home)
    score += weights.prime * longest_run(mine, range(1, 13)) ** 2
    score += weights.anchor * any(mine[point] > 1 for point in range(18, 25))
    score -= weights.stack * sum(count - 4 for count in mine[1:19] if count > 4)
    their_home = sum(theirs[point] > 1 for point in range(1, 7))
    for point in range(1, BAR):
        if mine[point] == 1:
            score -= weights.blot * danger(point, theirs) * (25 - point + 3 * their_home)
    return score


def long_game(position: Position, weights: Weights) -> float:
    """Long nardy: checkers off the head, many separate points, and long blocks in front of opposing checkers."""
    mine, theirs = position.mine, position.theirs
    score = pips(theirs) - pips(mine) + weights.off * (mine[0] - theirs[0])
    score -= weights.head * max(mine[24] - 1, 0)
    score += weights.spread * sum(mine[point] > 0 for point in range(7, 24))
    score -= weights.stack * sum(count - 3 for count in mine[7:24] if count > 3)
    # along the opponent's line: their number for each of my points, and how many of theirs have yet to pass it
    held = [0] + [mine[point + 12 if point <= 12 else point - 12] > 0 for point in range(1, 25)]
    run, behind = 0, sum(theirs[1:])
    for point in range(1, 25):
        behind -= theirs[point]
        run = run + 1 if held[point] else 0
        score += weights.block * run * behind / 15
    return score


def tapa_game(position: Position, weights: Weights) -> float:
    """Tapa: pins, the further from home the pinned checker the better, lone checkers in danger, and the mother."""
    mine, theirs = position.mine, position.theirs
    score = pips(theirs) - pips(mine) + weights.off * (mine[0] - theirs[0])
    score += weights.home_point * sum(count > 1 for count in mine[1:25])
    score += weights.pin * sum(12 + 25 - point for point in position.pins)
    score -= weights.pin * sum(12 + point for point in position.pinned)
    for point in range(1, BAR):
        if mine[point] == 1 and point not in position.pinned and point not in position.pins:
            score -= weights.blot * danger(point, theirs) * (12 + point)
            if point == 24:
                score -= weights.mother * danger(point, theirs)
    return score


def danger(point: int, theirs: Points) -> float:
    """Roughly how likely an opposing checker is to land on my point with its next roll."""
    safe = 1.0
    for start in range(26 - point, 26):
        if theirs[start]:
            safe *= 1 - SHOT[start - 25 + point]
    return 1 - safe


def highest(points: Points) -> int:
    """The highest point that a side stands on; 0 when everything is off."""
    return max((point for point in range(1, 26) if points[point]), default=0)


def longest_run(points: Points, among: range) -> int:
    """The most points in a row that are held by two or more checkers."""
    best = run = 0
    for point in among:
        run = run + 1 if points[point] > 1 else 0
        best = max(best, run)
    return best


HITTING = Weights(off=1, blot=1.0, bar=3.0, home_point=3.0, prime=0.6, anchor=4.0, stack=0.8)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How the bot judges one game: `score` with `weights`, in points of the race."""

    score: Callable[[Position, Weights], float]
    weights: Weights
    confidence: float
    """How much of a lead the cube policy believes: set so that estimated chances came true in games of the bot."""
    facing: bool = False
    """The sides move towards each other, so that a pure race follows once they have passed."""

    def of(self, position: Position) -> float:
        """The score for the side that has just moved."""
        return self.score(position, self.weights)

    def chance(self, lead: float, position: Position) -> float:
        """The chance to win with this lead for the side shown as `mine`."""
        racing = self.facing and highest(position.mine) + highest(position.theirs) <= BAR
        believed = lead if racing else lead * self.confidence
        return win_chance(believed, pips(position.mine) + pips(position.theirs))


EVALUATIONS: Mapping[str, Evaluation] = {
    "short": Evaluation(short_game, HITTING, 0.6, facing=True),
    "long": Evaluation(long_game, Weights(off=3, head=2.0, spread=1.0, stack=0.7, block=0.8), 0.4),
    "tapa": Evaluation(tapa_game, Weights(off=1, home_point=1.5, pin=0.8, blot=0.8, mother=60), 0.4),
    # a game that the first hit wins: a blot is worth the whole game
    "first_hit": Evaluation(
        short_game, Weights(off=1, blot=12.0, home_point=1.0, prime=0.3, anchor=2.0), 0.2, facing=True
    ),
}
"""By variant where it needs its own, else by family."""


def win_chance(lead: float, race: int) -> float:
    """The chance to win with this lead, in points of the race, when both sides have `race` points to go in all.

    Kleinman's estimate for races, used for all positions with a lead that includes the other features.
    """
    return 0.5 + 0.5 * erf(lead / sqrt(max(race - 4, 4)) / 2)
