"""Logs are JSON lines, and hold no secrets."""

from __future__ import annotations

import io
import json
import logging

import pytest
from django.conf import settings

from nardy_platform import log


@pytest.fixture
def lines():
    """A logger and what the project's own formatting makes of what it is told."""
    formatter = dict(settings.LOGGING["formatters"]["json"])
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(formatter.pop("()")(**formatter))
    logger = logging.getLogger("nardy.test")
    logger.addHandler(handler)
    yield logger, lambda: [json.loads(line) for line in text.getvalue().splitlines()]
    logger.removeHandler(handler)


def test_a_line_is_json_with_its_extras(lines):
    logger, written = lines
    logger.warning("%s left", "somebody", extra={"game": 12})
    (line,) = written()
    assert line["event"] == "somebody left"
    assert (line["level"], line["logger"], line["game"]) == ("warning", "nardy.test", 12)
    assert line["timestamp"].endswith("Z")


def test_an_exception_stays_one_line(lines):
    logger, written = lines
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logger.exception("broken")
    (line,) = written()
    assert "ValueError: two\nlines" in line["exception"]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("connecting to postgresql://nardy:hunter2@db/nardy", "hunter2"),
        ("GET /live/?token=abc.def-ghi HTTP/1.1", "abc.def-ghi"),
        ('{"password": "hunter2"}', "hunter2"),
        ("server_seed=00ff00ff", "00ff00ff"),
        ("Cookie: sessionid=s3ss10n; csrftoken=x", "s3ss10n"),
    ],
)
def test_secrets_in_a_text_are_hidden(lines, text, secret):
    logger, written = lines
    logger.info("x")
    logger.warning(text)
    assert secret not in json.dumps(written())


@pytest.mark.parametrize(
    "name", ["password", "SECRET_KEY", "server_seed", "csrf_token", "HTTP_COOKIE", "Authorization"]
)
def test_values_of_telling_names_are_hidden(name):
    assert log.hide_secrets(None, "info", {"event": "x", name: "hunter2"}) == {"event": "x", name: "[hidden]"}


@pytest.mark.django_db
def test_a_request_is_logged_without_the_query_of_its_address(client, caplog):
    with caplog.at_level(logging.INFO, logger="nardy.request"):
        client.get("/accounts/login/?next=/secret-place/")
    (record,) = [record for record in caplog.records if record.name == "nardy.request"]
    assert (record.method, record.path, record.status) == ("GET", "/accounts/login/", 200)
    assert "secret-place" not in json.dumps(record.__dict__, default=str)
