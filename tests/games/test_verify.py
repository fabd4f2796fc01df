"""verify_ledger finds what differs between games and ledger; replay, what does not follow from the events."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import settle
from games.models import Game
from games.play import act
from ledger.verify import run
from tests.games.helpers import play_on, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Any, bob: Any) -> Game:
    game = started(alice, bob)
    play_on(game, most=6)
    act(alice, game.pk, game.version, "resign")
    settle.claim_and_settle()
    game.refresh_from_db()
    return game


def found() -> set[str]:
    return {violation.check for violation in run()}


TAMPERED: list[tuple[set[str], dict[str, Any]]] = [
    ({"games_settled_once"}, {"points": 1}),
    ({"games_settled_once", "entries_belong_to_settled_games"}, {"entry_id": 999_999}),
    ({"games_settled_once", "entries_belong_to_settled_games"}, {"entry_id": None}),
    ({"games_without_winner_move_no_money"}, {"winner": "", "points": 0}),
    ({"holds_match_games", "entries_belong_to_settled_games"}, {"settlement": "pending", "entry_id": None}),
]


@pytest.mark.parametrize(("checks", "change"), TAMPERED)
def test_a_changed_game_is_found(game: Game, checks: set[str], change: dict[str, Any]) -> None:
    assert found() == set()
    Game.objects.filter(pk=game.pk).update(**change)
    assert found() == checks


def test_a_hold_that_outlives_its_game_is_found(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    Game.objects.filter(pk=game.pk).update(
        status="finished", settlement="settled", points=0, factor=0, cube=1, kind="draw", running="",
        running_since=None, deadline=None, finished_at=game.created_at, settled_at=game.created_at,
    )  # fmt: skip
    assert found() == {"holds_match_games", "open_holds_have_a_game"}


def replay(*args: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("replay", *args, stdout=out, stderr=out)
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue()
    return 0, out.getvalue()


def test_replay_agrees(game: Game) -> None:
    assert replay() == (0, "1 games replayed, 0 differences.\n")
    status, text = replay(str(game.pk), "--show")
    assert status == 0 and "white resigns" in text


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (lambda game: {"state": game.state | {"turns_played": 99}}, "the stored state is not the one"),
        (lambda game: {"points": 1, "factor": 1}, "the stored result"),
        (lambda game: {"rules_version": "0"}, "these rolls are not those of its seeds: 0"),
    ],
)
def test_replay_finds_what_does_not_follow(game: Game, tamper: Callable[[Game], dict[str, Any]], words: str) -> None:
    Game.objects.filter(pk=game.pk).update(**tamper(game))
    status, text = replay(str(game.pk))
    assert status == 1 and f"game {game.pk}: {words}" in text


def test_replay_names_a_game_that_is_not_there() -> None:
    with pytest.raises(CommandError, match="There is no game 77"):
        call_command("replay", "77")
