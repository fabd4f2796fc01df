"""The drawing of the board: everybody stands where they belong, seen from either side."""

from __future__ import annotations

import re

import pytest

from games import rules
from games.board_svg import BoardPicture, centre_x, centre_y, column, draw, seen_as, standing


def men(svg: str) -> list[tuple[str, str, str]]:
    return re.findall(r'<use href="#(c[ld])" x="(\d+)" y="(\d+)"', svg)


def start(key: str) -> tuple[int, ...]:
    found = rules.variant(key).start
    assert found is not None
    return found


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("side", ["white", "black"])
def test_short_nardy_at_its_start(side: str, mirrored: bool) -> None:
    svg = draw(BoardPicture(mine=start("short"), theirs=start("short"), side=side, mirrored=mirrored))
    found = men(svg)
    assert len(found) == 30 and sorted({colour for colour, _, _ in found}) == ["cd", "cl"]
    mine = "cl" if side == "white" else "cd"
    assert [colour for colour, x, y in found if x == str(centre_x(24, mirrored)) and int(y) < 590] == [mine, mine]


def test_tall_stacks_are_drawn_five_high_with_their_number() -> None:
    svg = draw(BoardPicture(mine=start("long"), theirs=start("long"), long=True, has_bar=False))
    assert (
        len(men(svg)) == 10 and re.findall(r">(15)</text>", svg).count("15") == 3
    )  # two stacks, and the number of point 15
    assert 'class="seam"' in svg


def test_long_nardy_shows_the_other_head_at_the_viewers_point_12() -> None:
    picture = BoardPicture(mine=start("long"), theirs=start("long"), long=True)
    assert len(standing(24, picture)) == 15 and len(standing(12, picture)) == 15
    assert {colour for colour, _ in standing(12, picture)} == {picture.their_colour}


def test_the_opponents_numbers_are_mine_turned() -> None:
    assert [seen_as(point, False) for point in (1, 6, 24)] == [24, 19, 1]
    assert [seen_as(point, True) for point in (1, 12, 13, 24)] == [13, 24, 1, 12]


def test_home_is_bottom_right_and_the_way_goes_round() -> None:
    assert [column(point) for point in (1, 6, 7, 12, 13, 18, 19, 24)] == [11, 6, 5, 0, 0, 5, 6, 11]
    assert centre_y(1, 0) > centre_y(1, 1) > 590 > centre_y(24, 1) > centre_y(24, 0)
    assert centre_x(1, mirrored=True) == 1500 - centre_x(1, mirrored=False)


def test_a_pinned_checker_lies_under_those_that_pin_it() -> None:
    mine, theirs = [0] * 26, [0] * 26
    mine[10], mine[0] = 2, 13
    theirs[15], theirs[0] = 1, 14
    picture = BoardPicture(mine=mine, theirs=theirs, has_bar=False, their_pinned=[15])
    assert standing(10, picture) == [("cd", True), ("cl", False), ("cl", False)]
    assert 'class="pinned"' in draw(picture)


def test_bar_and_borne_off() -> None:
    mine, theirs = [0] * 26, [0] * 26
    mine[25], mine[0] = 5, 10
    theirs[25], theirs[0] = 1, 14
    svg = draw(BoardPicture(mine=mine, theirs=theirs))
    assert len(men(svg)) == 5 and ">5</text>" in svg  # four of mine with their number, one of theirs
    assert svg.count('class="slab cl"') == 10 and svg.count('class="slab cd"') == 14


@pytest.mark.parametrize(("value", "shown"), [(1, "64"), (2, "2"), (64, "64")])
def test_the_cube_shows_64_while_it_is_in_the_middle(value: int, shown: str) -> None:
    assert f">{shown}</text></g>" in draw(BoardPicture(mine=start("short"), theirs=start("short"), cube=value))
    assert 'class="cube"' not in draw(BoardPicture(mine=start("short"), theirs=start("short")))


def test_a_double_is_four_dice() -> None:
    svg = draw(BoardPicture(mine=start("short"), theirs=start("short"), dice=(3, 3)))
    assert svg.count('class="die cl-d"') == 4
