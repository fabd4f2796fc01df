"""GNU position and match IDs and XGID, both ways. The vectors were made by GNU Backgammon itself."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from games.rules import ids

ROWS = [json.loads(line) for line in (Path(__file__).parent / "data" / "gnubg_ids.jsonl").read_text().splitlines()]
START = (0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0)


def snapshot_of(row: dict) -> ids.Snapshot:
    high, low = sorted(row["dice"], reverse=True)
    return ids.Snapshot(
        on_roll=tuple(row["board_onroll"]), other=tuple(row["board_other"]), roller=row["turn"], turn=row["turn"],
        dice=(high, low), game_state=row["gamestate"], cube=row["cube"], cube_owner=row["cubeowner"],
        match_length=row["matchto"], score=tuple(row["score"]), crawford=bool(row["crawford"]),
        jacoby=bool(row["jacoby"]),
    )  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row["gnubgid"] for row in ROWS])
def test_ids_of_gnubg_are_written_and_read_exactly(row):
    snapshot = snapshot_of(row)
    assert ids.position_id(snapshot.on_roll, snapshot.other) == row["positionid"]
    assert ids.match_id(snapshot) == row["matchid"]
    assert ids.read_gnubg_id(row["gnubgid"]) == snapshot


@pytest.mark.parametrize("row", ROWS, ids=[row["gnubgid"] for row in ROWS])
def test_xgid_read_back_is_the_same_moment(row):
    snapshot = snapshot_of(row)
    assert ids.read_xgid(ids.xgid(snapshot)) == snapshot


def test_the_start_has_its_well_known_names():
    start = ids.Snapshot(on_roll=START, other=START, roller=1, turn=1, dice=(5, 2), match_length=7, score=(2, 3))
    assert ids.position_id(START, START) == "4HPwATDgc/ABMA"
    assert ids.xgid(start) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:3:2:0:7:10"


def test_a_match_id_stores_the_larger_die_first():
    low_first = ids.Snapshot(on_roll=START, other=START, roller=0, turn=0, dice=(2, 5))
    assert ids.match_id(low_first) == ids.match_id(replace(low_first, dice=(5, 2)))


def test_an_offered_double_is_written_and_read():
    offered = ids.Snapshot(on_roll=START, other=START, roller=1, turn=0, doubled=True, match_length=5)
    assert ids.read_gnubg_id(ids.gnubg_id(offered)) == offered
    assert ":D:" in ids.xgid(offered)
    assert ids.read_xgid(ids.xgid(offered)) == offered


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (ids.read_position_id, "4HPwATDgc/ABM", "13 characters instead of 14"),
        (ids.read_position_id, "4HPwATDgc/ABM!", "holds a character outside"),
        (ids.read_position_id, "//////////////", "does not describe 25 points"),
        (ids.read_position_id, "//8AAAAAAAAAAA", "16 checkers of one side"),
        (ids.read_match_id, "AAAAAAAAAAA", "11 characters instead of 12"),
        (ids.read_match_id, "UYn/ADAAEAAE", "the dice"),
        (ids.read_gnubg_id, "4HPwATDgc/ABMA", "joined by a colon"),
        (ids.read_xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:1:52", "ten fields"),
        (ids.read_xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:1:72:0:0:0:7:10", "the dice '72'"),
        (ids.read_xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:0:52:0:0:0:7:10", "turn must be 1 or -1"),
        (ids.read_xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:-3:0:0:7:10", "score"),
        (ids.read_xgid, "XGID=-b----E-C---eE---c-z----B-:0:0:1:52:0:0:0:7:10", "'z' cannot stand"),
    ],
)
def test_bad_text_is_named(read, text, words):
    with pytest.raises(ids.BadId, match=re.escape(words)):
        read(text)


def test_both_sides_on_one_point_are_refused():
    board = (0,) * 5 + (5,) + (0,) * 19
    against = (0,) * 18 + (2,) + (0,) * 6
    with pytest.raises(ids.BadId, match="both sides stand on point 6"):
        ids.read_position_id(ids.position_id(board, against))


def test_a_game_that_is_over_has_no_xgid():
    over = ids.Snapshot(on_roll=START, other=START, roller=0, turn=0, game_state=ids.OVER)
    with pytest.raises(ids.BadId, match="only a game in progress"):
        ids.xgid(over)


@pytest.mark.gnubg
@pytest.mark.parametrize("row", ROWS[:8], ids=[row["gnubgid"] for row in ROWS[:8]])
def test_gnubg_reads_our_xgid_as_the_same_position(row, tmp_path):
    snapshot = replace(snapshot_of(row), roller=1, turn=1)
    commands = f"set xgid {ids.xgid(snapshot)}\nquit\ny\n"
    program = shutil.which("gnubg") or "/usr/games/gnubg"
    run = subprocess.run(
        [program, "-t", "-q"], check=True, input=commands, capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env={"HOME": str(tmp_path), "LANG": "C"},
    )  # fmt: skip
    assert ids.position_id(snapshot.on_roll, snapshot.other) in run.stdout
