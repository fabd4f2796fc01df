"""Checks that ledger and people agree, run by `manage.py verify_ledger` with the ledger's own."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.verify import register
from ledger.verify.registry import found_by


@register("money_has_a_person")
def money_has_a_person() -> Iterator[tuple[str, str]]:
    """Whoever has money, has some of it blocked, or owes some, is a known person.

    An erased person's accounts stay, for the journal names them; only nothing may be left on them.
    """
    return found_by(
        """SELECT 'account ' || a.id, 'owner ' || a.owner_id || ' is no known person, and the ' || a.kind || ' has '
                  || b.posted || ' ' || a.currency || ', ' || b.held || ' of it blocked'
             FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
            WHERE a.kind IN ('wallet', 'receivable') AND (b.posted <> 0 OR b.held <> 0)
              AND NOT EXISTS (SELECT FROM players_player p WHERE p.id = a.owner_id)
            ORDER BY a.id"""
    )
