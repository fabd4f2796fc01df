"""Checks that games and ledger agree, run by `manage.py verify_ledger` with the ledger's own. They repair nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.verify.registry import found_by, register

# What a settled game must have taken from the loser, written out so that games.models is checked too.
LOSS = "g.stake * least(g.points, g.factor_cap)"


@register("games_settled_once")
def games_settled_once() -> Iterator[tuple[str, str]]:
    """A settled game with a winner has one entry of its own, which took exactly the loss from the loser's wallet."""
    return found_by(
        f"""SELECT 'game ' || g.id, CASE
                   WHEN e.id IS NULL THEN 'is settled, its entry ' || coalesce(g.entry_id::text, '?') || ' is not there'
                   WHEN e.key <> 'game:' || g.id || ':settle' THEN 'names entry ' || e.id || ' of ' || e.key
                   ELSE 'lost ' || {LOSS} || ', but its entry took ' || coalesce(l.amount, 0) END
              FROM games_game g LEFT JOIN ledger_entry e ON e.id = g.entry_id
              LEFT JOIN LATERAL (
                   SELECT sum(-l.amount) AS amount FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
                    WHERE l.entry_id = e.id
                      AND a.owner_id = CASE g.winner WHEN 'white' THEN g.black_id ELSE g.white_id END) l ON true
             WHERE g.settlement = 'settled' AND g.winner <> '' AND g.stake > 0
               AND (e.id IS NULL OR e.key <> 'game:' || g.id || ':settle' OR coalesce(l.amount, 0) <> {LOSS})
             ORDER BY g.id"""
    )


@register("games_without_winner_move_no_money")
def games_without_winner_move_no_money() -> Iterator[tuple[str, str]]:
    """A draw or a void game has no entry."""
    return found_by(
        """SELECT 'game ' || g.id, 'has no winner but the entry ' || e.id FROM games_game g
             JOIN ledger_entry e ON e.reference = 'game:' || g.id AND e.kind = 'settlement'
            WHERE g.winner = '' ORDER BY g.id"""
    )


@register("entries_belong_to_settled_games")
def entries_belong_to_settled_games() -> Iterator[tuple[str, str]]:
    """Every settlement of the ledger belongs to a game that says so."""
    return found_by(
        """SELECT 'entry ' || e.id, 'settles ' || e.reference || ', which is ' || coalesce(g.settlement, 'not there')
             FROM ledger_entry e LEFT JOIN games_game g ON e.reference = 'game:' || g.id
            WHERE e.kind = 'settlement' AND e.reference LIKE 'game:%' AND g.entry_id IS DISTINCT FROM e.id
            ORDER BY e.id"""
    )


@register("holds_match_games")
def holds_match_games() -> Iterator[tuple[str, str]]:
    """A game that is not settled has two open holds of its full hold; one that is, or has no stake, has none open."""
    return found_by(
        """SELECT 'game ' || g.id, 'is ' || g.settlement || ', has ' || count(h.id) || ' open holds of '
                  || coalesce(sum(h.amount), 0) || '; each player should have ' || g.stake * g.factor_cap
             FROM games_game g
             LEFT JOIN ledger_hold h ON h.reference = 'game:' || g.id AND h.resolution IS NULL
            GROUP BY g.id
           HAVING CASE WHEN g.settlement = 'settled' OR g.stake = 0 THEN count(h.id) <> 0
                       ELSE count(h.id) <> 2 OR min(h.amount) <> g.stake * g.factor_cap
                            OR max(h.amount) <> g.stake * g.factor_cap END
            ORDER BY g.id"""
    )


@register("open_holds_have_a_game")
def open_holds_have_a_game() -> Iterator[tuple[str, str]]:
    """Money is blocked only for a game that exists and is not settled."""
    return found_by(
        """SELECT 'hold ' || h.id || ' (' || h.key || ')', 'is open, its game is ' || coalesce(g.settlement, 'missing')
             FROM ledger_hold h LEFT JOIN games_game g ON h.reference = 'game:' || g.id
            WHERE h.resolution IS NULL AND h.reference LIKE 'game:%' AND coalesce(g.settlement, 'settled') = 'settled'
            ORDER BY h.id"""
    )


@register("game_events_without_gaps")
def game_events_without_gaps() -> Iterator[tuple[str, str]]:
    """A game's events are numbered from 1 without gaps."""
    return found_by(
        """SELECT 'game ' || game_id, 'has ' || count(*) || ' events, the last is no. ' || max(seq)
             FROM games_gameevent GROUP BY game_id HAVING count(*) <> max(seq) ORDER BY game_id"""
    )
