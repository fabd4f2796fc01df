"""The chart of accounts, and what each kind of entry may touch. The database gets a copy and enforces it.

Sign convention everywhere in the ledger: a positive amount is a credit, a negative one a debit. So what the house owes
(wallets), earns (rake) and owns (capital) is positive; what it has (cash) and spends (play chips given away) is
negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from django.utils.translation import gettext_lazy as _

from ledger.money import CURRENCIES

Nature = Literal["asset", "liability", "equity", "income", "expense"]


@dataclass(frozen=True)
class AccountKind:
    """A kind of account. `of_player`: it has an owner (for a pool, a tournament: ledger.accounts.pool).

    `has_balance`: the database keeps a balance row, never below what is held; that of an asset of a player (what he
    owes) never above zero. A liability must be covered by cash (ledger.house).
    """

    key: str
    code: int
    name: Any  # a lazily translated string: reports in a file use `title`
    title: str
    nature: Nature
    of_player: bool
    has_balance: bool

    @property
    def debit(self) -> bool:
        """Its balance row counts what is owed to the house."""
        return self.has_balance and self.nature == "asset"


@dataclass(frozen=True)
class EntryKind:
    """A kind of entry with the account kinds that its lines may touch.

    `despite_block`: it may take from the wallet of a player who is frozen or owes. `decided`: a second person must have
    approved its proposal; the database asks for it. `reversible`: a reversal may undo it; where none may, `instead`
    says what does. `touched_before`: kinds that such entries touched in the past; the database lets none do so now.
    """

    key: str
    name: Any
    touches: frozenset[str]
    despite_block: bool = False
    decided: bool = False
    reversible: bool = False
    instead: Any = ""
    touched_before: frozenset[str] = frozenset()


CASH = "cash"
RECEIVABLE = "receivable"
WALLET = "wallet"
POOL = "pool"
PROMOTION_FUND = "promotion_fund"
CAPITAL = "capital"
RAKE = "rake"
ENTRY_FEES = "entry_fees"
PROMOTION = "promotion"
ADJUSTMENTS = "adjustments"
PLAY_CHIPS_ISSUED = "play_chips_issued"

ACCOUNT_KINDS: dict[str, AccountKind] = {
    kind.key: kind
    for kind in (
        AccountKind(CASH, 1000, _("Cash"), "Cash", "asset", of_player=False, has_balance=False),
        AccountKind(
            RECEIVABLE, 1200, _("Owed by a player"), "Owed by players", "asset", of_player=True, has_balance=True
        ),
        AccountKind(WALLET, 2000, _("Player wallet"), "Player wallet", "liability", of_player=True, has_balance=True),
        AccountKind(POOL, 2100, _("Tournament pool"), "Tournament pool", "liability", of_player=True, has_balance=True),
        AccountKind(
            PROMOTION_FUND, 2200, _("Promotion fund"), "Promotion fund", "liability", of_player=False, has_balance=True
        ),
        AccountKind(CAPITAL, 3000, _("Capital"), "Capital", "equity", of_player=False, has_balance=False),
        AccountKind(RAKE, 4000, _("Rake"), "Rake", "income", of_player=False, has_balance=False),
        AccountKind(ENTRY_FEES, 4100, _("Entry fees"), "Entry fees", "income", of_player=False, has_balance=False),
        AccountKind(PROMOTION, 5100, _("Promotion"), "Promotion", "expense", of_player=False, has_balance=False),
        AccountKind(ADJUSTMENTS, 5200, _("Adjustments"), "Adjustments", "expense", of_player=False, has_balance=False),
        AccountKind(
            PLAY_CHIPS_ISSUED,
            5000,
            _("Play chips issued"),
            "Play chips issued",
            "expense",
            of_player=False,
            has_balance=False,
        ),
    )
}

DEPOSIT = "deposit"
WITHDRAWAL = "withdrawal"
ADJUSTMENT = "adjustment"
REVERSAL = "reversal"
REPAYMENT = "repayment"
SETTLEMENT = "settlement"
PLAY_CHIPS_GRANT = "play_chips_grant"
CAPITAL_IN = "capital_in"
CAPITAL_OUT = "capital_out"
PROMOTION_FUNDING = "promotion_funding"
TOURNAMENT_ENTRY = "tournament_entry"
TOURNAMENT_OVERLAY = "tournament_overlay"
TOURNAMENT_PRIZE = "tournament_prize"
TOURNAMENT_REFUND = "tournament_refund"
TOURNAMENT_CORRECTION = "tournament_correction"

ENTRY_KINDS: dict[str, EntryKind] = {
    kind.key: kind
    for kind in (
        EntryKind(DEPOSIT, _("Deposit"), frozenset({CASH, WALLET}), reversible=True),
        EntryKind(WITHDRAWAL, _("Withdrawal"), frozenset({CASH, WALLET}), decided=True, reversible=True),
        EntryKind(
            ADJUSTMENT,
            _("Adjustment"),
            frozenset({WALLET, ADJUSTMENTS}),
            despite_block=True,
            decided=True,
            reversible=True,
        ),
        EntryKind(
            REVERSAL,
            _("Reversal"),
            frozenset({CASH, WALLET, RECEIVABLE, RAKE, ADJUSTMENTS, PLAY_CHIPS_ISSUED}),
            despite_block=True,
            decided=True,
            instead=_("ask for an adjustment."),
        ),
        EntryKind(
            REPAYMENT, _("Debt paid back"), frozenset({CASH, WALLET, RECEIVABLE}), despite_block=True, reversible=True
        ),
        EntryKind(SETTLEMENT, _("Game settlement"), frozenset({WALLET, RAKE}), reversible=True),
        EntryKind(PLAY_CHIPS_GRANT, _("Play chips granted"), frozenset({PLAY_CHIPS_ISSUED, WALLET}), reversible=True),
        EntryKind(
            CAPITAL_IN,
            _("Capital paid in"),
            frozenset({CASH, CAPITAL}),
            instead=_("ask for the capital to be taken out."),
        ),
        EntryKind(
            CAPITAL_OUT,
            _("Capital taken out"),
            frozenset({CASH, CAPITAL}),
            decided=True,
            instead=_("enter it as capital paid in."),
        ),
        EntryKind(
            PROMOTION_FUNDING,
            _("Promotion fund filled"),
            frozenset({PROMOTION, PROMOTION_FUND}),
            instead=_("take the money out of the promotion fund, or fill it again."),
        ),
        EntryKind(
            TOURNAMENT_ENTRY,
            _("Tournament entry"),
            frozenset({WALLET, POOL, ENTRY_FEES}),
            instead=_(
                "cancel the tournament, which gives everybody entry and fee back, or give the player an adjustment."
            ),
        ),
        EntryKind(
            TOURNAMENT_OVERLAY,
            _("Money added to a tournament"),
            frozenset({PROMOTION_FUND, POOL}),
            instead=_("cancel the tournament, which gives the money back to the promotion fund."),
            touched_before=frozenset({PROMOTION}),
        ),
        EntryKind(
            TOURNAMENT_PRIZE,
            _("Tournament prize"),
            frozenset({POOL, WALLET}),
            instead=_("correct the result of the series, and all prizes follow from the places."),
        ),
        EntryKind(
            TOURNAMENT_REFUND,
            _("Tournament refund"),
            frozenset({POOL, WALLET, ENTRY_FEES, PROMOTION_FUND}),
            instead=_("the tournament is over; ask for an adjustment."),
            touched_before=frozenset({PROMOTION}),
        ),
        EntryKind(
            TOURNAMENT_CORRECTION,
            _("Tournament correction"),
            frozenset({POOL, WALLET, RECEIVABLE}),
            despite_block=True,
            instead=_("correct the result of the series again, and all prizes follow from the places."),
        ),
    )
}

#: What book.post_pool posts.
POOL_KINDS = frozenset(kind.key for kind in ENTRY_KINDS.values() if POOL in kind.touches)


class Cursor(Protocol):
    """What `sync` needs of a database cursor, be it Django's or psycopg's."""

    def execute(self, query: Any, params: Any = None, /) -> Any: ...
    def executemany(self, query: Any, params_seq: Sequence[Any], /) -> Any: ...


def sync(cursor: Cursor) -> None:
    """Copy the registry into the database's own tables, where triggers read it, and open the house's accounts.

    Run by the tables' owner after each migrate.
    """
    cursor.executemany(
        """INSERT INTO ledger_chart_account (kind, of_player, has_balance, debit) VALUES (%s, %s, %s, %s)
           ON CONFLICT (kind) DO UPDATE
           SET of_player = excluded.of_player, has_balance = excluded.has_balance, debit = excluded.debit""",
        [(kind.key, kind.of_player, kind.has_balance, kind.debit) for kind in ACCOUNT_KINDS.values()],
    )
    pairs = [(entry.key, account) for entry in ENTRY_KINDS.values() for account in sorted(entry.touches)]
    cursor.execute("DELETE FROM ledger_chart_rule")
    cursor.executemany("INSERT INTO ledger_chart_rule (entry_kind, account_kind) VALUES (%s, %s)", pairs)
    # The house's accounts are there from the start: no posting has to open one, and a refused one leaves none behind.
    house = [kind.key for kind in ACCOUNT_KINDS.values() if not kind.of_player]
    cursor.executemany(
        "INSERT INTO ledger_account (kind, currency) VALUES (%s, %s) ON CONFLICT DO NOTHING",
        [(kind, currency) for kind in house for currency in CURRENCIES],
    )
