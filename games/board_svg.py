"""The board as one SVG, drawn by the server so that a page shows it before any script runs.

static/js/board.js then drives the same drawing. Both know the same geometry: change it in both.

Units: 1500 × 1180. Points are numbered as the viewer sees them; the column of a point counts from the left, 0–11.
On a phone the style sheet cuts off the tray and moves the two halves apart: nothing here depends on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

WIDTH, HEIGHT = 1500, 1180
EDGE, STEP, BAR, CHECKER = 30, 100, 90, 92
BAR_X, MIDDLE = 675, 590
MOST_DRAWN = 5
PIPS = {1: "c", 2: "ai", 3: "aci", 4: "agbi", 5: "agcbi", 6: "agdfbi"}
SPOT = {"a": (-20, -20), "b": (20, -20), "c": (0, 0), "d": (-20, 0), "f": (20, 0), "g": (-20, 20), "i": (20, 20)}


@dataclass(frozen=True)
class BoardPicture:
    """What there is to see. `mine` and `theirs` are each in that side's own numbering (0 = off, 25 = bar)."""

    mine: Sequence[int]
    theirs: Sequence[int]
    side: str = "white"
    long: bool = False
    has_bar: bool = True
    mirrored: bool = False
    colours_swapped: bool = False
    my_pinned: Sequence[int] = ()
    """Own points of the viewer on which their checker is pinned."""
    their_pinned: Sequence[int] = ()
    dice: Sequence[int] = ()
    dice_are_mine: bool = True
    cube: int | None = None
    """None: played without the cube."""
    cube_owner: str | None = None
    cube_offered: int | None = None

    @property
    def my_colour(self) -> str:
        return "cl" if (self.side == "white") != self.colours_swapped else "cd"

    @property
    def their_colour(self) -> str:
        return "cd" if self.my_colour == "cl" else "cl"


def seen_as(point: int, long: bool) -> int:
    """The viewer's number of the opponent's point (docs/rules.md, coordinates)."""
    if not long:
        return 25 - point
    return point + 12 if point <= 12 else point - 12


def column(point: int) -> int:
    """Column from the left, 0–11, on a board that is not mirrored: home is bottom right, 24 top right."""
    return 12 - point if point <= 12 else point - 13


def centre_x(point: int, mirrored: bool) -> int:
    at = column(point)
    x = EDGE + STEP // 2 + at * STEP + (BAR if at > 5 else 0)
    return WIDTH - x if mirrored else x


def centre_y(point: int, index: int) -> int:
    """Centre of the checker `index` (0 nearest the rim) of a point; the bottom half is 1–12."""
    away = EDGE + CHECKER // 2 + 2 + min(index, MOST_DRAWN - 1) * CHECKER
    return HEIGHT - away if point <= 12 else away


def draw(picture: BoardPicture) -> SafeString:
    """The whole <svg>."""
    parts = [
        f'<svg class="board" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false"'
        f' preserveAspectRatio="{"xMax" if picture.mirrored else "xMin"}YMid slice">',
        _defs(),
        _plot(picture),
    ]
    for half in ("up", "low"):
        points = range(13, 25) if half == "up" else range(1, 13)
        parts += [f'<g class="half {half}">', _points(points, picture), '<g class="under"></g><g class="men">']
        parts += [_stack(point, picture) for point in points]
        parts += [_on_bar(half, picture), '</g><g class="over"></g></g>']
    parts += [_tray(picture), '<g class="mid">', _dice(picture), "</g>", _cube(picture), '<g class="fly"></g></svg>']
    return mark_safe("".join(parts))  # numbers and fixed words only


SPEAR = "M4 0H96Q72 250 50 440Q28 250 4 0Z"


def _defs() -> str:
    light = f'<g id="cl">{_circle("sh", 45, 4)}{_circle("cl", 44)}{_circle("cl-in", 31)}</g>'
    dark = f'<g id="cd">{_circle("sh", 45, 4)}{_circle("cd", 44)}{_circle("cd-in", 31)}{_circle("cd-in", 18)}</g>'
    points = "".join(f'<path id="{name}" class="{name}" d="{SPEAR}"/>' for name in ("pa", "pb"))
    return f"<defs>{light}{dark}{points}</defs>"


def _circle(css: str, radius: int, y: int = 0) -> str:
    return f'<circle class="{css}" cy="{y}" r="{radius}"/>'


def _rect(css: str, x: int, y: int, width: int, height: int, radius: int = 0) -> str:
    return f'<rect class="{css}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>'


def _plot(picture: BoardPicture) -> str:
    flip = ' transform="matrix(-1 0 0 1 1500 0)"' if picture.mirrored else ""
    parts = [
        _rect("frame", 0, 0, WIDTH, HEIGHT, 22),
        _rect("edge", 8, 8, 1484, 1164, 16),
        _rect("felt", 30, 30, 600, 1120),
        _rect("felt", 720, 30, 600, 1120),
        _rect("bar" if picture.has_bar else "seam", 630, 30, 90, 1120),
        '<path class="hinge" d="M675 30V1150"/>',
        _rect("tray", 1352, 30, 118, 1120, 10),
    ]
    return f'<g class="plot"{flip}>{"".join(parts)}</g>'


def _points(points: range, picture: BoardPicture) -> str:
    parts = []
    for point in points:
        x = centre_x(point, picture.mirrored) - STEP // 2
        shape = "pa" if point % 2 else "pb"
        place = f"translate({x} 30)" if point > 12 else f"matrix(1 0 0 -1 {x} 1150)"
        parts.append(f'<use href="#{shape}" transform="{place}"/>')
    for point in points:
        x, y = centre_x(point, picture.mirrored), 23 if point > 12 else 1172
        parts.append(f'<text class="no" x="{x}" y="{y}">{point}</text>')
    return "".join(parts)


def standing(point: int, picture: BoardPicture) -> list[tuple[str, bool]]:
    """The checkers of a point from the rim inwards as (colour, pinned); a pinned one lies under those that pin it."""
    theirs_at = seen_as(point, picture.long)
    mine, theirs = picture.mine[point], picture.theirs[theirs_at]
    mine_pinned, theirs_pinned = point in picture.my_pinned, theirs_at in picture.their_pinned
    stack = [(picture.my_colour, mine_pinned)] * mine
    others = [(picture.their_colour, theirs_pinned)] * theirs
    return others + stack if theirs_pinned else stack + others


def _stack(point: int, picture: BoardPicture) -> str:
    stack = standing(point, picture)
    parts = []
    for index, (colour, pinned) in enumerate(stack[:MOST_DRAWN]):
        x, y = centre_x(point, picture.mirrored), centre_y(point, index)
        held = ' class="pinned"' if pinned else ""
        parts.append(f'<use href="#{colour}" x="{x}" y="{y}"{held}/>')
    if len(stack) > MOST_DRAWN:
        x, y = centre_x(point, picture.mirrored), centre_y(point, MOST_DRAWN - 1)
        parts.append(f'<text class="count {stack[-1][0]}-t" x="{x}" y="{y + 14}">{len(stack)}</text>')
    return "".join(parts)


def _on_bar(half: str, picture: BoardPicture) -> str:
    """Checkers on the bar wait on the side where they enter: the viewer's in the upper half."""
    colour = picture.my_colour if half == "up" else picture.their_colour
    count = picture.mine[25] if half == "up" else picture.theirs[25]
    x = WIDTH - BAR_X if picture.mirrored else BAR_X
    ys = [
        MIDDLE - 130 - index * CHECKER if half == "up" else MIDDLE + 130 + index * CHECKER
        for index in range(min(count, 4))
    ]
    parts = [f'<use href="#{colour}" x="{x}" y="{y}"/>' for y in ys]
    if count > 4:
        parts.append(f'<text class="count {colour}-t" x="{x}" y="{ys[-1] + 14}">{count}</text>')
    return "".join(parts)


def _tray(picture: BoardPicture) -> str:
    x = 30 + 11 if picture.mirrored else 1352 + 11
    mine = [
        f'<rect class="slab {picture.my_colour}" x="{x}" y="{1124 - index * 24}" width="96" height="20" rx="4"/>'
        for index in range(picture.mine[0])
    ]
    theirs = [
        f'<rect class="slab {picture.their_colour}" x="{x}" y="{36 + index * 24}" width="96" height="20" rx="4"/>'
        for index in range(picture.theirs[0])
    ]
    return f'<g class="off">{"".join(mine + theirs)}</g>'


def _dice(picture: BoardPicture) -> str:
    if not picture.dice:
        return ""
    dice = list(picture.dice) * (2 if picture.dice[0] == picture.dice[1] else 1)
    middle = (1020 if picture.dice_are_mine else 330) + (150 if picture.mirrored else 0)
    start = middle - (len(dice) - 1) * 44
    colour = picture.my_colour if picture.dice_are_mine else picture.their_colour
    return "".join(die(value, start + index * 88, MIDDLE, colour) for index, value in enumerate(dice))


def die(value: int, x: int, y: int, colour: str) -> str:
    pips = "".join(f'<circle cx="{SPOT[spot][0]}" cy="{SPOT[spot][1]}" r="7"/>' for spot in PIPS[value])
    face = f'<g class="turn"><rect x="-36" y="-36" width="72" height="72" rx="14"/>{pips}</g>'
    return f'<g class="die {colour}-d" transform="translate({x} {y})">{face}</g>'


def _cube(picture: BoardPicture) -> str:
    if picture.cube is None:
        return ""
    x = WIDTH - 1411 if picture.mirrored else 1411
    y = {None: MIDDLE, picture.side: 712}.get(picture.cube_owner, 468)
    value = picture.cube_offered or picture.cube
    face = f'<rect x="-40" y="-40" width="80" height="80" rx="12"/><text y="15">{64 if value == 1 else value}</text>'
    return f'<g class="cube" transform="translate({x} {y})">{face}</g>'
