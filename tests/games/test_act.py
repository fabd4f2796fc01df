"""Acting in a game: whose turn, which version, which rule; a refused or repeated request changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from games import rules
from games.errors import BadAction, KeyReused, NotYourGame, StaleVersion
from games.models import Game
from games.play import act
from tests.games.helpers import play_on, started, state_of, to_act

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Any, bob: Any) -> Game:
    return started(alice, bob, cube_limit=4)


def snapshot(game: Game) -> Any:
    fresh = Game.objects.filter(pk=game.pk).values().get()
    return fresh, list(game.events.order_by("seq").values())


def waiting(game: Game) -> Any:
    """The player who does not owe an act."""
    return game.white if to_act(game) == game.black else game.black


def test_the_starter_plays_the_lot(game: Game) -> None:
    state = state_of(game)
    assert (state.phase, state.to_act) == ("play", game.starter)
    lot = game.events.order_by("-seq")[0].event
    assert sorted(state.dice or ()) == sorted((lot["white"], lot["black"]))


def test_a_stranger_finds_no_game(game: Game, stranger: Any) -> None:
    before = snapshot(game)
    for game_id in (game.pk, game.pk + 1):
        with pytest.raises(NotYourGame):
            act(stranger, game_id, game.version, "roll")
    assert snapshot(game) == before


def test_a_stale_version_changes_nothing_and_shows_the_present(game: Game) -> None:
    old = game.version
    play_on(game, most=1)
    before = snapshot(game)
    with pytest.raises(StaleVersion) as refused:
        act(to_act(game), game.pk, old, "roll")
    view = refused.value.view
    assert (view.version, view.json["phase"], len(view.json["events"])) == (game.version, "roll", 1)
    with pytest.raises(StaleVersion):
        act(to_act(game), game.pk, game.version + 1, "roll")
    assert snapshot(game) == before


@pytest.mark.parametrize("action", ["roll", "double", "take", "drop", "beaver", rules.Play("13/7")])
def test_only_the_side_on_turn_acts(game: Game, action: Any) -> None:
    before = snapshot(game)
    with pytest.raises(rules.NotNow) as refused:
        act(waiting(game), game.pk, game.version, action)
    assert refused.value.code == "not_your_turn"
    assert snapshot(game) == before


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("roll", "not_now"),
        ("double", "cube_dice_rolled"),
        ("take", "not_now"),
        ("drop", "not_now"),
        ("beaver", "not_now"),
        (rules.Play("1/2"), "wrong_direction"),
        (rules.Play("hello"), "bad_notation"),
        (rules.Play(""), "empty_play"),
    ],
)
def test_what_the_rules_refuse_changes_nothing(game: Game, action: Any, code: str) -> None:
    before = snapshot(game)
    with pytest.raises(rules.RuleError) as refused:
        act(to_act(game), game.pk, game.version, action)
    assert refused.value.code == code
    assert snapshot(game) == before


@pytest.mark.parametrize(
    "action", ["cheat", "lot", "play", rules.Roll((6, 6)), rules.Lot(6, 1), rules.Play("8/7 " * 40)]
)
def test_what_is_no_action_of_a_player(game: Game, action: Any) -> None:
    with pytest.raises(BadAction):
        act(to_act(game), game.pk, game.version, action)


def test_a_double_is_offered_taken_and_dropped(game: Game) -> None:
    play_on(game, most=1)
    doubler, answerer = to_act(game), waiting(game)
    assert act(doubler, game.pk, game.version, "double").json["worth"]["taken"] == {
        "amount": "20.00",
        "currency": "UAH",
    }
    game.refresh_from_db()
    with pytest.raises(rules.NotNow) as refused:
        act(doubler, game.pk, game.version, "roll")
    assert refused.value.code == "not_your_turn"
    with pytest.raises(rules.NotNow, match="answer to the double"):
        act(answerer, game.pk, game.version, "resign")
    view = act(answerer, game.pk, game.version, "drop")
    assert view.json["result"] | {"rake": None, "win": None} == {
        "winner": game.side_of(doubler.pk), "kind": "oin", "reason": "drop", "factor": 1, "cube": 1, "points": 1,
        "loss": {"amount": "10.00", "currency": "UAH"}, "rake": None, "win": None,
    }  # fmt: skip


def test_either_side_may_resign_on_either_turn(game: Game) -> None:
    view = act(waiting(game), game.pk, game.version, "resign")
    assert (view.game.status, view.game.winner, view.game.kind, view.game.points) == (
        "finished", game.side_of(to_act_before(game).pk), "koks", 3,
    )  # fmt: skip


def to_act_before(game: Game) -> Any:
    """The starter, who was on turn when the other resigned."""
    return game.player(game.starter)


def test_nothing_follows_the_end(game: Game) -> None:
    act(game.white, game.pk, game.version, "resign")
    game.refresh_from_db()
    for action in ("roll", "resign"):
        with pytest.raises(rules.NotNow) as refused:
            act(game.black, game.pk, game.version, action)
        assert refused.value.code == "game_over"


def test_a_repeated_request_is_answered_as_before(game: Game) -> None:
    play_on(game, most=1)
    player, version = to_act(game), game.version
    first = act(player, game.pk, version, "roll", key="k1")
    before = snapshot(game)
    again = act(player, game.pk, version, "roll", key="k1")
    assert (again.applied, again.json["dice"], again.json["events"]) == (
        first.applied, first.json["dice"], first.json["events"],
    )  # fmt: skip
    assert snapshot(game) == before


def test_a_repeat_is_known_even_after_the_game_went_on(game: Game) -> None:
    player, version, turn = to_act(game), game.version, state_of(game).turns()[0].play
    act(player, game.pk, version, rules.Play(turn), key="turn")
    play_on(game, most=2)
    assert act(player, game.pk, version, rules.Play(turn), key="turn").applied == version + 1


def test_a_key_belongs_to_one_action_of_one_player(game: Game) -> None:
    player, version = to_act(game), game.version
    act(player, game.pk, version, rules.Play(state_of(game).turns()[0].play), key="k")
    game.refresh_from_db()
    with pytest.raises(KeyReused):
        act(player, game.pk, version, "resign", key="k")
    other = to_act(game)
    act(other, game.pk, game.version, "roll", key="k")
    game.refresh_from_db()
    before = snapshot(game)
    with pytest.raises(KeyReused):
        act(other, game.pk, game.version, "resign", key="k")
    assert snapshot(game) == before
    with pytest.raises(BadAction):
        act(other, game.pk, game.version, "resign", key="x" * 65)


def test_plays_are_stored_in_one_notation(game: Game) -> None:
    state = state_of(game)
    turn = state.turns()[0]
    act(to_act(game), game.pk, game.version, rules.Play(turn.written("uk").upper()))
    assert game.events.order_by("-seq")[0].event == {"type": "play", "text": turn.play}
