"""Tie-breaks against gacrux, a tie-break server of its own making (FIDE's rules of 2026).

Not compared, because our rules are others on purpose (docs/tournaments.md, "Unplayed rounds"): scores of opponents who
stop playing (FIDE fills their last rounds up with draws), which part a cut takes from who missed rounds of their own
will, and direct encounters of a Swiss where not all have met.
"""

from decimal import Decimal

import pytest
from gacrux.tiebreak import tiebreak
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.fields import entrants, play_round_robin, play_swiss
from tournaments.core.results import Bye, DoubleForfeit, Forfeit, How, Missed, Played, tally
from tournaments.core.standings import Ranking, standings
from tournaments.core.tiebreaks import Key

SEEDS = st.integers(0, 2**32)
NAMES = {
    Key.POINTS: "PTS",
    Key.DIRECT: "DE",
    Key.BUCHHOLZ: "BH",
    Key.BUCHHOLZ_CUT_1: "BH/C1",
    Key.SONNEBORN_BERGER: "SB",
    Key.WINS: "WON",
}

#: Points by gacrux's letters: won, drawn, lost, nothing, bye, and two that do not occur.
SCORES = {letter: Decimal(points) for letter, points in zip("WDLZPAU", (1, "0.5", 0, 0, 1, "0.5", 0), strict=True)}


def game(number, result):
    def side(entrant, letter):
        return {"cid": entrant and entrant - 100, "result": letter}

    match result:
        case Played(winner=one, loser=two):
            white, black = side(one, "W"), side(two, "L")
        case Forfeit(winner=one, loser=two):
            white, black = side(one, "W"), side(two, "Z")
        case DoubleForfeit(first=one, second=two):
            white, black = side(one, "Z"), side(two, "Z")
        case Bye(entrant=one):
            white, black = side(one, "W"), side(0, "Z")
    return {"id": number, "round": result.round, "white": white, "black": black, "played": isinstance(result, Played)}


def theirs(field, results, keys, round_robin):
    """gacrux's numbers by key and entrant, and its places. It wants its competitors numbered from 1."""
    rounds = max((result.round for result in results), default=0)
    tournament = {
        "tournamentType": "Berger" if round_robin else "Swiss",
        "numRounds": rounds,
        "currentRound": rounds,
        "teamTournament": False,
        "scoreSystem": {"game": dict(SCORES)},
        "competitors": [{"cid": e.id - 100, "rank": e.seed, "random": e.seed} for e in field],
        "gameList": [game(i, result) for i, result in enumerate(results, 1) if not isinstance(result, Missed)],
    }
    params = {
        "tiebreak": [NAMES[key] for key in keys], "check": False,
        "pre_determined": round_robin, "swiss": not round_robin, "unrated": None,
    }  # fmt: skip
    answer = tiebreak(tournament, rounds, params).compute_tiebreaks(tournament, params)
    numbers = {100 + c["cid"]: dict(zip(keys, c["tiebreakScore"], strict=True)) for c in answer["competitors"]}
    return numbers, {100 + c["cid"]: c["rank"] for c in answer["competitors"]}


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 14), st.integers(1, 7), SEEDS, st.sampled_from([0, 0.3]), st.sampled_from([0, 0.2]))
def test_numbers_of_a_swiss(n, rounds, seed, late, forfeits):
    tournament = play_swiss(n, rounds, seed, late=late, forfeits=forfeits, past_half=True)
    keys = (Key.POINTS, Key.BUCHHOLZ, Key.BUCHHOLZ_CUT_1, Key.SONNEBORN_BERGER, Key.WINS)
    if not tournament.results:
        return
    numbers, _ = theirs(tournament.entrants, tournament.results, keys, round_robin=False)
    past = tally([entrant.id for entrant in tournament.entrants], tournament.results)
    for row in standings(tournament.entrants, tournament.results, Ranking(keys)).rows:
        for ours in row.numbers:
            if ours.key is Key.BUCHHOLZ_CUT_1 and any(map(stayed_away, past.lines[row.entrant])):
                continue
            if any(term.opponent and filled_up(past.lines[term.opponent]) for term in ours.terms):
                continue
            assert ours.value == numbers[row.entrant][ours.key], (row.entrant, ours)


def stayed_away(line):
    return line.how is How.MISSED or (line.how is How.FORFEIT and line.points == 0)


def filled_up(lines):
    """Whether FIDE counts a missed round of this opponent as a draw: nothing was played or won after it."""
    return any(line.how is How.MISSED and all(map(stayed_away, lines[i:])) for i, line in enumerate(lines))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 14), st.integers(1, 7), SEEDS)
def test_places_of_a_swiss(n, rounds, seed):
    tournament = play_swiss(n, rounds, seed, past_half=True)
    keys = (Key.POINTS, Key.BUCHHOLZ_CUT_1, Key.BUCHHOLZ, Key.SONNEBORN_BERGER, Key.WINS)
    _, places = theirs(tournament.entrants, tournament.results, keys, round_robin=False)
    rows = standings(tournament.entrants, tournament.results, Ranking(keys)).rows
    assert {row.entrant: row.place for row in rows} == places


@pytest.mark.parametrize(
    "keys",
    [(Key.POINTS, Key.DIRECT, Key.SONNEBORN_BERGER), (Key.POINTS, Key.SONNEBORN_BERGER, Key.DIRECT)],
    ids=["direct encounter first", "Sonneborn-Berger first"],
)
@settings(max_examples=60, deadline=None)
@given(n=st.integers(3, 12), seed=SEEDS)
def test_places_of_a_round_robin(keys, n, seed):
    results = play_round_robin(n, seed)
    _, places = theirs(entrants(n), results, keys, round_robin=True)
    rows = standings(entrants(n), results, Ranking(keys)).rows
    assert {row.entrant: row.place for row in rows} == places
