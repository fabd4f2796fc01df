"""Games for the tests of files: played by seeded dice, by the bot or at random, as records."""

import random

from games import rules
from games.rules import bot, record


def played(variant: str, seed: int, *, starter=None, by_bot=False, resigns=0.0, **options) -> record.Record:
    """A finished game between Alfa and Beta."""
    chance = random.Random(seed)
    given = rules.make_options(variant, **options)
    state = rules.new_game(given, starter)
    events = []
    while state.result is None:
        event = next_event(state, chance, by_bot=by_bot, resigns=resigns)
        state = rules.apply(state, event)
        events.append(event)
    return record.Record(given, starter, tuple(events), "Alfa", "Beta")


def next_event(state, chance: random.Random, *, by_bot=False, resigns=0.0):
    """What happens next: dice and lots by chance, acts by the bot or by chance."""
    dice = chance.randint(1, 6), chance.randint(1, 6)
    if state.phase == "setup":
        return rules.Setup(rules.draw_start(state.options.variant, chance.randrange))
    if state.phase == "lot":
        return rules.Lot(*dice)
    if resigns and chance.random() < resigns and state.may_resign("white"):
        return rules.Resign("white")
    act = bot.choose(state) if by_bot else random_act(state, chance)
    return rules.Roll(dice) if act == "roll" else act


def random_act(state, chance: random.Random):
    """Any legal act of the side that owes one; "roll" for the dice."""
    side = state.to_act
    if state.phase == "play":
        return rules.Play(chance.choice(state.turns()).play)
    if state.phase == "roll":
        return rules.Double() if state.may_double(side) and chance.random() < 0.1 else "roll"
    answers = [rules.Take(), rules.Take(), rules.Drop()] + [rules.Beaver()] * state.may_beaver(side)
    return chance.choice(answers)
