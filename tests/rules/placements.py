"""Hypothesis strategies: checkers put anywhere that the board allows, reachable or not."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from games import rules
from games.rules.validity import check_position, is_over

DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def questions(draw: st.DrawFn, options: rules.GameOptions) -> rules.Turns:
    """A roll at a position that is not over."""
    game = rules.variant(options.variant)
    position = draw(tapa_positions(game) if game.has_pins else positions(game))
    assume(not is_over(game, position, options))
    return rules.Turns(options, position, rules.Moment(draw(DICE), draw(st.booleans()), draw(st.booleans())))


@st.composite
def positions(draw: st.DrawFn, game: rules.Variant) -> rules.Position:
    """Mine anywhere, often gathered in few places so that points close and checkers come home; theirs elsewhere."""
    top = 25 if game.has_bar else 24
    mine = draw(gathered(game.checkers, [*range(top + 1)]))
    taken = {game.opposite(point) for point in range(1, 25) if mine[point]}
    theirs = draw(gathered(game.checkers, [point for point in range(top + 1) if point not in taken]))
    return check_position(game, mine, theirs)


@st.composite
def tapa_positions(draw: st.DrawFn, game: rules.Variant) -> rules.Position:
    """Like `positions`, and some of the points that one side holds are shared with a pinned checker."""
    position = draw(positions(game))
    mine, theirs = list(position.mine), list(position.theirs)
    pins = _pin(draw, game, theirs, mine)
    pinned_theirs = _pin(draw, game, mine, theirs, avoid={game.opposite(point) for point in pins})
    return check_position(game, mine, theirs, [game.opposite(point) for point in pinned_theirs], sorted(pins))


def _pin(
    draw: st.DrawFn,
    game: rules.Variant,
    lower: list[int],
    upper: list[int],
    avoid: frozenset[int] | set[int] = frozenset(),
) -> set[int]:
    """Puts single checkers of `lower`, taken from those borne off, under points of `upper`; returns upper's points."""
    free = [point for point in range(1, 25) if upper[point] and not lower[game.opposite(point)] and point not in avoid]
    chosen = draw(st.sets(st.sampled_from(free), max_size=min(4, lower[0]))) if free and lower[0] else set()
    for point in chosen:
        lower[game.opposite(point)] += 1
        lower[0] -= 1
    return chosen


@st.composite
def gathered(draw: st.DrawFn, checkers: int, places: list[int]) -> list[int]:
    """26 counts: the checkers spread over a few of these places."""
    few = draw(st.lists(st.sampled_from(places), min_size=1, max_size=9))
    counts = [0] * 26
    for _ in range(checkers):
        counts[draw(st.sampled_from(few))] += 1
    return counts
