"""Start times are local times of the tournament's zone, also when its clocks change."""

from __future__ import annotations

from datetime import datetime

import pytest

from tournaments.errors import BadStartTime
from tournaments.when import local, moment


@pytest.mark.parametrize(
    ("wall", "utc"),
    [
        ("2027-01-10T18:00", "2027-01-10T16:00:00+00:00"),
        ("2027-07-10T18:00", "2027-07-10T15:00:00+00:00"),
        ("2027-10-31T03:30", "2027-10-31T00:30:00+00:00"),  # shown twice: the earlier one
    ],
)
def test_a_local_time_is_a_moment(wall: str, utc: str) -> None:
    found = moment(datetime.fromisoformat(wall), "Europe/Kyiv")
    assert found.isoformat() == utc
    assert local(found, "Europe/Kyiv") == datetime.fromisoformat(wall)


def test_an_hour_that_is_left_out_is_refused() -> None:
    with pytest.raises(BadStartTime, match="2027-03-28 03:30 does not exist in Europe/Kyiv"):
        moment(datetime.fromisoformat("2027-03-28T03:30"), "Europe/Kyiv")
