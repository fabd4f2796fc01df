"""The operator's view: games lead to holds and entries, settlement can be retried and paused, seeds are nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse

from games import dice, settle
from games.models import DiceSeeds, Game, SettlementPause, Table
from games.play import act
from ledger import book
from tests.games.helpers import started

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Any, bob: Any) -> Game:
    game = started(alice, bob)
    act(alice, game.pk, game.version, "resign")
    return game


def page(client: Any, person: Any, name: str, *args: Any) -> str:
    client.force_login(person)
    answer = client.get(reverse(f"admin:{name}", args=args))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_a_game_leads_to_its_holds_and_entry(client: Any, operator: Any, game: Game) -> None:
    settle.claim_and_settle()
    game.refresh_from_db()
    shown = page(client, operator, "games_game_change", game.pk)
    assert f"entry {game.entry_id}" in shown and "captured 30.00 UAH" in shown
    assert "resign white" in shown and game.seeds is not None and game.seeds.commitment in shown


def test_entry_and_hold_lead_back_to_the_game(client: Any, operator: Any, game: Game) -> None:
    settle.claim_and_settle()
    game.refresh_from_db()
    here = reverse("admin:games_game_change", args=[game.pk])
    hold = book.holds_for(f"game:{game.pk}")[0]
    assert f'href="{here}"' in page(client, operator, "ledger_entry_change", game.entry_id)
    assert f'href="{here}"' in page(client, operator, "ledger_hold_change", hold.id)


def test_no_seed_is_shown_anywhere(client: Any, operator: Any, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    shown = page(client, operator, "games_game_change", game.pk) + page(
        client, operator, "games_table_change", game.table_id
    )
    assert game.seeds is not None
    assert dice.stream(game).server_seed.hex() not in shown
    assert bytes(game.seeds.server_seed).decode() not in shown
    assert not admin.site.is_registered(DiceSeeds)


def test_lists_need_few_statements(client: Any, operator: Any, game: Game, django_assert_max_num_queries: Any) -> None:
    client.force_login(operator)
    with django_assert_max_num_queries(15):
        assert client.get(reverse("admin:games_game_changelist")).status_code == 200


def test_nothing_can_be_changed(client: Any, operator: Any, game: Game) -> None:
    client.force_login(operator)
    before = Game.objects.filter(pk=game.pk).values().get()
    assert client.post(reverse("admin:games_game_change", args=[game.pk]), {"winner": "white"}).status_code == 403
    assert client.post(reverse("admin:games_game_delete", args=[game.pk])).status_code == 403
    assert client.get(reverse("admin:games_game_add")).status_code == 403
    assert Game.objects.filter(pk=game.pk).values().get() == before


def retry(client: Any, game: Game) -> Any:
    data = {"action": "retry", "_selected_action": [game.pk]}
    return client.post(reverse("admin:games_game_changelist"), data, follow=True)


def test_parked_games_are_retried_by_those_who_may(client: Any, operator: Any, make_user: Any, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(settlement="parked", settlement_note="test")
    viewer = make_user("viewer", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_game"))
    client.force_login(viewer)
    retry(client, game)
    assert Game.objects.get(pk=game.pk).settlement == "parked"
    client.force_login(operator)
    assert "1 game will be settled again." in retry(client, game).content.decode()
    assert Game.objects.get(pk=game.pk).settlement == "pending"


def test_a_running_game_is_declared_void_with_a_reason(client: Any, operator: Any, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    client.force_login(operator)
    data = {"action": "void", "_selected_action": [game.pk], "reason": ""}
    client.post(reverse("admin:games_game_changelist"), data)
    game.refresh_from_db()
    assert game.status == "playing"
    answer = client.post(reverse("admin:games_game_changelist"), data | {"reason": "power cut"}, follow=True)
    assert "1 game was declared void." in answer.content.decode()
    game.refresh_from_db()
    assert (game.status, game.reason, game.settlement) == ("void", "operator", "pending")
    assert "declared void: power cut" in LogEntry.objects.get().change_message
    settle.claim_and_settle()
    assert not book.holds(alice.pk) and not book.holds(bob.pk)
    assert Table.objects.get(pk=game.table_id).status == "between"


def test_settlement_is_paused_with_a_reason(client: Any, operator: Any, game: Game) -> None:
    assert "settlement runs" in page(client, operator, "games_settlementpause_changelist")
    address = reverse("admin:games_settlementpause_change", args=[1])
    assert client.post(address, {"paused": "on", "reason": ""}).status_code == 200
    assert not settle.is_paused()
    assert client.post(address, {"paused": "on", "reason": "audit"}).status_code == 302
    assert settle.is_paused() and SettlementPause.objects.get().by == operator
    assert client.post(address, {"reason": "audit done"}).status_code == 302
    assert not settle.is_paused()


def test_players_have_no_admin(client: Any, alice: Any, game: Game) -> None:
    client.force_login(alice)
    assert client.get(reverse("admin:games_game_change", args=[game.pk])).status_code in (302, 403)


def test_games_and_tables_are_told_in_the_operators_language(client: Any, operator: Any, game: Game) -> None:
    client.cookies["django_language"] = "uk"
    for model in ("game", "table"):
        shown = page(client, operator, f"games_{model}_changelist")
        assert "Короткі нарди" in shown
        assert "Finished" not in shown and "Closed" not in shown
