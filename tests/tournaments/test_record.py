"""A stored pairing can be computed again from its record (docs/tournaments.md, "Audit")."""

import json

import pytest

from tests.tournaments.fields import play_swiss
from tournaments.core import CORE_VERSION
from tournaments.core.record import pairing_to_json, request_from_json, request_to_json
from tournaments.core.results import DoubleForfeit
from tournaments.core.swiss import pair


@pytest.mark.parametrize("n", [8, 13])
def test_the_record_of_every_round_gives_its_pairing_again(n):
    tournament = play_swiss(n, 6, seed=n, leaves=0.05, late=0.2, forfeits=0.3, past_half=True)
    assert len(tournament.pairings) == 6
    for request, pairing in zip(tournament.requests, tournament.pairings, strict=True):
        stored = json.dumps({"request": request_to_json(request), "pairing": pairing_to_json(pairing)})
        read = json.loads(stored)
        assert read["request"]["core_version"] == CORE_VERSION
        assert request_from_json(read["request"]) == request
        assert json.loads(json.dumps(pairing_to_json(pair(request_from_json(read["request"]))))) == read["pairing"]


def test_every_kind_of_result_is_in_those_records():
    tournament = play_swiss(13, 6, seed=13, leaves=0.05, late=0.2, forfeits=0.3, past_half=True)
    kinds = {stored["kind"] for stored in request_to_json(tournament.requests[-1])["results"]}
    assert kinds | {"double_forfeit"} == {"played", "forfeit", "double_forfeit", "bye", "missed"}
    assert any(isinstance(result, DoubleForfeit) for result in tournament.results)
