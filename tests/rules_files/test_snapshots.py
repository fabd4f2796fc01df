"""From our games to GNU and XG position names and back."""

import random
import re
from dataclasses import replace

import pytest

from games import rules
from games.rules import ids, snapshots

from .games import next_event

START = rules.new_game(rules.make_options("short", cube_limit=64), starter="white")


@pytest.mark.parametrize("variant", ["short", "nackgammon", "hypergammon"])
def test_every_moment_of_a_game_comes_back_through_its_ids(variant):
    chance = random.Random(4)
    options = rules.make_options(variant, cube_limit=64)
    state = rules.new_game(options, starter="black")
    moments = 0
    while state.result is None:
        snapshot = snapshots.of_state(state)
        by_gnubg = snapshots.to_state(ids.read_gnubg_id(ids.gnubg_id(snapshot)), options)
        by_xg = snapshots.to_state(ids.read_xgid(ids.xgid(snapshot)), options)
        for again in (by_gnubg, by_xg):
            assert (again.white, again.black, again.turn, again.to_act, again.phase) == (
                state.white, state.black, state.turn, state.to_act, state.phase,
            )  # fmt: skip
            assert again.cube == state.cube
            assert sorted(again.dice or ()) == sorted(state.dice or ())
        moments += 1
        state = rules.apply(state, next_event(state, chance))
    assert moments > 10


def test_the_start_has_its_well_known_name():
    assert ids.position_id(snapshots.of_state(START).on_roll, snapshots.of_state(START).other) == "4HPwATDgc/ABMA"


@pytest.mark.parametrize(
    ("event", "ended"), [(rules.Resign("white"), ids.RESIGNED), (rules.TimeOut("white"), ids.RESIGNED)]
)
def test_a_game_that_was_given_up_says_so(event, ended):
    assert snapshots.of_state(rules.apply(START, event)).game_state == ended


def test_a_dropped_game_says_so():
    dropped = rules.apply(rules.apply(START, rules.Double()), rules.Drop())
    assert snapshots.of_state(dropped).game_state == ids.DROPPED


@pytest.mark.parametrize("key", ["long", "tapa"])
def test_other_families_have_no_ids(key):
    with pytest.raises(ids.BadId, match=f"cannot describe a game of {key}"):
        snapshots.of_state(rules.new_game(rules.make_options(key), starter="white"))


def test_what_ids_cannot_say_is_refused():
    waiting = rules.new_game(rules.make_options("short"))
    with pytest.raises(ids.BadId, match="the starter is not known"):
        snapshots.of_state(waiting)
    beavers = rules.new_game(rules.make_options("short", cube_limit=8, beaver=True), starter="white")
    offered = rules.apply(rules.apply(beavers, rules.Double()), rules.Beaver())
    with pytest.raises(ids.BadId, match="beaver is on offer"):
        snapshots.of_state(offered)


def test_dice_that_cannot_be_played_pass_the_turn():
    """White on the bar against six closed points, with 6-5 rolled."""
    closed = (2, 2, 2, 2, 2, 2) + (0,) * 19
    barred = (0,) * 24 + (1,)
    snapshot = replace(snapshots.of_state(START), on_roll=barred, other=closed, dice=(6, 5))
    state = snapshots.to_state(snapshot, START.options)
    assert (state.phase, state.to_act, state.last_turn.play) == ("roll", "black", "Ø")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game_state": ids.OVER}, "only a game in progress"),
        ({"on_roll": (0,) * 25}, "the game is over"),
        ({"cube": 128}, "above the limit of 64"),
        ({"on_roll": (16, *(0,) * 24)}, "16 checkers of one side; this variant has 15"),
    ],
)
def test_a_snapshot_that_cannot_be_played_on_is_refused(change, words):
    snapshot = replace(snapshots.of_state(START), **change)
    with pytest.raises(ids.BadId, match=re.escape(words)):
        snapshots.to_state(snapshot, START.options)
