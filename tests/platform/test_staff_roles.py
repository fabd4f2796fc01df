"""Roles of staff: operators move money and direct, and cannot become somebody else; accountants read."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.test import Client

from players import roles
from players.models import Player

pytestmark = pytest.mark.django_db
#: Whoever changes one of these can log in as the person, or cover the traces of trying.
KEYS = ["account/emailaddress", "mfa/authenticator", "auth/group", "axes/accessattempt", "axes/accesslog",
        "axes/accessfailurelog"]  # fmt: skip


def client_of(person: Player) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def accountant(make_user: Any) -> Player:
    person = make_user("accountant")
    roles.give(person, roles.ACCOUNTANTS)
    return person


@pytest.mark.parametrize("page", KEYS)
def test_keys_to_other_accounts_are_for_superusers(
    operator: Player, accountant: Player, make_user: Any, page: str
) -> None:
    for person in (operator, accountant):
        for path in (f"/admin/{page}/", f"/admin/{page}/add/"):
            assert client_of(person).get(path).status_code == 403
        assert f"/admin/{page}/" not in client_of(person).get("/admin/").content.decode()
    root = make_user("root", is_staff=True, is_superuser=True)
    assert client_of(root).get(f"/admin/{page}/").status_code == 200


def test_no_right_given_by_hand_opens_them(operator: Player) -> None:
    from django.contrib.auth.models import Permission

    operator.user_permissions.set(Permission.objects.filter(codename__endswith="_emailaddress"))
    assert client_of(operator).get("/admin/account/emailaddress/add/").status_code == 403


def test_no_operator_takes_over_a_mailbox(operator: Player, alice: Player) -> None:
    form = {"user": alice.pk, "email": "evil@example.org", "verified": "on", "primary": "on"}
    assert client_of(operator).post("/admin/account/emailaddress/add/", form).status_code == 403
    assert not EmailAddress.objects.filter(email="evil@example.org").exists()


def test_people_are_looked_up_and_not_changed(operator: Player, alice: Player) -> None:
    client = client_of(operator)
    assert "alice" in client.get("/admin/players/player/?q=ali").content.decode()
    page = client.get(f"/admin/players/player/{alice.pk}/change/").content.decode()
    assert "/admin/ledger/account/?q=alice" in page and "/admin/games/game/?q=alice" in page
    assert "alice@example.org" not in page and alice.password not in page and 'name="_save"' not in page
    post = client.post(f"/admin/players/player/{alice.pk}/change/", {"username": "mallory", "is_superuser": "on"})
    assert post.status_code == 403
    for path in ("add/", f"{alice.pk}/delete/", f"{alice.pk}/password/"):
        assert client.get(f"/admin/players/player/{path}", follow=True).status_code in (403, 404) or path.endswith(
            "password/"
        )
    alice.refresh_from_db()
    assert (alice.username, alice.is_superuser) == ("alice", False)


OPERATED = [
    "/admin/ledger/account/deposit/",
    "/admin/tournaments/tournament/add/",
    "/admin/games/settlementpause/1/change/",
]
READ = ["/admin/ledger/account/", "/admin/ledger/entry/", "/admin/games/game/", "/admin/tournaments/tournament/",
        "/admin/players/player/"]  # fmt: skip


def test_operators_read_and_act(operator: Player) -> None:
    assert not operator.is_superuser
    client = client_of(operator)
    assert {path: client.get(path, follow=True).status_code for path in READ + OPERATED} == dict.fromkeys(
        READ + OPERATED, 200
    )


def test_accountants_only_read(accountant: Player) -> None:
    client = client_of(accountant)
    assert {path: client.get(path).status_code for path in READ} == dict.fromkeys(READ, 200)
    assert {path: client.get(path).status_code for path in OPERATED[:2]} == dict.fromkeys(OPERATED[:2], 403)


def test_the_command_gives_and_takes_roles(alice: Player) -> None:
    call_command("role", "alice", "operators")
    alice = Player.objects.get(pk=alice.pk)
    assert (alice.is_staff, alice.is_superuser, alice.has_perm("ledger.deposit")) == (True, False, True)
    assert not alice.has_perm("players.change_player") and not alice.has_perm("account.add_emailaddress")
    call_command("role", "alice", "none")
    alice = Player.objects.get(pk=alice.pk)
    assert (alice.is_staff, alice.has_perm("ledger.view_entry")) == (False, False)
    with pytest.raises(CommandError, match="Nobody logs in as “nobody”"):
        call_command("role", "nobody", "operators")


def test_every_right_named_by_a_role_exists() -> None:
    from django.contrib.auth.models import Permission

    there = set(Permission.objects.values_list("content_type__app_label", "codename"))
    assert {(app, right) for app, rights in roles._OPERATE.items() for right in rights} <= there


def test_roles_are_there_after_migrate(db: None) -> None:
    from django.contrib.auth.models import Group

    assert set(Group.objects.values_list("name", flat=True)) >= {"operators", "accountants"}
