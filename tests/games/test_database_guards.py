"""What the database itself refuses, whoever asks: changed events, self-play, half results, two running games."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, transaction

from games.models import Game, GameEvent, SettlementPause, Table
from tests.games.helpers import started

TRUNCATE = "TRUNCATE games_gameevent"
BAD_GAMES: list[tuple[str, dict[str, Any]]] = [
    ("game_no_self_play", {"black_id": "white_id"}),
    ("game_stake_not_negative", {"stake": -1}),
    ("game_currency_known", {"stake_currency": "XAU"}),
    ("game_factor_cap_positive", {"factor_cap": 0}),
    ("game_rake_percent_range", {"rake_percent": 101}),
    ("game_over_is_for_settlement", {"settlement": "pending"}),
    ("game_result_when_finished", {"points": 1}),
    ("game_entry_when_settled", {"entry_id": 1}),
    ("game_sides_known", {"winner": "red"}),
    ("game_clock_whole", {"deadline": None}),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("constraint", "change"), BAD_GAMES)
def test_games_that_cannot_be(alice: Any, bob: Any, constraint: str, change: dict[str, Any]) -> None:
    game = started(alice, bob)
    change = {name: game.white_id if value == "white_id" else value for name, value in change.items()}
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**change)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("constraint", "change"),
    [
        ("table_status_known", {"status": "later"}),
        ("table_first_move_known", {"first_move": "winner"}),
        ("table_series_length", {"series_length": 0}),
        ("table_seat_before_ready", {"black_id": None}),
        ("table_stake_or_target", {"stake": 0}),
    ],
)
def test_tables_that_cannot_be(alice: Any, bob: Any, constraint: str, change: dict[str, Any]) -> None:
    game = started(alice, bob)
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Table.objects.filter(pk=game.table_id).update(**change)


@pytest.mark.django_db
def test_one_running_game_per_table_and_one_event_per_number(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    second = Game.objects.get(pk=game.pk)
    second.pk, second.number, second.seeds = None, 2, None
    with pytest.raises(IntegrityError, match="game_one_running_per_table"), transaction.atomic():
        second.save()
    event = GameEvent.objects.filter(game=game).latest("seq")
    event.pk = None
    with pytest.raises(IntegrityError, match="event_seq_in_game"), transaction.atomic():
        event.save()
    event.seq += 1
    with pytest.raises(IntegrityError, match="event_roll_in_game"), transaction.atomic():
        event.save()


@pytest.mark.django_db
def test_single_rows_stay_single() -> None:
    with pytest.raises(IntegrityError, match="pause_single_row"), transaction.atomic():
        SettlementPause.objects.create(pk=2)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "attack", ["UPDATE games_gameevent SET version = 9", "DELETE FROM games_gameevent", "TRUNCATE games_gameevent"]
)
def test_events_are_append_only_even_for_the_owner(
    alice: Any, bob: Any, owner_connection: psycopg.Connection, attack: str
) -> None:
    started(alice, bob)
    with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
        owner_connection.execute(attack)
