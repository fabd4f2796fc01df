"""How an opaque reference ("game:12") becomes a link: upper layers register a prefix with a function of the rest."""

from __future__ import annotations

from collections.abc import Callable

_links: dict[str, Callable[[str], str | None]] = {}


def register(prefix: str, link: Callable[[str], str | None]) -> None:
    """`link("12")` answers the operator's page of "prefix:12", or None."""
    _links[prefix] = link


def link(reference: str) -> str | None:
    """The operator's page of a reference; None when nobody knows it."""
    prefix, _, rest = reference.partition(":")
    return _links[prefix](rest) if prefix in _links and rest else None
