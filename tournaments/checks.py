"""Checks that tournaments and ledger agree, run by `manage.py verify_ledger` with the ledger's own."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.verify.registry import found_by, register

POOL_SQL = """coalesce((SELECT b.posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
                         WHERE a.kind = 'pool' AND a.owner_id = -t.id AND a.currency = t.entry_currency), 0)"""


#: What the site may have to add at most: as tournaments.purse.promised.
PROMISE_SQL = "greatest(t.added, t.guarantee - t.entry * t.min_field)"


@register("pools_of_ended_tournaments_are_empty")
def pools_of_ended_tournaments_are_empty() -> Iterator[tuple[str, str]]:
    """A tournament that is a draft, paid or cancelled has nothing in its pool."""
    return found_by(
        f"""SELECT 'tournament ' || t.id, 'is ' || t.status || ', its pool has ' || {POOL_SQL}
              FROM tournaments_tournament t WHERE t.status IN ('draft', 'paid', 'cancelled') AND {POOL_SQL} <> 0
             ORDER BY t.id"""
    )


@register("promises_are_in_the_pool")
def promises_are_in_the_pool() -> Iterator[tuple[str, str]]:
    """From its announcement to its start, a pool has exactly what the site may have to add.

    Tournaments that were announced before there was a promotion fund may have nothing: they draw from it at the start.
    """
    return found_by(
        f"""SELECT 'tournament ' || t.id, 'the site promises ' || {PROMISE_SQL} || ', its pool has ' || {POOL_SQL}
              FROM tournaments_tournament t
             WHERE t.status IN ('announced', 'registration', 'closed') AND {POOL_SQL} <> {PROMISE_SQL}
               AND NOT ({POOL_SQL} = 0 AND EXISTS (
                     SELECT FROM tournaments_logentry l WHERE l.tournament_id = t.id AND l.action = 'announce'
                        AND l.at < (SELECT applied FROM django_migrations
                                     WHERE app = 'ledger' AND name = '0007_house_money')))
             ORDER BY t.id"""
    )


@register("running_pools_hold_all_entries")
def running_pools_hold_all_entries() -> Iterator[tuple[str, str]]:
    """While it runs, a pool holds the entries of everybody who started or came late, and what the site added."""
    return found_by(
        f"""SELECT 'tournament ' || t.id, 'its pool has ' || {POOL_SQL} || ', but entries and added money make '
                   || t.entry * n.field + coalesce(o.amount, 0)
              FROM tournaments_tournament t
              JOIN LATERAL (SELECT count(*) AS field FROM tournaments_entrant e
                             WHERE e.tournament_id = t.id AND e.status IN ('playing', 'withdrawn')) n ON true
              LEFT JOIN LATERAL (SELECT sum(-l.amount) AS amount FROM ledger_entry e
                                   JOIN ledger_line l ON l.entry_id = e.id JOIN ledger_account a ON a.id = l.account_id
                                  WHERE e.reference = 'tournament:' || t.id
                                    AND e.kind IN ('tournament_overlay', 'tournament_refund')
                                    AND a.kind IN ('promotion_fund', 'promotion')) o ON true
             WHERE t.status IN ('running', 'finished') AND {POOL_SQL} <> t.entry * n.field + coalesce(o.amount, 0)
             ORDER BY t.id"""
    )


@register("entrants_have_what_they_owe_blocked")
def entrants_have_what_they_owe_blocked() -> Iterator[tuple[str, str]]:
    """Who is registered has exactly entry and fee blocked; who is not has nothing blocked for a tournament."""
    return found_by(
        """SELECT 'entrant ' || e.id || ' of tournament ' || t.id,
                  'is ' || e.status || ' in a tournament that is ' || t.status || ', blocked are ' || coalesce(h.sum, 0)
             FROM tournaments_entrant e JOIN tournaments_tournament t ON t.id = e.tournament_id
             LEFT JOIN LATERAL (SELECT sum(h.amount) AS sum FROM ledger_hold h
                                 WHERE h.reference = 'tournament:' || t.id AND h.resolution IS NULL
                                   AND h.key LIKE 'tournament:' || t.id || ':entrant:' || e.id || ':hold:%') h ON true
            WHERE coalesce(h.sum, 0) <> CASE WHEN e.status = 'registered' AND t.status <> 'cancelled'
                                             THEN t.entry + t.fee ELSE 0 END
            ORDER BY e.id"""
    )


@register("tournament_entries_belong_to_tournaments")
def tournament_entries_belong_to_tournaments() -> Iterator[tuple[str, str]]:
    """Every entry between a pool and others belongs to a tournament that exists, in its currency."""
    return found_by(
        """SELECT 'entry ' || e.id, 'names ' || e.reference || ', which is no tournament in ' || l.currency
             FROM ledger_entry e
             JOIN ledger_line l ON l.entry_id = e.id
             JOIN ledger_account a ON a.id = l.account_id AND a.kind = 'pool'
             LEFT JOIN tournaments_tournament t ON e.reference = 'tournament:' || t.id
            WHERE t.id IS NULL OR a.owner_id <> -t.id OR t.entry_currency <> l.currency ORDER BY e.id"""
    )


@register("everybody_is_paid_once")
def everybody_is_paid_once() -> Iterator[tuple[str, str]]:
    """No entrant has two prizes or two refunds; corrections are entries of their own."""
    return found_by(
        """SELECT e.reference, 'player ' || a.owner_id || ' has ' || count(*) || ' entries of kind ' || e.kind
             FROM ledger_entry e
             JOIN ledger_line l ON l.entry_id = e.id
             JOIN ledger_account a ON a.id = l.account_id AND a.kind = 'wallet'
            WHERE e.kind IN ('tournament_entry', 'tournament_prize', 'tournament_refund')
            GROUP BY e.reference, a.owner_id, e.kind HAVING count(*) > 1 ORDER BY 1"""
    )
