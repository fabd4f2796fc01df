"""Provably fair dice: promised before anybody can influence them, and checkable by everybody afterwards."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from games import dice, fair, queries, tables
from games.errors import BadSeed, SeedFrozen
from games.models import DiceSeeds
from games.play import act
from tests.games.helpers import joined, next_game, play_on, started

SCRIPT = Path(settings.BASE_DIR) / "scripts" / "verify_dice.py"
STREAM = fair.DiceStream(bytes(range(32)), 7, "1", "white's", "Щастя")
PINNED = [(4, 6), (2, 6), (3, 1), (4, 1), (3, 6), (3, 3)]


def test_a_known_stream_gives_known_rolls() -> None:
    """Pinned: a change here would make every game already played unverifiable."""
    assert STREAM.text(3, 0) == "nardy-dice/1\ngame 7\nrules 1\nwhite white's\nblack Щастя\nroll 3\nblock 0"
    assert [STREAM.roll(k) for k in range(6)] == PINNED


def test_a_roll_depends_on_everything_it_should() -> None:
    rolls = [STREAM.roll(k) for k in range(20)]
    for other in (
        fair.DiceStream(bytes(32), 7, "1", "white's", "Щастя"),
        fair.DiceStream(STREAM.server_seed, 8, "1", "white's", "Щастя"),
        fair.DiceStream(STREAM.server_seed, 7, "2", "white's", "Щастя"),
        fair.DiceStream(STREAM.server_seed, 7, "1", "black's", "Щастя"),
        fair.DiceStream(STREAM.server_seed, 7, "1", "white's", "Удача"),
    ):
        assert [other.roll(k) for k in range(20)] != rolls


def test_all_rolls_are_equally_likely() -> None:
    """Chi-square over the 36 ordered rolls of a fixed stream, 35 degrees of freedom: 66.6 is the 0.1 % point."""
    counts = Counter(STREAM.roll(k) for k in range(36_000))
    assert set(counts) == {(a, b) for a in range(1, 7) for b in range(1, 7)}
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 66.6


@pytest.mark.parametrize("n", [1, 2, 6, 7, 100, 255, 256])
def test_every_number_of_a_range_is_equally_likely(n: int) -> None:
    draw = STREAM.draws(n)
    counts = Counter(draw(n) for _ in range(200 * n))
    assert set(counts) == set(range(n))
    spread = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert spread < n + 4 * (2 * n) ** 0.5 + 10


@pytest.mark.parametrize("n", [0, -1, 257])
def test_a_byte_cannot_choose_among(n: int) -> None:
    with pytest.raises(ValueError, match="one byte"):
        STREAM.draws(0)(n)


@pytest.mark.parametrize("seed", ["", "   ", "x" * 65, "two\nlines", "bell\a"])
@pytest.mark.django_db
def test_unusable_seeds(alice: Any, bob: Any, seed: str) -> None:
    table = joined(alice, bob)
    with pytest.raises(BadSeed):
        tables.set_seed(alice, table.pk, seed)


@pytest.mark.django_db
def test_the_promise_comes_before_any_seed(alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    promised = queries.table_json(table, alice)["dice"]
    assert promised["seeds"] == {"white": "", "black": ""}
    tables.set_seed(alice, table.pk, "  alice's  ")
    tables.set_seed(bob, table.pk, "bob's")
    game = next_game(table)
    assert game.seeds is not None
    assert (game.seeds.commitment, game.seeds.white_seed, game.seeds.black_seed) == (
        promised["commitment"], "alice's", "bob's",
    )  # fmt: skip


@pytest.mark.django_db
def test_seeds_freeze_when_the_game_starts(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    assert game.seeds is not None and game.seeds.white_seed and game.seeds.black_seed
    with pytest.raises(SeedFrozen):
        tables.set_seed(alice, game.table_id, "too late")


@pytest.mark.django_db
def test_each_game_of_a_series_has_its_own_seeds(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    act(alice, game.pk, game.version, "resign")
    table = tables.Table.objects.get(pk=game.table_id)
    second = next_game(table)
    assert second.seeds_id != game.seeds_id
    assert DiceSeeds.objects.values_list("commitment").distinct().count() == 2


@pytest.mark.django_db
def test_the_server_seed_is_secret_until_the_end(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    assert game.seeds is not None
    secret = dice.stream(game).server_seed
    assert bytes(game.seeds.server_seed) != secret and secret not in bytes(game.seeds.server_seed)
    assert queries.fairness_json(game)["server_seed"] is None  # type: ignore[index]
    assert secret.hex() not in json.dumps(queries.game_json(game, alice))
    view = act(alice, game.pk, game.version, "resign")
    revealed = view.json["fairness"]["server_seed"]
    assert revealed == secret.hex()
    assert hashlib.sha256(secret).hexdigest() == game.seeds.commitment


@pytest.mark.parametrize("variant", ["short", "randgammon1", "randgammon2"])
@pytest.mark.django_db
def test_the_stand_alone_script_agrees(alice: Any, bob: Any, tmp_path: Path, variant: str) -> None:
    game = started(alice, bob, variant=variant)
    play_on(game, most=12)
    act(alice, game.pk, game.version, "resign")
    game.refresh_from_db()
    proof = queries.verification(game)
    assert all(roll["computed"] == roll["event"] for roll in proof["rolls"])
    path = tmp_path / "game.json"
    path.write_text(json.dumps(proof))
    assert run(path) == (0, f"{len(proof['rolls'])} rolls, all agree")
    proof["rolls"][-1]["event"]["dice"][0] ^= 1
    path.write_text(json.dumps(proof))
    assert run(path) == (1, f"{len(proof['rolls'])} rolls, WRONG")
    path.write_text(json.dumps(queries.verification(game) | {"commitment": "0" * 64}))
    assert run(path)[0] == 1


def run(path: Path) -> tuple[int, str]:
    """The script's exit status and verdict, run without the project or its packages."""
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True, cwd=path.parent
    )
    return done.returncode, done.stdout.strip().splitlines()[-1].partition(": ")[2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file or directory"),
        ("", "is not the file that the site gives, which is JSON"),
        ("[]", "is not the file that the site gives"),
        ("{}", "is not the file that the site gives: KeyError at 'server_seed'"),
        ('{"server_seed": "xyz"}', "is not the file that the site gives"),
        ("[" * 100_000, "is not the file that the site gives"),
    ],
)
def test_a_file_that_cannot_be_checked_is_no_verdict(tmp_path: Path, text: str | None, said: str) -> None:
    path = tmp_path / "game.json"
    if text is not None:
        path.write_text(text)
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Cannot check: ") and said in done.stderr and "Traceback" not in done.stderr
