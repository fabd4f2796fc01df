"""The floor: the barest set-based SQL that writes the rows of opened and settled games, with our triggers switched off.

The rows are those of the ledger, and those of the games, which are marked settled. Foreign keys, constraints and
indexes stay. The balances are kept in a dict here and written as they come out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import psycopg

#: A finished game: how the ledger names it, the winner's id, the loser's id.
Pending = tuple[str, int, int]
HOLD_DETAILS = {"game": 1, "table": 1, "variant": "short", "stake": "10.00"}
DETAILS = {
    "game": 1, "table": 1, "number": 1, "variant": "short", "stake": "10.00", "factor": 1, "cube": 2, "points": 2,
    "kind": "oin", "reason": "bear_off",
}  # fmt: skip
HELD, LOSS, RAKE = Decimal(40), Decimal(20), Decimal(1)
TABLES = ("ledger_entry", "ledger_line", "ledger_hold", "ledger_balance")


@contextmanager
def without_triggers(superuser: psycopg.Connection[Any]) -> Iterator[psycopg.Connection[Any]]:
    """Our triggers are off inside, and on again behind; foreign keys stay on."""
    with superuser.transaction():
        for table in TABLES:
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    yield superuser
    with superuser.transaction():
        for table in TABLES:
            superuser.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def accounts(connection: psycopg.Connection[Any]) -> dict[int, int]:
    return dict(
        connection.execute(
            "SELECT owner_id, id FROM ledger_account WHERE kind = 'wallet' AND currency = 'UAH'"
        ).fetchall()
    )


def open_games(connection: psycopg.Connection[Any], games: Sequence[Pending]) -> None:
    """Two holds for each game."""
    ids = accounts(connection)
    rows = [
        {"key": f"{reference}:hold:{player}", "account": ids[player], "reference": reference, "details": HOLD_DETAILS}
        for reference, *players in games
        for player in players
    ]  # fmt: skip
    held: dict[int, Decimal] = {}
    for row in rows:
        held[row["account"]] = held.get(row["account"], Decimal(0)) + HELD  # type: ignore[index, call-overload]
    with connection.transaction():
        connection.execute(
            """INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details)
               SELECT key, account, 'UAH', 40, reference, details FROM jsonb_to_recordset(%s) AS h
                      (key text, account bigint, reference text, details jsonb)""",
            [json.dumps(rows)],
        )
        connection.execute(
            """UPDATE ledger_balance b SET held = held + h.amount
                 FROM jsonb_to_recordset(%s) AS h (id bigint, amount numeric) WHERE b.account_id = h.id""",
            [json.dumps([{"id": account, "amount": str(amount)} for account, amount in sorted(held.items())])],
        )


class Settler:
    """Knows ids, balances and versions beforehand, so that settling is writing alone."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self.accounts = accounts(connection)
        self.rake: int
        (self.rake,) = connection.execute(
            "SELECT id FROM ledger_account WHERE kind = 'rake' AND currency = 'UAH'"
        ).fetchone() or (0,)
        self.holds = dict(connection.execute("SELECT key, id FROM ledger_hold WHERE resolution IS NULL").fetchall())
        self.state = {
            account: [posted, version]
            for account, posted, version in connection.execute(
                "SELECT account_id, posted, version FROM ledger_balance"
            ).fetchall()
        }

    def settle(self, games: Sequence[Pending]) -> None:
        with self.connection.transaction():
            entries = self._insert_entries(games)
            self._resolve_holds(games, entries)
            touched = self._insert_lines(games, entries)
            self._update_balances(touched)
            self._mark_games(games, entries)

    def _insert_entries(self, games: Sequence[Pending]) -> list[tuple[int, Any]]:
        rows = [{"key": f"{reference}:settle", "reference": reference, "details": DETAILS} for reference, *_ in games]
        return self.connection.execute(
            """INSERT INTO ledger_entry (kind, key, reference, reason, details)
               SELECT 'settlement', key, reference, '', details
                 FROM jsonb_to_recordset(%s) AS e (key text, reference text, details jsonb) RETURNING id, at""",
            [json.dumps(rows)],
        ).fetchall()

    def _resolve_holds(self, games: Sequence[Pending], entries: list[tuple[int, Any]]) -> None:
        rows = [
            {
                "id": self.holds[f"{reference}:hold:{player}"],
                "captured": captured,
                "key": f"{reference}:settle",
                "entry": entry,
            }
            for (reference, winner, loser), (entry, _) in zip(games, entries, strict=True)
            for player, captured in ((winner, 0), (loser, 20))
        ]
        self.connection.execute(
            """UPDATE ledger_hold h
                  SET resolution = CASE WHEN t.captured > 0 THEN 'captured' ELSE 'released' END, captured = t.captured,
                      resolved_key = t.key, resolved_reason = '', resolved_at = clock_timestamp(), entry_id = t.entry
                 FROM jsonb_to_recordset(%s) AS t (id bigint, captured numeric, key text, entry bigint)
                WHERE h.id = t.id""",
            [json.dumps(rows)],
        )

    def _insert_lines(self, games: Sequence[Pending], entries: list[tuple[int, Any]]) -> dict[int, Decimal]:
        rows: list[dict[str, Any]] = []
        touched: dict[int, Decimal] = {}
        for (_, winner, loser), (entry, at) in zip(games, entries, strict=True):
            for player, amount in ((loser, -LOSS), (winner, LOSS - RAKE)):
                account = self.accounts[player]
                state = self.state[account]
                state[0] += amount
                state[1] += 1
                touched[account] = touched.get(account, Decimal(0)) + HELD
                rows.append(
                    {
                        "e": entry,
                        "at": at.isoformat(),
                        "a": account,
                        "m": str(amount),
                        "v": state[1],
                        "b": str(state[0]),
                    }
                )
            rows.append({"e": entry, "at": at.isoformat(), "a": self.rake, "m": str(RAKE), "v": None, "b": None})
        self.connection.execute(
            """INSERT INTO ledger_line (entry_id, at, account_id, currency, amount, account_version, balance_after)
               SELECT e, at, a, 'UAH', m, v, b FROM jsonb_to_recordset(%s) AS l
                      (e bigint, at timestamptz, a bigint, m numeric, v bigint, b numeric)""",
            [json.dumps(rows)],
        )
        return touched

    def _update_balances(self, touched: dict[int, Decimal]) -> None:
        rows = [
            {"id": account, "posted": str(self.state[account][0]), "version": self.state[account][1], "held": str(held)}
            for account, held in sorted(touched.items())
        ]
        self.connection.execute(
            """UPDATE ledger_balance b SET posted = t.posted, version = t.version, held = b.held - t.held
                 FROM jsonb_to_recordset(%s) AS t (id bigint, posted numeric, version bigint, held numeric)
                WHERE b.account_id = t.id""",
            [json.dumps(rows)],
        )

    def _mark_games(self, games: Sequence[Pending], entries: list[tuple[int, Any]]) -> None:
        rows = [
            {"id": int(reference.removeprefix("game:")), "entry": entry}
            for (reference, *_), (entry, _) in zip(games, entries, strict=True)
        ]
        self.connection.execute(
            """UPDATE games_game g
                  SET settlement = 'settled', settlement_note = '', settled_at = clock_timestamp(), entry_id = t.entry,
                      version = g.version + 1
                 FROM jsonb_to_recordset(%s) AS t (id bigint, entry bigint) WHERE g.id = t.id""",
            [json.dumps(rows)],
        )


def add_history(superuser: psycopg.Connection[Any], games: int) -> None:
    """`games` settled games with their holds, as if played before: 3 lines each, all balances right."""
    if not games:
        return
    with superuser.transaction():
        superuser.execute("SET LOCAL session_replication_role = replica")
        superuser.execute("SET LOCAL work_mem = '256MB'")
        for statement in HISTORY:
            superuser.execute(statement, {"games": games, "details": json.dumps(DETAILS)})


# Tables on the way rather than one statement, because without statistics PostgreSQL joins a million rows row by row.
HISTORY = (
    """CREATE TEMPORARY TABLE game ON COMMIT DROP AS
       WITH wallet AS (SELECT array_agg(id ORDER BY id) AS ids, count(*) AS players FROM ledger_account
                        WHERE kind = 'wallet' AND currency = 'UAH')
       SELECT g, 'past:' || g AS reference, ids[1 + g * 7919 %% players] AS winner,
              ids[1 + (g * 7919 + 1 + g %% (players - 1)) %% players] AS loser
         FROM wallet, generate_series(1, %(games)s::bigint) AS g""",
    """INSERT INTO ledger_entry (kind, key, reference, reason, details)
       SELECT 'settlement', reference || ':settle', reference, '', %(details)s::jsonb FROM game ORDER BY g""",
    "ANALYZE game, ledger_entry",
    """CREATE TEMPORARY TABLE known ON COMMIT DROP AS
       SELECT game.*, e.id AS entry, e.at FROM game JOIN ledger_entry e USING (reference)""",
    """INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details, resolution, captured,
                                resolved_key, resolved_reason, resolved_at, entry_id)
       SELECT reference || ':hold:' || side, CASE side WHEN 'w' THEN winner ELSE loser END, 'UAH', 40, reference, '{}',
              CASE side WHEN 'w' THEN 'released' ELSE 'captured' END, CASE side WHEN 'w' THEN 0 ELSE 20 END,
              reference || ':settle', '', clock_timestamp(), entry
         FROM known, (VALUES ('w'), ('l')) AS s (side)""",
    """CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
       SELECT entry, at, winner AS account, 19 AS amount, 1 AS place FROM known
       UNION ALL SELECT entry, at, loser, -20, 0 FROM known""",
    "ANALYZE known, moved",
    """CREATE TEMPORARY TABLE numbered ON COMMIT DROP AS
       SELECT entry, at, account, amount, place, b.version + row_number() OVER w AS version,
              b.posted + sum(amount) OVER w AS after
         FROM moved JOIN ledger_balance b ON b.account_id = account
       WINDOW w AS (PARTITION BY account ORDER BY entry, place ROWS UNBOUNDED PRECEDING)""",
    """INSERT INTO ledger_line (entry_id, at, account_id, currency, amount, account_version, balance_after)
       SELECT entry, at, account, 'UAH', amount, version, after
         FROM (SELECT * FROM numbered
               UNION ALL
               SELECT entry, at, a.id, 1, 2, NULL, NULL FROM known, ledger_account a
                WHERE a.kind = 'rake' AND a.currency = 'UAH') l
        ORDER BY entry, place""",
    """UPDATE ledger_balance b SET posted = b.posted + s.amount, version = s.version
         FROM (SELECT account, sum(amount) AS amount, max(version) AS version FROM numbered GROUP BY account) s
        WHERE b.account_id = s.account""",
)


def bytes_per_settlement(superuser: psycopg.Connection[Any]) -> float:
    """Bytes that one settled game has on disk: an entry, its lines, two holds, with all their indexes."""
    (size,) = superuser.execute(
        "SELECT sum(pg_total_relation_size(t::regclass)) FROM unnest(%s::text[]) AS t", [list(TABLES[:3])]
    ).fetchone() or (0,)
    (games,) = superuser.execute("SELECT count(*) FROM ledger_entry WHERE kind = 'settlement'").fetchone() or (1,)
    return float(size) / games
