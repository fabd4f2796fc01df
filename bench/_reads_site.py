"""A site with a past of two months: players, money, tables and games, entries, lines and holds, all of it consistent.

The rows are written by SQL with the triggers off, but for one game that is played through the services: the others are
copies of its row with players and results of their own, so that a row is as wide as a real one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
django.setup()

from django.db import models  # noqa: E402

from games import simulation  # noqa: E402
from games.models import Game, Table  # noqa: E402
from games.terms import make_terms  # noqa: E402
from ledger import seal  # noqa: E402
from ledger.money import parse  # noqa: E402
from players.models import Player  # noqa: E402

#: Everybody has UAH; the first DOLLARS also have USD, in which every 12th game is played. Some play more than others.
PLAYERS, DOLLARS, DAYS = 20_000, 2_000, 60
RUNNING, PARKED = 400, 20


def build(superuser: psycopg.Connection[Any], lines: int) -> None:
    """All of it, with about `lines` lines; the database has been migrated and is empty."""
    games = (lines - 2 * (PLAYERS + DOLLARS)) // 3
    _run(superuser, PEOPLE, {"players": PLAYERS, "dollars": DOLLARS, "days": DAYS})
    game = _played()
    given = {"games": games, "running": RUNNING, "parked": PARKED, "players": PLAYERS, "dollars": DOLLARS, "days": DAYS,
             "game": game.pk, "table": game.table_id}  # fmt: skip
    copies = [_copies(Table, TABLE, "table", " AND drawn.number = 1"), _copies(Game, GAME, "game")]
    _run(superuser, (*DRAWN, *copies, *MONEY, *AROUND), given)
    superuser.execute("VACUUM ANALYZE")


def _run(superuser: psycopg.Connection[Any], statements: tuple[str, ...], given: Mapping[str, Any]) -> None:
    with superuser.transaction():
        superuser.execute("SET LOCAL session_replication_role = replica")
        superuser.execute("SET LOCAL work_mem = '256MB'")
        for statement in statements:
            superuser.execute(statement, given)


def _played() -> Game:
    """One game, through the services."""
    terms = make_terms(variant="short", stake=parse("10.00 UAH"), options={"cube_limit": 2}, series_length=1)
    white, black = Player.objects.order_by("pk")[:2]
    return simulation.play(simulation.begin(simulation.seat(white, black, terms)))


def _copies(model: type[models.Model], own: Mapping[str, str], template: str, more: str = "") -> str:
    """A copy of the template's row for each drawn game (that fits `more`), with the columns `own` as they say."""
    columns = [str(field.column) for field in model._meta.local_concrete_fields]
    values = [own.get(column, f"template.{column}") for column in columns]
    return (
        f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) SELECT {', '.join(values)} "
        f"FROM drawn, {model._meta.db_table} template WHERE template.id = %({template})s{more} ORDER BY drawn.id"
    )


PEOPLE = (
    """INSERT INTO players_player (id, username, display_name, namespace, language, theme, password, first_name,
                                   last_name, email, is_superuser, is_staff, is_active, date_joined)
       SELECT n, 'player' || n, 'Player ' || n, '', '', '', '!', '', '', '', false, false, true,
              now() - interval '1 day' * %(days)s - interval '1 minute' * (%(players)s - n + 60)
         FROM generate_series(1, %(players)s::int) AS n""",
    # As players.skeleton would write them: digits that look like letters are letters.
    """INSERT INTO players_name (skeleton, player_id)
       SELECT translate(name, '013456', 'olзчsб'), id
         FROM players_player CROSS JOIN LATERAL (VALUES (username), ('player-' || id)) AS n (name)""",
    "SELECT setval(pg_get_serial_sequence('players_player', 'id'), max(id)) FROM players_player",
    """INSERT INTO ledger_account (owner_id, kind, currency)
       SELECT n, 'wallet', code FROM generate_series(1, %(players)s::int) AS n, (VALUES ('UAH'), ('USD')) AS c (code)
        WHERE code = 'UAH' OR n <= %(dollars)s
       ORDER BY n""",
    """CREATE TEMPORARY TABLE paid ON COMMIT DROP AS
       SELECT a.id AS account, 'fund:' || a.id AS key, a.currency, c.id AS cash,
              now() - interval '1 day' * %(days)s - interval '1 second' * (200000 - 2 * a.id) AS at
         FROM ledger_account a JOIN ledger_account c ON c.kind = 'cash' AND c.currency = a.currency
        WHERE a.kind = 'wallet'""",
    """INSERT INTO ledger_entry (kind, key, reference, reason, details, at)
       SELECT 'deposit', key, '', 'paid in', '{}', at FROM paid ORDER BY at""",
    """INSERT INTO ledger_line (entry_id, at, account_id, currency, amount, account_version, balance_after)
       SELECT e.id, e.at, s.account, paid.currency, s.amount, s.version, s.after
         FROM paid JOIN ledger_entry e USING (key)
        CROSS JOIN LATERAL (VALUES (account, 1000000, 1, 1000000), (cash, -1000000, NULL, NULL))
                AS s (account, amount, version, after) ORDER BY e.id""",
    """INSERT INTO ledger_balance (account_id, posted, held, version)
       SELECT account, 1000000, 0, 1 FROM paid""",
    "ANALYZE",
)

# Who played whom, when, in which currency, and how it ended. Skewed: the 20 most eager sit in a hundredth of the games.
DRAWN = (
    """CREATE TEMPORARY TABLE drawn ON COMMIT DROP AS
       SELECT %(game)s + g AS id, %(table)s + 1 + (g - 1) / 3 AS table_id, (g - 1) %% 3 + 1 AS number, currency,
              1 + ((p * p * span)::int + first) %% span AS white, 1 + ((p * p * span)::int + first + away) %% span
              AS black, now() - interval '1 minute' - interval '1 day' * %(days)s * (%(games)s - g) / %(games)s AS at,
              (ARRAY['short', 'short', 'long', 'long', 'tapa', 'nackgammon'])[1 + g %% 6] AS variant,
              CASE WHEN g > %(games)s - 3 * %(running)s AND g %% 3 = 1 THEN 'playing' WHEN g %% 97 = 0 THEN 'void'
              ELSE 'finished' END AS status,
              g > %(games)s - 3 * %(running)s - %(parked)s AND g <= %(games)s - 3 * %(running)s AS parked
         FROM (SELECT g, CASE WHEN g %% 12 = 0 THEN 'USD' ELSE 'UAH' END AS currency,
                      CASE WHEN g %% 12 = 0 THEN %(dollars)s ELSE %(players)s END AS span,
                      (g * 7919 %% 100003) / 100003.0 AS p, g %% 2 AS first, (1 + g %% 13)::int AS away
                 FROM generate_series(1, %(games)s::bigint) AS g) AS drawing""",
    "ANALYZE drawn",
)
TABLE = {
    "id": "drawn.table_id", "white_id": "drawn.white", "black_id": "drawn.black", "variant": "drawn.variant",
    "stake_currency": "drawn.currency", "status": "'closed'", "close_reason": "'series_over'", "seeds_id": "NULL",
    "created_at": "drawn.at", "changed_at": "drawn.at",
}  # fmt: skip
GAME = {
    "id": "drawn.id", "table_id": "drawn.table_id", "number": "drawn.number", "white_id": "drawn.white",
    "black_id": "drawn.black", "variant": "drawn.variant", "stake_currency": "drawn.currency", "seeds_id": "NULL",
    "status": "drawn.status", "winner": "CASE drawn.status WHEN 'finished' THEN 'white' ELSE '' END",
    "factor": "CASE drawn.status WHEN 'finished' THEN 1 END", "cube": "CASE drawn.status WHEN 'finished' THEN 2 END",
    "points": "CASE drawn.status WHEN 'finished' THEN 2 END",
    "kind": "CASE drawn.status WHEN 'finished' THEN 'oin' WHEN 'void' THEN 'void' ELSE '' END",
    "reason": "CASE drawn.status WHEN 'finished' THEN 'bear_off' WHEN 'void' THEN 'no_moves' ELSE '' END",
    "settlement": "CASE WHEN drawn.status = 'playing' THEN 'none' WHEN drawn.parked THEN 'parked' ELSE 'settled' END",
    "entry_id": "NULL", "rake_percent": "5", "running": "''", "running_since": "NULL", "deadline": "NULL",
    "settled_at": "CASE WHEN drawn.status <> 'playing' AND NOT drawn.parked THEN drawn.at END",
    "created_at": "drawn.at - interval '20 minutes'",
    "finished_at": "CASE WHEN drawn.status <> 'playing' THEN drawn.at END",
}  # fmt: skip

MONEY = (
    """CREATE TEMPORARY TABLE settled ON COMMIT DROP AS
       SELECT 'game:' || id AS reference, white, black, currency, at, status = 'finished' AND NOT parked AS paid,
              status = 'playing' OR parked AS open FROM drawn""",
    """INSERT INTO ledger_entry (kind, key, reference, reason, details, at)
       SELECT 'settlement', reference || ':settle', reference, '',
              '{"cube": 2, "kind": "oin", "stake": "10.00", "factor": 1, "points": 2, "variant": "short"}', at
         FROM settled WHERE paid ORDER BY at""",
    "ANALYZE settled, ledger_entry, ledger_account",
    """INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details, placed_at, resolution, captured,
                                resolved_key, resolved_reason, resolved_at, entry_id)
       SELECT s.reference || ':hold:' || side.player, a.id, s.currency, 60, s.reference, '{}',
              s.at - interval '20 minutes', CASE WHEN NOT open THEN resolution END,
              CASE WHEN NOT open THEN captured END,
              CASE WHEN NOT open THEN s.reference || ':settle' END, CASE WHEN NOT open THEN '' END,
              CASE WHEN NOT open THEN s.at END, e.id
         FROM settled s
        CROSS JOIN LATERAL (VALUES (white, 'released', 0),
                                   (black, CASE WHEN paid THEN 'captured' ELSE 'released' END,
                                    CASE WHEN paid THEN 20 ELSE 0 END))
                AS side (player, resolution, captured)
         JOIN ledger_account a ON a.owner_id = side.player AND a.kind = 'wallet' AND a.currency = s.currency
         LEFT JOIN ledger_entry e ON e.key = s.reference || ':settle'
        ORDER BY s.at""",
    """UPDATE games_game g SET entry_id = e.id FROM ledger_entry e
        WHERE e.key = 'game:' || g.id || ':settle' AND g.settlement = 'settled'""",
    """CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
       SELECT e.id AS entry, e.at, a.id AS account, a.currency, side.amount, b.version + row_number() OVER w AS version,
              b.posted + sum(side.amount) OVER w AS after
         FROM settled s JOIN ledger_entry e ON e.key = s.reference || ':settle'
        CROSS JOIN LATERAL (VALUES (black, -20), (white, 19)) AS side (player, amount)
         JOIN ledger_account a ON a.owner_id = side.player AND a.kind = 'wallet' AND a.currency = s.currency
         JOIN ledger_balance b ON b.account_id = a.id
        WHERE s.paid
       WINDOW w AS (PARTITION BY a.id ORDER BY e.id, side.amount ROWS UNBOUNDED PRECEDING)""",
    """INSERT INTO ledger_line (entry_id, at, account_id, currency, amount, account_version, balance_after)
       SELECT entry, at, account, currency, amount, version, after
         FROM (SELECT * FROM moved
               UNION ALL
               SELECT e.id, e.at, a.id, a.currency, 1, NULL, NULL
                 FROM settled s JOIN ledger_entry e ON e.key = s.reference || ':settle'
                 JOIN ledger_account a ON a.kind = 'rake' AND a.currency = s.currency
                WHERE s.paid) AS l
        ORDER BY entry, amount""",
    """UPDATE ledger_balance b SET posted = b.posted + s.amount, version = s.version
         FROM (SELECT account, sum(amount) AS amount, max(version) AS version FROM moved GROUP BY account) s
        WHERE b.account_id = s.account""",
    """UPDATE ledger_balance b SET held = s.amount
         FROM (SELECT account_id, sum(amount) AS amount FROM ledger_hold WHERE resolution IS NULL GROUP BY 1) s
        WHERE b.account_id = s.account_id""",
    "SELECT setval(pg_get_serial_sequence('games_game', 'id'), max(id)) FROM games_game",
    "SELECT setval(pg_get_serial_sequence('games_table', 'id'), max(id)) FROM games_table",
)

AROUND = (
    """INSERT INTO ledger_proposal (kind, key, owner_id, currency, amount, reason, proposed_by, proposed_at, state,
                                    decided_by, decision_reason, decided_at)
       SELECT 'withdrawal', 'w:' || n, n, 'UAH', 10, 'asked', n, now() - interval '1 minute' * n,
              CASE WHEN n > 20 THEN 'cancelled' ELSE 'open' END, CASE WHEN n > 20 THEN n END, '',
              CASE WHEN n > 20 THEN now() END
         FROM generate_series(1, 5000) AS n""",
    """INSERT INTO watch_verification (at, "full", number, digest, violations, seconds)
       SELECT now() - interval '1 hour' * n, n %% 24 = 0, 1000000 - n, '', 0, 1 FROM generate_series(1, 10000) AS n""",
    """INSERT INTO watch_finding (check_name, subject, message, first_seen, last_seen, times, reason, resolved_at,
                                  resolved_by_id)
       SELECT 'games', 'game:' || n, 'said', now(), now(), 1, 'mended', now(), 1 FROM generate_series(1, 2000) AS n""",
)


def main(lines: int) -> None:
    """The whole site, sealed, on the database of the environment."""
    with psycopg.connect(os.environ["SUPERUSER_URL"], autocommit=True) as superuser:
        build(superuser, lines)
        seal.seal()
        superuser.execute("VACUUM ANALYZE")


if __name__ == "__main__":
    main(int(sys.argv[1]))
