"""Every earlier state of the tables, full of all the data that it could hold, goes through every migration since.

What was there is there afterwards, to the character, and the ledger holds. test_upgrade looks at two of the states
closer; a later group of migrations needs a state before it here.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import psycopg
import pytest
from django.db import transaction

from games.play import act
from ledger import book
from ledger.money import parse
from ledger.verify import Violation
from tests.games.helpers import fund, started
from tests.ledger.support import OPERATOR, seal_everything, withdraw
from tests.platform.test_upgrade import COLUMNS, FIRST, MIGRATE, copy_data, run, url  # noqa: F401  (a fixture)
from tests.tournaments import playing
from tournaments import registration
from watch import findings

pytestmark = pytest.mark.django_db(transaction=True)

TWO_PEOPLE = [
    ("ledger", "0004_two_people_guards"), ("games", "0003_points_series"), ("players", "0001_initial"),
    ("tournaments", "0001_initial"), ("watch", "0001_initial"),
]  # fmt: skip
MONTHS = [
    ("ledger", "0006_period_guards"), ("games", "0003_points_series"), ("players", "0002_names"),
    ("tournaments", "0002_append_only_log"), ("watch", "0001_initial"),
]  # fmt: skip
STATES = {
    "as first released": FIRST,
    "before names and closed months": TWO_PEOPLE,
    "before the house's own money": MONTHS,
}
#: What a migration, or what comes after `migrate`, adds rows to.
GROWS = ("ledger_account", "ledger_balance", "auth_group_permissions", "players_name")
LATER_KINDS = "('promotion_fund', 'capital')"

Content = list[tuple[Any, ...]]


def play_and_pay(alice: Any, bob: Any) -> None:
    """A game that waits for settlement, one that is played, chips, a rake rule."""
    fund(alice, "1000.00 UAH")
    fund(bob, "1000 XPC")
    with transaction.atomic():
        book.set_rake("UAH", Decimal(5), None, OPERATOR, "test")
    for _ in range(2):
        game = started(alice, bob, stake="10.00 UAH", series_length=1)
        act(alice, game.pk, game.version, "resign")
    started(alice, bob, stake="10.00 UAH", series_length=1)


def decide(alice: Any, bob: Any) -> None:
    """Withdrawals that are approved, rejected, cancelled and open, adjustments, a debt, a wallet that is frozen."""
    amount = parse("3.00 UAH")
    with transaction.atomic():
        asked = [book.request_withdrawal(f"w{n}", alice.pk, amount, alice.pk, "card").id for n in range(4)]
        book.approve(asked[0], OPERATOR)
        book.reject(asked[1], OPERATOR, "no")
        book.cancel(asked[2], alice.pk)
        book.propose_adjustment("open", bob.pk, amount, OPERATOR, "open")
        book.approve(book.propose_adjustment("given", bob.pk, amount, OPERATOR, "sorry").id, OPERATOR + 1)
        book.freeze(bob.pk, "XPC", OPERATOR, "a question")
    fund(bob, "7 JPY")
    (deposit,) = book.statement(bob.pk, "JPY").rows
    withdraw("spent", bob.pk, parse("5 JPY"))
    with transaction.atomic():
        book.approve(book.propose_reversal("undo", deposit.entry_id, OPERATOR, "never came").id, OPERATOR + 1)
    assert book.wallet(bob.pk, "JPY").owed == parse("5 JPY")


def compete() -> None:
    """A tournament in its second round, one that takes entries, a finding."""
    playing.play_round(playing.started(4))
    registration.register(playing.people(1)[0], playing.opened(title="later").pk)
    findings.note([Violation("segregation", "currency UAH", "planted")])


@pytest.mark.parametrize("name", STATES)
def test_data_survive_every_migration_since(name: str, alice: Any, bob: Any, database: Any, url: str) -> None:  # noqa: F811
    play_and_pay(alice, bob)
    if STATES[name] != FIRST:  # which knew neither
        decide(alice, bob)
        compete()
    seal_everything()
    fund(alice, "5.00 UAH")  # one entry that is not sealed
    run(url, "-c", MIGRATE.format(targets=STATES[name]), DATABASE_AS_OWNER="1")
    tables = copy_data(database.superuser_url, url)
    with psycopg.connect(url) as link:
        forget_later_accounts(link)
        columns = {table: [column for (column,) in link.execute(COLUMNS, [table])] for table in tables}
        before = {table: content(link, table, columns[table]) for table in tables}
    assert len(before["ledger_entry"]) > 3 and len(before["games_gameevent"]) >= 4
    run(url, "manage.py", "migrate", "-v", "0", "--no-input")
    assert "no violation" in run(url, "manage.py", "verify_ledger")
    with psycopg.connect(url) as link:
        for table, rows in before.items():
            now = content(link, table, columns[table])
            assert not set(rows) - set(now), table
            assert table in GROWS or len(now) == len(rows), table


def forget_later_accounts(link: psycopg.Connection) -> None:
    """House accounts that `migrate` opens today and that no earlier state had."""
    link.execute("SET session_replication_role = replica")
    new = f"SELECT id FROM ledger_account WHERE kind IN {LATER_KINDS}"
    link.execute(f"DELETE FROM ledger_balance WHERE account_id IN ({new})")
    link.execute(f"DELETE FROM ledger_account WHERE id IN ({new})")


def content(link: psycopg.Connection, table: str, columns: list[str]) -> Content:
    """Every row's values in these columns, as text."""
    names = ", ".join(f'"{name}"::text' for name in columns)
    return link.execute(f'SELECT {names} FROM "{table}"').fetchall()  # type: ignore[arg-type]
