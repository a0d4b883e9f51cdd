"""Finds black's fouls in Renju, on a board given as its lines.

Every line of the board is a word per player, so the window of eleven points around a point is a shift and a mask; the
point itself is number 5.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.text import Text

NO_FOUL: Final = 0
OVERLINE: Final = 1
DOUBLE_FOUR: Final = 2
DOUBLE_THREE: Final = 3
MAKES_FIVE: Final = 4  # no foul, whatever else it is
_OPEN: Final = 5  # depends on whether the threes are real

FOULS: Final = {
    OVERLINE: Text("overline"),
    DOUBLE_FOUR: Text("double four"),
    DOUBLE_THREE: Text("double three"),
}

REACH: Final = 5
_WINDOW: Final = (1 << (2 * REACH + 1)) - 1
_MIDDLE: Final = 1 << REACH
BLACK: Final = 0
WHITE: Final = 1
OUTSIDE: Final = 2  # third row of the lines: points beyond the ends


@jitable
def line_number(row: int, col: int, direction: int, size: int) -> int:
    """The number of the line through a point: level, upright, rising, falling."""
    if direction == 0:
        return row
    if direction == 1:
        return size + col
    if direction == 2:
        return 2 * size + row + col
    return 5 * size - 2 + row - col


@jitable
def place_on_line(row: int, col: int, direction: int) -> int:
    """The point's number on its line; its bit is ``REACH`` above, so that every window is a right shift."""
    return col if direction == 0 else row


@jitable
def flip(lines: NDArray[np.int64], row: int, col: int, size: int, side: int) -> None:
    """Put a stone of ``side`` on a point, or take it back."""
    for direction in range(4):
        lines[side, line_number(row, col, direction, size)] ^= _MIDDLE << place_on_line(row, col, direction)


@jitable
def _window(lines: NDArray[np.int64], row: int, col: int, direction: int, size: int, kind: int) -> int:
    return int(lines[kind, line_number(row, col, direction, size)] >> place_on_line(row, col, direction)) & _WINDOW


@jitable
def _run(window: int) -> int:
    """Length of the run of stones through the middle, up to 11."""
    count = 1
    bit = _MIDDLE << 1
    while window & bit != 0:
        count += 1
        bit <<= 1
    bit = _MIDDLE >> 1
    while window & bit != 0:
        count += 1
        bit >>= 1
    return count


@jitable
def _fours(black: int, free: int) -> int:
    """Number of fours on the line with the middle stone."""
    count = 0
    for first in range(1, REACH + 1):
        five = 31 << first
        missing = five & ~black
        # One point short of five, and that point would not make six.
        if missing & (missing - 1) == 0 and missing & free != 0 and black & ((1 << (first - 1)) | (32 << first)) == 0:
            count += 1
    # A straight four is seen from both ends.
    for first in range(2, REACH + 1):
        if count == 2 and (black >> first) & 15 == 15:
            count = 1
    return count


@jitable
def _straightens(black: int, free: int, first: int) -> int:
    """The point that makes points ``first`` to ``first + 3`` a straight four, 0 when one stone does not."""
    missing = (15 << first) & ~black
    ends = (1 << (first - 1)) | (16 << first)
    beyond = (1 << (first - 2)) | (32 << first)
    if missing & (missing - 1) == 0 and missing & free != 0 and free & ends == ends and black & beyond == 0:
        point = 0
        while missing > 1:
            missing >>= 1
            point += 1
        return point
    return 0


@jitable
def _has_room(room: int) -> bool:
    """Whether five adjacent points, including the middle, are all in ``room``."""
    return room & (room >> 1) & (room >> 2) & (room >> 3) & (room >> 4) & 0x3E != 0


@jitable
def _at_once(lines: NDArray[np.int64], row: int, col: int, size: int) -> int:
    """The result for a black stone just played if no other point needs to be examined; else _OPEN."""
    overline = False
    fours = 0
    threes = 0
    for direction in range(4):
        black = _window(lines, row, col, direction, size, BLACK)
        near = (black >> 1) & 0x1FF
        near &= near - 1
        if near & (near - 1) == 0:  # at most one other stone within reach
            continue
        white = _window(lines, row, col, direction, size, WHITE)
        free = _WINDOW & ~(black | white | _window(lines, row, col, direction, size, OUTSIDE))
        if not _has_room(black | free):
            continue
        run = _run(black)
        if run == 5:
            return MAKES_FIVE
        overline = overline or run > 5
        fours += _fours(black, free)
        for first in range(2, REACH + 1):
            if _straightens(black, free, first) != 0:
                threes += 1
                break
    if overline:
        return OVERLINE
    if fours >= 2:
        return DOUBLE_FOUR
    return _OPEN if threes >= 2 else NO_FOUL


@jitable
def _foul(lines: NDArray[np.int64], stack: NDArray[np.int32], row: int, col: int, size: int) -> int:
    """The result for a black stone on an empty point: MAKES_FIVE, a foul, or NO_FOUL.

    ``lines`` are changed and restored.  Whether a three is real depends on the same result for the point that makes it
    a straight four; the points being examined are on ``stack``, each as row, column, the number of the next straight
    four to examine (four per direction) and the real threes found.
    """
    depth = -1
    verdict = _OPEN
    while True:
        # A new point, (row, col).
        flip(lines, row, col, size, BLACK)
        verdict = _at_once(lines, row, col, size)
        depth += 1
        number = 0
        threes = 0
        while True:
            asking = False
            while verdict == _OPEN and not asking:
                if threes == 2:
                    verdict = DOUBLE_THREE
                elif number == 16:
                    verdict = NO_FOUL
                else:
                    direction = number >> 2
                    black = _window(lines, row, col, direction, size, BLACK)
                    white = _window(lines, row, col, direction, size, WHITE)
                    free = _WINDOW & ~(black | white | _window(lines, row, col, direction, size, OUTSIDE))
                    point = _straightens(black, free, 2 + (number & 3))
                    if point != 0:
                        asking = True
                        stack[depth] = row << 16 | col << 8 | number << 2 | threes
                        if direction != 1:
                            by = point - REACH
                            col += -by if direction == 2 else by
                        if direction != 0:
                            row += point - REACH
                    else:
                        number += 1
            if asking:
                break
            # (row, col) is finished.
            flip(lines, row, col, size, BLACK)
            depth -= 1
            if depth < 0:
                return verdict
            frame = int(stack[depth])
            row, col, number, threes = frame >> 16, (frame >> 8) & 31, (frame >> 2) & 31, frame & 3
            if verdict == NO_FOUL:
                threes += 1
                number = (number | 3) + 1  # a line has no second three
            else:
                number += 1
            verdict = _OPEN


@jitable
def _is_suspect(lines: NDArray[np.int64], row: int, col: int, size: int) -> bool:
    """Whether there are enough black stones around an empty point for five or a foul; rules out nearly all points."""
    directions = 0
    for direction in range(4):
        black = _window(lines, row, col, direction, size, BLACK)
        others = black & 0x3DE
        others &= others - 1
        if others == 0:  # a three needs two
            continue
        taken = _window(lines, row, col, direction, size, WHITE) | _window(lines, row, col, direction, size, OUTSIDE)
        if not _has_room(~taken):
            continue
        directions += 1
        others &= others - 1
        if directions == 2 or others & (others - 1) != 0:  # two fours of one line, and six, need four
            return True
    return False


@jitable
def foul_at(lines: NDArray[np.int64], stack: NDArray[np.int32], row: int, col: int, size: int) -> int:
    """The result for a black stone on an empty point: a foul, MAKES_FIVE, or NO_FOUL.  ``lines`` are not changed."""
    if _is_suspect(lines, row, col, size):
        return _foul(lines, stack, row, col, size)
    return NO_FOUL


@jitable
def is_won(lines: NDArray[np.int64], row: int, col: int, size: int, side: int) -> bool:
    """Whether the stone of ``side`` on a point completes a line."""
    won = False
    for direction in range(4):
        run = _run(_window(lines, row, col, direction, size, side))
        won = won or run == 5 or (run > 5 and side == WHITE)
    return won
