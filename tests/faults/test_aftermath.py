"""The end of a run with faults finds what is wrong: each kind of wrong is planted once."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from games import aftermath, settle
from games.models import Game, GameEvent
from games.play import act
from ledger import book, money
from ledger.chart import PLAY_CHIPS_GRANT, SETTLEMENT
from ledger.verify import Violation
from tests.games.helpers import started
from tests.ledger.support import seal_everything
from watch import findings

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(alice: Any, bob: Any) -> tuple[aftermath.Before, dict[tuple[int, str], Decimal]]:
    """One game that alice lost, settled, and what she and bob were told came in."""
    before = aftermath.Before()
    game = started(alice, bob, stake="10 XPC", series_length=1)
    moved = {(person.pk, "XPC"): book.wallet(person.pk, "XPC").posted.amount for person in (alice, bob)}
    act(alice, game.pk, game.version, "resign")
    settle.claim_and_settle()
    return before, moved


def test_nothing_is_wrong_with_a_sound_run(run: Any) -> None:
    before, moved = run
    assert aftermath.remainders(before, moved) == []
    assert before.entries()[SETTLEMENT] == 1 and before.entries()[PLAY_CHIPS_GRANT] >= 2


def test_a_game_without_its_entry(run: Any) -> None:
    before, moved = run
    Game.objects.update(winner="")
    assert any("won by nobody) has 1 entries" in one for one in aftermath.remainders(before, moved))


def test_a_game_that_is_not_settled(run: Any) -> None:
    before, moved = run
    Game.objects.update(settlement="parked", settlement_note="so", entry_id=None, settled_at=None)
    assert any("its settlement parked so" in one for one in aftermath.remainders(before, moved))


def test_a_state_that_its_events_do_not_lead_to(run: Any, owner_connection: Any) -> None:
    before, moved = run
    owner_connection.execute("ALTER TABLE games_gameevent DISABLE TRIGGER USER")
    try:
        last = GameEvent.objects.order_by("-seq").values_list("pk", flat=True)[0]
        owner_connection.execute("DELETE FROM games_gameevent WHERE id = %s", [last])
        assert any("not the one that its events lead to" in one for one in aftermath.remainders(before, moved))
    finally:
        owner_connection.execute("ALTER TABLE games_gameevent ENABLE TRIGGER USER")


def test_a_hold_that_is_left(run: Any, alice: Any) -> None:
    before, moved = run
    with transaction.atomic():
        book.place_holds([book.HoldRequest("left", alice.pk, money.parse("1 XPC"))])
    assert "hold left is left behind" in aftermath.remainders(before, moved)


@pytest.mark.parametrize("more", [-1, 1])
def test_a_wallet_that_is_not_what_its_owner_was_told(run: Any, alice: Any, more: int) -> None:
    before, moved = run
    moved[alice.pk, "XPC"] += more
    (found,) = aftermath.remainders(before, moved)
    assert found.startswith(f"the wallet of {alice.pk} has") and "by what its owner was told" in found


def test_entries_without_seals_and_a_chain_without_its_anchor(run: Any, settings: Any, tmp_path: Any) -> None:
    settings.ANCHOR_FILE = str(tmp_path / "anchors")
    assert aftermath.unsealed() > 0
    seal_everything()
    assert aftermath.unsealed() == 0 and list(aftermath.wrong_anchors()) == []
    settings.ANCHOR_FILE = str(tmp_path / "other")
    assert any("the last anchor is number 0" in one for one in aftermath.wrong_anchors())
    (tmp_path / "other").write_text('{"number": 1, "digest": "x", "at": "", "mac": "x"}\n')
    assert any("not signed by us" in one for one in aftermath.wrong_anchors())


def test_what_the_watch_finds(run: Any, owner_connection: Any, alice: Any) -> None:
    before, _ = run
    seal_everything()
    assert aftermath.findings(before.at) == ([], [])
    change: Callable[[str], Any] = owner_connection.execute
    change("ALTER TABLE ledger_balance DISABLE TRIGGER USER")
    try:
        change("UPDATE ledger_balance SET posted = posted + 1 WHERE account_id = (SELECT max(account_id) FROM"
               " ledger_balance)")  # fmt: skip
    finally:
        change("ALTER TABLE ledger_balance ENABLE TRIGGER USER")
    findings.note([Violation("stalled", "sealer", "an entry has waited for its seal for 76 s")])
    wrong, stalled = aftermath.findings(before.at)
    assert any("balance_follows_lines" in one for one in wrong) and not any("stalled" in one for one in wrong)
    assert stalled == ["sealer"]
