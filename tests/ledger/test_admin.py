"""The operator's pages: who may see and do what, that money moves once and with a reason, and how one finds things."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from ledger import book, references
from ledger.models import Account, Entry, Hold, RakeRule, Seal
from ledger.money import parse
from tests.ledger.support import fund, hold, picture, play_game, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

OLENA = 100_001  # far above the ids that the tests' other users get
DEPOSIT, WITHDRAW = "admin:ledger_account_deposit", "admin:ledger_account_withdraw"


@pytest.fixture
def staff(make_user: Any) -> Any:
    """Staff who may look at the ledger, and no more."""
    user = make_user("clerk", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="ledger", codename__startswith="view_"))
    return user


def client_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def pages() -> list[str]:
    entry, held = Entry.objects.latest("id"), Hold.objects.latest("id")
    rows = [
        (Account, Account.objects.get(owner_id=OLENA)),
        (Entry, entry),
        (Hold, held),
        (Seal, Seal.objects.latest("number")),
    ]
    names = [reverse(f"admin:ledger_{model._meta.model_name}_changelist") for model, _ in rows]
    return names + [reverse(f"admin:ledger_{model._meta.model_name}_change", args=[row.pk]) for model, row in rows]


@pytest.fixture(autouse=True)
def player(make_user: Any) -> Any:
    """The owner whose wallet these tests look at."""
    return make_user("olena", pk=OLENA, display_name="Олена")


@pytest.fixture
def scene() -> None:
    fund(OLENA, "100.00 UAH")
    fund(2, "100.00 UAH")
    play_game(1, OLENA, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    hold("open", OLENA, "10.00 UAH", "match:2")
    seal_everything()


def test_staff_can_look(scene: None, staff: Any) -> None:
    client = client_of(staff)
    for page in pages():
        assert client.get(page).status_code == 200, page


def test_strangers_see_nothing(scene: None, stranger: Any, make_user: Any) -> None:
    for client in (Client(), client_of(stranger)):
        for page in [*pages(), reverse(DEPOSIT), reverse(WITHDRAW)]:
            assert client.get(page).status_code == 302, page
    colleague = client_of(make_user("colleague", is_staff=True))  # staff without any right on the ledger
    for page in [*pages(), reverse(DEPOSIT), reverse(WITHDRAW)]:
        assert colleague.get(page).status_code == 403, page


def test_nothing_can_be_edited(scene: None, operator: Any) -> None:
    """Not even by a superuser: there are no forms to send to."""
    client, before = client_of(operator), picture()
    for page in pages()[4:]:
        for act in ("change", "delete"):
            assert client.post(page.replace("change/", f"{act}/"), {"amount": "1", "post": "yes"}).status_code == 403
    for model in ("account", "entry", "hold", "seal"):
        assert client.get(reverse(f"admin:ledger_{model}_add")).status_code == 403
    assert picture() == before


def move(client: Client, url: str, confirm: bool = True, **changes: str) -> Any:
    """Fill in the form, go to the page to confirm, and confirm."""
    form = client.get(reverse(url)).content.decode()
    key = re.search(r'name="key" value="([0-9a-f-]+)"', form)
    assert key
    data = {"owner": str(OLENA), "currency": "UAH", "amount": "25,50", "reason": "order 7", "key": key[1]} | changes
    answer = client.post(reverse(url), data)
    return client.post(reverse(url), data | {"confirmed": "yes"}) if confirm and answer.status_code == 200 else answer


def test_a_deposit_is_confirmed_and_recorded_with_its_reason(operator: Any) -> None:
    client = client_of(operator)
    asked = move(client, DEPOSIT, confirm=False)
    assert "25.50 UAH" in asked.content.decode()
    assert not Entry.objects.exists()
    done = move(client, DEPOSIT)
    (entry,) = Entry.objects.all()
    assert done.headers["Location"] == reverse("admin:ledger_entry_change", args=[entry.pk])
    assert (entry.kind, entry.actor_id, entry.reason) == ("deposit", operator.pk, "order 7")
    assert book.wallet(OLENA, "UAH").posted == parse("25.50 UAH")


def test_a_double_click_acts_once(operator: Any) -> None:
    client = client_of(operator)
    data = {
        "owner": str(OLENA),
        "currency": "UAH",
        "amount": "5",
        "reason": "x",
        "key": "00000000-0000-4000-8000-000000000001",
    }
    for _ in range(2):
        assert client.post(reverse(DEPOSIT), data | {"confirmed": "yes"}).status_code == 302
    assert book.wallet(OLENA, "UAH").posted == parse("5.00 UAH")
    answer = client.post(reverse(DEPOSIT), data | {"confirmed": "yes", "amount": "6"})
    assert (answer.status_code, Entry.objects.count()) == (409, 1)


def test_a_withdrawal_takes_only_what_is_available(scene: None, operator: Any) -> None:
    client = client_of(operator)
    assert "not so much" in move(client, WITHDRAW, confirm=False, amount="109.01").content.decode()
    refused = move(client, WITHDRAW, amount="109.01")
    assert refused.status_code == 409
    assert "109.01 UAH needed, 109.00 UAH available" in refused.content.decode()
    assert move(client, WITHDRAW, amount="109.00").status_code == 302
    assert book.wallet(OLENA, "UAH").available == parse("1.00 UAH") * 0


@pytest.mark.parametrize(
    "changes",
    [
        {"owner": "nobody"},
        {"owner": "404"},
        {"owner": ""},
        {"currency": "XPC"},
        {"amount": "0"},
        {"amount": "1.001"},
        {"amount": "-5"},
        {"amount": "1,000.00"},
        {"reason": " "},
        {"key": "guess"},
    ],
)
def test_bad_input_is_answered_in_the_form_and_changes_nothing(operator: Any, changes: dict[str, str]) -> None:
    before = picture()
    answer = move(client_of(operator), DEPOSIT, **changes)
    assert answer.status_code == 400
    assert "errors" in answer.content.decode()
    assert picture() == before


def test_the_right_to_look_is_not_the_right_to_move_money(scene: None, staff: Any) -> None:
    client, before = client_of(staff), picture()
    data = {"owner": str(OLENA), "currency": "UAH", "amount": "5", "reason": "x", "confirmed": "yes"}
    for url in (DEPOSIT, WITHDRAW):
        assert client.get(reverse(url)).status_code == 403
        assert client.post(reverse(url), data).status_code == 403
    assert picture() == before
    staff.user_permissions.add(Permission.objects.get(codename="deposit"))
    client = client_of(staff)
    assert client.get(reverse(DEPOSIT)).status_code == 200
    assert client.get(reverse(WITHDRAW)).status_code == 403


def test_money_does_not_move_without_the_csrf_token(operator: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(operator)
    data = {"owner": str(OLENA), "currency": "UAH", "amount": "5", "reason": "x", "confirmed": "yes"}
    assert client.post(reverse(DEPOSIT), data).status_code == 403
    assert not Entry.objects.exists()


def test_owners_are_shown_and_found_by_name(scene: None, operator: Any) -> None:
    client = client_of(operator)
    assert f"Олена · olena ({OLENA})" in client.get(reverse("admin:ledger_account_changelist")).content.decode()
    for term in ("olena", "Олена", str(OLENA)):
        page = client.get(reverse("admin:ledger_hold_changelist"), {"q": term})
        assert {row.account.owner_id for row in page.context["cl"].result_list} == {OLENA}
    assert move(client, DEPOSIT, owner="olena").status_code == 302
    assert book.wallet(OLENA, "UAH").posted == parse("144.50 UAH")


def test_one_finds_by_reference_key_id_and_owner(scene: None, operator: Any) -> None:
    client = client_of(operator)

    def count(model: str, term: str) -> int:
        page = client.get(reverse(f"admin:ledger_{model}_changelist"), {"q": term})
        return len(page.context["cl"].result_list)

    assert count("entry", "match:1") == 1
    assert count("entry", "match:1:settle") == 1
    assert count("entry", "match") == 0
    assert count("entry", "2") >= 2  # deposit and game of player 2, and perhaps entry 2
    assert count("hold", "match:1") == 2
    assert count("hold", "open") == 1
    assert count("account", "nobody") == 0


def test_game_hold_and_entry_lead_to_each_other(scene: None, operator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(references._links, "match", lambda rest: f"/admin/matches/{rest}/")
    client = client_of(operator)
    entry = Entry.objects.get(kind="settlement")
    taken = Hold.objects.get(entry=entry, resolution="captured")
    entry_page = client.get(reverse("admin:ledger_entry_change", args=[entry.pk])).content.decode()
    assert reverse("admin:ledger_hold_change", args=[taken.pk]) in entry_page
    assert "/admin/matches/1/" in entry_page
    hold_page = client.get(reverse("admin:ledger_hold_change", args=[taken.pk])).content.decode()
    assert reverse("admin:ledger_entry_change", args=[entry.pk]) in hold_page
    assert "/admin/matches/1/" in hold_page


def test_a_rake_rule_is_added_never_changed(operator: Any) -> None:
    client = client_of(operator)
    data = {"currency": "UAH", "percent": "5", "cap": "20.00", "reason": "tariff of November"}
    assert client.post(reverse("admin:ledger_rakerule_add"), data).status_code == 302
    rule = book.current_rake("UAH")
    assert (rule.percent, rule.cap) == (5, parse("20.00 UAH"))
    assert RakeRule.objects.get().actor_id == operator.pk
    page = reverse("admin:ledger_rakerule_change", args=[RakeRule.objects.get().pk])
    assert client.get(page).status_code == 200
    assert client.post(page, data | {"percent": "50"}).status_code == 403
    assert client.post(reverse("admin:ledger_rakerule_add"), data | {"cap": "1.001"}).status_code == 200
    assert RakeRule.objects.count() == 1


def test_the_log_names_the_rule_that_was_made(operator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when a colleague makes another one in the same instant."""
    mine: list[int] = []
    make = book.set_rake

    def both(*given: Any) -> int:
        mine.append(make(*given))
        make("JPY", Decimal(1), None, None, "a colleague's")
        return mine[0]

    monkeypatch.setattr(book, "set_rake", both)
    data = {"currency": "UAH", "percent": "5", "cap": "", "reason": "tariff"}
    assert client_of(operator).post(reverse("admin:ledger_rakerule_add"), data).status_code == 302
    assert LogEntry.objects.get().object_id == str(mine[0])
    assert RakeRule.objects.get(pk=mine[0]).currency == "UAH"
