"""Seeding by rating and by a lot that can be checked (docs/tournaments.md, "Seeding")."""

import hashlib
import hmac
import json
from collections import Counter

import pytest

from tournaments.core.errors import BadInput
from tournaments.core.seeding import Candidate, Lot, by_lot, by_rating, commitment

SERVER_SEED = bytes(range(32))


def ids(entrants):
    return [entrant.id for entrant in entrants]


def lot(*client_seeds, server_seed=SERVER_SEED, tournament="tournament:7"):
    return Lot(tournament, tuple(client_seeds), server_seed)


def test_by_rating_the_highest_first_the_unrated_last_and_equals_as_they_registered():
    candidates = [
        Candidate(1, None, 1),
        Candidate(2, 1500, 3),
        Candidate(3, 1700, 4),
        Candidate(4, 1500, 2),
        Candidate(5, 0, 5),
    ]
    seeded = by_rating(candidates)
    assert ids(seeded) == [3, 4, 2, 5, 1]
    assert [entrant.seed for entrant in seeded] == [1, 2, 3, 4, 5]
    assert by_rating(reversed(candidates)) == seeded


def test_the_lot_is_what_a_stand_alone_check_computes():
    drawn = ids(by_lot(lot((30, "c"), (10, "a"), (20, ""), (40, "ї"))))
    line = [10, 20, 30, 40]
    for step in (3, 2, 1):
        text = json.dumps(
            ["nardy tournament lot", "1", "tournament:7", [[10, "a"], [20, ""], [30, "c"], [40, "ї"]], step, 0],
            separators=(",", ":"),
        )
        digest = hmac.new(SERVER_SEED, text.encode(), hashlib.sha256).digest()
        other = int.from_bytes(digest[:8], "big") % (step + 1)
        line[step], line[other] = line[other], line[step]
    assert drawn == line


def test_the_lot_never_changes():
    """A recorded lot must still verify after years: this one is fixed here."""
    assert ids(by_lot(lot(*((n, f"seed {n}") for n in range(1, 11))))) == [2, 9, 7, 5, 3, 6, 4, 1, 10, 8]


def test_the_order_of_registration_does_not_matter_and_everything_else_does():
    base = [(n, f"seed {n}") for n in range(1, 21)]
    drawn = ids(by_lot(lot(*base)))
    assert ids(by_lot(lot(*reversed(base)))) == drawn
    assert sorted(drawn) == list(range(1, 21))
    others = [
        lot(*base, server_seed=bytes(32)),
        lot(*base, tournament="tournament:8"),
        lot(*base[:-1], (20, "another seed")),
    ]
    assert all(ids(by_lot(other)) != drawn for other in others)


def test_client_seeds_cannot_be_shifted_from_one_entrant_to_another():
    one, other = (lot(*((n, "x" * (n == who)) for n in range(12))) for who in (1, 2))
    assert by_lot(one) != by_lot(other)


def test_all_orders_are_equally_likely():
    drawn = Counter(
        tuple(ids(by_lot(lot((1, ""), (2, ""), (3, ""), tournament=f"tournament:{n}")))) for n in range(6000)
    )
    assert len(drawn) == 6
    chi_square = sum((seen - 1000) ** 2 / 1000 for seen in drawn.values())
    assert chi_square < 20.5  # 5 degrees of freedom, 0.1 %; the seeds are fixed, so this never fails by chance


def test_numbers_that_would_favour_the_low_places_are_thrown_away(monkeypatch):
    asked = []

    def digest(key, text, algorithm):
        asked.append(json.loads(text)[-2:])
        highest = b"\xff" * 8  # 2**64 - 1: not below the largest multiple of 3, but below that of 2
        return highest * 4 if asked[-1] == [2, 0] else highest + bytes(7) + b"\1" + bytes(16)

    monkeypatch.setattr("tournaments.core.seeding.hmac.digest", digest)
    # Step 2 needs a second attempt, and there the second number, 1; step 1 takes the first number at once, also 1.
    assert ids(by_lot(lot((1, ""), (2, ""), (3, "")))) == [1, 3, 2]
    assert asked == [[2, 0], [2, 1], [1, 0]]


def test_the_commitment_is_the_sha_256_of_the_seed():
    assert commitment(SERVER_SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_contradictory_lots_are_refused():
    with pytest.raises(BadInput) as error:
        lot((1, ""), server_seed=b"short")
    assert error.value.code == "bad_server_seed"
    with pytest.raises(BadInput) as error:
        lot((1, ""), (1, "again"))
    assert error.value.code == "entrant_twice"
    with pytest.raises(BadInput):
        by_rating([Candidate(1, 1500, 1), Candidate(1, 1400, 2)])
