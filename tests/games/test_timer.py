"""Clock arithmetic: the delay is free and does not add up, then the reserve runs; nothing goes below zero."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from games.timer import PRESETS, Clock, Preset, new_clock

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


RUNNING = Clock(white_ms=60_000, black_ms=50_000, delay_left_ms=8_000, running="white", since=NOON)


def test_a_new_clock_runs_for_nobody() -> None:
    clock = new_clock(Preset(reserve_s=60, delay_s=8))
    assert (clock.white_ms, clock.black_ms, clock.running, clock.deadline) == (60_000, 60_000, None, None)
    assert clock.charged(after(1000)) == clock


def test_the_delay_is_free() -> None:
    clock = RUNNING.charged(after(8))
    assert (clock.white_ms, clock.delay_left_ms) == (60_000, 0)


def test_then_the_reserve_of_the_running_side_alone_runs() -> None:
    clock = RUNNING.charged(after(18.5))
    assert (clock.white_ms, clock.black_ms, clock.delay_left_ms) == (49_500, 50_000, 0)


def test_charging_in_steps_is_charging_at_once() -> None:
    clock = RUNNING
    for second in (1, 2.5, 7, 8, 8.25, 30):
        clock = clock.charged(after(second))
    assert clock == RUNNING.charged(after(30))


def test_the_deadline_is_delay_and_reserve_away_and_stays_where_it_is() -> None:
    assert RUNNING.deadline == after(68)
    assert RUNNING.charged(after(20)).deadline == after(68)


def test_nothing_goes_below_zero_and_a_clock_set_back_charges_nothing() -> None:
    assert RUNNING.charged(after(500)).white_ms == 0
    assert RUNNING.charged(after(-5)).white_ms == 60_000


def test_a_new_turn_has_its_delay_again_a_second_act_of_a_turn_has_not() -> None:
    same_turn = RUNNING.next(after(3), "white", None)
    assert (same_turn.delay_left_ms, same_turn.white_ms) == (5_000, 60_000)
    next_turn = same_turn.next(after(20), "black", 8_000)
    assert (next_turn.running, next_turn.delay_left_ms, next_turn.white_ms) == ("black", 8_000, 48_000)


def test_the_end_stops_the_clock() -> None:
    clock = RUNNING.next(after(10), None, None)
    assert (clock.running, clock.since, clock.delay_left_ms, clock.white_ms) == (None, None, 0, 58_000)


def test_every_preset_gives_time() -> None:
    assert all(preset.reserve_s > 0 and preset.delay_s > 0 for preset in PRESETS.values())
