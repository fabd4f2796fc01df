"""Random games through the engine, for tests: each is the list of its events, or of the rolls met in it."""

from __future__ import annotations

import random
from collections.abc import Iterator

from games import rules


def random_game(options: rules.GameOptions, luck: random.Random) -> Iterator[tuple[rules.Event, rules.GameState]]:
    """Every event of a game played without any sense, with the state after it; the cube is used at random."""
    state = rules.new_game(options, luck.choice([None, None, "white", "black"]))
    while state.phase != "over":
        event = random_event(state, luck)
        state = rules.apply(state, event)
        yield event, state


def random_event(state: rules.GameState, luck: random.Random) -> rules.Event:
    if state.phase == "setup":
        return rules.Setup(rules.draw_start(state.options.variant, luck.randrange))
    if state.phase == "lot":
        return rules.Lot(luck.randint(1, 6), luck.randint(1, 6))
    if state.phase == "play":
        return rules.Play(luck.choice(state.turns()).play)
    side = state.to_act
    assert side is not None
    if state.phase in ("double", "beaver"):
        answers: list[rules.Event] = [rules.Take(), rules.Take(), rules.Take(), rules.Drop()]
        return luck.choice([*answers, rules.Beaver(), rules.Beaver()] if state.may_beaver(side) else answers)
    if state.may_double(side) and luck.random() < 0.1:
        return rules.Double()
    if luck.random() < 0.001:
        return luck.choice([rules.Resign("white"), rules.Resign("black"), rules.TimeOut(side)])
    return rules.Roll((luck.randint(1, 6), luck.randint(1, 6)))


def rolls(options: rules.GameOptions, count: int, seed: int) -> Iterator[rules.Turns]:
    """The choices of `count` rolls met in random games, with unplayable ones."""
    luck = random.Random(seed)
    met = 0
    while True:
        before = None
        for event, state in random_game(options, luck):
            if isinstance(event, rules.Roll) and before is not None and before.turn is not None:
                yield before.choices_for(event.dice)
                met += 1
                if met == count:
                    return
            before = state


def random_options(luck: random.Random, variant: str | None = None) -> rules.GameOptions:
    """Any options that a table can have."""
    game = rules.VARIANTS[variant or luck.choice(list(rules.VARIANTS))]
    given: dict[str, object] = {"endgame": luck.choice(game.endgames), "cube_limit": luck.choice(rules.CUBE_LIMITS)}
    for name in game.own_options:
        given[name] = luck.choice(OWN_CHOICES.get(name, (True, False)))
    if given["cube_limit"] != 1:
        given |= {name: luck.random() < 0.5 for name in ("jacoby", "beaver", "auto_double")}
        if given["auto_double"]:
            given["auto_doubles_max"] = luck.randint(1, 6)
    return rules.make_options(game.key, **given)


OWN_CHOICES: dict[str, tuple[str, ...]] = {
    "bear_off_after_hit": ("allowed", "only_if_forced", "forbidden"),
    "head_exception": ("second_player", "both_players", "none"),
}
