"""The house's share: a new rule from a moment on. Rules are appended, never edited, so past games keep theirs."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.db import connection
from django.utils.translation import gettext as _
from moneyed import Money

from ledger import money
from ledger.entering import said
from ledger.errors import BadAmount, UnknownCurrency
from ledger.locking import require_transaction


def set_rake(
    currency: str,
    percent: Decimal,
    cap: Money | None,
    actor: int | None,
    reason: str,
    starts_at: datetime | None = None,
) -> int:
    """From `starts_at` (now) on the house takes `percent` of every win in this currency, at most `cap`; the rule's id.

    Tables opened before keep the rule they were opened under. A moment in the past becomes now: history is not
    rewritten. Raises UnknownCurrency, BadAmount (a percentage outside 0–100 or finer than 0.01; a cap finer than the
    currency), ReasonMissing.
    """
    require_transaction()
    money.decimals(currency)
    if not 0 <= percent <= 100 or percent != round(percent, 2):
        raise BadAmount(amount=percent, reason=_("a percentage is 0 to 100, with two decimals at most."))
    if cap is not None and cap.currency.code != currency:
        raise UnknownCurrency(currency=cap.currency.code, known=currency)
    reason = said(reason)
    amount = money.quantize(cap).amount if cap is not None else None
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_rakerule (currency, percent, cap, starts_at, actor_id, reason)
               VALUES (%s, %s, %s, greatest(coalesce(%s::timestamptz, '-infinity'), clock_timestamp()), %s, %s)
               RETURNING id""",
            [currency, percent, amount, starts_at, actor, reason],
        )
        return int(cursor.fetchone()[0])
