"""Turns that the page puts together from the graph are read by the server as the same turns, in every variant."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from games import rules
from tests.browser.positions import board_is_ready, game_with_dice

# Walks the graph from its start; gives the notation of up to `most` complete turns with the position after each.
COMPOSE = """async ([url, graph, position, look, most]) => {
  const { Turn } = await import(url);
  const found = [];
  const walk = (node, path) => {
    if (found.length >= most) return;
    if (graph[node].end) {
      const turn = new Turn(graph, position, look);
      turn.path = path;
      const { mine, theirs, theirPinned } = turn.position();
      found.push([turn.notation(), mine, theirs, theirPinned.sort((a, b) => a - b)]);
    }
    for (const step of graph[node].steps) walk(step[4], [...path, step]);
  };
  walk(0, []);
  return found;
}"""


def positions(variant: str, chance: random.Random) -> Iterator[rules.GameState]:
    """Moments of one random game in which a turn is owed."""
    state = rules.new_game(rules.make_options(variant), "white")
    for _ in range(80):
        if state.phase == "setup":
            state = rules.apply(state, rules.Setup(rules.draw_start(variant, chance.randrange)))
        elif state.phase == "roll":
            state = rules.apply(state, rules.Roll((chance.randint(1, 6), chance.randint(1, 6))))
        elif state.phase == "play":
            if chance.random() < 0.2:
                yield state
            state = rules.apply(state, rules.Play(chance.choice(state.turns()).play))


def test_the_server_reads_what_the_page_writes(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    page = guest(alice).open(f"/games/{game_with_dice(alice, bob, (3, 1)).pk}/")
    board_is_ready(page)
    url = page.locator("link[rel=modulepreload][href*='/turn.']").get_attribute("href")
    chance, compared = random.Random(20_261_130), 0
    for variant in rules.VARIANTS:
        for state in positions(variant, chance):
            side, other = state.turn, rules.other(state.turn)  # type: ignore[arg-type]
            seen = {
                "mine": state.points(side),
                "theirs": state.points(other),
                "myPinned": sorted(state.pinned(side)),
                "theirPinned": sorted(state.pinned(other)),
            }
            look = {"long": state.game.family == "long", "hasBar": state.game.has_bar}
            for text, mine, theirs, pinned in page.evaluate(COMPOSE, [url, state.turn_graph(), seen, look, 12]):
                after = rules.apply(state, rules.Play(text))
                assert (list(after.points(side)), list(after.points(other))) == (mine, theirs), (variant, text)
                assert sorted(after.pinned(other)) == pinned, (variant, text)
                compared += 1
    assert compared > 500
