"""From an open table to a settled game: holds, play, one entry, money exactly where it belongs."""

from __future__ import annotations

from typing import Any

import pytest

from games import settle, tables
from games.models import Game
from games.start import hold_key
from ledger import book, money
from tests.games.helpers import fund, joined, next_game, play_on, terms

pytestmark = pytest.mark.django_db


def test_a_game_is_held_played_and_settled_once(alice: Any, bob: Any) -> None:
    table = joined(alice, bob, stake="10.00 UAH", cube_limit=64)
    before = {player.pk: book.wallet(player.pk, "UAH").posted for player in (alice, bob)}
    game = next_game(table)
    assert all(book.wallet(player.pk, "UAH").held == money.parse("1920.00 UAH") for player in (alice, bob))

    play_on(game)
    assert (game.status, game.settlement) == (Game.Status.FINISHED, Game.Settlement.PENDING)
    assert settle.claim_and_settle() == settle.Settled(1, 0)
    assert settle.claim_and_settle() == settle.Settled(0, 0)

    game.refresh_from_db()
    winner, loser = (alice, bob) if game.winner == "white" else (bob, alice)
    assert game.settlement == Game.Settlement.SETTLED
    assert book.wallet(loser.pk, "UAH").posted == before[loser.pk] - game.loss
    assert book.wallet(winner.pk, "UAH").posted == before[winner.pk] + game.loss - settle.rake_for(game)
    assert all(book.wallet(player.pk, "UAH").held == money.money(0, "UAH") for player in (alice, bob))
    entry = book.entry(game.entry_id)
    assert entry is not None and entry.reference == f"game:{game.pk}"
    hold = book.hold(hold_key(game.pk, loser.pk))
    assert hold is not None and (hold.state, hold.captured, hold.entry_id) == ("captured", game.loss, game.entry_id)


def test_nobody_is_held_before_both_are_ready(alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    tables.say_ready(alice, table.pk)
    assert not book.holds(alice.pk) and not book.holds(bob.pk)
    assert not Game.objects.exists()


def test_the_hold_is_shown_before_a_table_exists() -> None:
    assert terms("10.00 UAH", cube_limit=64).hold == money.parse("1920.00 UAH")
    assert terms("10.00 UAH", endgame="mars").hold == money.parse("20.00 UAH")
    assert terms("0.50 UAH", cube_limit=8, endgame="oin").hold == money.parse("4.00 UAH")
    assert terms("10.00 UAH", variant="long", cube_limit=2).hold == money.parse("40.00 UAH")


def test_play_chips_work_like_money(alice: Any, bob: Any) -> None:
    fund(alice, "100 XPC")
    game = next_game(joined(alice, bob, stake="10 XPC", variant="hypergammon"))
    play_on(game)
    settle.claim_and_settle()
    game.refresh_from_db()
    assert game.settlement == Game.Settlement.SETTLED
