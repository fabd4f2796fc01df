"""Short words for scenes with money. Amounts are written as in commands: "10.00 UAH"."""

from __future__ import annotations

from typing import Any
from unittest import mock

from django.db import connection, transaction
from moneyed import Money

from ledger import book, seal
from ledger.money import parse

OPERATOR = 900


def fund(owner: int, amount: str, key: str | None = None) -> None:
    """A recorded deposit; play chips are granted."""
    action = book.grant_play_chips if amount.endswith("XPC") else book.deposit
    with transaction.atomic():
        action(key or f"fund:{owner}:{amount}", owner, parse(amount), OPERATOR, "test")


def promote(amount: str) -> None:
    """The house pays in so much of its own and sets it aside for tournaments; play chips need no paying in."""
    value = parse(amount)
    with transaction.atomic():
        if not amount.endswith("XPC"):
            book.pay_in_capital(f"capital:{amount}", value, OPERATOR, "test")
        book.fund_promotion(f"promote:{amount}", value, OPERATOR, "test")


def withdraw(key: str, owner: int, amount: Money, actor: int | None = None, reason: str = "test") -> book.EntryView:
    """The player asks, an operator approves; again with the same key: nothing more."""
    with transaction.atomic():
        asked = book.request_withdrawal(key, owner, amount, owner, reason)
        entry_id = book.approve(asked.id, actor or OPERATOR).entry_id
    found = book.entry(entry_id or 0)
    assert found is not None
    return found


def hold(key: str, owner: int, amount: str, reference: str = "match:1") -> book.HoldView:
    with transaction.atomic():
        return book.place_holds([book.HoldRequest(key, owner, parse(amount), reference)])[0]


def start_game(number: int, white: int, black: int, amount: str) -> str:
    """Both holds of a game; returns its reference."""
    reference = f"match:{number}"
    requests = [book.HoldRequest(f"{reference}:hold:{p}", p, parse(amount), reference) for p in (white, black)]
    with transaction.atomic():
        book.place_holds(requests)
    return reference


def settlement(reference: str, winner: int, loser: int, loss: str, rake: str | None = None) -> book.Settlement:
    lost = parse(loss)
    return book.Settlement(
        f"{reference}:settle",
        reference,
        f"{reference}:hold:{winner}",
        f"{reference}:hold:{loser}",
        lost,
        parse(rake) if rake else lost * 0,
        {"variant": "short", "stake": "5.00", "factor": 1, "cube": 2, "kind": "oin"},
    )


def settle(*requests: book.Settlement | book.Release) -> list[book.Outcome]:
    with transaction.atomic():
        return book.settle(requests)


def play_game(number: int, winner: int, loser: int, amount: str, loss: str, rake: str | None = None) -> book.Outcome:
    """A game held and settled."""
    reference = start_game(number, winner, loser, amount)
    (outcome,) = settle(settlement(reference, winner, loser, loss, rake))
    assert outcome.error is None
    return outcome


def seal_everything() -> None:
    """Seal all there is. Transactions of other test processes in the same cluster would hold the sealer up, so what it
    cannot seal at once is sealed as if they had ended: nobody else writes in this database."""
    seal.seal()
    with mock.patch.object(seal, "oldest_writer", own_transaction):
        seal.seal()
    with connection.cursor() as cursor:
        cursor.execute("SELECT (SELECT count(*) FROM ledger_entry) - (SELECT count(*) FROM ledger_seal)")
        assert cursor.fetchone() == (0,)


def own_transaction(cursor: Any) -> int:
    cursor.execute("SELECT pg_current_xact_id()::text::bigint")
    return int(cursor.fetchone()[0])


def picture() -> dict[str, list[tuple[object, ...]]]:
    """All that the ledger holds, to compare before and after."""
    tables = (
        "account",
        "balance",
        "entry",
        "line",
        "hold",
        "seal",
        "housetotal",
        "rakerule",
        "proposal",
        "accountevent",
    )
    with connection.cursor() as cursor:
        found = {}
        for table in tables:
            cursor.execute(f"SELECT * FROM ledger_{table} ORDER BY 1")
            found[table] = cursor.fetchall()
    return found
