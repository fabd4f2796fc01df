"""The house's own money: capital in and out, the promotion fund, and what of the cash is the house's own."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from moneyed import Money

from ledger import book, errors, verify
from ledger.models import Entry
from ledger.money import parse
from ledger.reports import REPORTS, export
from ledger.reports.params import read
from tests.ledger.support import OPERATOR, fund, picture, play_game, promote, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

CLERK = 901
ZERO = parse("1.00 UAH") * 0


def do(action: Callable[..., Any], *arguments: object) -> Any:
    with transaction.atomic():
        return action(*arguments)


def own(currency: str = "UAH") -> str:
    return str(book.cover(currency).own.amount)


def in_fund(currency: str = "UAH") -> str:
    return str(book.promotion_fund(currency).amount)


def overlay(key: str, amount: str, kind: str = "tournament_overlay") -> book.PoolEntry:
    """Money from the fund into the pool of tournament 1 (below zero: back)."""
    given = -parse(amount) if kind == "tournament_overlay" else parse(amount)
    return book.PoolEntry(key, kind, 1, "tournament:1", given * 0, given * 0, given)


def everything_holds() -> None:
    """By the ledger's own checks: the tournament of these tests is none."""
    seal_everything()
    found = list(verify.run())
    assert [one for one in found if verify.CHECKS[one.check].__module__.startswith("ledger.")] == []


# --- Capital ----------------------------------------------------------------------------------------------------------


def test_capital_is_paid_in_by_one_and_taken_out_by_two() -> None:
    paid = do(book.pay_in_capital, "in", parse("100.00 UAH"), OPERATOR, "share capital")
    assert (paid.kind, paid.actor_id, paid.reason, own()) == ("capital_in", OPERATOR, "share capital", "100.00")
    asked = do(book.propose_capital_out, "out", parse("30.00 UAH"), CLERK, "to the owners")
    assert own() == "100.00"
    with pytest.raises(errors.SecondPersonNeeded):
        do(book.approve, asked.id, CLERK)
    done = do(book.approve, asked.id, OPERATOR)
    assert do(book.approve, asked.id, OPERATOR) == done
    entry = book.entry(done.entry_id)
    assert entry is not None
    assert {line.account_kind: str(line.amount.amount) for line in entry.lines} == {
        "cash": "30.00",
        "capital": "-30.00",
    }
    assert (entry.kind, entry.reference, own()) == ("capital_out", f"capital_out:{asked.id}", "70.00")
    everything_holds()


def test_the_same_payment_is_entered_once() -> None:
    first = do(book.pay_in_capital, "in", parse("100.00 UAH"), OPERATOR, "share capital")
    assert do(book.pay_in_capital, "in", parse("100.00 UAH"), OPERATOR, "share capital") == first
    with pytest.raises(errors.KeyConflict):
        do(book.pay_in_capital, "in", parse("101.00 UAH"), OPERATOR, "share capital")
    with pytest.raises(errors.ReasonMissing):
        do(book.pay_in_capital, "in2", parse("100.00 UAH"), OPERATOR, " ")
    for amount in ("100 XPC",):
        with pytest.raises(errors.UnknownCurrency):
            do(book.pay_in_capital, "in3", parse(amount), OPERATOR, "chips are no money")
        with pytest.raises(errors.UnknownCurrency):
            do(book.propose_capital_out, "out", parse(amount), OPERATOR, "chips are no money")


def test_nobody_takes_out_what_players_are_owed() -> None:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    play_game(1, 1, 2, "30.00 UAH", "20.00 UAH", "2.00 UAH")  # a rake of 2 is the house's own
    before = picture()
    with pytest.raises(errors.NotCovered) as refused:
        do(book.propose_capital_out, "out", parse("2.01 UAH"), CLERK, "to the owners")
    assert str(refused.value) == (
        "Only 2.00 UAH is the house's own: cash of 200.00 UAH less 198.00 UAH owed to players and set aside; "
        "2.01 UAH needed."
    )
    assert picture() == before
    asked = do(book.propose_capital_out, "out", parse("2.00 UAH"), CLERK, "to the owners")
    gift = do(book.propose_adjustment, "gift", 1, parse("1.00 UAH"), CLERK, "goodwill")
    do(book.approve, gift.id, OPERATOR)
    with pytest.raises(errors.NotCovered):  # it was there when it was asked for
        do(book.approve, asked.id, OPERATOR)
    assert do(book.reject, asked.id, OPERATOR, "given away meanwhile").state == "rejected"
    everything_holds()


# --- The promotion fund -----------------------------------------------------------------------------------------------


def test_the_fund_is_filled_with_own_money_only() -> None:
    fund(1, "100.00 UAH")
    with pytest.raises(errors.NotCovered):
        do(book.fund_promotion, "p", parse("0.01 UAH"), OPERATOR, "spring cup")
    do(book.pay_in_capital, "in", parse("50.00 UAH"), OPERATOR, "share capital")
    filled = do(book.fund_promotion, "p", parse("50.00 UAH"), OPERATOR, "spring cup")
    assert (filled.kind, filled.actor_id, in_fund(), own()) == ("promotion_funding", OPERATOR, "50.00", "0.00")
    assert do(book.fund_promotion, "p", parse("50.00 UAH"), OPERATOR, "spring cup") == filled, "the same again"
    with pytest.raises(errors.NotCovered):  # what is set aside is the tournaments'
        do(book.propose_capital_out, "out", parse("0.01 UAH"), CLERK, "to the owners")
    everything_holds()


def test_what_is_not_promised_can_be_taken_back() -> None:
    promote("50.00 UAH")
    (outcome,) = do(book.post_pool, [overlay("o", "20.00 UAH")])
    assert outcome.error is None and in_fund() == "30.00"
    with pytest.raises(errors.InsufficientFunds) as refused:
        do(book.fund_promotion, "back", -parse("30.01 UAH"), OPERATOR, "too much")
    assert refused.value.params["available"] == parse("30.00 UAH")
    do(book.fund_promotion, "back", -parse("30.00 UAH"), OPERATOR, "too much")
    assert (in_fund(), own()) == ("0.00", "30.00")
    everything_holds()


def test_the_fund_is_among_the_houses_balances_now_and_at_any_moment() -> None:
    """It has a balance row, unlike the house's other accounts, and no total at the seals."""
    promote("50.00 UAH")
    (outcome,) = do(book.post_pool, [overlay("o", "20.00 UAH")])
    filled, drawn = Entry.objects.get(kind="promotion_funding").at, Entry.objects.get(pk=outcome.entry_id).at
    for sealed in (False, True):
        if sealed:
            seal_everything()
        balances = {balance.kind: str(balance.total.amount) for balance in book.house_balances()}
        assert balances == {"capital": "50.00", "cash": "-50.00", "promotion": "-50.00", "promotion_fund": "30.00"}
        moments = (filled, drawn, drawn + timedelta(microseconds=1), drawn + timedelta(days=900))
        found = [str(book.house_balance_at("promotion_fund", "UAH", at).amount) for at in moments]
        assert found == ["0.00", "50.00", "30.00", "30.00"]


def test_a_tournament_gets_no_more_than_the_fund_has() -> None:
    promote("50.00 UAH")
    good, bad = do(book.post_pool, [overlay("a", "50.00 UAH"), overlay("b", "0.01 UAH")])
    assert good.error is None and isinstance(bad.error, errors.InsufficientFunds)
    (back,) = do(book.post_pool, [overlay("c", "20.00 UAH", "tournament_refund")])
    assert back.error is None and in_fund() == "20.00"
    assert str(book.pool(1, "UAH").amount) == "30.00"
    everything_holds()


@pytest.mark.parametrize(("code", "amount"), [("JPY", "5000"), ("KWD", "12.345"), ("GEL", "7.70")])
def test_each_currency_is_covered_by_itself(code: str, amount: str) -> None:
    do(book.pay_in_capital, "other", parse("100.00 UAH"), OPERATOR, "share capital")
    with pytest.raises(errors.NotCovered):
        do(book.fund_promotion, "p", parse(f"{amount} {code}"), OPERATOR, "cups")
    promote(f"{amount} {code}")
    assert (in_fund(code), own(code), own()) == (amount, str(parse(f"{amount} {code}").amount * 0), "100.00")
    everything_holds()


def test_play_chips_are_set_aside_without_cover() -> None:
    do(book.fund_promotion, "chips", parse("500 XPC"), None, "chips for cups")
    assert in_fund("XPC") == "500" and "XPC" not in [cover.currency for cover in book.covers()]
    everything_holds()


def test_the_fund_is_never_promised_twice_nor_filled_twice_with_the_same_money() -> None:
    """Twelve at once: tournaments draw, the fund is filled, capital is taken out; the sums are exact."""
    do(book.pay_in_capital, "in", parse("100.00 UAH"), OPERATOR, "share capital")
    do(book.fund_promotion, "start", parse("10.00 UAH"), OPERATOR, "cups")
    asked = [do(book.propose_capital_out, f"out{n}", parse("30.00 UAH"), CLERK, "owners").id for n in range(4)]
    jobs: list[Callable[[], Any]] = [
        *(lambda n=n: do(book.fund_promotion, f"fill{n}", parse("30.00 UAH"), OPERATOR, "cups") for n in range(4)),
        *(lambda n=n: do(book.approve, asked[n], OPERATOR) for n in range(4)),
        *(lambda n=n: do(book.post_pool, [overlay(f"draw{n}", "4.00 UAH")]) for n in range(4)),
    ]

    def run(job: Callable[[], Any]) -> str:
        try:
            answer = job()
            return "refused" if isinstance(answer, list) and answer[0].error else "done"
        except errors.NotCovered:
            return "refused"
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(run, jobs))
    assert answers[:8].count("done") == 3, "90 are the house's own, and each takes 30"
    assert own() == "0.00"
    assert book.promotion_fund("UAH").amount + book.pool(1, "UAH").amount == 10 + 30 * answers[:4].count("done")
    assert book.pool(1, "UAH").amount == 4 * answers[8:].count("done") >= 8
    everything_holds()


# --- What is undone otherwise -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["capital_in", "promotion_funding", "tournament_overlay"])
def test_what_is_undone_otherwise_says_how(kind: str) -> None:
    promote("50.00 UAH")
    do(book.post_pool, [overlay("o", "20.00 UAH")])
    with pytest.raises(errors.NotReversible) as refused:
        do(book.propose_reversal, "r", Entry.objects.get(kind=kind).pk, CLERK, "a mistake")
    words = {
        "capital_in": "ask for the capital to be taken out",
        "promotion_funding": "take the money out of the promotion fund",
        "tournament_overlay": "cancel the tournament",
    }
    assert words[kind] in str(refused.value)


# --- Reports ----------------------------------------------------------------------------------------------------------


def table(name: str) -> list[dict[str, str]]:
    out = io.BytesIO()
    export(REPORTS[name], read("2020-01-01", "2100-01-01", currency="UAH"), "csv", out)
    return list(csv.DictReader(out.getvalue().decode().partition("\n\n")[2].splitlines()))


@pytest.fixture
def used() -> None:
    """Own 100, of which 40 are set aside and 15 of those given to tournament 1; a player has 30."""
    fund(1, "30.00 UAH")
    do(book.pay_in_capital, "in", parse("100.00 UAH"), OPERATOR, "share capital")
    do(book.fund_promotion, "p", parse("40.00 UAH"), OPERATOR, "cups")
    do(book.post_pool, [overlay("o", "20.00 UAH")])
    do(book.post_pool, [overlay("b", "5.00 UAH", "tournament_refund")])


def test_the_reports_have_the_houses_money_in_its_place(used: None) -> None:
    closing = {
        row["Account code"]: Decimal(row["Closing credit"]) - Decimal(row["Closing debit"])
        for row in table("trial-balance")
    }
    assert closing == {"1000": -130, "2000": 30, "2100": 15, "2200": 25, "3000": 100, "5100": -40}
    (cover,) = table("cover")
    assert list(cover.values()) == ["UAH", "130.00", "30.00", "15.00", "25.00", "70.00", "60.00", "0.00"]
    assert own() == cover["The house's own"]
    assert [(row["Owner"], row["Posted"]) for row in table("liabilities")] == [("1", "30.00")]
    (day,) = table("revenue")
    assert (day["Promotion spent"], day["Rake"]) == ("40.00", "0.00")
    (cup,) = table("tournaments")
    assert (cup["Added money"], cup["Refunded from the pool"], cup["Change of the pool"]) == ("15.00", "0.00", "15.00")


@pytest.mark.hledger
@pytest.mark.parametrize("name", ["journal", "trial-balance"])
def test_hledger_knows_equity(used: None, name: str, tmp_path: Path) -> None:
    path = tmp_path / "ledger.journal"
    with path.open("wb") as out:
        export(REPORTS[name], read("2020-01-01", "2100-01-01", currency="UAH"), "hledger", out)
    program = shutil.which("hledger") or "hledger"
    subprocess.run([program, "-f", path, "check", "--strict"], check=True)
    said = subprocess.run([program, "-f", path, "balance", "type:e"], check=True, capture_output=True, text=True)
    assert "-100.00 UAH" in said.stdout and "equity:capital" in said.stdout


def test_a_sum_of_nothing_is_refused() -> None:
    for amount in (ZERO, Money("0.001", "UAH")):
        with pytest.raises(errors.BadAmount):
            do(book.fund_promotion, "p", amount, OPERATOR, "nothing")
