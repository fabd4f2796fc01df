"""Each check of the database's triggers is what refuses something: switched off one at a time, an attack gets further.

In one transaction per check, rolled back at its end: the function is written anew without it, or the trigger is
disabled, and the attacks of test_attacks are tried. A check that no attack needs is one that nobody would miss.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from tests.ledger.test_attacks import (
    ATTACKS,
    GOOD,
    JANUARY,
    approved,
    decide,
    entry,
    house,
    line,
    resolve,
    reversing,
    scene,  # noqa: F401  (a fixture)
    wallet_line,
)

pytestmark = pytest.mark.django_db(transaction=True)

Link = psycopg.Connection[Any]
Answer = tuple[str, str]
RAISE = re.compile(r"RAISE EXCEPTION (?:'(?:[^']|'')*'|[^';])*;")
FUNCTIONS = r"""SELECT p.proname, pg_get_functiondef(p.oid) FROM pg_proc p
                 WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'ledger\_%' AND p.prokind = 'f'
                 ORDER BY 1"""
TRIGGERS = r"""SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                WHERE NOT t.tgisinternal AND c.relname LIKE 'ledger\_%' ORDER BY 1, 2"""
#: What must go through, check or no check.
SOUND = [
    GOOD,
    resolve("resolution = 'released', captured = 0"),
    decide("adjustment", "state = 'rejected'"),
    approved("adjustment", entry(wallet_line(2, "7"), line(house("adjustments"), "-7"), kind="adjustment")),
    approved(
        "undo", reversing(entry(wallet_line(2, "-7"), line(house("cash"), "7"), kind="reversal"), "fund:2:7.00 UAH")
    ),
    JANUARY,
]
HOLD = ("id", "key", "account_id", "currency", "amount", "reference", "details", "placed_at")
HOLD_BECOMES = f"EXCEPT\n        SELECT {', '.join(HOLD)} FROM becomes"


def unchanged(column: str) -> str:
    """As if this column of a hold had stayed what it was."""
    columns = ", ".join(f"was.{name}" if name == column else f"n.{name}" for name in HOLD)
    return f"EXCEPT\n        SELECT {columns} FROM becomes n JOIN was USING (id)"


#: Conditions that share a RAISE with others: function, what is written, what stands there instead. Left out are those
#: that nothing can reach while other guards stand: a balance that begins with something (its row comes with its
#: account), lines for or a capture into an entry of another transaction (it has lines), an entry named by a proposal
#: that is not approved (a CHECK), a hold in another currency than its account (a foreign key).
CONDITIONS = [
    ("ledger_account_changed", "was.owner_id,", "n.owner_id,"),
    ("ledger_account_changed", "was.kind,", "n.kind,"),
    ("ledger_account_changed", "was.currency,", "n.currency,"),
    ("ledger_account_changed", "was.opened_at)", "n.opened_at)"),
    ("ledger_balance_made", "c.has_balance IS NOT true", "false"),
    ("ledger_balance_moved", "(n.version, n.posted) <>", "(n.version, coalesce(last.balance_after, 0)) <>"),
    ("ledger_balance_moved", "(n.version, n.posted) <>", "(coalesce(last.account_version, 0), n.posted) <>"),
    ("ledger_entry_written", "xid <> pg_current_xact_id()::text::bigint", "false"),
    ("ledger_entry_written", "at < transaction_timestamp()", "false"),
    ("ledger_entry_written", "at > clock_timestamp()", "false"),
    ("ledger_account_event", "kind = 'wallet' AND", ""),
    ("ledger_account_event", "AND status <> becomes", ""),
    *(
        ("ledger_hold_resolved", HOLD_BECOMES, unchanged(column))
        for column in HOLD if column not in ("id", "currency")
    ),
    ("ledger_hold_resolved", "OR EXISTS (SELECT FROM becomes WHERE resolution IS NULL)", ""),
    ("ledger_hold_resolved", "SELECT FROM ledger_line WHERE", "SELECT FROM ledger_line WHERE false AND"),
    ("ledger_line_written", "HAVING sum(amount) <> 0 OR", "HAVING"),
    ("ledger_line_written", "OR min(currency) <> max(currency) LIMIT", "LIMIT"),
    ("ledger_line_written", "r.entry_kind IS NULL\n", "false\n"),
    ("ledger_line_written", "OR e.at <> n.at", ""),
    ("ledger_line_written", "OR c.has_balance <> (n.account_version IS NOT NULL)", ""),
    ("ledger_line_written", "step <> 1 OR", ""),
    ("ledger_line_written", "OR gap <> 0", ""),
    ("ledger_line_written", "b.version = last.first_version - 1 AND", ""),
    ("ledger_line_written", "AND b.posted = last.balance_after - last.amount", ""),
    ("ledger_period_closed", "NEW.ends_at <= NEW.starts_at OR", ""),
    ("ledger_period_closed", "OR NEW.ends_at > coalesce(", "OR NULL::timestamptz > coalesce("),
    ("ledger_proposal_made", "NEW.state <> 'open' OR", ""),
    ("ledger_proposal_made", "OR btrim(NEW.reason) = ''", ""),
    ("ledger_proposal_decided", "OLD.state <> 'open' OR", ""),
    ("ledger_proposal_decided", "OR NEW.state = 'open'", ""),
    *(
        ("ledger_proposal_decided", f"OLD.{column}{end}", f"NEW.{column}{end}")
        for column, end in [
            ("kind", ","), ("key", ","), ("owner_id", ","), ("currency", ","), ("amount", ","), ("reverses_id", ","),
            ("reason", ","), ("proposed_by", ","), ("proposed_at", ")"),
        ]
    ),
    ("ledger_entry_decided", "proposal.reverses_id IS DISTINCT FROM NEW.reverses_id", "false"),
    ("ledger_entry_decided", "moved IS DISTINCT FROM -proposal.amount", "false"),
    ("ledger_entry_decided", "moved IS DISTINCT FROM proposal.amount", "false"),
    ("ledger_entry_decided", "AND a.owner_id = proposal.decided_by", "AND false"),
    ("ledger_entry_decided", "AND kind = NEW.kind", ""),
    ("ledger_seal_written", "high - low + 1 <> rows OR", ""),
    ("ledger_seal_written", "OR low <> 1 +", "OR NULL::bigint <> 1 +"),
]  # fmt: skip


@pytest.fixture
def owner(scene: Any, database: Any) -> Iterator[Link]:  # noqa: F811
    with psycopg.connect(database.owner_url) as link:
        yield link


@pytest.fixture
def usual(owner: Link) -> list[Answer]:
    """What each attack meets with everything in place: its guard."""
    with owner.transaction():
        met = [answer(owner, attack.sql) for attack in ATTACKS]
    assert [guard for guard, _ in met] == [attack.guard for attack in ATTACKS]
    return met


def test_with_everything_in_place_nothing_is_noticed(owner: Link, usual: list[Answer]) -> None:
    assert not noticed(owner, usual, lambda: None)


def test_every_raise_is_what_refuses_an_attack(owner: Link, usual: list[Answer]) -> None:
    missed = []
    for name, text in functions(owner).items():
        for place, statement in enumerate(RAISE.findall(text)):
            if "TG_NAME" in statement:  # ledger_refuse: by triggers, below
                continue
            without = text.replace(statement, "NULL;", 1)
            if not noticed(owner, usual, lambda without=without: owner.execute(without)):
                missed.append(f"{name}, RAISE no. {place + 1}: {' '.join(statement.split())[:100]}")
    assert not missed, "\n".join(missed)


def test_every_condition_is_what_refuses_an_attack(owner: Link, usual: list[Answer]) -> None:
    texts, missed = functions(owner), []
    for name, written, instead in CONDITIONS:
        assert written in texts[name], f"{name} has changed, there is no {written}:\n{texts[name]}"
        without = texts[name].replace(written, instead, 1)
        if not noticed(owner, usual, lambda without=without: owner.execute(without)):
            missed.append(f"{name}: {written} -> {instead}")
    assert not missed, "\n".join(missed)


def test_every_trigger_is_what_refuses_an_attack(owner: Link, usual: list[Answer]) -> None:
    with owner.transaction():
        triggers = owner.execute(TRIGGERS).fetchall()
    assert len(triggers) > 25
    missed = []
    for table, name in triggers:
        disable = f"ALTER TABLE {table} DISABLE TRIGGER {name}"
        if not noticed(owner, usual, lambda disable=disable: owner.execute(disable)):
            missed.append(name)
    assert missed == ["ledger_debt_moved"], missed  # it refuses nothing; test_corrections misses it


def functions(link: Link) -> dict[str, str]:
    with link.transaction():
        return dict(link.execute(FUNCTIONS).fetchall())


def noticed(link: Link, usual: list[Answer], switch_off: Callable[[], object]) -> bool:
    """Whether some attack is answered otherwise without the check."""
    with undone(link):
        switch_off()
        assert [answer(link, sql)[0] for sql in SOUND] == ["went through"] * len(SOUND), (
            "it is broken, not switched off"
        )
        return any(answer(link, attack.sql) != before for attack, before in zip(ATTACKS, usual, strict=True))


def answer(link: Link, sql: str) -> Answer:
    """The guard that refuses, at once or at the commit, and its words but for numbers; or what else happens. Nothing of
    it stays."""
    try:
        with undone(link):
            link.execute(sql)
            link.execute("SET CONSTRAINTS ALL IMMEDIATE")
    except psycopg.Error as error:
        return error.diag.constraint_name or type(error).__name__, re.sub(
            r"[\d.]+", "#", error.diag.message_primary or ""
        )
    return "went through", ""


@contextmanager
def undone(link: Link) -> Iterator[None]:
    with link.transaction() as step:
        yield
        raise psycopg.Rollback(step)
