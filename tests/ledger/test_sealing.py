"""Journal numbers without a gap, a chain over all entries, and no commit skipped however late it came."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from django.db import connection

from ledger import book, seal, verify
from ledger.models import HouseTotal, Seal
from tests.ledger.support import OPERATOR, fund, parse, play_game, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

LATE_ENTRY = """
    WITH e AS (INSERT INTO ledger_entry (kind, key, reference, reason, details)
               VALUES ('deposit', 'late', '', 'late', '{}') RETURNING id, at)
    INSERT INTO ledger_line (entry_id, at, account_id, currency, amount, account_version, balance_after)
    SELECT e.id, e.at, a.id, 'UAH', CASE a.kind WHEN 'cash' THEN -7 ELSE 7 END,
           CASE a.kind WHEN 'wallet' THEN b.version + 1 END, CASE a.kind WHEN 'wallet' THEN b.posted + 7 END
      FROM e, ledger_account a LEFT JOIN ledger_balance b ON b.account_id = a.id
     WHERE a.currency = 'UAH' AND (a.owner_id = 1 OR a.kind = 'cash')"""


def numbers() -> dict[str, int]:
    return dict(Seal.objects.values_list("entry__key", "number"))


def test_numbers_follow_time_without_a_gap() -> None:
    for owner in (1, 2, 3):
        fund(owner, "10.00 UAH", key=f"d{owner}")
    seal_everything()
    fund(4, "10.00 UAH", key="d4")
    seal_everything()
    assert numbers() == {"d1": 1, "d2": 2, "d3": 3, "d4": 4}
    assert seal.head().number == 4
    assert seal.seal() == 0


def test_a_late_commit_is_not_skipped(database: Any) -> None:
    """A transaction that wrote early and committed late: what came after it waits for it, then both get numbers."""
    fund(1, "10.00 UAH", key="early")
    seal_everything()
    with psycopg.connect(database.app_url) as late:
        late.execute(LATE_ENTRY)  # type: ignore[arg-type]
        fund(2, "10.00 UAH", key="after")
        assert seal.seal() == 0
        before = seal.sealed_until()
        assert before is not None
        late.commit()
    seal_everything()
    assert numbers() == {"early": 1, "late": 2, "after": 3}
    assert list(verify.run()) == []


def test_the_horizon_never_passes_an_open_transaction(database: Any) -> None:
    """`sealed_until` promises that no entry before it can still appear."""
    fund(1, "10.00 UAH", key="early")
    with psycopg.connect(database.app_url) as late:
        late.execute(LATE_ENTRY)  # type: ignore[arg-type]
        at = late.execute("SELECT at FROM ledger_entry WHERE key = 'late'").fetchone()
        assert at is not None
        for _ in range(3):
            seal.seal()
            horizon = seal.sealed_until()
            assert horizon is None or horizon < at[0]
        late.commit()
    seal_everything()
    horizon = seal.sealed_until()
    assert horizon
    assert at[0] < horizon <= datetime.now(UTC)


def test_chunks_do_not_divide_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seal, "CHUNK", 2)
    from django.db import transaction

    with transaction.atomic():
        for n in range(5):
            book.deposit(f"together:{n}", 1, parse("1.00 UAH"), OPERATOR, "test")
    for n in range(4):
        fund(2, "1.00 UAH", key=f"alone:{n}")
    seal_everything()
    assert sorted(numbers().values()) == list(range(1, 10))
    assert list(verify.run()) == []


def test_house_totals_follow_the_seals() -> None:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    play_game(1, 1, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    assert {t.kind: t.total for t in book.house_balances()} == {
        "cash": parse("200.00 UAH") * -1,
        "rake": parse("1.00 UAH"),
    }
    assert not HouseTotal.objects.exists()
    seal_everything()
    assert HouseTotal.objects.count() == 2
    play_game(2, 1, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")  # the tail, not sealed yet
    assert {t.kind: t.total for t in book.house_balances()} == {
        "cash": parse("200.00 UAH") * -1,
        "rake": parse("2.00 UAH"),
    }


def test_the_digest_covers_every_column_but_the_transaction_id() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT table_name, column_name FROM information_schema.columns
                WHERE table_name IN ('ledger_entry', 'ledger_line') AND table_schema = 'public'"""
        )
        for table, column in cursor.fetchall():
            alias = "e" if table == "ledger_entry" else "l"
            copied = {("ledger_entry", "xid"), ("ledger_line", "at")}  # the latter is checked to be its entry's
            assert (f"{alias}.{column}" in seal.CANONICAL) is ((table, column) not in copied)
