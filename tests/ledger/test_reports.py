"""Reports: contents, headers, forms of file, and refusals. One month of known activity, seen from Kyiv."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from ledger import book, owners
from ledger.money import parse
from ledger.reports import REPORTS, BadParams, export
from ledger.reports.formats import FORMATS
from ledger.reports.formats.cells import harmless
from ledger.reports.params import Params, read
from ledger.reports.report import arguments, stream
from tests.ledger.support import fund, hold, play_game, seal_everything, withdraw

pytestmark = pytest.mark.django_db(transaction=True)

NOW = datetime.now(UTC)
FIRST = NOW.date().replace(day=1)
PERIOD = (FIRST.isoformat(), FIRST.replace(year=FIRST.year + 1).isoformat())


@pytest.fixture
def scene() -> None:
    fund(1, "1000.00 UAH")
    fund(2, "1000.00 UAH")
    fund(1, "5000 JPY")
    fund(2, "12.345 KWD")
    fund(1, "100 XPC")
    play_game(1, winner=1, loser=2, amount="300.00 UAH", loss="100.00 UAH", rake="5.05 UAH")
    play_game(2, winner=2, loser=1, amount="300.00 UAH", loss="33.33 UAH")
    hold("open", 1, "10.00 UAH", "match:3")
    seal_everything()


def made(name: str, form: str = "csv", zone: str = "Europe/Kyiv", **filters: Any) -> bytes:
    out = io.BytesIO()
    export(REPORTS[name], read(*PERIOD, zone, **filters), form, out, generated_at=NOW)
    return out.getvalue()


def table(name: str, **filters: Any) -> tuple[dict[str, str], list[dict[str, str]]]:
    """Header and rows of a report in CSV."""
    head, _, body = made(name, **filters).decode().partition("\n\n")
    return dict(csv.reader(head.splitlines())), list(csv.DictReader(body.splitlines()))


def test_the_header_says_what_it_is(scene: None) -> None:
    header, rows = table("journal", currency="UAH")
    assert header["Report"] == "Journal"
    assert header["From"] == datetime(FIRST.year, FIRST.month, 1, tzinfo=ZoneInfo("Europe/Kyiv")).isoformat()
    assert header["Time zone"] == "Europe/Kyiv"
    assert header["Filters"] == "currency UAH"
    assert header["Status"].startswith("provisional")  # the period is not over
    assert header["Rows"] == str(len(rows)) == "9"
    assert header["Total Debit"] == header["Total Credit"] == "2133.33 UAH"


def test_the_journal_has_each_line_with_its_number(scene: None) -> None:
    _, rows = table("journal")
    assert [row["Number"] for row in rows] == sorted((row["Number"] for row in rows), key=int)
    assert {row["Number"] for row in rows} == {str(n) for n in range(1, 8)}
    game = [
        (row["Account code"], row["Owner"], row["Debit"], row["Credit"])
        for row in rows
        if row["Reference"] == "match:1"
    ]
    assert game == [("2000", "2", "100.00", ""), ("2000", "1", "", "94.95"), ("4000", "", "", "5.05")]
    yen = [row["Credit"] or row["Debit"] for row in rows if row["Currency"] == "JPY"]
    assert yen == ["5000", "5000"]
    assert {row["Credit"] or row["Debit"] for row in rows if row["Currency"] == "KWD"} == {"12.345"}


def test_the_trial_balance_balances_in_each_currency(scene: None) -> None:
    header, rows = table("trial-balance")
    uah = [list(row.values())[1:] for row in rows if row["Currency"] == "UAH"]
    assert uah == [
        ["1000", "cash", "0.00", "0.00", "2000.00", "0.00", "2000.00", "0.00"],
        ["2000", "wallet", "0.00", "0.00", "133.33", "2128.28", "0.00", "1994.95"],
        ["4000", "rake", "0.00", "0.00", "0.00", "5.05", "0.00", "5.05"],
    ]
    assert header["Total Closing debit"]
    for currency in ("UAH", "JPY", "KWD", "XPC"):
        for side in ("Opening", "Closing"):
            debit, credit = (
                sum(Decimal(row[f"{side} {name}"]) for row in rows if row["Currency"] == currency)
                for name in ("debit", "credit")
            )
            assert debit == credit


def test_settlements_revenue_liabilities_and_holds(scene: None) -> None:
    header, rows = table("settlements")
    assert [(r["Reference"], r["Winner"], r["Loser"], r["Loss"], r["Win"], r["Rake"]) for r in rows] == [
        ("match:1", "1", "2", "100.00", "94.95", "5.05"),
        ("match:2", "2", "1", "33.33", "33.33", "0.00"),
    ]
    assert header["Total Loss"] == "133.33 UAH"
    assert [(r["Games"], r["Lost and won"], r["Rake"]) for r in table("revenue")[1]] == [("2", "133.33", "5.05")]
    assert [list(r.values()) for r in table("liabilities", currency="UAH")[1]] == [
        ["1", "UAH", "1061.62", "10.00", "1051.62", "0.00"],
        ["2", "UAH", "933.33", "0.00", "933.33", "0.00"],
    ]
    states = [
        (r["Key"], r["State"], r["Captured"], r["Released"], r["Still held"]) for r in table("holds", player="2")[1]
    ]
    assert states == [
        ("match:1:hold:2", "captured", "100.00", "200.00", "0.00"),
        ("match:2:hold:2", "released", "0.00", "300.00", "0.00"),
    ]


def test_a_players_statement_runs_from_opening_to_closing(scene: None) -> None:
    header, rows = table("player-statement", player="1", currency="UAH")
    assert [(r["Kind"], r["Amount"], r["Balance"]) for r in rows] == [
        ("opening balance", "", "0.00"),
        ("deposit", "1000.00", "1000.00"),
        ("settlement", "94.95", "1094.95"),
        ("settlement", "-33.33", "1061.62"),
        ("closing balance", "", "1061.62"),
    ]
    assert header["Rows"] == "3"
    assert header["Filters"] == "currency UAH, player 1"


def test_the_period_is_half_open_in_the_zone(scene: None) -> None:
    """What happened exactly at `to` belongs to the next period; balances pass from one to the other."""
    at = book.entries_for("match:2")[0].at
    zone = ZoneInfo("Europe/Kyiv")
    before, after = io.BytesIO(), io.BytesIO()
    start, end = datetime(2000, 1, 1, tzinfo=zone), datetime(2100, 1, 1, tzinfo=zone)
    export(REPORTS["settlements"], Params(start, at.astimezone(zone), zone), "csv", before)
    export(REPORTS["settlements"], Params(at.astimezone(zone), end, zone), "csv", after)
    assert b"match:2" not in before.getvalue()
    assert b"match:1" in before.getvalue()
    assert b"match:1" not in after.getvalue()
    assert b"match:2" in after.getvalue()
    trial = io.BytesIO()
    export(REPORTS["trial-balance"], Params(at.astimezone(zone), end, zone), "csv", trial)
    assert "UAH,2000,wallet,0.00,1994.95,33.33,33.33,0.00,1994.95" in trial.getvalue().decode()


def test_a_period_within_the_sealed_part_is_final(scene: None) -> None:
    zone = ZoneInfo("UTC")
    at = book.entries_for("match:2")[0].at
    header = export(
        REPORTS["journal"], Params(datetime(2000, 1, 1, tzinfo=zone), at.astimezone(zone), zone), "csv", io.BytesIO()
    )
    assert not header.provisional


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_report_twice_is_the_same_file(form: str, scene: None) -> None:
    assert made("journal", form) == made("journal", form)


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("form", ["csv", "csv-excel", "json", "xlsx"])
def test_nothing_happened_is_said(name: str, form: str) -> None:
    player = {"player": "5"} if name == "player-statement" else {}
    file = made(name, form, **player)
    text = zipfile.ZipFile(io.BytesIO(file)).read("xl/worksheets/sheet1.xml") if form == "xlsx" else file
    assert b"No activity" in text


def test_excels_csv_opens_with_columns_cyrillic_and_numbers(scene: None) -> None:
    file = made("trial-balance", "csv-excel")
    assert file.startswith(b"\xef\xbb\xbf")
    assert "UAH;2000;wallet;0,00;0,00;133,33;2128,28;0,00;1994,95" in file.decode("utf-8-sig")


@pytest.mark.parametrize("form", ["csv", "csv-excel"])
def test_text_does_not_become_a_formula(form: str) -> None:
    with transaction.atomic():
        book.deposit("=key", 1, parse("1.00 UAH"), 9, "=HYPERLINK(1)")
        withdraw("w", 1, parse("0.50 UAH"), 9, "@x")
    text = made("player-statement", form, player="1").decode()
    assert "'=HYPERLINK(1)" in text
    assert "'@x" in text
    assert ("-0,50" if form == "csv-excel" else ",-0.50,") in text  # a negative amount stays a number


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", " =1", "\r=1", "\n=1"])
def test_every_beginning_of_a_formula_is_defused(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "-", "order 7", "a=b", "№ 5 + 6"])
def test_other_text_stays(text: str) -> None:
    assert harmless(text) == text


def test_json_keeps_amounts_exact(scene: None) -> None:
    answer = json.loads(made("settlements", "json"))
    assert answer["header"]["Totals"] == {"UAH": {"Loss": "133.33", "Win": "128.28", "Rake": "5.05"}}
    assert [row["loss"] for row in answer["rows"]] == ["100.00", "33.33"]


def test_xlsx_has_numbers_and_exact_totals_as_text(scene: None) -> None:
    sheet = zipfile.ZipFile(io.BytesIO(made("settlements", "xlsx"))).read("xl/worksheets/sheet1.xml").decode()
    assert "<v>33.33</v>" in sheet
    assert "133.33 UAH" in sheet


# --- hledger ----------------------------------------------------------------------------------------------------------


def hledger(file: Path, *arguments: str) -> str:
    done = subprocess.run(["hledger", "-f", str(file), *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def balances(file: Path, depth: int) -> dict[tuple[str, str], Decimal]:
    """(account, currency) -> balance as hledger computes it."""
    text = hledger(file, "balance", "--flat", f"--depth={depth}", "-O", "csv", "--layout=bare", "--no-total")
    rows = csv.DictReader(text.splitlines())
    return {(row["account"], row["commodity"]): Decimal(row["balance"]) for row in rows}


@pytest.mark.hledger
@pytest.mark.parametrize("name", ["journal", "trial-balance", "settlements"])
def test_hledger_accepts(name: str, scene: None, tmp_path: Path) -> None:
    file = tmp_path / "report.journal"
    file.write_bytes(made(name, "hledger"))
    hledger(file, "check", "--strict")


@pytest.mark.hledger
def test_hledger_agrees_with_the_trial_balance(scene: None, tmp_path: Path) -> None:
    journal, trial = tmp_path / "journal.journal", tmp_path / "trial.journal"
    journal.write_bytes(made("journal", "hledger"))
    trial.write_bytes(made("trial-balance", "hledger"))
    assert balances(journal, depth=2) == balances(trial, depth=2)
    names = {"cash": "assets:cash", "wallet": "liabilities:player wallet", "rake": "income:rake",
             "play_chips_issued": "expenses:play chips issued"}  # fmt: skip
    assert balances(journal, depth=2) == {
        (names[row["Account"]], row["Currency"]): Decimal(row["Closing debit"]) - Decimal(row["Closing credit"])
        for row in table("trial-balance")[1]
    }


@pytest.mark.parametrize("name", ["holds", "liabilities", "revenue", "player-statement"])
def test_what_is_not_made_of_entries_has_no_hledger_form(name: str) -> None:
    with pytest.raises(BadParams, match="no hledger form"):
        made(name, "hledger", **({"player": "1"} if name == "player-statement" else {}))


# --- The command ------------------------------------------------------------------------------------------------------


def command(*arguments: str) -> None:
    call_command("export_report", *arguments)


def test_the_command_writes_a_file_or_to_standard_output(scene: None, tmp_path: Path, capfdbinary: Any) -> None:
    file = tmp_path / "journal.csv"
    options = ("--from", PERIOD[0], "--to", PERIOD[1], "--tz", "Europe/Kyiv")
    command("journal", *options, "-o", str(file))
    command("journal", *options, "-o", "-")
    without_clock = [line for line in file.read_bytes().splitlines() if not line.startswith(b"Generated at")]
    printed = [line for line in capfdbinary.readouterr().out.splitlines() if not line.startswith(b"Generated at")]
    assert printed == without_clock
    assert [path.name for path in tmp_path.iterdir()] == ["journal.csv"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "diary"}, "There is no report “diary”. There are: journal"),
        ({"--from": "2026-13-01"}, "--from “2026-13-01” is not a date"),
        ({"--to": "tomorrow"}, "--to “tomorrow” is not a date"),
        ({"--to": "2026-11-01T00:00+02:00"}, "leave out the offset"),
        ({"--to": "2026-11-01"}, "must be later than --from"),
        ({"--tz": "Kyiv"}, "--tz “Kyiv” is not a time zone"),
        ({"--tz": "../../etc/passwd"}, "is not a time zone"),
        ({"--currency": "RUB"}, "--currency “RUB” is unknown. Known are: UAH"),
        ({"--format": "pdf"}, "--format “pdf” is unknown. Known are: csv"),
        ({"--player": "nobody"}, "there is no such player"),
        ({"name": "player-statement", "--player": "987654321"}, "there is no such player"),
        ({"name": "player-statement"}, "say --player"),
        ({"name": "trial-balance", "--player": "1"}, "leave out --player"),
        ({"-o": "/nowhere/x.csv"}, "could not be written"),
    ],
)
def test_a_bad_wish_is_answered_precisely(changes: dict[str, str], message: str, tmp_path: Path) -> None:
    given = {"--from": "2026-11-01", "--to": "2026-12-01", "-o": str(tmp_path / "x.csv")} | changes
    name = given.pop("name", "journal")
    with pytest.raises(CommandError, match=message.replace("(", r"\(").replace("+", r"\+")):
        command(name, *(part for pair in given.items() for part in pair))
    assert list(tmp_path.iterdir()) == []


def test_a_player_is_found_by_what_upper_layers_call_him(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "_finders", [{"olena": 12}.get])
    assert read(*PERIOD, player="olena").player == 12


def test_a_failed_export_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "journal.csv"
    file.write_text("old")
    monkeypatch.setitem(FORMATS, "csv", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(CommandError, match="disk full"):
        command("journal", "--from", "2026-11-01", "--to", "2026-12-01", "-o", str(file))
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["journal.csv"]


def test_memory_does_not_grow_with_the_rows(scene: None) -> None:
    """Rows come from a cursor on the server, portion by portion."""
    report, params = REPORTS["journal"], read(*PERIOD)
    with transaction.atomic():
        rows = stream(report, arguments(report, params))
        next(rows)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_cursors WHERE statement LIKE '%ledger_entry%'")
            assert cursor.fetchone() == (1,)
        rows.close()
