"""The bare COPY: what the journal's report is made of, as PostgreSQL writes it itself, into a file."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import psycopg

ROWS = """COPY (
    SELECT s.number, e.id, e.at, e.kind, e.reference, a.kind, a.owner_id, l.currency,
           CASE WHEN l.amount < 0 THEN -l.amount END, CASE WHEN l.amount > 0 THEN l.amount END, e.actor_id, e.reason,
           e.reverses_id, e.key
      FROM ledger_entry e
      JOIN ledger_line l ON l.entry_id = e.id
      JOIN ledger_account a ON a.id = l.account_id
      LEFT JOIN ledger_seal s ON s.entry_id = e.id
     ORDER BY s.number NULLS LAST, e.id, l.id
) TO STDOUT (FORMAT csv)"""


def main(file: Path) -> None:
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection, file.open("wb") as out:
        cursor = connection.cursor()
        with cursor.copy(ROWS) as copy:
            for block in copy:
                out.write(block)
        print(json.dumps({"rows": cursor.rowcount}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
