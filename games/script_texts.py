"""The few words that the script of the game page writes by itself; all others come from the server.

Words with a number have one form per plural category of the language, which the browser chooses by Intl.PluralRules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import get_language, gettext, ngettext, pgettext

# For each category one number that belongs to it: enough to ask gettext for the form.
SAMPLES = {
    "en": {"one": 1, "other": 2},
    "uk": {"one": 1, "few": 2, "many": 5, "other": 5},
    "ru": {"one": 1, "few": 2, "many": 5, "other": 5},
}


def script_texts() -> dict[str, Any]:
    """Texts by name; `{…}` stands for a value, a dict is a text with plural forms for `{n}`."""
    samples = SAMPLES[(get_language() or "en").split("-")[0]]

    def forms(text: Callable[[int], str]) -> dict[str, str]:
        return {category: text(count) % {"n": "{n}"} for category, count in samples.items()}

    return {
        "roll": gettext("Roll"),
        "confirm": gettext("Confirm"),
        "point": gettext("Point {point}"),
        "bar": gettext("Bar"),
        "off": gettext("Borne off"),
        "empty": gettext("empty"),
        "mine": forms(lambda n: ngettext("your %(n)s checker", "your %(n)s checkers", n)),
        "theirs": forms(lambda n: ngettext("the opponent's %(n)s checker", "the opponent's %(n)s checkers", n)),
        "pinned": gettext("pinned"),
        "canMove": gettext("can move to {points}"),
        "selected": gettext("selected"),
        "destination": gettext("destination"),
        "destinationHit": gettext("destination, hits"),
        "noMove": gettext("No legal move"),
        "moved": gettext("{from} to {to}."),
        "movedOff": gettext("{from} off."),
        "undone": gettext("Taken back."),
        "complete": gettext("The turn is complete: confirm it."),
        "rolledBack": gettext("Your move was taken back: the game had moved on."),
        "offline": gettext("The connection is lost. Reconnecting…"),
        "notSent": gettext("The server did not answer, so nothing is certain. Waiting for the connection…"),
        "again": gettext("Connected again."),
        "via": gettext("via {points}"),
        "viaHits": gettext("via {points}, hits"),
        "chooseWay": gettext("Which way?"),
        "badMove": gettext("“{text}” cannot be played now."),
        "lowTime": gettext("Less than ten seconds left."),
        "free": gettext("free: {seconds} s"),
        "clocks": gettext("Your clock {mine}, the opponent's {theirs}."),
        "pips": gettext("Your pips {mine}, the opponent's {theirs}."),
        "bar25": gettext("bar"),
        "offWord": pgettext("borne off", "off"),
    }
