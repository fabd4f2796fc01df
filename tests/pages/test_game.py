"""The page of a game: who may see it, what it says, and how it answers acts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import rules, settle, words
from games.models import Game
from tests.games.helpers import play_on, started, state_of, to_act

pytestmark = pytest.mark.django_db


def act(client: Client, game: Game, action: str, **more: Any) -> Any:
    game.refresh_from_db()
    body = {"version": game.version, "action": action, **more}
    return client.post(reverse("game_act", args=[game.pk]), json.dumps(body), content_type="application/json")


def on_turn(client: Client, game: Game) -> Client:
    client.force_login(to_act(game))
    return client


def test_only_the_two_players_see_a_game(client: Client, alice: Any, bob: Any, stranger: Any, operator: Any) -> None:
    game = started(alice, bob)
    names = [("game", False), ("game_state", False), ("game_dice", False), ("game_act", True)]
    for person, status in ((alice, 200), (bob, 200), (stranger, 404), (operator, 404)):
        client.force_login(person)
        for name, post in names:
            address = reverse(name, args=[game.pk])
            answer = client.post(address, "{}", content_type="application/json") if post else client.get(address)
            assert answer.status_code == (400 if post and status == 200 else status) or (post and status == 404), (
                name,
                person,
            )
    client.logout()
    assert client.get(reverse("game", args=[game.pk])).status_code == 302
    assert client.get(reverse("game_state", args=[game.pk])).status_code == 401
    assert act(client, game, "roll").status_code == 401


def test_the_board_is_in_the_first_byte_with_money_and_names(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob, stake="10.00 UAH", cube_limit=64)
    client.force_login(alice)
    page = client.get(reverse("game", args=[game.pk])).content.decode()
    assert page.count('class="pt ') == 26 and '<svg class="board"' in page
    for text in ("₴10.00", "₴20.00", "₴30.00", "₴1,920.00", "alice", "bob"):
        assert text in page, text
    assert "style=" not in page and "<script>" not in page and "onclick" not in page


@pytest.mark.parametrize("variant", list(rules.VARIANTS))
def test_every_variant_is_drawn_for_both_sides(client: Client, alice: Any, bob: Any, variant: str) -> None:
    game = started(alice, bob, variant=variant, stake="1.00 UAH")
    play_on(game, most=8)
    for person in (alice, bob):
        client.force_login(person)
        page = client.get(reverse("game", args=[game.pk])).content.decode()
        assert '<svg class="board"' in page and str(words.VARIANTS[variant][0]) in page


def test_a_turn_is_played_and_both_see_it(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    state = state_of(game)
    text = state.turns()[0].play
    answer = act(on_turn(client, game), game, "play", play=text)
    assert answer.status_code == 200 and answer.json()["game"]["version"] == game.version + 1
    assert answer.json()["game"]["may"]["play"] is False
    client.force_login(to_act(game))
    seen = client.get(reverse("game_state", args=[game.pk])).json()
    assert seen["game"]["last_turn"]["play"] == text and text in seen["parts"]["moves"]
    assert "Your turn" in seen["aloud"]["polite"]


def test_a_stale_version_gets_409_with_the_present_state(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    on_turn(client, game)
    text = state_of(game).turns()[0].play
    old = game.version
    assert act(client, game, "play", play=text).status_code == 200
    body = {"version": old, "action": "play", "play": text}
    again = client.post(reverse("game_act", args=[game.pk]), json.dumps(body), content_type="application/json")
    assert again.status_code == 409 and "moved on" in again.json()["message"]
    assert again.json()["game"]["version"] == old + 1


def test_a_repeated_key_changes_nothing(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    on_turn(client, game)
    body = {"version": game.version, "action": "play", "play": state_of(game).turns()[0].play, "key": "one-press"}
    address = reverse("game_act", args=[game.pk])
    versions = {
        client.post(address, json.dumps(body), content_type="application/json").json()["game"]["version"]
        for _ in range(2)
    }
    assert versions == {game.version + 1}


@pytest.mark.parametrize(
    ("action", "play", "words"),
    [
        ("play", "24/1", "cannot"),
        ("play", "nonsense", "is not a move"),
        ("roll", None, "waits for"),
        ("take", None, "not"),
        ("double", None, "cube"),
        ("dance", None, "is not an action"),
    ],
)
def test_what_the_rules_forbid_is_said_in_words(
    client: Client, alice: Any, bob: Any, action: str, play: str | None, words: str
) -> None:
    game = started(alice, bob)
    before = game.version
    answer = act(on_turn(client, game), game, action, **({"play": play} if play else {}))
    assert answer.status_code == 422 and answer.json()["message"] and answer.json()["code"]
    game.refresh_from_db()
    assert game.version == before


def test_acting_out_of_turn_is_refused(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    idle = bob if to_act(game) == alice else alice
    client.force_login(idle)
    answer = act(client, game, "roll")
    assert answer.status_code == 422 and answer.json()["message"] == "It is not your turn to act."


@pytest.mark.parametrize(
    "body", ["", "[]", "null", '{"action": "roll"}', '{"version": "1", "action": "roll"}', '{"version": 1, "key": 5}']
)
def test_a_torn_request_is_refused(client: Client, alice: Any, bob: Any, body: str) -> None:
    game = started(alice, bob)
    client.force_login(alice)
    answer = client.post(reverse("game_act", args=[game.pk]), body, content_type="application/json")
    assert answer.status_code == 400 and "nothing was done" in answer.json()["message"]


def doubled(client: Client, alice: Any, bob: Any, **given: Any) -> Game:
    """A game in which the one who is to roll has just offered to double; the client is the one who has to answer."""
    game = started(alice, bob, stake="10.00 UAH", cube_limit=8, **given)
    play_on(game, most=1)
    assert act(on_turn(client, game), game, "double").status_code == 200
    return game


def test_a_double_is_put_in_money(client: Client, alice: Any, bob: Any) -> None:
    game = doubled(client, alice, bob)
    panel = on_turn(client, game).get(reverse("game_state", args=[game.pk])).json()["parts"]["panel"]
    assert "the game is worth ₴20.00" in panel and "you lose ₴10.00 now" in panel
    assert 'data-act="take"' in panel and 'data-act="drop"' in panel and 'data-act="beaver"' not in panel
    assert act(client, game, "take").json()["game"]["cube"]["value"] == 2


def test_a_beaver_is_offered_where_agreed(client: Client, alice: Any, bob: Any) -> None:
    game = doubled(client, alice, bob, beaver=True)
    panel = on_turn(client, game).get(reverse("game_state", args=[game.pk])).json()["parts"]["panel"]
    assert "Beaver: the game is worth ₴40.00" in panel


def test_a_passed_double_ends_with_its_arithmetic(client: Client, alice: Any, bob: Any) -> None:
    game = doubled(client, alice, bob)
    loser = to_act(game)
    on_turn(client, game)
    panel = act(client, game, "drop").json()["parts"]["panel"]
    assert "has won" in panel and "the double was passed" in panel and "−₴10.00" in panel
    assert "being settled" in panel
    settle.claim_and_settle()
    client.force_login(loser)
    page = client.get(reverse("game", args=[game.pk])).content.decode()
    game.refresh_from_db()
    assert reverse("entry", args=[game.entry_id]) in page and "Next game" in page


def test_resigning_says_its_price_before_and_after(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob, stake="10.00 UAH")
    client.force_login(alice)
    said = client.get(reverse("game_state", args=[game.pk])).json()["resign"]
    assert said == "In this position it counts as koks: you lose ₴30.00."
    panel = act(client, game, "resign").json()["parts"]["panel"]
    assert "bob has won" in panel and "−₴30.00" in panel


def test_a_finished_game_has_its_record_and_proof(client: Client, alice: Any, bob: Any, stranger: Any) -> None:
    game = started(alice, bob)
    client.force_login(alice)
    assert client.get(reverse("game_record", args=[game.pk, "txt"])).status_code == 404
    assert "revealed when it is over" in client.get(reverse("game_dice", args=[game.pk])).content.decode()
    play_on(game)
    for form, start in (("txt", "nardy game record"), ("mat", ";")):
        answer = client.get(reverse("game_record", args=[game.pk, form]))
        assert answer.status_code == 200 and answer.content.decode().strip().startswith(start), form
        assert f'filename="nardy-{game.pk}.{form}"' in answer["Content-Disposition"]
    proof = client.get(reverse("game_dice", args=[game.pk])).content.decode()
    assert "follow from it exactly" in proof and "does not agree" not in proof
    client.force_login(stranger)
    assert client.get(reverse("game_record", args=[game.pk, "txt"])).status_code == 404


def test_long_nardy_has_no_mat(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob, variant="long")
    play_on(game)
    client.force_login(alice)
    assert client.get(reverse("game_record", args=[game.pk, "mat"])).status_code == 404
    assert ".mat" not in client.get(reverse("game", args=[game.pk])).content.decode()


def test_ukrainian_game_page(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob, stake="1000.00 UAH")
    client.force_login(alice)
    client.cookies["django_language"] = "uk"
    page = client.get(reverse("game", args=[game.pk])).content.decode()
    assert "1\u00a0000,00\u00a0₴" in page and "Ставка" in page
    texts = json.loads(page.split('id="texts" type="application/json">')[1].split("</script>")[0])
    assert set(texts["mine"]) == {"one", "few", "many", "other"} and len(set(texts["mine"].values())) == 3


def test_pages_take_few_statements(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    play_on(game, most=20)
    client.force_login(alice)
    for name, most in (("game", 7), ("game_state", 6)):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse(name, args=[game.pk])).status_code == 200
        assert len(queries) <= most, [query["sql"][:90] for query in queries]


def test_the_look_of_the_board_is_remembered_in_a_cookie(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    client.force_login(alice)
    plain = client.get(reverse("game", args=[game.pk])).content.decode()
    client.cookies["board"] = "ms"
    turned = client.get(reverse("game", args=[game.pk])).content.decode()
    assert ("xMaxYMid" in plain, "xMaxYMid" in turned) == (True, False)
