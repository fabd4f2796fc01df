"""The house's own money: capital paid in, the promotion fund, and what of the cash is its own.

The promotion fund is what the house has set aside for tournaments. It is owed like a player's money: the database keeps
it from going below zero, and it is filled only with money that the house has over what it owes already. So what a
tournament promises out of the fund is there, and so is the cash that will pay it.
"""

from __future__ import annotations

from django.db import connection
from moneyed import Money

from ledger import accounts, chart, money
from ledger.entering import enter, said
from ledger.errors import NotCovered
from ledger.locking import lock_keys, require_transaction
from ledger.posting import Draft, Part
from ledger.queries import UNSEALED_LINES, entry_by_key
from ledger.values import Cover, EntryView

COVERS = f"""
    SELECT currency, -coalesce(sum(amount) FILTER (WHERE kind = 'cash'), 0),
           coalesce(sum(amount) FILTER (WHERE kind <> 'cash'), 0)
      FROM (SELECT a.currency, a.kind, b.posted AS amount
              FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id WHERE a.kind = ANY (%s)
             UNION ALL
            SELECT a.currency, a.kind, t.total FROM ledger_account a JOIN ledger_housetotal t ON t.account_id = a.id
             WHERE a.kind = 'cash'
             UNION ALL
            SELECT a.currency, a.kind, tail.amount FROM (SELECT l.account_id, l.amount {UNSEALED_LINES}) tail
              JOIN ledger_account a ON a.id = tail.account_id WHERE a.kind = 'cash') every
     WHERE currency <> %s GROUP BY currency ORDER BY currency
"""


def covers() -> list[Cover]:
    """Cash and what is owed to players, to tournaments and out of the promotion fund, by currency, in one statement.

    Play chips are no money. What players owe us does not count: it cannot be paid out.
    """
    owed = [kind.key for kind in chart.ACCOUNT_KINDS.values() if kind.nature == "liability"]
    with connection.cursor() as cursor:
        cursor.execute(COVERS, [owed, money.PLAY_CHIPS])
        return [Cover(code, money.money(cash, code), money.money(due, code)) for code, cash, due in cursor.fetchall()]


def cover(currency: str) -> Cover:
    """Cash and what is owed in one currency. Raises UnknownCurrency, for play chips too."""
    money.check_real(currency)
    nothing = money.nothing(currency)
    return next((found for found in covers() if found.currency == currency), Cover(currency, nothing, nothing))


def check_covered(amount: Money) -> None:
    """Raises NotCovered unless so much of the cash is the house's own. Exact under `lock_own_money`."""
    found = cover(amount.currency.code)
    if found.own < amount:
        raise NotCovered(needed=amount, own=found.own, cash=found.cash, owed=found.owed)


def lock_own_money(key: str, currency: str) -> None:
    """Nobody else takes or sets aside the house's own money of this currency until this transaction ends."""
    lock_keys([key, f"house:{currency}"])


def pay_in_capital(key: str, amount: Money, actor: int | None, reason: str) -> EntryView:
    """The house puts own money in: cash and capital grow by `amount`.

    Raises BadAmount, UnknownCurrency (play chips are no money), ReasonMissing, KeyConflict.
    """
    money.check_real(amount.currency.code)
    return _between(key, chart.CAPITAL_IN, chart.CASH, chart.CAPITAL, money.positive(amount), actor, reason)


def fund_promotion(key: str, amount: Money, actor: int | None, reason: str) -> EntryView:
    """Set `amount` aside for tournaments, as an expense of the house; below zero: take so much of the fund back.

    Real money must be covered by the house's own; play chips are worth nothing and need no cover. Raises NotCovered,
    InsufficientFunds (the fund has less than is to be taken back), BadAmount, ReasonMissing, KeyConflict.
    """
    require_transaction()
    code = amount.currency.code
    moved = money.positive(amount) if amount.amount > 0 else -money.positive(-amount)
    lock_own_money(key, code)
    if moved.amount > 0 and code != money.PLAY_CHIPS and entry_by_key(key) is None:
        check_covered(moved)
    return _between(key, chart.PROMOTION_FUNDING, chart.PROMOTION, chart.PROMOTION_FUND, moved, actor, reason)


def promotion_fund(currency: str) -> Money:
    """What of the promotion fund is not promised to any tournament. Raises UnknownCurrency."""
    money.decimals(currency)
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT b.posted - b.held FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
                WHERE a.owner_id IS NULL AND a.kind = %s AND a.currency = %s""",
            [chart.PROMOTION_FUND, currency],
        )
        found = cursor.fetchone()
    return money.money(found[0] if found else 0, currency)


def _between(key: str, kind: str, gives: str, gets: str, amount: Money, actor: int | None, reason: str) -> EntryView:
    """Post one entry between two accounts of the house."""
    require_transaction()
    reason = said(reason)
    code = amount.currency.code
    giver, taker = accounts.house(gives, code), accounts.house(gets, code)
    ids = accounts.open_ids([giver, taker])
    parts = (Part(ids[taker], code, amount.amount), Part(ids[giver], code, -amount.amount))
    return enter(Draft(key, kind, parts=parts, actor_id=actor, reason=reason))
