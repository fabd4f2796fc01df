"""What a movement of a wallet was, in a sentence for its owner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from moneyed import Money

from ledger import chart

#: What a movement was for, after the name of the tournament.
TOURNAMENTS = {
    chart.TOURNAMENT_ENTRY: _("entry"),
    chart.TOURNAMENT_PRIZE: _("prize"),
    chart.TOURNAMENT_REFUND: _("refund"),
    chart.TOURNAMENT_CORRECTION: _("corrected prize"),
}


def entry_words(kind: str, details: Mapping[str, Any], amount: Money) -> str:
    """ "Game 12: won", "Deposit", … for the line of the person whose amount this is."""
    if kind == chart.SETTLEMENT:
        game = {"game": details.get("game", "")}
        return gettext("Game %(game)s: won") % game if amount.amount > 0 else gettext("Game %(game)s: lost") % game
    if kind in TOURNAMENTS:
        return f"{details.get('title', '')}: {TOURNAMENTS[kind]}"
    return str(chart.ENTRY_KINDS[kind].name)
