"""Bots play a whole game of every variant through act() to a settled end, with the options of that variant."""

from __future__ import annotations

from typing import Any

import pytest

from games import export, rules, settle
from games.management.commands.replay import problems
from games.rules import bot, mat_writer, record
from ledger.verify import run as verify
from tests.games.helpers import play_on, started

pytestmark = pytest.mark.django_db

CUBE = {"cube_limit": 8, "beaver": True, "auto_double": True, "jacoby": True}
OPTIONS: dict[str, dict[str, Any]] = {
    "short": CUBE | {"last_roll_draw": True},
    "caucasian": CUBE | {"bear_off_after_hit": "only_if_forced"},
    "long": {"head_exception": "both_players", "opening_uses_lot": True},
    "tapa": {"mother_draw": True},
}


@pytest.mark.parametrize("variant", list(rules.VARIANTS))
def test_played_to_a_settled_end(alice: Any, bob: Any, variant: str) -> None:
    game = started(alice, bob, stake="1.00 UAH", variant=variant, **OPTIONS.get(variant, {}))
    play_on(game, bot.choose)
    assert game.status == "finished" and game.loss <= game.hold
    assert settle.claim_and_settle() == settle.Settled(1, 0)
    game.refresh_from_db()
    assert game.settlement == "settled"
    assert problems(game) == []
    assert list(verify()) == []
    read = record.read(export.as_record(game))
    assert read.result is not None and read.result.points == game.points
    try:
        assert "Wins" in export.as_mat(game)
    except mat_writer.CannotWrite as refusal:
        assert str(refusal)
