"""Settling finished games: claim pending rows, settle the batch in one transaction, park what cannot be settled.

A game's row is pending from the very transaction that finished it. Claiming locks rows and skips locked ones, so that
workers never wait for each other; the ledger's keys make a repeat harmless. A worker killed at any point leaves the
row pending, and the next sweep takes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

import structlog
from django.db import InterfaceError, OperationalError, connection, models, transaction
from django.db.models import F
from moneyed import Money

from games import live, stakes
from games.models import Game, SettlementPause
from games.start import hold_key, reference
from ledger import book, money
from players.models import Player

logger = structlog.get_logger(__name__)

BATCH = 500
#: Trouble that passes by itself (a lost connection, a deadlock): nobody is parked for it, the next sweep tries again.
PASSING = (OperationalError, InterfaceError)
MARK_SETTLED_SQL = """
    UPDATE games_game AS game
    SET settlement = 'settled', settlement_note = '', settled_at = clock_timestamp(), entry_id = done.entry_id,
        version = version + 1
    FROM unnest(%s::bigint[], %s::bigint[]) AS done (game_id, entry_id) WHERE game.id = done.game_id
"""
NOTE_MAX = 500


class Due(NamedTuple):
    """What of a finished game's row decides its settlement; read alone, for the row is wide and there are many."""

    pk: int
    version: int
    table_id: int
    number: int
    white_id: int
    black_id: int
    variant: str
    stake: Decimal
    stake_currency: str
    factor_cap: int
    rake_percent: Decimal
    rake_cap: Decimal | None
    winner: str
    factor: int | None
    cube: int | None
    points: int | None
    kind: str
    reason: str


@dataclass(frozen=True)
class Settled:
    """What one call did: numbers of games settled and parked."""

    settled: int = 0
    parked: int = 0

    def __add__(self, more: Settled) -> Settled:
        return Settled(self.settled + more.settled, self.parked + more.parked)


def settle_key(game_id: int) -> str:
    return f"game:{game_id}:settle"


def claim_and_settle(batch: int = BATCH) -> Settled:
    """Settle everything that is pending, batch by batch; nothing while operators have paused settlement."""
    total = Settled()
    while not is_paused():
        due = pending().order_by("finished_at", "pk")[:batch]
        try:
            done = _settle_batch(due, skip_locked=True)
        except PASSING:
            raise
        except Exception as error:
            logger.exception("a batch could not be settled; its games are tried one by one", error=str(error))
            done = _one_by_one(list(due.values_list("pk", flat=True)))
        if done == Settled():
            break
        total += done
    return total


def _one_by_one(game_ids: list[int]) -> Settled:
    """A batch in which something unforeseen broke: the game that breaks is parked, the others are settled."""
    total = Settled()
    for game_id in game_ids:
        try:
            total += _settle_batch(pending().filter(pk=game_id), skip_locked=True)
        except PASSING:
            raise
        except Exception as error:
            _park({game_id: f"{type(error).__name__}: {error}"})
            live.publish_on_commit(f"game:{game_id}", Game.objects.values_list("version", flat=True).get(pk=game_id))
            total += Settled(0, 1)
    return total


def settle_table(table_id: int) -> Settled:
    """Settle this table's finished games now, if they are still pending: the next game needs the money."""
    if is_paused() or not pending().filter(table=table_id).exists():
        return Settled()
    return _settle_batch(pending().filter(table=table_id).order_by("pk"), skip_locked=False)


def settle_now(game_ids: list[int]) -> Settled:
    """Settle these games in the caller's transaction (transcript import)."""
    return _settle_batch(pending().filter(pk__in=game_ids).order_by("pk"), skip_locked=False)


def pending() -> models.QuerySet[Game]:
    return Game.objects.filter(settlement=Game.Settlement.PENDING)


def is_paused() -> bool:
    return SettlementPause.objects.filter(paused=True).exists()


def rake_for(game: Game) -> Money:
    """The house's share of what the winner gets, by the rake frozen when the table was opened."""
    return money.rake_of(game.loss, game.rake_percent, game.rake_cap_money)


def draft(due: Due) -> book.Settlement | book.Release:
    """What the ledger is asked to do for a finished game: capture for a win, release for a draw or a void game."""
    white, black = hold_key(due.pk, due.white_id), hold_key(due.pk, due.black_id)
    if not due.winner:
        return book.Release(settle_key(due.pk), reference(due.pk), [white, black], due.reason or due.kind)
    currency = due.stake_currency
    stake = money.money(due.stake, currency)
    loss = stakes.cost(stake, due.points or 0, due.factor_cap)
    cap = None if due.rake_cap is None else money.money(due.rake_cap, currency)
    details = {
        "game": due.pk, "table": due.table_id, "number": due.number, "variant": due.variant,
        "stake": money.number(stake.amount, currency), "factor": due.factor, "cube": due.cube, "points": due.points,
        "kind": due.kind, "reason": due.reason,
    }  # fmt: skip
    winner, loser = (white, black) if due.winner == "white" else (black, white)
    rake = money.rake_of(loss, due.rake_percent, cap)
    return book.Settlement(settle_key(due.pk), reference(due.pk), winner, loser, loss, rake, details)


@transaction.atomic
def _settle_batch(games: models.QuerySet[Game], *, skip_locked: bool) -> Settled:
    """One batch, one transaction: rows locked, one call of the ledger, one update."""
    claimed = games.select_for_update(no_key=True, skip_locked=skip_locked).values_list(*Due._fields)
    rows = {settle_key(due.pk): due for due in map(Due._make, claimed)}
    if not rows:
        return Settled()
    outcomes = book.settle([draft(due) for due in rows.values()])
    parked = {rows[done.key].pk: str(done.error) for done in outcomes if done.error}
    entries = {rows[done.key].pk: done.entry_id for done in outcomes if not done.error}
    if entries:
        _mark_settled(entries)
    live.publish_all_on_commit({f"game:{due.pk}": due.version + 1 for due in rows.values()})
    _park(parked)
    return Settled(len(entries), len(parked))


def _park(notes: dict[int, str]) -> None:
    """Set games aside for operators, each with its reason."""
    for game_id, note in notes.items():
        games = Game.objects.filter(pk=game_id, settlement=Game.Settlement.PENDING)
        games.update(settlement=Game.Settlement.PARKED, settlement_note=note[:NOTE_MAX], version=F("version") + 1)
        logger.error("settlement parked", game=game_id, note=note)


def _mark_settled(entries: dict[int, int | None]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(MARK_SETTLED_SQL, [list(entries), list(entries.values())])


def retry_parked(game_ids: list[int] | None = None) -> int:
    """Make parked games pending again (None: all of them), once an operator has removed the cause; returns how many."""
    parked = Game.objects.filter(settlement=Game.Settlement.PARKED)
    if game_ids is not None:
        parked = parked.filter(pk__in=game_ids)
    return parked.update(settlement=Game.Settlement.PENDING)


def pause(actor: Player, reason: str) -> None:
    """Stop settlement until `resume`: finished games stay pending, with their holds in place."""
    _set_pause(True, actor, reason)


def resume(actor: Player, reason: str) -> None:
    """Let settlement go on; the next sweep takes what has gathered."""
    _set_pause(False, actor, reason)


def _set_pause(paused: bool, actor: Player, reason: str) -> None:
    SettlementPause.objects.update_or_create(pk=1, defaults={"paused": paused, "by": actor, "reason": reason})
