"""The JSON API: the pages' actions with precise errors; nothing of other people's is even hinted at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from games import api_base, api_urls, interrupt, queries, settle
from games.models import Game, Table
from games.play import act
from tests.games.helpers import fund, joined, play_on, started, state_of, to_act

pytestmark = pytest.mark.django_db
JSON = "application/json"
TERMS = {"variant": "short", "stake": {"amount": "10.00", "currency": "UAH"}, "options": {"cube_limit": 4}}


def logged_in(player: Any) -> Client:
    client = Client()
    client.force_login(player)
    return client


def post(player: Any, path: str, body: Any = None, **headers: str) -> Any:
    return logged_in(player).post(f"/api/v1/{path}", body or {}, content_type=JSON, headers=headers)


def get(player: Any, path: str) -> Any:
    return logged_in(player).get(f"/api/v1/{path}")


# --- Who may ask ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["tables/", "games/", "games/1/", "wallets/", "holds/", "live/?topic=lobby"])
def test_a_log_in_is_needed(client: Client, path: str) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_authenticated")


def test_posts_are_csrf_checked(alice: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    answer = client.post("/api/v1/tables/", TERMS, content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")


def test_strangers_get_404_as_if_nothing_were_there(alice: Any, bob: Any, stranger: Any) -> None:
    game = started(alice, bob)
    there = f"games/{game.pk}/"
    for path in (
        there,
        f"{there}fairness/",
        f"{there}export/mat/",
        f"tables/{game.table_id}/",
        f"live/?topic=game:{game.pk}",
    ):
        nowhere = path.replace(str(game.pk), "999999").replace(f"tables/{game.table_id}", "tables/999999")
        answer, nothing = get(stranger, path), get(stranger, nowhere)
        assert (answer.status_code, answer.json()) == (404, nothing.json())
    for path in (f"{there}actions/", f"tables/{game.table_id}/ready/", f"tables/{game.table_id}/presence/"):
        assert post(stranger, path, {"version": 1, "type": "roll"}).status_code == 404


def test_too_many_requests(alice: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(api_base.OpeningThrottle, "rate", "2/min")
    api_base.OpeningThrottle.cache.clear()
    answers = [post(alice, "tables/", TERMS) for _ in range(3)]
    api_base.OpeningThrottle.cache.clear()
    assert [answer.status_code for answer in answers] == [409, 409, 429]
    assert answers[-1].json()["code"] == "throttled"


# --- Tables -----------------------------------------------------------------------------------------------------------


def test_a_table_from_opening_to_the_start(alice: Any, bob: Any) -> None:
    fund(alice)
    fund(bob)
    opened = post(alice, "tables/", TERMS)
    assert opened.status_code == 201
    table = opened.json()
    assert (table["terms"]["hold"], table["you"], table["status"]) == (
        {"amount": "120.00", "currency": "UAH"}, "white", "open",
    )  # fmt: skip
    assert [row["id"] for row in get(bob, "tables/").json()] == [table["id"]]
    place = f"tables/{table['id']}"
    assert post(bob, f"{place}/join/").json()["you"] == "black"
    assert post(bob, f"{place}/seed/", {"seed": "luck"}).json()["dice"]["seeds"] == {"white": "", "black": "luck"}
    assert post(alice, f"{place}/presence/").status_code == 204
    assert post(alice, f"{place}/ready/").json()["ready"] == {"white": True, "black": False}
    begun = post(bob, f"{place}/ready/").json()
    assert begun["status"] == "playing" and get(alice, f"games/{begun['game']}/").json()["you"] == "white"
    assert [row["id"] for row in get(alice, "tables/mine/").json()] == [table["id"]]


def test_a_quote_blocks_nothing(alice: Any) -> None:
    quote = post(alice, "tables/quote/", TERMS)
    assert quote.json() == {
        "hold": {"amount": "120.00", "currency": "UAH"}, "available": {"amount": "0.00", "currency": "UAH"},
    }  # fmt: skip
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"variant": "chess"}, "variant", "invalid_choice"),
        ({"stake": {"amount": "10.00", "currency": "XAU"}}, "stake", "unknown_currency"),
        ({"stake": {"amount": "10.001", "currency": "UAH"}}, "stake", "bad_amount"),
        ({"stake": {"amount": "0.00", "currency": "UAH"}}, "stake", "bad_amount"),
        ({"stake": {"amount": 10.0, "currency": "UAH"}}, "stake", "bad_money"),
        ({"stake": "10.00 UAH"}, "stake", "bad_money"),
        ({"first_move": "winner"}, "first_move", "invalid_choice"),
        ({"series_length": 0}, "series_length", "min_value"),
    ],
)
def test_bad_fields_are_named(alice: Any, change: dict[str, Any], field: str, code: str) -> None:
    answer = post(alice, "tables/", TERMS | change)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert answer.json()["params"][field][0]["code"] == code
    assert not Table.objects.exists()


def test_bad_options_name_the_rule(alice: Any) -> None:
    answer = post(alice, "tables/", TERMS | {"options": {"cube_limit": 3}})
    assert (answer.status_code, answer.json()["code"], answer.json()["params"]["field"]) == (
        400, "option_value", "cube_limit",
    )  # fmt: skip


def test_too_little_money_says_needed_and_available(alice: Any) -> None:
    fund(alice, "119.99 UAH")
    answer = post(alice, "tables/", TERMS)
    assert (answer.status_code, answer.json()["code"]) == (409, "insufficient_funds")
    assert answer.json()["params"] == {
        "needed": {"amount": "120.00", "currency": "UAH"}, "available": {"amount": "119.99", "currency": "UAH"},
    }  # fmt: skip


def test_refusals_at_a_table(alice: Any, bob: Any, stranger: Any) -> None:
    table = joined(alice, bob)
    fund(stranger)
    for player, action, status, code in [
        (alice, "join", 409, "own_table"),
        (stranger, "join", 409, "table_taken"),
        (stranger, "leave", 404, "not_found"),
        (alice, "dance", 404, "not_found"),
    ]:
        answer = post(player, f"tables/{table.pk}/{action}/")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert post(alice, f"tables/{table.pk}/seed/", {"seed": "a\nb"}).json()["code"] == "bad_seed"
    assert post(alice, "tables/999999999999999999999/join/").status_code == 404


# --- Games ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def game(alice: Any, bob: Any) -> Game:
    game = started(alice, bob, cube_limit=4)
    play_on(game, most=1)
    return game


def roll(game: Game, player: Any, **headers: str) -> Any:
    return post(player, f"games/{game.pk}/actions/", {"version": game.version, "type": "roll"}, **headers)


def test_a_turn(game: Game) -> None:
    player = to_act(game)
    rolled = roll(game, player)
    assert rolled.status_code == 200
    state = rolled.json()
    assert (state["applied"], state["version"], len(state["dice"])) == (game.version + 1, game.version + 1, 2)
    assert [event["type"] for event in state["events"]] == ["roll"]
    play = state_of(game).turns()[0].play
    body = {"version": state["version"], "type": "play", "play": play}
    played = post(player, f"games/{game.pk}/actions/", body).json()
    assert (played["last_turn"]["play"], played["may"]["roll"]) == (play, False)


def test_a_stale_version_gets_409_and_the_present_state(game: Game) -> None:
    player = to_act(game)
    roll(game, player)
    answer = roll(game, player)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_version")
    assert answer.json()["params"] == {"given": game.version, "present": game.version + 1}
    assert answer.json()["game"]["dice"] and answer.json()["game"]["version"] == game.version + 1


def test_the_same_key_is_answered_again(game: Game) -> None:
    player = to_act(game)
    first = roll(game, player, **{"Idempotency-Key": "k"}).json()
    again = roll(game, player, **{"Idempotency-Key": "k"})
    assert again.status_code == 200
    same = ("applied", "version", "dice", "events", "points")
    assert {name: again.json()[name] for name in same} == {name: first[name] for name in same}
    other = post(
        player, f"games/{game.pk}/actions/", {"version": game.version, "type": "resign"}, **{"Idempotency-Key": "k"}
    )
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"type": "roll"}, 400, "bad_request"),
        ({"version": -1, "type": "roll"}, 400, "bad_request"),
        ({"version": 2, "type": "dance"}, 400, "bad_request"),
        ({"version": 2, "type": "play"}, 400, "bad_request"),
        ({"version": 2, "type": "roll", "play": "8/5"}, 400, "bad_request"),
        ([], 400, "bad_request"),
    ],
)
def test_malformed_requests(game: Game, body: Any, status: int, code: str) -> None:
    answer = post(to_act(game), f"games/{game.pk}/actions/", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_what_is_no_json(game: Game) -> None:
    answer = logged_in(to_act(game)).post(f"/api/v1/games/{game.pk}/actions/", "{", content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")


def test_rules_are_named(game: Game) -> None:
    player = to_act(game)
    waiting = game.white if player == game.black else game.black
    answer = roll(game, waiting)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_your_turn")
    version = roll(game, player).json()["version"]
    path = f"games/{game.pk}/actions/"
    illegal = post(player, path, {"version": version, "type": "play", "play": "24/24"})
    assert (illegal.status_code, illegal.json()["code"]) == (400, "wrong_direction")
    late = post(player, path, {"version": version, "type": "double"})
    assert (late.status_code, late.json()["code"]) == (409, "cube_dice_rolled")


def test_messages_are_in_the_readers_language(game: Game) -> None:
    waiting = game.white if to_act(game) == game.black else game.black
    english = roll(game, waiting).json()["message"]
    assert english == "It is not your turn to act."


def test_lists_proofs_and_files_of_a_finished_game(game: Game, alice: Any) -> None:
    act(alice, game.pk, game.version, "resign")
    settle.claim_and_settle()
    (row,) = get(alice, "games/").json()
    assert (row["id"], row["settlement"]["status"], row["result"]["kind"]) == (game.pk, "settled", "koks")
    assert get(alice, f"games/?before={game.pk}").json() == []
    proof = get(alice, f"games/{game.pk}/fairness/").json()
    assert proof["server_seed"] and all(one["computed"] == one["event"] for one in proof["rolls"])
    mat = get(alice, f"games/{game.pk}/export/mat/")
    assert (
        mat["Content-Disposition"] == f'attachment; filename="nardy-{game.pk}.mat"' and b"Wins 3 points" in mat.content
    )
    assert b"resigns" in get(alice, f"games/{game.pk}/export/record/").content
    assert get(alice, f"games/{game.pk}/export/exe/").status_code == 404
    assert get(alice, "games/?before=x").json()["code"] == "parse_error"


def test_a_void_game_is_a_file_for_the_api_as_for_the_page(game: Game, alice: Any, operator: Any, client: Any) -> None:
    play_on(game, most=2)
    assert interrupt.void_game(operator, game.pk, "power cut")
    client.force_login(alice)
    by_api = get(alice, f"games/{game.pk}/export/record/")
    by_page = client.get(f"/games/{game.pk}/record.txt")
    assert by_api.content == by_page.content and by_api.content.startswith(b"nardy game record 1")
    assert by_api["Content-Disposition"] == by_page["Content-Disposition"]
    refused = get(alice, f"games/{game.pk}/export/mat/")
    assert (refused.status_code, refused.json()["code"]) == (409, "cannot_write_mat")
    assert client.get(f"/games/{game.pk}/record.mat").status_code == 404


def test_a_running_game_is_no_file_yet_and_keeps_its_seed(game: Game, alice: Any) -> None:
    assert get(alice, f"games/{game.pk}/export/mat/").status_code == 404
    proof = get(alice, f"games/{game.pk}/fairness/").json()
    assert proof["server_seed"] is None and all("computed" not in one for one in proof["rolls"])


def test_only_news_since_a_version(game: Game, alice: Any) -> None:
    everything = get(alice, f"games/{game.pk}/").json()["events"]
    news = get(alice, f"games/{game.pk}/?since={game.version - 1}").json()["events"]
    assert news == everything[-1:]


# --- Money and live ---------------------------------------------------------------------------------------------------


def test_wallets_holds_and_statement(game: Game, alice: Any, bob: Any) -> None:
    (wallet,) = get(alice, "wallets/").json()
    assert wallet["held"] == {"amount": "120.00", "currency": "UAH"}
    (hold,) = get(alice, "holds/").json()
    assert (hold["reference"], hold["state"]) == (f"game:{game.pk}", "open")
    act(alice, game.pk, game.version, "resign")
    settle.claim_and_settle()
    assert get(alice, "holds/").json() == []
    assert get(alice, "holds/?all=1").json()[0]["captured"] == {"amount": "30.00", "currency": "UAH"}
    rows = get(alice, "wallets/UAH/statement/").json()["rows"]
    assert [row["kind"] for row in rows] == ["deposit", "settlement"]
    assert rows[-1]["amount"] == {"amount": "-30.00", "currency": "UAH"}
    assert get(alice, "wallets/XAU/statement/").status_code == 404
    assert get(bob, "holds/?all=1").json()[0]["state"] == "released"


def test_a_pass_for_the_stream(game: Game, alice: Any) -> None:
    answer = get(alice, f"live/?topic=game:{game.pk}&topic=lobby").json()
    assert answer["versions"][f"game:{game.pk}"] == game.version and "lobby" in answer["versions"]
    assert answer["token"]


def test_the_schema_is_sound_and_leaves_no_name_to_chance(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"))


def test_the_schema_describes_every_address(client: Client) -> None:
    schema = client.get("/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi+json"}).json()
    described = {path.removeprefix("/api/v1/") for path in schema["paths"]}
    ours = {
        str(one.pattern).replace("<int:", "{").replace("<str:", "{").replace(">", "}") for one in api_urls.urlpatterns
    }
    assert ours <= described


def test_page_and_api_show_the_same_game(game: Game, alice: Any) -> None:
    shown = get(alice, f"games/{game.pk}/").json()
    expected = queries.game_json(queries.game_for(alice, game.pk), alice)
    assert {**shown, "clock": None} == {**expected, "clock": None}
