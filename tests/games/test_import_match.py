"""manage.py import_match: contract with people who import transcripts: points, money, refusals, exit status."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import settle
from games.models import Game, Table
from ledger import book, money
from ledger.verify import run as verify
from players.models import Player

pytestmark = pytest.mark.django_db

MATCH = (Path(__file__).parent / "data" / "two-games.mat").read_text()


def imported(tmp_path: Path, text: str = MATCH, *options: str, name: str = "match.mat") -> tuple[int, str, str]:
    """(exit status, output, errors) of the command over one file."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    out, err = StringIO(), StringIO()
    try:
        call_command("import_match", str(path), "--stake", "10.00 UAH", *options, stdout=out, stderr=err)
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def balances() -> dict[str, str]:
    people = Player.objects.filter(namespace="import")
    return {person.display_name: money.text(book.wallet(person.pk, "UAH").posted) for person in people}


def test_a_match_is_refereed_held_and_settled(tmp_path: Path) -> None:
    status, out, err = imported(tmp_path)
    assert (status, err) == (0, "")
    assert "Anna wins by oin (drop), points 1, transcript 1; loss 10.00 UAH, rake 0.00 UAH" in out
    assert "Anna wins by koks (resign), points 3, transcript 1; loss 30.00 UAH" in out
    assert "accepted difference: resignation or time-out agreed at another level" in out
    assert "games 2, imported 2, known 0, refused 0, differences 1, loss 40.00 UAH" in out
    assert [game.settlement for game in Game.objects.all()] == ["settled", "settled"]
    assert list(verify()) == []


def test_each_player_gets_one_deposit_for_the_shortfall_of_the_holds(tmp_path: Path) -> None:
    imported(tmp_path)
    # Anna needs one hold of 1920.00. Bohdan has lost 10.00 when the second game blocks as much again.
    assert balances() == {"Anna": "1960.00 UAH", "Bohdan": "1890.00 UAH"}
    for person in Player.objects.filter(namespace="import"):
        deposits = [row for row in book.statement(person.pk, "UAH").rows if row.kind == "deposit"]
        assert [row.reason for row in deposits] == ["import of match.mat"]
        assert not book.holds(person.pk)


def test_imported_people_cannot_log_in_and_are_nobody_elses(tmp_path: Path, make_user: Any, client: Any) -> None:
    make_user("Anna")
    imported(tmp_path)
    anna = Player.objects.get(namespace="import", display_name="Anna")
    assert anna.username == "import:Anna" and not anna.has_usable_password()
    assert Player.objects.filter(display_name="Anna").count() == 1


def test_importing_again_changes_nothing(tmp_path: Path) -> None:
    imported(tmp_path)
    before = (list(Game.objects.values()), balances(), Table.objects.count())
    status, out, _err = imported(tmp_path, MATCH.replace("\n", "\r\n"), name="copy.mat")
    assert status == 0 and out.count("imported before") == 2
    assert (list(Game.objects.values()), balances(), Table.objects.count()) == before


@pytest.mark.parametrize("options", [["--cube-limit", "8"], ["--endgame", "mars"], ["--jacoby"]])
def test_the_same_game_on_other_terms_is_an_error(tmp_path: Path, options: list[str]) -> None:
    imported(tmp_path)
    before = balances()
    status, _out, err = imported(tmp_path, MATCH, *options)
    assert status == 1 and err.count("imported before on other terms (stake 10.00 UAH") == 2
    assert balances() == before and Game.objects.count() == 2


def test_another_stake_is_other_terms_too(tmp_path: Path) -> None:
    imported(tmp_path)
    path = tmp_path / "match.mat"
    with pytest.raises(SystemExit):
        call_command("import_match", str(path), "--stake", "20.00 UAH", stdout=StringIO(), stderr=StringIO())
    assert Game.objects.count() == 2


def test_an_illegal_play_is_refused_with_file_line_and_rule_and_the_other_game_counts(tmp_path: Path) -> None:
    status, out, err = imported(tmp_path, MATCH.replace("63: 13/4\n  2) 66", "63: 13/5\n  2) 66"))
    line = 1 + MATCH[: MATCH.index("53: 8/3 6/3")].count("\n")
    assert status == 1
    assert f"match.mat:{line}: game 1 refused: “13/5” with 6-3" in err
    assert "imported 1, known 0, refused 1" in out
    assert Game.objects.get().number == 2 and list(verify()) == []


def test_a_result_that_cannot_be_is_refused(tmp_path: Path) -> None:
    status, _out, err = imported(
        tmp_path, MATCH.replace("4) 22: bar/23 13/9 11/9\n      Wins 1", "4) 22: bar/23 13/9 11/9\n      Wins 4")
    )
    assert status == 1 and "4 points are more than three times the cube" in err
    assert Game.objects.get().number == 1


def test_a_torn_file_leaves_nothing(tmp_path: Path) -> None:
    status, out, err = imported(tmp_path, MATCH[: MATCH.rindex("Wins")])
    assert status == 1 and "breaks off without a result" in err and ".mat:" in err
    assert "torn files 1" in out
    assert not Game.objects.exists() and not Player.objects.filter(namespace="import").exists()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    err = StringIO()
    with pytest.raises(SystemExit) as stop:
        call_command("import_match", str(tmp_path / "none.mat"), "--stake", "1.00 UAH", stdout=StringIO(), stderr=err)
    assert stop.value.code == 1 and "No such file" in err.getvalue()


@pytest.mark.parametrize(
    "options",
    [
        ["--stake", "10 XAU"], ["--stake", "0.00 UAH"], ["--stake", "ten"], ["--stake", "1.001 UAH"],
        ["--stake", "1.00 UAH", "--cube-limit", "3"], ["--stake", "1.00 UAH", "--variant", "chess"],
        ["--stake", "1.00 UAH", "--variant", "long", "--endgame", "koks"],
    ],
)  # fmt: skip
def test_bad_options_are_named_before_anything_is_read(options: list[str]) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("import_match", "none.mat", *options)
    assert str(refused.value)


def test_json_tells_the_same(tmp_path: Path) -> None:
    status, out, _err = imported(tmp_path, MATCH, "--json")
    report = json.loads(out)
    games = report["files"][0]["games"]
    assert status == 0 and [(game["status"], game["points"], game["transcript_points"]) for game in games] == [
        ("imported", 1, 1), ("imported", 3, 1),
    ]  # fmt: skip
    assert games[0]["loss"] == "10.00 UAH" and games[0]["entry"] == Game.objects.get(number=1).entry_id
    assert report["totals"]["imported"] == 2


def test_nothing_is_imported_while_settlement_is_paused(tmp_path: Path, operator: Any) -> None:
    settle.pause(operator, "test")
    status, _out, err = imported(tmp_path)
    assert status == 1 and "settlement is paused" in err
    assert not Game.objects.exists()


def test_play_chips_are_granted_not_deposited(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    path.write_text(MATCH)
    call_command("import_match", str(path), "--stake", "10 XPC", stdout=StringIO())
    assert Game.objects.filter(settlement="settled", stake_currency="XPC").count() == 2
