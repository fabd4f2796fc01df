"""Holds against the entries that resolved them."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.verify.registry import found_by, register


@register("hold_resolution_complete")
def hold_resolution_complete() -> Iterator[tuple[str, str]]:
    """An open hold carries no resolution; a resolved one all of it (key, reason, time, how much was captured, and for a
    capture its entry), and never captures more than it held; the entry that it names exists."""
    return found_by(
        """SELECT 'hold ' || id || ' (' || key || ')', said FROM (
               SELECT h.id, h.key, CASE
                      WHEN h.amount <= 0 THEN 'holds ' || h.amount
                      WHEN h.resolution IS NULL
                           AND coalesce(h.captured::text, h.resolved_key, h.resolved_reason, h.resolved_at::text,
                                        h.entry_id::text) IS NOT NULL
                           THEN 'is open but carries a resolution'
                      WHEN h.resolution IS NULL THEN NULL
                      WHEN h.resolution NOT IN ('captured', 'released') THEN 'is ' || h.resolution
                      WHEN h.resolved_key IS NULL OR h.resolved_reason IS NULL OR h.resolved_at IS NULL
                           THEN 'was ' || h.resolution || ' without key, reason or time'
                      WHEN e.id IS NULL AND (h.resolution = 'captured' OR h.entry_id IS NOT NULL)
                           THEN 'was ' || h.resolution || ' by an entry that is missing'
                      WHEN h.resolution = 'captured' AND h.captured > 0 AND h.captured <= h.amount THEN NULL
                      WHEN h.resolution = 'released' AND h.captured = 0 THEN NULL
                      ELSE 'was ' || h.resolution || ', taking ' || coalesce(h.captured::text, 'nothing') || ' of '
                           || h.amount
                      END AS said
                 FROM ledger_hold h LEFT JOIN ledger_entry e ON e.id = h.entry_id
           ) found WHERE said IS NOT NULL ORDER BY id"""
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
    """A settlement resolved two holds of its reference: one captured, of the wallet that paid, and one set free, of the
    other wallet, which was paid (or got nothing, where the rake took it all)."""
    return found_by(
        """SELECT 'entry ' || e.id, 'settles ' || e.reference || ' but resolved ' || count(h.id) || ' holds of it, '
                  || count(h.id) FILTER (WHERE h.resolution = 'captured') || ' by capture'
             FROM ledger_entry e LEFT JOIN ledger_hold h ON h.entry_id = e.id AND h.reference = e.reference
            WHERE e.kind = 'settlement' GROUP BY e.id
           HAVING count(h.id) <> 2 OR count(h.id) FILTER (WHERE h.resolution = 'captured') <> 1
            UNION ALL
           SELECT 'entry ' || e.id, 'settles ' || e.reference || ' but moved ' || l.amount || ' of account '
                  || l.account_id || CASE h.resolution WHEN 'captured' THEN ', whose hold it captured'
                                     WHEN 'released' THEN ', whose hold it set free'
                                     ELSE ', of which it resolved no hold' END
             FROM ledger_entry e JOIN ledger_line l ON l.entry_id = e.id AND l.account_version IS NOT NULL
             LEFT JOIN ledger_hold h ON h.entry_id = e.id AND h.account_id = l.account_id
            WHERE e.kind = 'settlement'
              AND CASE WHEN l.amount < 0 THEN 'captured' ELSE 'released' END IS DISTINCT FROM h.resolution"""
    )
