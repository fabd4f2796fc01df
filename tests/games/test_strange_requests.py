"""What a client can send that nobody means gets a precise 400, never a 500; every error of the API is JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from games import json_body
from games.models import Table
from nardy_platform import bodies
from tests.games.helpers import fund, joined, started
from tests.platform.asgi_client import ask

pytestmark = pytest.mark.django_db
QUOTE = "/api/v1/tables/quote/"
TERMS = {"variant": "short", "stake": {"amount": "10.00", "currency": "UAH"}}


@pytest.fixture
def client(alice: Any) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    return client


def send(client: Client, path: str, body: str | bytes, **headers: str) -> Any:
    return client.post(path, body, content_type="application/json", headers={"Accept-Language": "en"} | headers)


def said(answer: Any) -> tuple[int, str, str]:
    """Status, code and message: every refusal has them, and params."""
    refusal = answer.json()
    assert set(refusal) >= {"code", "message", "params"}
    return answer.status_code, refusal["code"], refusal["message"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("[" * 50_000, "nested deeper than 20 levels"),
        ("[" * 20_000 + "]" * 20_000, "nested deeper than 20 levels"),
        ('{"a":' * 3_000 + "1" + "}" * 3_000, "nested deeper than 20 levels"),
        (json.dumps({"options": json.loads("[" * 21 + "]" * 21)}), "nested deeper than 20 levels"),
        (r'{"variant": "\ud800"}', "half of a surrogate pair"),
        (r'{"\udfff": 1}', "half of a surrogate pair"),
        (r'{"variant": "short\u0000"}', "a NUL character"),
        (r'{"options": {"\u0000": 1}}', "a NUL character"),
        ('{"series_length": ' + "9" * 5_000 + "}", "a number of more than 40 digits"),
        ('{"series_length": NaN}', "NaN is no number of JSON"),
        ('{"variant": "short", "variant": "long"}', "“variant” is given twice"),
        (b'{"variant": "\xff"}', "not UTF-8"),
        ('{"a":\n }', "line 2, column 2"),
    ],
)
def test_json_that_nobody_means(client: Client, body: str | bytes, why: str) -> None:
    status, code, message = said(send(client, QUOTE, body))
    assert (status, code) == (400, "parse_error") and why in message


def test_twenty_levels_can_be_read() -> None:
    assert json_body.read(b"[" * 20 + b"]" * 20)
    with pytest.raises(json_body.BadJson, match="deeper"):
        json_body.read(b"[" * 21 + b"]" * 21)


EVERYWHERE = ["tables/", "tables/quote/", "tables/{table}/seed/", "games/{game}/actions/", "tables/{table}/join/"]


@pytest.mark.parametrize("value", ["\ud800", "\0", "x" * 100_000, 10**39, -1, 1e300, [], {}, None, True, ["\ud800"]])
@pytest.mark.parametrize("path", EVERYWHERE)
def test_no_field_takes_the_server_down(client: Client, alice: Any, bob: Any, path: str, value: Any) -> None:
    fund(alice)
    game = started(alice, bob)
    fields = {**TERMS, "seed": "a", "version": game.version, "type": "play", "play": "8/5"}
    changed: list[dict[str, Any]] = [fields | {name: value} for name in fields]
    changed += [TERMS | {"options": value}, TERMS | {"options": {"cube_limit": value}}, TERMS | {"clock": value}]
    changed += [TERMS | {"stake": {"amount": value, "currency": "UAH"}}, TERMS | {"series_length": value}]
    where = f"/api/v1/{path}".format(table=game.table_id, game=game.pk)
    for body in changed:
        answer = send(client, where, json.dumps(body))
        assert answer.status_code < 500, body
        assert answer.status_code < 400 or said(answer)


def test_page_scripts_get_the_same_care(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    for body in (
        "[" * 50_000,
        r'{"version": 1, "type": "\ud800"}',
        r'{"version": 1, "type": "play", "play": "\u0000"}',
    ):
        assert 400 <= send(client, f"/games/{game.pk}/act/", body).status_code < 500


@pytest.mark.parametrize(
    "path",
    [
        "games/?before=" + "9" * 5_000,
        "games/1/?since=" + "9" * 5_000,
        "wallets/UAH/statement/?cursor=" + "9" * 5_000,
        "wallets/UAH/statement/?cursor=" + "9" * 25,
        "wallets/UAH/statement/?start=0001-01-01T00:00:00%2B14:00",
        "wallets/UAH/statement/?start=x",
        "live/?topic=game:" + "9" * 5_000,
        "live/?topic=game:" + "9" * 25,
        "live/?topic=%00",
        "games/?before=%00",
        "tables/" + "9" * 5_000 + "/",
        "wallets/%00/statement/",
    ],
)
def test_no_address_takes_the_server_down(client: Client, path: str) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code in (400, 404)
    assert said(answer)


@pytest.mark.parametrize(
    "path", ["/?variant=%00", "/games/?before=" + "9" * 5_000, "/rules/%00", "/wallet/UAH/?after=" + "9" * 5_000]
)
def test_pages_too(client: Client, path: str) -> None:
    assert client.get(path).status_code in (200, 400, 404)


def test_nul_in_a_form_is_refused(client: Client, alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    assert client.post(f"/tables/{table.pk}/seed/", {"seed": "a\0"}).status_code == 400
    assert client.post("/accounts/login/", {"login": "a\0", "password": "b"}).status_code == 400


@pytest.mark.parametrize("key", ["", "x" * 65, "ключ", "a\tb"])
def test_an_idempotency_key_that_is_none(client: Client, alice: Any, bob: Any, key: str) -> None:
    game = started(alice, bob)
    body = json.dumps({"version": game.version, "type": "resign"})
    answer = send(client, f"/api/v1/games/{game.pk}/actions/", body, **{"Idempotency-Key": key})
    assert said(answer) == (
        400,
        "parse_error",
        "The Idempotency-Key is 1 to 64 printable ASCII characters; this one is not.",
    )


# --- Every error of the API is JSON -----------------------------------------------------------------------------------


def test_an_unknown_address(client: Client) -> None:
    for path in ("/api/", "/api/v1/nothing/", "/api/v2/tables/"):
        assert said(client.get(path))[:2] == (404, "not_found")


def test_a_method_that_is_not_there(client: Client) -> None:
    for method in ("put", "delete", "patch"):
        assert said(getattr(client, method)("/api/v1/tables/"))[:2] == (405, "method_not_allowed")


def test_another_kind_of_body(client: Client) -> None:
    assert said(client.post(QUOTE, "a=b", content_type="text/plain"))[:2] == (415, "unsupported_media_type")


def test_our_own_fault(client: Client, monkeypatch: Any) -> None:
    from games import queries

    monkeypatch.setattr(queries, "open_tables", lambda: 1 / 0)
    assert said(client.get("/api/v1/tables/"))[:2] == (500, "server_error")


async def _page(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("the view was called")


def test_a_body_that_is_too_large() -> None:
    status, body = ask(bodies.whole_body(_page), QUOTE, "POST", [b"x" * (settings.MAX_BODY_BYTES + 1)])
    assert (status, json.loads(body)["code"]) == (413, "too_large")


# --- Pages ------------------------------------------------------------------------------------------------------------


def test_a_page_asked_by_a_wrong_method_says_so(client: Client) -> None:
    answer = client.post("/games/")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert "cannot be asked like that" in answer.content.decode()


@pytest.mark.parametrize(
    "path", ["/", "/games/", "/wallet/", "/rules/", "/profile/", "/tournaments/", "/api/v1/tables/"]
)
def test_head_is_answered_like_get(client: Client, path: str) -> None:
    answer = client.head(path)
    assert answer.status_code == 200 and answer.content == b""
    assert not Table.objects.exists()
