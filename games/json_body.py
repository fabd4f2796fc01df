"""JSON that clients send, for the API and for the pages' scripts: what nobody means is refused before any code sees it.

Nesting deeper than any request of ours would end in a RecursionError far from here; a lone surrogate cannot be encoded,
PostgreSQL stores no NUL, and NaN is no number of money.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

MAX_DEPTH = 20
MAX_DIGITS = 40


class BadJson(ValueError):
    """The body cannot be read; str() says why, in the reader's language."""


def read(body: bytes) -> Any:
    """The value of a JSON text in UTF-8. Raises BadJson."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_constant, parse_int=_int, object_pairs_hook=_object)
    except UnicodeDecodeError:
        raise BadJson(_("The request is not UTF-8 text.")) from None
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        raise BadJson(
            _("The request is not JSON: line %(line)s, column %(column)s.")
            % {"line": error.lineno, "column": error.colno}
        ) from None
    _check(value)
    return value


class JsonParser(BaseParser):
    """REST framework's parser, with these checks."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            return read(stream.read())
        except BadJson as error:
            raise ParseError(str(error)) from error


def _check(value: Any) -> None:
    level = [value]
    for _depth in range(MAX_DEPTH):
        texts = [one for one in level if isinstance(one, str)]
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                texts += one
                below += one.values()
            elif isinstance(one, list):
                below += one
        for text in texts:
            check_text(text)
        if not below:
            return
        level = below
    raise _too_deep()


def check_text(text: str) -> None:
    """Raises BadJson for a text that no database stores: with NUL, or with half of a surrogate pair."""
    if "\0" in text:
        raise BadJson(_("The request holds a NUL character (\\u0000), which no text here can."))
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadJson(
            _("The request holds half of a surrogate pair (\\ud800 to \\udfff), which is no character.")
        ) from None


def _too_deep() -> BadJson:
    return BadJson(_("The request is nested deeper than %(most)s levels.") % {"most": MAX_DEPTH})


def _no_constant(name: str) -> NoReturn:
    raise BadJson(_("%(name)s is no number of JSON.") % {"name": name})


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise BadJson(_("The request holds a number of more than %(most)s digits.") % {"most": MAX_DIGITS})
    return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(name for number, (name, _value) in enumerate(pairs) if name in dict(pairs[:number]))
        raise BadJson(
            _("The field “%(name)s” is given twice.")
            % {"name": ascii(twice)[1:-1] if not twice.isprintable() else twice[:60]}
        )
    return value
