"""Lists of games, tables, players, findings and tournaments: bounded like the ledger's, and searched by index."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.admin import GameAdmin
from games.models import Game, Table
from ledger import book
from players.models import Player
from tests.games.helpers import fund, joined, started
from tests.games.test_killed_worker import copies, many_finished_games
from tournaments.models import Entrant, LogEntry, Tournament
from watch import findings
from watch.models import Finding

pytestmark = pytest.mark.django_db

READ = re.compile(r"[\s(]*(SELECT|WITH)")
QUESTIONS = {
    "games_game": ["", "?status=playing", "?settlement=parked", "?variant=short", "?kind=draw", "?q=alice", "?q=1"],
    "games_table": ["", "?status=open", "?stake_currency=UAH", "?source=live", "?q=alice"],
    "players_player": ["", "?is_staff=1", "?is_active=0", "?groups=1", "?q=ali"],
    "watch_finding": ["", "?state=open", "?check_name=test", "?q=game:1"],
    "watch_verification": ["", "?full=1"],
    "tournaments_tournament": ["", "?status__exact=draft", "?q=cup"],
}


def rows(client: Any, model: str, **query: Any) -> list[Any]:
    answer = client.get(reverse(f"admin:{model}_changelist"), query)
    assert answer.status_code == 200
    return list(answer.context["cl"].result_list)


def grow(make_user: Any, alice: Any, bob: Any, first: int) -> None:
    many_finished_games(alice, bob, 5)
    for number in range(first, first + 5):
        joined(make_user(f"white{number}"), make_user(f"black{number}"))
        now = Table.objects.latest("pk").created_at
        Finding.objects.create(check_name="test", subject=f"game:{number}", message="", first_seen=now, last_seen=now)


@pytest.mark.parametrize("model", QUESTIONS)
def test_statements_do_not_grow_with_rows(
    model: str, client: Any, operator: Any, make_user: Any, alice: Any, bob: Any
) -> None:
    client.force_login(operator)
    client.get(reverse(f"admin:{model}_changelist"))
    counts: dict[str, list[int]] = {question: [] for question in QUESTIONS[model]}
    for first in (0, 10):
        grow(make_user, alice, bob, first)
        for question, seen in counts.items():
            with CaptureQueriesContext(connection) as captured:
                assert client.get(reverse(f"admin:{model}_changelist") + question).status_code == 200
            statements = [found["sql"] for found in captured.captured_queries if READ.match(found["sql"])]
            seen.append(len(statements))
            assert not [sql for sql in statements if "DISTINCT" in sql]
    for question, (few, many) in counts.items():
        assert few == many <= 11, question


def test_games_and_tables_are_found_by_their_players(client: Any, operator: Any, make_user: Any) -> None:
    client.force_login(operator)
    first = started(make_user("olena"), make_user("taras", display_name="Тарас"))
    second = started(make_user("ihor"), make_user("olha"))
    for term in ("olena", "taras", "Тарас"):
        assert [game.pk for game in rows(client, "games_game", q=term)] == [first.pk], term
        assert [table.pk for table in rows(client, "games_table", q=term)] == [first.table_id], term
    assert second.pk in {game.pk for game in rows(client, "games_game", q=str(second.pk))}
    assert not rows(client, "games_game", q="nobody")


def test_filters_of_games(client: Any, operator: Any, alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    client.force_login(operator)
    games = many_finished_games(alice, bob, 3)
    Game.objects.filter(pk=games[0]).update(settlement="parked")
    monkeypatch.setattr(GameAdmin, "window", 1)
    # An index finds parked games whatever their age; results are looked for among the newest.
    assert [game.pk for game in rows(client, "games_game", settlement="parked")] == [games[0]]
    assert len(rows(client, "games_game", settlement="pending")) == 2
    assert len(rows(client, "games_game", status="finished")) == 1
    monkeypatch.setattr(GameAdmin, "window", 20)
    assert len(rows(client, "games_game", status="finished")) == 3


def test_people_are_found_by_how_their_names_begin(client: Any, operator: Any, make_user: Any) -> None:
    client.force_login(operator)
    olena = make_user("olena", display_name="Олена Коваль")
    bot = Player.objects.create(username="bot:1", namespace="bot", display_name="Bot 1")
    for term in ("olena", "OLE", "Олена К", str(olena.pk)):
        assert olena.pk in {player.pk for player in rows(client, "players_player", q=term)}, term
    assert [player.pk for player in rows(client, "players_player", q="bot:")] == [bot.pk]
    assert not rows(client, "players_player", q="%")
    assert [player.pk for player in rows(client, "players_player", is_staff="1")] == [operator.pk]
    olena.is_active = False
    olena.save()
    assert [player.pk for player in rows(client, "players_player", is_active="0")] == [olena.pk]


@pytest.mark.parametrize(
    "question",
    [
        ("players_player", "password__startswith", "pbkdf2"),
        ("players_player", "email__contains", "@"),
        ("games_game", "settlement_note__contains", "a"),
        ("ledger_entry", "reason__regex", "(a+)+$"),
        ("ledger_account", "owner_id__gt", "1"),
        ("watch_finding", "message__contains", "a"),
    ],
)
def test_an_address_asks_for_nothing_that_no_filter_offers(
    question: tuple[str, str, str], client: Any, operator: Any
) -> None:
    """Or a password's digest could be read letter by letter, and a whole table be looked through."""
    client.force_login(operator)
    model, lookup, value = question
    assert client.get(reverse(f"admin:{model}_changelist"), {lookup: value}).status_code == 400


def test_findings_that_are_open_come_first(client: Any, operator: Any) -> None:
    client.force_login(operator)
    now = timezone.now()
    seen = {"check_name": "test", "message": "", "first_seen": now, "last_seen": now}
    made = [Finding.objects.create(subject=f"game:{n}", **seen).pk for n in range(4)]
    for pk in made[1::2]:
        findings.resolve(pk, operator, "mended")
    assert [row.pk for row in rows(client, "watch_finding")] == [made[2], made[0], made[3], made[1]]


def test_a_long_series_shows_its_newest_games(client: Any, operator: Any, alice: Any, bob: Any) -> None:
    client.force_login(operator)
    (pk,) = many_finished_games(alice, bob, 1)
    game = Game.objects.get(pk=pk)
    more = copies(game, 101, seeds=None)
    for number, copy in enumerate(more, start=2):
        copy.number = number
    made = Game.objects.bulk_create(more)
    table = game.table
    shown = client.get(reverse("admin:games_table_change", args=[table.pk])).content.decode()
    listed = [game for game in [pk, *(copy.pk for copy in made)] if f'/admin/games/game/{game}/change/"' in shown]
    assert listed == [copy.pk for copy in made][-100:]


def test_a_game_its_holds_and_its_entry_stay_connected(client: Any, operator: Any, alice: Any, bob: Any) -> None:
    client.force_login(operator)
    fund(alice)
    game = started(alice, bob)
    reference = f"game:{game.pk}"
    assert len(rows(client, "ledger_hold", q=reference)) == 2 == len(book.holds_for(reference))


def test_the_page_of_a_game_asks_the_ledger_once(client: Any, operator: Any, alice: Any, bob: Any) -> None:
    client.force_login(operator)
    fund(alice)
    page = reverse("admin:games_game_change", args=[started(alice, bob).pk])
    with CaptureQueriesContext(connection) as captured:
        assert client.get(page).status_code == 200
    for table in ("ledger_entry", "ledger_hold", "games_gameevent"):
        assert sum(f"FROM {table}" in one["sql"].replace('"', "") for one in captured.captured_queries) == 1, table


def test_the_page_of_a_tournament_whatever_its_field(client: Any, make_user: Any) -> None:
    client.force_login(make_user("boss", is_staff=True, is_superuser=True))
    tournament = Tournament.objects.create(title="Cup", format="swiss", variant="short", starts_at=timezone.now())
    page, counts = reverse("admin:tournaments_tournament_change", args=[tournament.pk]), []
    for first in (0, 1, 5):
        for number in range(first, 2 * first + 1):
            player = make_user(f"entrant{first}.{number}")
            Entrant.objects.create(tournament=tournament, player=player)
            LogEntry.objects.create(tournament=tournament, actor=player, action="register")
        with CaptureQueriesContext(connection) as captured:
            assert client.get(page).status_code == 200
        counts.append(sum(bool(READ.match(one["sql"])) for one in captured.captured_queries))
    assert counts[1] == counts[2]
