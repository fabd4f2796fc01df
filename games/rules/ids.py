"""Position names that other programs read: GNU Backgammon's position and match IDs, and XGID (short family only).

A `Snapshot` is one moment of a match. Seats are 0 and 1: seat 0 is player 1 of a transcript (our White), seat 1 is
player 2. In XGID seat 1 is the player drawn at the bottom, as GNU Backgammon does it. Boards have 25 entries:
index 0 is the owner's own 1-point, index 23 the 24-point, index 24 the bar; what is missing has been borne off.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, replace

Board = tuple[int, ...]

CHECKERS_MAX = 15
POSITION_ID_LENGTH = 14
MATCH_ID_LENGTH = 12
CENTRED = -1

# values of `Snapshot.game_state`
NO_GAME, PLAYING, OVER, RESIGNED, DROPPED = range(5)

_EMPTY_BOARD: Board = (0,) * 25
_MATCH_KEY_BITS = 72
# XG writes the largest cube as a power of two; 10 (1024) is its "no limit".
_XG_MAX_CUBE = 10


class BadId(ValueError):
    """The text is no position ID, match ID or XGID, or the snapshot cannot be written as one; says which and why."""

    code = "bad_id"

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.params = {"kind": kind, "reason": reason}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of a match. `roller` is the seat that has rolled or is about to; `turn` the seat that must act now."""

    on_roll: Board
    other: Board
    roller: int
    turn: int
    dice: tuple[int, int] = (0, 0)
    """(0, 0) before the roll; otherwise the larger die first."""
    game_state: int = PLAYING
    cube: int = 1
    cube_owner: int = CENTRED
    doubled: bool = False
    resigned: int = 0
    """Level of a resignation on offer: 0 none, else 1 to 3."""
    match_length: int = 0
    """Points of the match; 0 for money play."""
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False


def position_id(on_roll: Board, other: Board) -> str:
    """The 14 characters for a board: the checkers of the side not on roll first, each in unary. Raises BadId."""
    bits: list[int] = []
    for board in (other, on_roll):
        _check_board(board)
        for count in board:
            bits += [1] * count + [0]
    bits += [0] * (80 - len(bits))
    return _to_text(bits)


def read_position_id(text: str) -> tuple[Board, Board]:
    """The boards (on roll, other) that a position ID names. Raises BadId."""
    bits = _to_bits("position ID", text, POSITION_ID_LENGTH)
    boards: list[Board] = []
    at = 0
    for _ in range(2):
        board = []
        for _ in range(25):
            end = bits.index(0, at) if 0 in bits[at:] else len(bits)
            board.append(end - at)
            at = end + 1
        boards.append(tuple(board))
    if at > len(bits) or any(bits[at:]):
        raise BadId("position ID", f"{text!r} does not describe 25 points for each side")
    other, on_roll = boards
    for read in boards:
        _check_board(read)
    _check_points(on_roll, other)
    return on_roll, other


def match_id(snapshot: Snapshot) -> str:
    """The 12 characters for cube, score, dice and whose turn it is. Raises BadId."""
    cube_log = snapshot.cube.bit_length() - 1
    if snapshot.cube != 1 << cube_log or cube_log > 15:
        raise BadId("match ID", f"the cube must be a power of two up to 32768, not {snapshot.cube}")
    owner = 3 if snapshot.cube_owner == CENTRED else snapshot.cube_owner
    dice = sorted(snapshot.dice, reverse=True)
    fields = (
        (cube_log, 4), (owner, 2), (snapshot.roller, 1), (int(snapshot.crawford), 1), (snapshot.game_state, 3),
        (snapshot.turn, 1), (int(snapshot.doubled), 1), (snapshot.resigned, 2), (dice[0], 3), (dice[1], 3),
        (snapshot.match_length, 15), (snapshot.score[0], 15), (snapshot.score[1], 15), (int(not snapshot.jacoby), 1),
    )  # fmt: skip
    bits: list[int] = []
    for value, width in fields:
        if not 0 <= value < 1 << width:
            raise BadId("match ID", f"{value} does not fit into {width} bits")
        bits += [value >> i & 1 for i in range(width)]
    return _to_text(bits + [0] * (_MATCH_KEY_BITS - len(bits)))


def read_match_id(text: str) -> Snapshot:
    """The snapshot that a match ID describes; its boards are empty. Raises BadId."""
    bits = _to_bits("match ID", text, MATCH_ID_LENGTH)
    at = 0

    def take(width: int) -> int:
        nonlocal at
        at += width
        return sum(bit << i for i, bit in enumerate(bits[at - width : at]))

    cube, owner, roller, crawford, game_state = 1 << take(4), take(2), take(1), bool(take(1)), take(3)
    turn, doubled, resigned, dice = take(1), bool(take(1)), take(2), (take(3), take(3))
    match_length, score, jacoby = take(15), (take(15), take(15)), not take(1)
    if owner == 2:
        raise BadId("match ID", "the cube belongs to neither player and is not in the middle")
    if game_state > DROPPED:
        raise BadId("match ID", f"unknown state of the game: {game_state}")
    if max(dice) > 6 or (dice[0] == 0) != (dice[1] == 0):
        raise BadId("match ID", f"the dice {dice[0]}-{dice[1]} do not exist")
    return Snapshot(
        on_roll=_EMPTY_BOARD, other=_EMPTY_BOARD, roller=roller, turn=turn, dice=dice, game_state=game_state,
        cube=cube, cube_owner=CENTRED if owner == 3 else owner, doubled=doubled, resigned=resigned,
        match_length=match_length, score=score, crawford=crawford, jacoby=jacoby,
    )  # fmt: skip


def gnubg_id(snapshot: Snapshot) -> str:
    """`position ID:match ID`, as GNU Backgammon prints and reads it. Raises BadId."""
    return f"{position_id(snapshot.on_roll, snapshot.other)}:{match_id(snapshot)}"


def read_gnubg_id(text: str) -> Snapshot:
    """The snapshot named by `position ID:match ID`. Raises BadId."""
    position, colon, match = text.strip().partition(":")
    if not colon:
        raise BadId("GNU ID", f"{text!r} is not two IDs joined by a colon")
    on_roll, other = read_position_id(position)
    return replace(read_match_id(match), on_roll=on_roll, other=other)


def xgid(snapshot: Snapshot) -> str:
    """The snapshot as `XGID=…`. Raises BadId for what XGID cannot say (a game that is over, a resignation)."""
    if snapshot.game_state != PLAYING or snapshot.resigned:
        raise BadId("XGID", "only a game in progress, without a resignation on offer, can be written")
    _check_points(snapshot.on_roll, snapshot.other)
    bottom, top = (snapshot.on_roll, snapshot.other) if snapshot.roller == 1 else (snapshot.other, snapshot.on_roll)
    board = [_xg_letter(top[24], lower=True)]
    for point in range(24):
        mine, theirs = bottom[point], top[23 - point]
        board.append(_xg_letter(mine or theirs, lower=not mine))
    board.append(_xg_letter(bottom[24], lower=False))
    dice = "D" if snapshot.doubled else "".join(str(die) for die in sorted(snapshot.dice, reverse=True))
    owner = {CENTRED: 0, 0: -1, 1: 1}[snapshot.cube_owner]
    rule = int(snapshot.crawford) if snapshot.match_length else int(snapshot.jacoby)
    fields = ("".join(board), snapshot.cube.bit_length() - 1, owner, 1 if snapshot.roller == 1 else -1, dice,
              snapshot.score[1], snapshot.score[0], rule, snapshot.match_length, _XG_MAX_CUBE)  # fmt: skip
    return "XGID=" + ":".join(str(field) for field in fields)


def read_xgid(text: str) -> Snapshot:
    """The snapshot that an XGID names, with or without `XGID=` in front. Raises BadId."""
    fields = text.strip().removeprefix("XGID=").split(":")
    if len(fields) != 10 or len(fields[0]) != 26:
        raise BadId("XGID", "ten fields joined by colons are needed, the first of 26 characters")
    cube_log, owner, turn, score_bottom, score_top, rule, length, _max_cube = (
        _xg_number(name, fields[at], low, high)
        for name, at, low, high in (
            ("cube", 1, 0, 15), ("cube owner", 2, -1, 1), ("turn", 3, -1, 1), ("score", 5, 0, 32767),
            ("score", 6, 0, 32767), ("Crawford or Jacoby", 7, 0, 3), ("match length", 8, 0, 32767),
            ("largest cube", 9, 0, 15),
        )
    )  # fmt: skip
    if turn == 0:
        raise BadId("XGID", "the turn must be 1 or -1")
    bottom, top = _xg_boards(fields[0])
    roller = 1 if turn == 1 else 0
    doubled, dice = _xg_dice(fields[4])
    on_roll, other = (bottom, top) if roller == 1 else (top, bottom)
    return Snapshot(
        on_roll=on_roll, other=other, roller=roller, turn=1 - roller if doubled else roller, dice=dice,
        cube=1 << cube_log, cube_owner={0: CENTRED, 1: 1, -1: 0}[owner], doubled=doubled,
        match_length=length, score=(score_top, score_bottom),
        crawford=bool(length) and rule == 1, jacoby=not length and bool(rule & 1),
    )  # fmt: skip


def _to_text(bits: list[int]) -> str:
    octets = bytes(sum(bit << i for i, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8))
    return base64.b64encode(octets).decode().rstrip("=")


def _to_bits(kind: str, text: str, length: int) -> list[int]:
    text = text.strip()
    if len(text) != length:
        raise BadId(kind, f"{text!r} has {len(text)} characters instead of {length}")
    try:
        octets = base64.b64decode(text + "=" * (-length % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadId(kind, f"{text!r} holds a character outside A–Z, a–z, 0–9, + and /") from error
    return [octet >> i & 1 for octet in octets for i in range(8)]


def _check_board(board: Board) -> None:
    if len(board) != 25 or min(board) < 0:
        raise BadId("board", "25 counts of checkers are needed: points 1 to 24 and the bar")
    if sum(board) > CHECKERS_MAX:
        raise BadId("board", f"{sum(board)} checkers of one side; at most {CHECKERS_MAX} exist")


def _check_points(on_roll: Board, other: Board) -> None:
    for point in range(24):
        if on_roll[point] and other[23 - point]:
            raise BadId("board", f"both sides stand on point {point + 1}")


def _xg_letter(count: int, *, lower: bool) -> str:
    if not count:
        return "-"
    return chr(ord("a" if lower else "A") + count - 1)


def _xg_boards(text: str) -> tuple[Board, Board]:
    bottom, top = [0] * 25, [0] * 25
    for at, letter in enumerate(text):
        if letter == "-":
            continue
        count = "abcdefghijklmno".find(letter.lower()) + 1
        if not count or (at == 0 and letter.isupper()) or (at == 25 and letter.islower()):
            raise BadId("XGID", f"{letter!r} cannot stand at place {at} of the board")
        if letter.isupper():
            bottom[24 if at == 25 else at - 1] = count
        else:
            top[24 if at == 0 else 24 - at] = count
    boards = tuple(bottom), tuple(top)
    for board in boards:
        _check_board(board)
    return boards


def _xg_dice(text: str) -> tuple[bool, tuple[int, int]]:
    if text == "D":
        return True, (0, 0)
    if text == "00":
        return False, (0, 0)
    if len(text) == 2 and set(text) <= set("123456"):
        high, low = sorted((int(text[0]), int(text[1])), reverse=True)
        return False, (high, low)
    raise BadId("XGID", f"the dice {text!r} are neither 00, D nor two numbers from 1 to 6")


def _xg_number(name: str, text: str, low: int, high: int) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or not low <= int(text) <= high:
        raise BadId("XGID", f"{name}: {text!r} is not a number from {low} to {high}")
    return int(text)
