"""Operators ask and decide in the administration: two people, rights, reasons, double clicks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from django.urls import reverse

from ledger import book
from ledger.models import Account, Entry, Proposal
from ledger.money import parse
from tests.ledger.support import fund, picture, play_game

pytestmark = pytest.mark.django_db(transaction=True)

OLENA = 100_001
MOVES = ("deposit", "withdraw", "adjust", "repay")


@pytest.fixture(autouse=True)
def player(make_user: Any) -> Any:
    fund(OLENA, "100.00 UAH", key="paid in")
    return make_user("olena", pk=OLENA)


@pytest.fixture
def staff(make_user: Any) -> Callable[..., Client]:
    """staff("decide", "view_proposal"): a logged-in operator with exactly these rights."""

    def log_in(*rights: str) -> Client:
        user = make_user("-".join(["op", *rights]), is_staff=True)
        user.user_permissions.set(Permission.objects.filter(content_type__app_label="ledger", codename__in=rights))
        client = Client()
        client.force_login(user)
        return client

    return log_in


def send(client: Client, url: str, **data: str) -> Any:
    """Fill in the form of a page and send it as it was shown."""
    shown = client.get(url)
    key = re.search(r'name="key" value="([0-9a-f-]+)"', shown.content.decode())
    assert key, shown.status_code
    return client.post(url, {"key": key[1], "reason": "order 7", **data})


def move(client: Client, name: str, amount: str, **more: str) -> Any:
    data = {"owner": str(OLENA), "currency": "UAH", "amount": amount, "confirmed": "yes"} | more
    return send(client, reverse(f"admin:ledger_account_{name}"), **data)


def decide(client: Client, act: str) -> Any:
    return send(client, reverse("admin:ledger_proposal_decide", args=[Proposal.objects.latest("id").pk]), act=act)


def test_one_asks_for_a_withdrawal_and_another_approves(staff: Any) -> None:
    clerk, chief = staff("withdraw", "decide", "view_proposal"), staff("decide", "view_proposal", "view_entry")
    assert move(clerk, "withdraw", "40.00").status_code == 302
    assert book.wallet(OLENA, "UAH").held == parse("40.00 UAH")
    assert decide(clerk, "approve").status_code == 400  # the button is not offered to the one who asked
    for _ in range(2):
        assert decide(chief, "approve").status_code == 302
    assert book.wallet(OLENA, "UAH").posted == parse("60.00 UAH")
    assert Entry.objects.filter(kind="withdrawal").count() == 1
    page = reverse("admin:ledger_proposal_change", args=[Proposal.objects.get().pk])
    assert "approved" in chief.get(page).content.decode()
    assert chief.get(reverse("admin:ledger_proposal_changelist"), {"q": "olena"}).status_code == 200


def test_the_one_who_asked_takes_it_back(staff: Any) -> None:
    clerk = staff("withdraw", "view_proposal")
    move(clerk, "withdraw", "40.00")
    assert decide(clerk, "cancel").status_code == 302
    assert book.wallet(OLENA, "UAH").available == parse("100.00 UAH")


@pytest.mark.parametrize(("direction", "after"), [("give", "105.00"), ("take", "95.00")])
def test_an_adjustment(staff: Any, direction: str, after: str) -> None:
    assert move(staff("adjust"), "adjust", "5.00", direction=direction).status_code == 302
    decide(staff("decide", "view_proposal"), "approve")
    assert book.wallet(OLENA, "UAH").posted == parse(f"{after} UAH")


def test_a_reversal_and_the_debt_paid_back(staff: Any) -> None:
    clerk, chief = staff("adjust", "deposit", "view_entry", "view_account"), staff("decide", "view_proposal")
    move(clerk, "adjust", "60.00", direction="take")
    decide(chief, "approve")
    entry = Entry.objects.get(key="paid in")
    assert (
        reverse("admin:ledger_entry_reverse", args=[entry.pk])
        in clerk.get(reverse("admin:ledger_entry_change", args=[entry.pk])).content.decode()
    )
    assert send(clerk, reverse("admin:ledger_entry_reverse", args=[entry.pk]), act="reverse").status_code == 302
    assert decide(chief, "approve").status_code == 302
    assert book.wallet(OLENA, "UAH").owed == parse("60.00 UAH")
    assert move(clerk, "repay", "60.01", source="cash").status_code == 409
    assert move(clerk, "repay", "60.00", source="cash").status_code == 302
    assert book.wallet(OLENA, "UAH").owed is None
    again = send(clerk, reverse("admin:ledger_entry_reverse", args=[entry.pk]), act="reverse")
    assert (again.status_code, "cannot be reversed" in again.content.decode()) == (409, True)


def test_a_debt_of_play_chips_is_paid_back_from_the_wallet(staff: Any) -> None:
    """Else whoever owes some could never play for chips again."""
    fund(OLENA, "50 XPC", key="chips")
    fund(7, "50 XPC")
    play_game(1, 7, OLENA, "50 XPC", "50 XPC")
    clerk, chief = staff("adjust", "deposit", "view_entry", "view_account"), staff("decide", "view_proposal")
    entry = Entry.objects.get(key="chips")
    assert send(clerk, reverse("admin:ledger_entry_reverse", args=[entry.pk]), act="reverse").status_code == 302
    assert decide(chief, "approve").status_code == 302
    assert book.wallet(OLENA, "XPC").owed == parse("50 XPC")
    with transaction.atomic():
        book.top_up_play_chips(OLENA)
    account = Account.objects.get(owner_id=OLENA, kind="wallet", currency="XPC")
    page = clerk.get(reverse("admin:ledger_account_change", args=[account.pk])).content.decode()
    offered = [name for name in MOVES if reverse(f"admin:ledger_account_{name}") + "?" in page]
    assert offered == ["repay"]
    assert move(clerk, "repay", "50", currency="XPC", source="cash").status_code == 409
    assert move(clerk, "repay", "50", currency="XPC", source="wallet").status_code == 302
    wallet = book.wallet(OLENA, "XPC")
    assert (wallet.owed, str(wallet.available.amount)) == (None, "950")


def test_freezing_and_unfreezing(staff: Any) -> None:
    clerk = staff("freeze", "view_account")
    account = Account.objects.get(owner_id=OLENA)
    url = reverse("admin:ledger_account_freeze", args=[account.pk])
    assert send(clerk, url, act="freeze", reason="").status_code == 400
    for act, status in (("freeze", "frozen"), ("unfreeze", "active")):
        assert send(clerk, url, act=act).status_code == 302
        account.refresh_from_db()
        assert account.status == status
    page = clerk.get(reverse("admin:ledger_account_change", args=[account.pk])).content.decode()
    assert page.count("order 7") == 2


def test_without_the_right_nothing_can_be_done(staff: Any, stranger: Any) -> None:
    move(staff("withdraw"), "withdraw", "40.00")
    proposal, account, before = Proposal.objects.get(), Account.objects.get(owner_id=OLENA), picture()
    urls = [reverse(f"admin:ledger_account_{name}") for name in MOVES]
    urls += [
        reverse("admin:ledger_proposal_decide", args=[proposal.pk]),
        reverse("admin:ledger_account_freeze", args=[account.pk]),
        reverse("admin:ledger_entry_reverse", args=[Entry.objects.latest("id").pk]),
    ]
    looker, outsider = staff("view_account", "view_entry", "view_proposal"), Client()
    outsider.force_login(stranger)
    for url in urls:
        assert looker.get(url).status_code == looker.post(url, {"reason": "x"}).status_code == 403, url
        assert outsider.post(url, {"reason": "x"}).status_code == 302, url
    assert picture() == before


# --- The house's own money --------------------------------------------------------------------------------------------


def house(client: Client, name: str, amount: str, **more: str) -> Any:
    data = {"currency": "UAH", "amount": amount, "confirmed": "yes"} | more
    return send(client, reverse(f"admin:ledger_account_{name}"), **data)


def test_capital_goes_in_by_one_and_out_by_two(staff: Any) -> None:
    clerk = staff("capital", "decide", "view_proposal", "view_entry")
    chief = staff("decide", "view_proposal", "view_entry")
    assert house(clerk, "capital_in", "50,00").status_code == 302
    assert Entry.objects.get(kind="capital_in").reason == "order 7"
    refused = house(clerk, "capital_out", "50.01")
    assert refused.status_code == 409 and "Only 50.00 UAH is the house&#x27;s own" in refused.content.decode()
    assert house(clerk, "capital_out", "20.00").status_code == 302
    assert decide(clerk, "approve").status_code == 400
    assert decide(chief, "approve").status_code == 302
    assert book.cover("UAH").own == parse("30.00 UAH")
    page = chief.get(reverse("admin:ledger_proposal_change", args=[Proposal.objects.get().pk])).content.decode()
    assert "apital taken out" in page


def test_the_promotion_fund_is_filled_and_emptied_with_a_page_to_confirm(staff: Any) -> None:
    clerk = staff("capital", "promote", "view_entry", "view_account")
    house(clerk, "capital_in", "50.00")
    asked = send(clerk, reverse("admin:ledger_account_promote"), currency="UAH", amount="40.00", direction="give")
    for said in ("Promotion fund: what of it is not promised", "into the promotion fund", "<dd>40.00 UAH</dd>"):
        assert said in asked.content.decode(), said
    assert not Entry.objects.filter(kind="promotion_funding").exists()
    assert house(clerk, "promote", "40.00", direction="give").status_code == 302
    assert book.promotion_fund("UAH") == parse("40.00 UAH")
    assert house(clerk, "promote", "20.01", direction="give").status_code == 409
    assert house(clerk, "promote", "15.00", direction="take").status_code == 302
    assert house(clerk, "promote", "25.01", direction="take").status_code == 409
    assert house(clerk, "promote", "500", direction="give", currency="XPC").status_code == 302
    assert (book.promotion_fund("UAH"), book.promotion_fund("XPC")) == (parse("25.00 UAH"), parse("500 XPC"))


def test_who_may_touch_the_houses_money(staff: Any) -> None:
    moves = ("capital_in", "capital_out", "promote")
    addresses = {name: reverse(f"admin:ledger_account_{name}") for name in moves}
    for right, may in (("capital", moves[:2]), ("promote", moves[2:]), ("adjust", ())):
        client = staff(right, "view_account")
        assert [name for name in moves if client.get(addresses[name]).status_code == 200] == list(may)
        cash, wallet = Account.objects.get(kind="cash", currency="UAH"), Account.objects.get(owner_id=OLENA)
        shown = client.get(reverse("admin:ledger_account_change", args=[cash.pk])).content.decode()
        assert [name for name in moves if addresses[name] in shown] == list(may)
        shown = client.get(reverse("admin:ledger_account_change", args=[wallet.pk])).content.decode()
        assert not [name for name in moves if addresses[name] in shown]
