"""Errors of the tournament core: a stable code, parameters to translate with, and an English sentence."""

from __future__ import annotations

from collections.abc import Mapping


class TournamentError(Exception):
    """Something was asked that the rules of docs/tournaments.md refuse. Nothing has changed."""

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.params: Mapping[str, object] = params


class BadInput(TournamentError):
    """The values contradict each other (a result twice, an unknown entrant): a mistake of the caller."""


class CannotPair(TournamentError):
    """No pairing is given for this round; the director decides (docs/tournaments.md, "Swiss").

    Codes: `too_few`, `past_half`, `no_bye_receiver`, `no_complete_pairing` (its parameter `left` names who stays
    without an opponent).
    """
