"""Direct SQL that breaks an invariant is refused by the database, trigger by trigger, whoever sends it.

Each attack is tried as the application's role and as the owner of all tables; the owner's refusal names the very guard.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from django.db import transaction

from ledger import book, verify
from ledger.money import parse
from tests.ledger.support import fund, hold, picture, play_game, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)


def account(owner: int) -> str:
    return f"(SELECT id FROM ledger_account WHERE owner_id = {owner} AND currency = 'UAH')"


def house(kind: str, currency: str = "UAH") -> str:
    return f"(SELECT id FROM ledger_account WHERE kind = '{kind}' AND currency = '{currency}')"


def balance(owner: int, column: str) -> str:
    return f"(SELECT {column} FROM ledger_balance WHERE account_id = {account(owner)})"


def line(
    place: str, amount: str, version: str = "NULL::bigint", after: str = "NULL::numeric", currency: str = "UAH"
) -> str:
    return f"({place}, '{currency}', {amount}, {version}, {after})"


def wallet_line(owner: int, amount: str) -> str:
    """A line that continues the owner's balance as it should."""
    return line(account(owner), amount, balance(owner, "version + 1"), balance(owner, f"posted + {amount}"))


def entry(*lines: str, kind: str = "deposit", at: str = "e.at") -> str:
    """One statement that writes an entry and its lines."""
    return f"""WITH e AS (INSERT INTO ledger_entry (kind, key, reference, reason, details)
                          VALUES ('{kind}', 'attack', '', '', '{{}}') RETURNING id, at)
               INSERT INTO ledger_line (entry_id, at, account_id, currency, amount, account_version, balance_after)
               SELECT e.id, {at}, v.* FROM e,
                      (VALUES {", ".join(lines)}) AS v (account_id, currency, amount, account_version, balance_after)"""


def resolve(columns: str, key: str = "open") -> str:
    resolution = f"resolved_key = 'x', resolved_reason = '', resolved_at = now(), {columns}"
    return f"UPDATE ledger_hold SET {resolution} WHERE key = '{key}'"


def decide(key: str, columns: str) -> str:
    """A decision on a proposal of the scene, with whatever else is changed in it."""
    decided = "decided_by = 9, decided_at = now(), decision_reason = 'x'"
    return f"UPDATE ledger_proposal SET {decided}, {columns} WHERE key = '{key}'"


def propose(kind: str, owner: str, amount: str, reason: str = "x") -> str:
    return f"""INSERT INTO ledger_proposal (kind, key, owner_id, currency, amount, reason, proposed_by)
               VALUES ('{kind}', 'attack', {owner}, 'UAH', {amount}, '{reason}', 8)"""


def approved(key: str, posted: str, by: int = 9) -> str:
    """An entry, and the approval of a proposal that is said to have led to it."""
    return f"""{posted};
               UPDATE ledger_proposal SET state = 'approved', decided_by = {by}, decided_at = now(),
                      entry_id = {LAST_ENTRY} WHERE key = '{key}'"""


def reversing(posted: str, entry_key: str) -> str:
    """The entry as a reversal of that of the given key."""
    written = "INSERT INTO ledger_entry (kind, key, reference, reason, details)"
    assert written in posted
    posted = posted.replace(written, written.replace("details)", "details, reverses_id)"))
    return posted.replace("'{}')", f"'{{}}', (SELECT id FROM ledger_entry WHERE key = '{entry_key}'))")


def period(month: str, starts: str, ends: str) -> str:
    return f"""INSERT INTO ledger_period (month, starts_at, ends_at, entries, totals, digest, reason)
               VALUES ('{month}', {starts}, {ends}, 0, '[]', '', 'x')"""


GOOD = entry(wallet_line(1, "5"), line(house("cash"), "-5"))
BARE_ENTRY = (
    "INSERT INTO ledger_entry (kind, key, reference, reason, details) VALUES ('deposit', 'attack', '', '', '{}')"
)
LAST_ENTRY = "(SELECT max(id) FROM ledger_entry)"
JANUARY = period("2026-01-01", "'2026-01-01Z'", "'2026-02-01Z'")


@dataclass(frozen=True)
class Attack:
    """A name, SQL, and the guard (constraint or trigger) that must refuse it."""

    name: str
    sql: str
    guard: str


ATTACKS = [
    # What is written stays.
    Attack("change an entry", "UPDATE ledger_entry SET reason = 'x'", "ledger_entry_immutable"),
    Attack("delete an entry", "DELETE FROM ledger_entry", "ledger_entry_immutable"),
    Attack(
        "truncate",
        "TRUNCATE ledger_entry, ledger_line, ledger_hold, ledger_seal, ledger_proposal",
        "ledger_entry_immutable",
    ),
    Attack("change a line", "UPDATE ledger_line SET amount = amount * 2", "ledger_line_immutable"),
    Attack("delete lines", "DELETE FROM ledger_line", "ledger_line_immutable"),
    Attack("truncate lines", "TRUNCATE ledger_line", "ledger_line_immutable"),
    Attack("delete holds", "DELETE FROM ledger_hold", "ledger_hold_stays"),
    Attack("truncate holds", "TRUNCATE ledger_hold", "ledger_hold_stays"),
    Attack("delete balances", "DELETE FROM ledger_balance", "ledger_balance_stays"),
    Attack("truncate balances", "TRUNCATE ledger_balance", "ledger_balance_stays"),
    Attack("delete accounts", "DELETE FROM ledger_account", "ledger_account_stays"),
    Attack("change a seal", "UPDATE ledger_seal SET digest = ''", "ledger_seal_immutable"),
    Attack("delete seals", "DELETE FROM ledger_seal", "ledger_seal_immutable"),
    Attack("truncate seals", "TRUNCATE ledger_seal", "ledger_seal_immutable"),
    Attack("delete proposals", "DELETE FROM ledger_proposal", "ledger_proposal_stays"),
    Attack(
        "change an account's events", "UPDATE ledger_accountevent SET reason = 'x'", "ledger_accountevent_immutable"
    ),
    Attack("change a rake rule", "UPDATE ledger_rakerule SET percent = 50", "ledger_rakerule_immutable"),
    # The promotion fund.
    Attack(
        "more out of the promotion fund than it has",
        entry(line(house("promotion_fund"), "-5", "1", "-5"), line(house("promotion"), "5"), kind="promotion_funding"),
        "ledger_balance_covers_held",
    ),
    Attack(
        "money for a tournament past the promotion fund",
        entry(line(house("promotion"), "-5"), line(house("promotion"), "5"), kind="tournament_overlay"),
        "ledger_lines_fit_entry_kind",
    ),
    Attack(
        "a hold of what the promotion fund has not",
        f"""INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details)
            VALUES ('attack', {house("promotion_fund")}, 'UAH', 5, '', '{{}}')""",
        "ledger_balance_covers_held",
    ),
    # What two people decide on.
    Attack(
        "a withdrawal that nobody approved",
        entry(wallet_line(2, "-5"), line(house("cash"), "5"), kind="withdrawal"),
        "ledger_entry_decided",
    ),
    Attack(
        "an adjustment that nobody approved",
        entry(wallet_line(2, "5"), line(house("adjustments"), "-5"), kind="adjustment"),
        "ledger_entry_decided",
    ),
    Attack(
        "capital that nobody let out",
        entry(line(house("capital"), "-5"), line(house("cash"), "5"), kind="capital_out"),
        "ledger_entry_decided",
    ),
    Attack(
        "a reversal of nothing",
        entry(wallet_line(2, "-5"), line(house("cash"), "5"), kind="reversal"),
        "ledger_entry_reversal_says_of_what",
    ),
    Attack(
        "a proposal that is born approved",
        """INSERT INTO ledger_proposal (kind, key, owner_id, currency, amount, reason, proposed_by, state, decided_by,
                                       decided_at, entry_id)
           VALUES ('withdrawal', 'attack', 2, 'UAH', 5, 'x', 8, 'approved', 9, now(),
                   (SELECT max(id) FROM ledger_entry))""",
        "ledger_proposal_made_open",
    ),
    Attack(
        "approved by the one who asked",
        """INSERT INTO ledger_proposal (kind, key, owner_id, currency, amount, reason, proposed_by, state, decided_by,
                                       decided_at, entry_id)
           VALUES ('withdrawal', 'attack', 2, 'UAH', 5, 'x', 9, 'approved', 9, now(),
                   (SELECT max(id) FROM ledger_entry))""",
        "ledger_proposal_second_person",
    ),
    Attack(
        "freeze what is frozen",
        f"""INSERT INTO ledger_accountevent (account_id, event, actor_id, reason)
            SELECT {account(2)}, 'frozen', 9, 'x' FROM generate_series(1, 2)""",
        "ledger_account_event",
    ),
    Attack(
        "freeze the till",
        f"""INSERT INTO ledger_accountevent (account_id, event, actor_id, reason)
            VALUES ({house("cash")}, 'frozen', 9, 'x')""",
        "ledger_account_event",
    ),
    Attack("a proposal without a reason", propose("withdrawal", "2", "5", " "), "ledger_proposal_made_open"),
    Attack(
        "decide twice",
        decide("rejected", "state = 'cancelled'"),
        "ledger_proposal_decided_once",
    ),
    Attack(
        "change an open proposal",
        "UPDATE ledger_proposal SET amount = 8 WHERE key = 'adjustment'",
        "ledger_proposal_decided_once",
    ),
    *(
        Attack(
            f"decide, and change its {change.split()[0]}",
            decide(key, f"state = 'rejected', {change}"),
            "ledger_proposal_only_decided",
        )
        for key, change in [
            ("adjustment", "key = 'y'"),
            ("adjustment", "kind = 'withdrawal'"),
            ("adjustment", "owner_id = 3"),
            ("adjustment", "currency = 'EUR'"),
            ("adjustment", "amount = 70"),
            ("undo", "reverses_id = (SELECT id FROM ledger_entry WHERE key = 'fund:1:100.00 UAH')"),
            ("adjustment", "reason = 'y'"),
            ("adjustment", "proposed_by = 7"),
            ("adjustment", "proposed_at = now()"),
        ]
    ),
    Attack(
        "turn down without a reason",
        decide("adjustment", "state = 'rejected', decision_reason = ' '").replace("decision_reason = 'x', ", ""),
        "ledger_proposal_decision_reason",
    ),
    Attack(
        "adjust by more than was approved",
        approved("adjustment", entry(wallet_line(2, "8"), line(house("adjustments"), "-8"), kind="adjustment")),
        "ledger_entry_decided",
    ),
    Attack(
        "withdraw more than was approved",
        approved(
            "attack",
            f"""{propose("withdrawal", "2", "5")};
                {entry(wallet_line(2, "-6"), line(house("cash"), "6"), kind="withdrawal")}""",
        ),
        "ledger_entry_decided",
    ),
    Attack(
        "take out more of the capital than was approved",
        approved(
            "attack",
            f"""{propose("capital_out", "NULL", "5")};
                {entry(line(house("capital"), "-6"), line(house("cash"), "6"), kind="capital_out")}""",
        ),
        "ledger_entry_decided",
    ),
    Attack(
        "take by a withdrawal's approval what is an adjustment",
        approved(
            "attack",
            f"""{propose("withdrawal", "2", "5")};
                {entry(wallet_line(2, "-5"), line(house("adjustments"), "5"), kind="adjustment")}""",
        ),
        "ledger_entry_decided",
    ),
    Attack(
        "approve what comes out of one's own wallet",
        approved("adjustment", entry(wallet_line(2, "7"), wallet_line(1, "-7"), kind="adjustment"), by=1),
        "ledger_entry_decided",
    ),
    Attack(
        "reverse another entry than was approved",
        approved(
            "undo",
            reversing(entry(wallet_line(2, "-100"), line(house("cash"), "100"), kind="reversal"), "fund:2:100.00 UAH"),
        ),
        "ledger_entry_decided",
    ),
    Attack(
        "reverse less than all of it",
        approved(
            "undo",
            reversing(entry(wallet_line(2, "-6"), line(house("cash"), "6"), kind="reversal"), "fund:2:7.00 UAH"),
        ),
        "ledger_reversal_mirrors",
    ),
    # Closed months.
    Attack(
        "a month that ends before it begins",
        period("2026-01-01", "'2026-02-01Z'", "'2026-01-01Z'"),
        "ledger_period_sealed",
    ),
    Attack(
        "a month that is not sealed to its end",
        period("2026-01-01", "'2026-01-01Z'", "clock_timestamp()"),
        "ledger_period_sealed",
    ),
    Attack(
        "a month left out",
        f"""{JANUARY}; {period("2026-03-01", "'2026-03-01Z'", "'2026-04-01Z'")}""",
        "ledger_period_no_gap",
    ),
    Attack("change a closed month", "UPDATE ledger_period SET digest = ''", "ledger_period_immutable"),
    Attack("open a closed month", "DELETE FROM ledger_period", "ledger_period_immutable"),
    Attack("truncate closed months", "TRUNCATE ledger_period", "ledger_period_immutable"),
    # Balances follow lines and holds.
    Attack("more money", "UPDATE ledger_balance SET posted = posted + 1", "ledger_balance_follows_lines"),
    Attack("another version", "UPDATE ledger_balance SET version = version + 1", "ledger_balance_follows_lines"),
    Attack("an old version", "UPDATE ledger_balance SET version = 1, posted = 100", "ledger_balance_follows_lines"),
    Attack("less held", "UPDATE ledger_balance SET held = 0", "ledger_balance_follows_holds"),
    Attack("more held", "UPDATE ledger_balance SET held = held + 1 WHERE posted > 0", "ledger_balance_follows_holds"),
    Attack(
        "money for a house account",
        f"INSERT INTO ledger_balance (account_id) VALUES ({house('cash')})",
        "ledger_balance_made",
    ),
    Attack("a balance of nobody", "INSERT INTO ledger_balance (account_id) VALUES (-1)", "ledger_balance_made"),
    # Accounts.
    Attack(
        "a till in another currency",
        "UPDATE ledger_account SET currency = 'XXX' WHERE kind = 'cash' AND currency = 'PLN'",
        "ledger_account_changed",
    ),
    Attack(
        "an account opened long ago",
        f"UPDATE ledger_account SET opened_at = opened_at - interval '1 day' WHERE id = {account(1)}",
        "ledger_account_changed",
    ),
    Attack(
        "take over a wallet",
        f"UPDATE ledger_account SET owner_id = 77 WHERE id = {account(1)}",
        "ledger_account_changed",
    ),
    Attack(
        "turn a wallet into cash",
        "UPDATE ledger_account SET kind = 'cash' WHERE owner_id = 3",
        "ledger_account_changed",
    ),
    Attack(
        "a wallet of nobody",
        "INSERT INTO ledger_account (kind, currency) VALUES ('wallet', 'PLN')",
        "ledger_account_owner_fits_kind",
    ),
    Attack(
        "somebody's rake",
        "INSERT INTO ledger_account (owner_id, kind, currency) VALUES (1, 'rake', 'UAH')",
        "ledger_account_owner_fits_kind",
    ),
    Attack(
        "an unknown kind of account",
        "INSERT INTO ledger_account (kind, currency) VALUES ('pocket', 'UAH')",
        "ledger_account_kind_fk",
    ),
    Attack(
        "a second cash account",
        "INSERT INTO ledger_account (kind, currency) VALUES ('cash', 'UAH')",
        "ledger_account_one_per_owner",
    ),
    # Entries.
    Attack("an entry without lines", BARE_ENTRY, "ledger_entry_has_lines"),
    Attack(
        "an entry of another transaction",
        BARE_ENTRY.replace("details)", "details, xid)").replace("'{}')", "'{}', 5)"),
        "ledger_entry_written",
    ),
    Attack(
        "an entry of another time",
        BARE_ENTRY.replace("details)", "details, at)").replace("'{}')", "'{}', now() - interval '1 day')"),
        "ledger_entry_written",
    ),
    Attack(
        "an entry of tomorrow",
        BARE_ENTRY.replace("details)", "details, at)").replace("'{}')", "'{}', now() + interval '1 day')"),
        "ledger_entry_written",
    ),
    # Lines.
    Attack("money from nowhere", entry(wallet_line(1, "5")), "ledger_lines_sum_to_zero"),
    Attack("a cent too much", entry(wallet_line(1, "5.01"), line(house("cash"), "-5")), "ledger_lines_sum_to_zero"),
    Attack(
        "two currencies",
        entry(wallet_line(1, "5"), line(house("cash", "KWD"), "-5", currency="KWD")),
        "ledger_lines_one_currency",
    ),
    Attack(
        "a line in a currency that its account is not in",
        entry(
            line(account(1), "5", balance(1, "version + 1"), balance(1, "posted + 5"), "KWD"),
            line(house("cash", "KWD"), "-5", currency="KWD"),
        ),
        "ledger_line_account_fk",
    ),
    Attack("a line of nothing", entry(wallet_line(1, "0"), line(house("cash"), "0")), "ledger_line_amount_not_zero"),
    Attack(
        "lines for an old entry",
        f"""INSERT INTO ledger_line (entry_id, at, account_id, currency, amount)
            SELECT e.id, e.at, {house("cash")}, 'UAH', v FROM ledger_entry e, (VALUES (-5), (5)) AS v (v)
             WHERE e.id = {LAST_ENTRY}""",
        "ledger_lines_nothing_added_later",
    ),
    Attack(
        "lines in a second statement",
        f"""{GOOD}; INSERT INTO ledger_line (entry_id, at, account_id, currency, amount)
            SELECT e.id, e.at, {house("cash")}, 'UAH', v FROM ledger_entry e, (VALUES (-5), (5)) AS v (v)
             WHERE e.id = {LAST_ENTRY}""",
        "ledger_lines_nothing_added_later",
    ),
    Attack(
        "rake out of cash",
        entry(line(house("rake"), "5"), line(house("cash"), "-5"), kind="deposit"),
        "ledger_lines_fit_entry_kind",
    ),
    Attack(
        "an entry of an unknown kind",
        entry(wallet_line(1, "5"), line(house("cash"), "-5"), kind="present"),
        "ledger_lines_fit_entry_kind",
    ),
    Attack(
        "lines of another time",
        entry(wallet_line(1, "5"), line(house("cash"), "-5"), at="e.at - interval '1 day'"),
        "ledger_lines_time_of_entry",
    ),
    Attack(
        "a wallet's line without balance",
        entry(line(account(1), "5"), line(house("cash"), "-5")),
        "ledger_lines_version_where_balance",
    ),
    Attack(
        "a house line with balance",
        entry(wallet_line(1, "5"), line(house("cash"), "-5", "1", "-5")),
        "ledger_lines_version_where_balance",
    ),
    Attack(
        "a version left out",
        entry(line(account(1), "5", balance(1, "version + 2"), balance(1, "posted + 5")), line(house("cash"), "-5")),
        "ledger_lines_continue_balance",
    ),
    Attack(
        "a balance that does not follow",
        entry(line(account(1), "5", balance(1, "version + 1"), balance(1, "posted + 50")), line(house("cash"), "-5")),
        "ledger_lines_continue_balance",
    ),
    Attack(
        "two lines that do not continue one another",
        entry(
            wallet_line(1, "2"),
            line(account(1), "3", balance(1, "version + 2"), balance(1, "posted + 3")),
            line(house("cash"), "-5"),
        ),
        "ledger_lines_continue_balance",
    ),
    Attack(
        "a line in between that does not follow, and a last one that does",
        entry(
            line(account(1), "2", balance(1, "version + 1"), balance(1, "posted + 7")),
            line(account(1), "3", balance(1, "version + 2"), balance(1, "posted + 5")),
            line(house("cash"), "-5"),
        ),
        "ledger_lines_continue_balance",
    ),
    Attack(
        "a version left out in between",
        entry(
            wallet_line(1, "2"),
            line(account(1), "3", balance(1, "version + 3"), balance(1, "posted + 5")),
            line(house("cash"), "-5"),
        ),
        "ledger_lines_continue_balance",
    ),
    Attack(
        "a version twice",
        entry(line(account(1), "5", balance(1, "version"), balance(1, "posted + 5")), line(house("cash"), "-5")),
        "ledger_line_account_version",
    ),
    Attack(
        "an overdraft",
        entry(wallet_line(1, "-500"), line(house("cash"), "500"), kind="withdrawal"),
        "ledger_balance_covers_held",
    ),
    Attack(
        "held money withdrawn",
        entry(wallet_line(1, "-95"), line(house("cash"), "95"), kind="withdrawal"),
        "ledger_balance_covers_held",
    ),
    # Holds.
    Attack(
        "hold what is not there",
        f"""INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details)
            VALUES ('attack', {account(1)}, 'UAH', 1000, '', '{{}}')""",
        "ledger_balance_covers_held",
    ),
    Attack(
        "hold on a house account",
        f"""INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details)
            VALUES ('attack', {house("cash")}, 'UAH', 1, '', '{{}}')""",
        "ledger_hold_needs_balance",
    ),
    Attack(
        "hold less than nothing",
        f"""INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details)
            VALUES ('attack', {account(1)}, 'UAH', -1, '', '{{}}')""",
        "ledger_hold_amount_positive",
    ),
    Attack(
        "a hold born resolved",
        f"""INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details, resolution, captured,
                                     resolved_key, resolved_reason, resolved_at)
            VALUES ('attack', {account(1)}, 'UAH', 1, '', '{{}}', 'released', 0, 'x', '', now())""",
        "ledger_hold_placed_open",
    ),
    Attack("a larger hold", "UPDATE ledger_hold SET amount = 20 WHERE key = 'open'", "ledger_hold_only_resolves"),
    Attack(
        "touch an open hold", "UPDATE ledger_hold SET captured = NULL WHERE key = 'open'", "ledger_hold_only_resolves"
    ),
    Attack(
        "release and rename", resolve("resolution = 'released', captured = 0, key = 'y'"), "ledger_hold_only_resolves"
    ),
    *(
        Attack(
            f"release and change its {change.split()[0]}",
            resolve(f"resolution = 'released', captured = 0, {change}"),
            "ledger_hold_only_resolves",
        )
        for change in [
            f"account_id = {account(2)}",
            "amount = 20",
            "reference = 'y'",
            "details = '{\"a\": 1}'",
            "placed_at = now()",
        ]
    ),
    Attack(
        "resolve twice",
        resolve("resolution = 'released', captured = 0", key="match:1:hold:1"),
        "ledger_hold_resolved_once",
    ),
    Attack(
        "open again",
        """UPDATE ledger_hold SET resolution = NULL, captured = NULL, resolved_key = NULL, resolved_reason = NULL,
                  resolved_at = NULL, entry_id = NULL WHERE resolution IS NOT NULL""",
        "ledger_hold_resolved_once",
    ),
    Attack("half a resolution", resolve("resolution = 'released'"), "ledger_hold_resolution_complete"),
    Attack(
        "capture without an entry", resolve("resolution = 'captured', captured = 1"), "ledger_hold_resolution_complete"
    ),
    Attack(
        "capture more than was held",
        resolve(f"resolution = 'captured', captured = 11, entry_id = {LAST_ENTRY}"),
        "ledger_hold_resolution_complete",
    ),
    Attack(
        "capture into an old entry",
        resolve(f"resolution = 'captured', captured = 1, entry_id = {LAST_ENTRY}"),
        "ledger_hold_before_lines",
    ),
    Attack(
        "capture after the lines",
        f"{GOOD}; {resolve(f'resolution = $$captured$$, captured = 1, entry_id = {LAST_ENTRY}')}",
        "ledger_hold_before_lines",
    ),
    Attack(
        "capture other than what is posted",
        f"""{BARE_ENTRY.replace("deposit", "settlement")};
            {resolve(f"resolution = 'captured', captured = 7, entry_id = {LAST_ENTRY}")};
            INSERT INTO ledger_line (entry_id, at, account_id, currency, amount, account_version, balance_after)
            SELECT e.id, e.at, v.* FROM ledger_entry e, (VALUES {wallet_line(1, "-5")}, {wallet_line(2, "5")}) AS v
             WHERE e.id = {LAST_ENTRY}""",
        "ledger_lines_match_captures",
    ),
    # Seals.
    Attack(
        "a journal number left out",
        f"{GOOD}; INSERT INTO ledger_seal (number, entry_id, digest) VALUES (99, {LAST_ENTRY}, '')",
        "ledger_seal_no_gap",
    ),
    Attack(
        "a journal number left out between two",
        f"""{GOOD}; {GOOD.replace("'attack'", "'attack too'")};
            INSERT INTO ledger_seal (number, entry_id, digest)
            SELECT (SELECT max(number) FROM ledger_seal) + step, {LAST_ENTRY} - back, ''
              FROM (VALUES (1, 1), (3, 0)) AS v (step, back)""",
        "ledger_seal_no_gap",
    ),
]


@pytest.fixture
def scene() -> dict[str, list[tuple[Any, ...]]]:
    """Two players with a settled game, one open hold (10.00 of 1's 105.00 or so), seals, an adjustment and a reversal
    that wait for a decision, and one that was rejected."""
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    fund(2, "7.00 UAH")
    fund(3, "1 KWD")
    play_game(1, winner=1, loser=2, amount="30.00 UAH", loss="5.00 UAH", rake="0.50 UAH")
    hold("open", 1, "10.00 UAH")
    with transaction.atomic():
        book.propose_adjustment("adjustment", 2, parse("7.00 UAH"), 8, "x")
        rejected = book.propose_adjustment("rejected", 2, parse("7.00 UAH"), 8, "x")
        book.reject(rejected.id, 9, "x")
        deposit = book.entry_by_key("fund:2:7.00 UAH")
        assert deposit is not None
        book.propose_reversal("undo", deposit.id, 8, "x")
    seal_everything()
    return picture()


@pytest.fixture(params=["application", "owner"])
def attacker(request: pytest.FixtureRequest, database: Any) -> Iterator[psycopg.Connection[Any]]:
    url = database.app_url if request.param == "application" else database.owner_url
    with psycopg.connect(url) as connection:
        yield connection


def test_attacks_are_refused(scene: Any, attacker: psycopg.Connection[Any]) -> None:
    """One scene for all: what is refused changes nothing, so the next attack finds it as it was."""
    as_owner = "owner" in attacker.info.user
    answers = {attack.name: refusal(attacker, attack.sql) for attack in ATTACKS}
    assert picture() == scene
    expected = {attack.name: attack.guard for attack in ATTACKS}
    if as_owner:
        assert answers == expected
    else:  # much is refused for want of the right already
        assert {n: a for n, a in answers.items() if a != "InsufficientPrivilege"}.items() <= expected.items()


def refusal(attacker: psycopg.Connection[Any], sql: str) -> str:
    """The guard that refused, or what else happened."""
    try:
        with attacker.transaction():
            attacker.execute(sql)  # type: ignore[call-overload]
    except psycopg.Error as error:
        return error.diag.constraint_name or type(error).__name__
    return "went through"


def test_the_pieces_of_the_attacks_are_sound(scene: Any, attacker: psycopg.Connection[Any]) -> None:
    """The attacks fail for what is wrong in them: put right, the same SQL goes through, and the ledger holds."""
    with attacker.transaction():
        attacker.execute(GOOD)  # type: ignore[arg-type]
    with attacker.transaction():
        attacker.execute(resolve("resolution = 'released', captured = 0"))  # type: ignore[arg-type]
    assert picture() != scene
    seal_everything()
    assert list(verify.run()) == []


SWITCHES = (
    "ALTER TABLE ledger_line DISABLE TRIGGER ALL",
    "DROP TRIGGER ledger_line_written ON ledger_line",
    "SET session_replication_role = replica",
    "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "INSERT INTO ledger_chart_rule VALUES ('deposit', 'rake')",
    "UPDATE ledger_chart_account SET has_balance = false",
    "DELETE FROM ledger_chart_rule",
    "UPDATE ledger_housetotal SET total = 0",
    "SELECT * FROM ledger_balance FOR UPDATE",
)


def test_the_application_cannot_switch_the_guards_off(scene: Any, database: Any) -> None:
    with psycopg.connect(database.app_url) as attacker:
        assert {sql: refusal(attacker, sql) for sql in SWITCHES} == dict.fromkeys(SWITCHES, "InsufficientPrivilege")
    assert picture() == scene
