"""The house's share: a new rule from now on. Rules are appended, never edited, so every past game keeps its own."""

from __future__ import annotations

from decimal import Decimal

from django.db import connection
from moneyed import Money

from ledger import money
from ledger.errors import BadAmount, ReasonMissing
from ledger.locking import require_transaction


def set_rake(currency: str, percent: Decimal, cap: Money | None, actor: int | None, reason: str) -> None:
    """From now on the house takes `percent` of every win in this currency, at most `cap`. Tables opened before keep theirs.

    Raises UnknownCurrency, BadAmount (a percentage outside 0–100), ReasonMissing.
    """
    require_transaction()
    money.decimals(currency)
    if not 0 <= percent <= 100:
        raise BadAmount(amount=percent, reason="a percentage is 0 to 100.")
    if not reason.strip():
        raise ReasonMissing()
    amount = money.quantize(cap).amount if cap is not None else None
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_rakerule (currency, percent, cap, starts_at, actor_id, reason)
               VALUES (%s, %s, %s, clock_timestamp(), %s, %s)""",
            [currency, percent, amount, actor, reason.strip()],
        )
