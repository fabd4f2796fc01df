"""The graph of steps that pages play from leads exactly to the legal turns (docs/rules.md#dice)."""

from __future__ import annotations

from typing import Any

import pytest

from games import rules
from tests.rules.games import rolls
from tests.rules.playing import play, standing, started


def ways(graph: list[dict[str, Any]], most: int = 4000) -> list[list[list[int]]]:
    """Complete ways through the graph, as lists of steps, at most so many."""
    found, todo = [], [(0, [])]
    while todo and len(found) < most:
        number, way = todo.pop()
        node = graph[number]
        if node["end"]:
            found.append(way)
        todo += [(step[4], [*way, step]) for step in node["steps"]]
    return found


def written(way: list[list[int]], marks: bool) -> str:
    names = {0: "off", 25: "bar"}
    return " ".join(
        f"{names.get(start, start)}/{names.get(end, end)}{'*' if hits and marks else ''}"
        for start, end, _, hits, _ in way
    )


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_every_way_is_a_legal_turn_and_every_turn_has_a_way(key: str) -> None:
    for turns in rolls(rules.make_options(key), 25, seed=31):
        graph = turns.graph_json()
        reached = set()
        found = ways(graph)
        for way in found:
            reached.add(turns.read(written(way, turns.game.has_bar)).position)
        assert reached <= set(turns.positions)
        if len(found) < 4000:
            assert reached == set(turns.positions)


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_no_two_steps_of_a_node_look_alike_and_none_leads_astray(key: str) -> None:
    for turns in rolls(rules.make_options(key), 60, seed=32):
        graph = turns.graph_json()
        for number, node in enumerate(graph):
            seen = [tuple(step[:4]) for step in node["steps"]]
            assert len(seen) == len(set(seen))
            assert node["end"] or node["steps"] or (number == 0 and not turns.positions)


def test_marked_and_unmarked_checkers_of_one_point_are_one_step() -> None:
    game = play(standing({5: 2, 1: 1}, {22: 1, 6: 5}, "caucasian"), "roll 2-2")
    graph = game.turn_graph()
    hit = next(step for step in graph[0]["steps"] if step[:4] == [5, 3, 2, True])
    cover = next(step for step in graph[hit[4]]["steps"] if step[:2] == [5, 3])
    onwards = graph[cover[4]]["steps"]
    assert [step[:2] for step in onwards] == [[3, 1]]
    assert graph[onwards[0][4]] == {"end": True, "steps": []}  # the hitter may not follow its cover


def test_only_steps_that_can_be_completed_are_offered() -> None:
    game = play(standing({13: 1}, {23: 2}), "roll 6-5")
    assert game.turn_graph() == [
        {"end": False, "steps": [[13, 7, 6, False, 1]]},
        {"end": True, "steps": []},
    ]


def test_an_ending_step_may_be_taken_or_declined() -> None:
    graph = play(standing({24: 1, 6: 14}, {2: 1, 6: 14}, "first_hit"), "roll 1-5").turn_graph()
    hit = next(step for step in graph[0]["steps"] if step[:2] == [24, 23])
    assert graph[hit[4]] == {"end": True, "steps": []}


def test_there_is_no_graph_before_the_roll() -> None:
    assert started().turn_graph() == []
    assert started().turns() == ()
