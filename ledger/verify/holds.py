"""Holds against the entries that resolved them."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.verify.registry import found_by, register


@register("hold_resolution_complete")
def hold_resolution_complete() -> Iterator[tuple[str, str]]:
    """An open hold carries no resolution; a resolved one all of it, and never captures more than it held."""
    return found_by(
        """SELECT 'hold ' || h.id || ' (' || h.key || ')', CASE
                  WHEN h.resolution IS NULL THEN 'is open but carries a resolution'
                  WHEN h.resolution = 'captured' AND e.id IS NULL THEN 'was captured by an entry that is missing'
                  WHEN h.entry_id IS NOT NULL AND e.id IS NULL THEN 'was released by an entry that is missing'
                  ELSE 'captured ' || coalesce(h.captured::text, 'nothing') || ' of ' || h.amount END
             FROM ledger_hold h LEFT JOIN ledger_entry e ON e.id = h.entry_id
            WHERE h.amount <= 0 OR CASE
                  WHEN h.resolution IS NULL
                       THEN coalesce(h.captured::text, h.resolved_key, h.resolved_at::text, h.entry_id::text)
                            IS NOT NULL
                  WHEN h.resolution = 'captured'
                       THEN e.id IS NULL OR h.captured IS NULL OR h.captured <= 0 OR h.captured > h.amount
                  WHEN h.resolution = 'released'
                       THEN h.captured IS DISTINCT FROM 0 OR (h.entry_id IS NOT NULL AND e.id IS NULL)
                  ELSE true END
            ORDER BY h.id"""
    )


@register("captures_match_lines")
def captures_match_lines() -> Iterator[tuple[str, str]]:
    """What an entry captured from the holds of an account is what its lines take from that account."""
    return found_by(
        """SELECT 'entry ' || h.entry_id, 'captured ' || h.captured || ' of account ' || h.account_id || ', posted '
                  || coalesce(l.amount, 0)
             FROM (SELECT entry_id, account_id, sum(captured) AS captured FROM ledger_hold WHERE captured > 0
                    GROUP BY entry_id, account_id) h
             LEFT JOIN (SELECT entry_id, account_id, sum(amount) AS amount FROM ledger_line
                         GROUP BY entry_id, account_id) l
                USING (entry_id, account_id)
            WHERE h.captured <> -coalesce(l.amount, 0) ORDER BY h.entry_id"""
    )


@register("settlement_resolves_two_holds")
def settlement_resolves_two_holds() -> Iterator[tuple[str, str]]:
    """A settlement resolved two holds of its reference: one captured, the loser's, and one set free, the winner's."""
    return found_by(
        """SELECT 'entry ' || e.id, 'settles ' || e.reference || ' but resolved ' || count(h.id) || ' holds of it, '
                  || count(h.id) FILTER (WHERE h.resolution = 'captured') || ' by capture'
             FROM ledger_entry e LEFT JOIN ledger_hold h ON h.entry_id = e.id AND h.reference = e.reference
            WHERE e.kind = 'settlement' GROUP BY e.id
           HAVING count(h.id) <> 2 OR count(h.id) FILTER (WHERE h.resolution = 'captured') <> 1 ORDER BY e.id"""
    )
