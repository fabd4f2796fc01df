"""Our finished games as `.mat`: an exported game imports to the same game, and GNU Backgammon reads it."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from games import rules
from games.rules import mat, mat_writer, replay
from games.rules.mat_writer import CannotWrite

from .games import played

GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
FAMILY = ["short", "caucasian", "nackgammon", "hypergammon", "longgammon", "shootout", "first_hit"]


def series(seed: int, variant: str = "short", count: int = 3) -> list:
    """Games in a row with the cube; the first begins with a lot, later ones with a given starter too."""
    starters = [None, "white", "black", None]
    return [
        played(variant, 10 * seed + at, starter=starters[at], by_bot=seed % 2 == 0, resigns=0.01, cube_limit=64)
        for at in range(count)
    ]


def without_equal_lots(game):
    """The events as a transcript can tell them: equal lots were rolled again and leave no trace."""
    return tuple(event for event in game.events if not (isinstance(event, rules.Lot) and event.white == event.black))


def imported(text: str, games: list) -> list[replay.CheckedGame]:
    match = mat.read(text)
    return [replay.check_game(match, ours, game.options) for ours, game in zip(match.games, games, strict=True)]


@pytest.mark.parametrize("variant", FAMILY)
@pytest.mark.parametrize("seed", range(3))
def test_an_exported_series_imports_to_the_same_games(variant, seed):
    games = series(seed, variant)
    for checked, game in zip(imported(mat_writer.write(games), games), games, strict=True):
        assert checked.events == without_equal_lots(game)
        assert (checked.starter, checked.result, checked.difference) == (game.starter, game.result, None)


def test_a_rolled_but_unplayed_turn_and_a_resignation_survive():
    game = played("short", 1)
    cut = replace(game, events=(*game.events[:8], rules.Resign("black")))
    while not isinstance(cut.events[-2], rules.Roll):
        cut = replace(cut, events=(*cut.events[:-2], rules.Resign("black")))
    text = mat_writer.write([cut])
    assert "????" in text
    (checked,) = imported(text, [cut])
    assert (checked.events, checked.result) == (without_equal_lots(cut), cut.result)


def test_a_match_runs_on_in_score_and_says_who_won_it():
    games = series(2, count=2)
    winner = games[-1].result.winner
    length = sum(game.result.points for game in games if game.result.winner == winner)
    text = mat_writer.write(games, length=length, headers=[("Event", "Кубок")])
    match = mat.read(text)
    assert match.length == length
    assert dict(match.headers)["Event"] == "Кубок"
    assert "and the match" in text.strip().splitlines()[-1]
    first = games[0].result
    assert match.games[1].score == ((first.points, 0) if first.winner == "white" else (0, first.points))


def test_beavers_are_written_and_read():
    game = next(
        game
        for game in (played("short", seed, cube_limit=64, beaver=True) for seed in range(200))
        if any(isinstance(event, rules.Beaver) for event in game.events)
    )
    (checked,) = imported(mat_writer.write([game]), [game])
    assert checked.events == without_equal_lots(game)


@pytest.mark.parametrize("variant", ["long", "tapa", "randgammon1"])
def test_variants_beyond_the_format_are_refused(variant):
    with pytest.raises(CannotWrite, match="cannot hold a game of"):
        mat_writer.write([played(variant, 1, by_bot=True)])


def test_unfinished_games_draws_auto_doubles_and_unrolled_games_are_refused():
    game = played("short", 1)
    with pytest.raises(CannotWrite, match="only finished games"):
        mat_writer.write([replace(game, events=game.events[:5])])
    with pytest.raises(CannotWrite, match="nothing was rolled"):
        mat_writer.write([replace(game, starter="white", events=(rules.Resign("white"),))])
    doubled = rules.make_options("short", cube_limit=4, auto_double=True)
    with pytest.raises(CannotWrite, match="auto-double"):
        mat_writer.write([replace(game, options=doubled, events=(rules.Lot(3, 3), *without_equal_lots(game)))])
    with pytest.raises(CannotWrite, match="no game to write"):
        mat_writer.write([])


@pytest.mark.parametrize("name", ["", " Alfa", "Al\nfa", "Alfa : 0   Gama", "Beta", "A" * 101, "Al\u202efa"])
def test_names_that_would_not_read_back_are_refused(name):
    with pytest.raises(CannotWrite):
        mat_writer.write([replace(played("short", 1), white=name)])


def test_games_of_different_players_are_no_series():
    game = played("short", 1)
    with pytest.raises(CannotWrite, match="same two players"):
        mat_writer.write([game, replace(game, black="Gama")])


def gnubg_copy(text: str, folder: Path) -> str:
    """What GNU Backgammon writes after reading this transcript."""
    (folder / "ours.mat").write_text(text, encoding="utf-8")
    subprocess.run(
        [str(GNUBG), "-t", "-q"],
        input="import mat ours.mat\nexport match mat theirs.mat\nquit\ny\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        cwd=folder,
        env={"HOME": str(folder), "LANG": "C.UTF-8"},
    )
    return (folder / "theirs.mat").read_text(encoding="utf-8")


@pytest.mark.gnubg
@pytest.mark.parametrize("seed", range(4))
def test_gnubg_reads_what_we_write_and_plays_the_same_games(seed, tmp_path):
    games = series(seed)
    ours = mat_writer.write(games)
    without_lot = [line for line in ours.splitlines() if replay.WITHOUT_LOT in line]
    theirs = "\n".join([*without_lot, gnubg_copy(ours, tmp_path)])
    for checked, game in zip(imported(theirs, games), games, strict=True):
        assert checked.events == without_equal_lots(game)
        assert checked.result == game.result
