"""What a simulation must not leave behind: games that are not settled once or not what their events say, blocked money,
wallets that are not what their owners were told, a journal that is not sealed, anchors that do not fit the chain.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from celery import current_app
from django.apps import apps
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from moneyed import Money

from games import settle
from games.management.commands.replay import problems
from games.models import Game
from games.start import reference
from ledger import anchor, book, seal

UNSEALED_SQL = (
    "SELECT count(*) FROM ledger_entry e WHERE NOT EXISTS (SELECT FROM ledger_seal s WHERE s.entry_id = e.id)"
)
OPEN_HOLDS_SQL = "SELECT key FROM ledger_hold WHERE resolution IS NULL AND id > %s ORDER BY key"
ENTRIES_SQL = "SELECT kind, count(*) FROM ledger_entry WHERE id > %s GROUP BY kind ORDER BY kind"
LAST_ENTRY_SQL = "SELECT coalesce(max(id), 0) FROM ledger_entry"
LAST_HOLD_SQL = "SELECT coalesce(max(id), 0) FROM ledger_hold"
LAST_GAME_SQL = "SELECT coalesce(max(id), 0) FROM games_game"
WALLETS_SQL = """SELECT a.owner_id, a.currency, b.posted FROM ledger_account a
                   JOIN ledger_balance b ON b.account_id = a.id WHERE a.kind = 'wallet'"""
TOURNAMENT_SQL = """SELECT a.owner_id, a.currency, sum(l.amount) FROM ledger_entry e
                      JOIN ledger_line l ON l.entry_id = e.id JOIN ledger_account a ON a.id = l.account_id
                     WHERE e.id > %s AND e.kind LIKE 'tournament%%' AND a.kind = 'wallet' GROUP BY 1, 2"""

Wallets = dict[tuple[int, str], Decimal]


class Before:
    """Where the books stood when a run began; what it did is told from that."""

    def __init__(self) -> None:
        self.at = timezone.now()
        self.last_entry: int = _number(LAST_ENTRY_SQL)
        self.last_hold: int = _number(LAST_HOLD_SQL)
        self.last_game: int = _number(LAST_GAME_SQL)
        unsettled = Game.objects.exclude(settlement=Game.Settlement.SETTLED)
        self.unsettled = list(unsettled.values_list("pk", flat=True))  # of a run that was broken off
        self.wallets: Wallets = _wallets(WALLETS_SQL)

    def games(self) -> Iterator[Game]:
        """Those that were begun or settled since."""
        found = Game.objects.filter(Q(pk__gt=self.last_game) | Q(pk__in=self.unsettled))
        return found.select_related("white", "black", "seeds").order_by("pk").iterator(chunk_size=100)

    def entries(self) -> Counter[str]:
        """Entries of the run by kind."""
        return Counter(dict(_rows(ENTRIES_SQL, [self.last_entry])))


def remainders(before: Before, moved: Mapping[tuple[int, str], Decimal]) -> list[str]:
    """Everything that is wrong after a run that had the database to itself, in words.

    `moved`: what clients were told came in or went out.
    """
    found: list[str] = []
    expected: defaultdict[tuple[int, str], Decimal] = defaultdict(Decimal, before.wallets)
    for game in before.games():
        found += wrong_game(game)
        for owner, amount in _paid(game):
            expected[owner, amount.currency.code] += amount.amount
    for wallet, total in [*moved.items(), *_wallets(TOURNAMENT_SQL, [before.last_entry]).items()]:
        expected[wallet] += total
    found += _wrong_wallets(expected)
    return found + [f"hold {key} is left behind" for (key,) in _rows(OPEN_HOLDS_SQL, [before.last_hold])]


def wrong_game(game: Game) -> Iterator[str]:
    """Finished, settled by exactly one entry (none without a winner or a stake), and what its events say."""
    name = f"game {game.pk}"
    if not game.is_over or game.settlement != Game.Settlement.SETTLED:
        yield f"{name} is {game.status}, its settlement {game.settlement} {game.settlement_note}"
    entries = len(book.entries_for(reference(game.pk)))
    if entries != (1 if game.winner and game.is_staked else 0):
        yield f"{name} ({game.status}, won by {game.winner or 'nobody'}) has {entries} entries"
    yield from (f"{name}: {problem}" for problem in problems(game))


def _paid(game: Game) -> Iterator[tuple[int, Money]]:
    """What a finished game moves by the rules, reckoned from its own row."""
    if game.winner and game.is_staked:
        winner, loser = (game.white_id, game.black_id) if game.winner == "white" else (game.black_id, game.white_id)
        yield loser, -game.loss
        yield winner, game.loss - settle.rake_for(game)


def _wrong_wallets(expected: Mapping[tuple[int, str], Decimal]) -> Iterator[str]:
    present = _wallets(WALLETS_SQL)
    for owner, code in sorted({*expected, *present}):
        ours, theirs = expected.get((owner, code), Decimal(0)), present.get((owner, code), Decimal(0))
        if ours != theirs:
            yield f"the wallet of {owner} has {theirs} {code}; by what its owner was told it should have {ours}"


def unsealed() -> int:
    """Entries that have no journal number yet."""
    return _number(UNSEALED_SQL)


def wrong_anchors() -> Iterator[str]:
    """The signed heads outside the database are all ours, each is in the chain, and the last is its end.

    That each has the digest of its number is a check of verify_ledger (chain_end).
    """
    anchors = list(anchor.read())
    yield from (f"line {one.line} of the anchors is not signed by us" for one in anchors if not one.sound)
    last, end = max((one.number for one in anchors), default=0), seal.head().number
    if last != end:
        yield f"the last anchor is number {last}, the chain ends at {end}"


def findings(since: datetime) -> tuple[list[str], list[str]]:
    """What the watch finds now, or has found since; and apart from it what had stood still for a while.

    The latter is to be expected in a storm, and all that was to be done is done when this is asked. (By name: games
    import nothing of what stands above them.)
    """
    current_app.loader.import_default_modules()
    for name in ("watch.tasks.reconcile", "watch.tasks.verify_all"):
        current_app.tasks[name]()
    found: Any = apps.get_model("watch", "Finding").objects.filter(last_seen__gte=since).order_by("pk")
    wrong = [f"finding: {one}: {one.message} ({one.times} times)" for one in found if one.check_name != "stalled"]
    return wrong, [one.subject for one in found if one.check_name == "stalled"]


def _rows(query: str, params: list[Any] | None = None) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, params)
        return cursor.fetchall()


def _number(query: str) -> int:
    return int(_rows(query)[0][0])


def _wallets(query: str, params: list[Any] | None = None) -> Wallets:
    return {(owner, code): amount for owner, code, amount in _rows(query, params)}
