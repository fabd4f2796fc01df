"""A tournament's corrections: what is spent is owed, the same call is answered alike, and nobody else pays for it."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from moneyed import Money

from ledger import book, errors, verify
from ledger.models import Account
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, hold, seal_everything, withdraw
from tests.support.database import Database

pytestmark = pytest.mark.django_db(transaction=True)

ZERO = parse("1.00 UAH") * 0


def post(key: str, kind: str, to_wallet: str, owner: int = 1) -> book.Outcome:
    """Between the pool of tournament 1 and a wallet; "-5.00 UAH" is taken from it."""
    amount = -parse(to_wallet[1:]) if to_wallet.startswith("-") else parse(to_wallet)
    entry = book.PoolEntry(key, kind, 1, "tournament:1", amount, ZERO, ZERO, owner_id=owner, actor_id=OPERATOR)
    with transaction.atomic():
        return book.post_pool([entry])[0]


def correction(key: str, to_wallet: Money, owner: int) -> book.PoolEntry:
    return book.PoolEntry(
        key, "tournament_correction", 1, "tournament:1", to_wallet, ZERO, ZERO, owner_id=owner, actor_id=OPERATOR
    )


@pytest.fixture
def winner() -> int:
    """Player 1 won 40 of tournament 1, has spent 25 of them and has 10 of the rest blocked."""
    fund(2, "40.00 UAH")
    assert post("entry", "tournament_entry", "-40.00 UAH", owner=2).error is None
    assert post("prize", "tournament_prize", "40.00 UAH").error is None
    withdraw("spent", 1, parse("25.00 UAH"))
    hold("h", 1, "10.00 UAH")
    return 1


def stands(owner: int) -> tuple[str, str | None]:
    wallet = book.wallet(owner, "UAH")
    return str(wallet.available.amount), str(wallet.owed.amount) if wallet.owed else None


def everything_holds() -> None:
    seal_everything()
    found = list(verify.run())
    assert [one for one in found if verify.CHECKS[one.check].__module__.startswith("ledger.")] == []


def test_what_is_blocked_stays_and_what_is_spent_is_owed(winner: int) -> None:
    done = post("c1", "tournament_correction", "-40.00 UAH")
    assert done.error is None and stands(winner) == ("0.00", "35.00")
    assert str(book.pool(1, "UAH").amount) == "40.00" and book.wallet(1, "UAH").held == parse("10.00 UAH")
    everything_holds()


def test_who_corrects_does_not_wait_for_the_promotion_fund(winner: int, database: Database) -> None:
    """The start of a tournament comes to the fund with wallets locked: who held the fund and waited for one of these
    would wait for ever."""
    promotion_fund = Account.objects.get(kind="promotion_fund", currency="UAH").pk
    with psycopg.connect(database.app_url) as other:
        other.execute("SELECT ledger_lock_balances(ARRAY[%s::bigint])", [promotion_fund])
        with transaction.atomic():
            connection.cursor().execute("SET LOCAL lock_timeout = '2s'")
            assert post("c1", "tournament_correction", "-40.00 UAH").error is None


def test_the_same_correction_again_is_the_same_though_the_wallet_has_more_by_now(winner: int) -> None:
    first = post("c1", "tournament_correction", "-40.00 UAH")
    fund(winner, "100.00 UAH")
    assert post("c1", "tournament_correction", "-40.00 UAH") == first
    assert stands(winner) == ("100.00", "35.00")
    again = post("c1", "tournament_correction", "-39.00 UAH")
    assert isinstance(again.error, errors.KeyConflict)
    everything_holds()


def test_what_is_given_again_makes_the_debt_less_first(winner: int) -> None:
    post("c1", "tournament_correction", "-40.00 UAH")
    assert post("c2", "tournament_correction", "20.00 UAH").error is None
    assert stands(winner) == ("0.00", "15.00")
    assert post("c3", "tournament_correction", "20.00 UAH").error is None
    assert stands(winner) == ("5.00", None)
    everything_holds()


def test_many_corrections_take_no_more_statements_than_one(winner: int) -> None:
    for owner in (3, 4, 5, 6):
        fund(owner, "9.00 UAH")
    assert post("entry2", "tournament_entry", "-7.00 UAH", owner=3).error is None
    statements = []
    for owners in ((3,), (4, 5, 6)):
        with transaction.atomic(), CaptureQueriesContext(connection) as captured:
            done = book.post_pool([correction(f"c{owner}", parse("1.00 UAH"), owner) for owner in owners])
        assert [one.error for one in done] == [None] * len(owners)
        statements.append(len(captured))
    assert statements[0] == statements[1]


def test_a_debt_of_another_kind_is_not_touched(winner: int) -> None:
    """A deposit that was reversed is owed; a better place pays into the wallet all the same."""
    fund(winner, "50.00 UAH", key="bounced")
    withdraw("gone", winner, parse("50.00 UAH"))
    entry = book.entry_by_key("bounced")
    assert entry is not None
    with transaction.atomic():
        asked = book.propose_reversal("r", entry.id, 901, "bounced")
        book.approve(asked.id, OPERATOR)
    fund(2, "7.00 UAH", key="more")
    assert post("entry2", "tournament_entry", "-7.00 UAH", owner=2).error is None
    assert post("c1", "tournament_correction", "7.00 UAH").error is None
    assert stands(winner) == ("7.00", "45.00")
    everything_holds()
