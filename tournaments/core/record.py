"""The record of a pairing: what it was asked and what it answered, as plain JSON (docs/tournaments.md, "Audit").

A stored request, read back and paired again by the same `CORE_VERSION`, gives the stored pairing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tournaments.core import CORE_VERSION
from tournaments.core.results import Bye, DoubleForfeit, Entrant, Forfeit, Missed, Played, Result
from tournaments.core.swiss import Pairing, Request

_KINDS: Mapping[str, type[Result]] = {
    "played": Played,
    "forfeit": Forfeit,
    "double_forfeit": DoubleForfeit,
    "bye": Bye,
    "missed": Missed,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def result_to_json(result: Result) -> dict[str, Any]:
    """`{"kind": "played", "round": 1, "winner": 3, …}`."""
    return {"kind": _NAMES[type(result)], **asdict(result)}


def result_from_json(stored: Mapping[str, Any]) -> Result:
    """The reverse of `result_to_json`. Raises KeyError or TypeError for what it has not written."""
    fields = dict(stored)
    return _KINDS[fields.pop("kind")](**fields)


def request_to_json(request: Request) -> dict[str, Any]:
    """Everything the pairing depends on, in the order of the request."""
    return {
        "core_version": CORE_VERSION,
        "round": request.round,
        "present": [asdict(entrant) for entrant in request.present],
        "results": [result_to_json(result) for result in request.results],
        "past_half": request.past_half,
    }


def request_from_json(stored: Mapping[str, Any]) -> Request:
    """The reverse of `request_to_json`."""
    return Request(
        round=stored["round"],
        present=tuple(Entrant(**entrant) for entrant in stored["present"]),
        results=tuple(result_from_json(result) for result in stored["results"]),
        past_half=stored["past_half"],
    )


def pairing_to_json(pairing: Pairing) -> dict[str, Any]:
    """The tables in order with the cost of each, the receiver of the bye, and the summed cost."""
    return asdict(pairing)
