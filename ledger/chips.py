"""Play chips by rule: who has fewer than the site gives may fill up to it once a day (UTC). They are worth nothing."""

from __future__ import annotations

from datetime import UTC, datetime

from django.conf import settings

from ledger import accounts, chart, money
from ledger.entering import enter
from ledger.errors import EnoughPlayChips
from ledger.locking import lock_balances, lock_keys, require_transaction
from ledger.posting import Draft, Part
from ledger.queries import entry_by_key
from ledger.values import EntryView


def top_up(owner_id: int) -> EntryView:
    """Fill a player's chips up to settings.PLAY_CHIPS_TOP_UP; asked again on the same day, the first answer again.

    Raises EnoughPlayChips.
    """
    require_transaction()
    key = f"play-chips:{owner_id}:{datetime.now(UTC).date().isoformat()}"
    lock_keys([key])
    done = entry_by_key(key)
    if done is not None:
        return done
    limit = money.money(settings.PLAY_CHIPS_TOP_UP, money.PLAY_CHIPS)
    wallet, issued = (
        accounts.wallet(owner_id, money.PLAY_CHIPS),
        accounts.house(chart.PLAY_CHIPS_ISSUED, money.PLAY_CHIPS),
    )
    ids = accounts.open_ids([wallet, issued])
    lacking = limit.amount - lock_balances([ids[wallet]])[ids[wallet]].posted
    if lacking <= 0:
        raise EnoughPlayChips(limit=limit)
    parts = (Part(ids[wallet], money.PLAY_CHIPS, lacking), Part(ids[issued], money.PLAY_CHIPS, -lacking))
    return enter(Draft(key, chart.PLAY_CHIPS_GRANT, parts=parts, reason="daily top-up"))
