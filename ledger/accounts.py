"""Opening accounts and finding their ids. Accounts are made when first needed and never go away."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from ledger import chart, money

Owner = int | None
Place = tuple[Owner, str, str]  # owner (None: the house), kind, currency


def ids(places: Iterable[Place]) -> dict[Place, int]:
    """Ids of the accounts that exist among `places`; one statement."""
    wanted = sorted(set(places), key=lambda place: (place[0] or 0, place[1], place[2]))
    with connection.cursor() as cursor:
        cursor.execute(
            # Two joins, because one over "equal or both NULL" could not use the index.
            """WITH w AS (SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS w (owner_id, kind, currency))
               SELECT a.owner_id, a.kind, a.currency, a.id FROM w JOIN ledger_account a USING (owner_id, kind, currency)
               UNION ALL
               SELECT a.owner_id, a.kind, a.currency, a.id FROM w JOIN ledger_account a USING (kind, currency)
                WHERE w.owner_id IS NULL AND a.owner_id IS NULL""",
            [[p[0] for p in wanted], [p[1] for p in wanted], [p[2] for p in wanted]],
        )
        return {(owner, kind, currency): account for owner, kind, currency, account in cursor.fetchall()}


def open_ids(places: Iterable[Place]) -> dict[Place, int]:
    """Ids of all of `places`; what is missing is opened. Raises UnknownCurrency."""
    wanted = set(places)
    for _owner, _kind, currency in wanted:
        money.decimals(currency)
    found = ids(wanted)
    missing = sorted(wanted - found.keys(), key=lambda place: (place[0] or 0, place[1], place[2]))
    if missing:
        with connection.cursor() as cursor:
            cursor.execute(
                """INSERT INTO ledger_account (owner_id, kind, currency)
                   SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[]) ON CONFLICT DO NOTHING""",
                [[p[0] for p in missing], [p[1] for p in missing], [p[2] for p in missing]],
            )
        found = ids(wanted)
    return found


def wallet(owner_id: int, currency: str) -> Place:
    return (owner_id, chart.WALLET, currency)


def receivable(owner_id: int, currency: str) -> Place:
    """What the player owes to the house."""
    return (owner_id, chart.RECEIVABLE, currency)


def house(kind: str, currency: str) -> Place:
    return (None, kind, currency)


def pool(tournament_id: int, currency: str) -> Place:
    """Owners of pools are tournaments; they count downwards from zero, so that no person can ever be taken for one."""
    return (-tournament_id, chart.POOL, currency)
