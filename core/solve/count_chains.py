"""Counts the boards on which every chain of stones has a liberty, by the number of stones.

Point (r, c) is bit ``r * (cols + 1) + c``, and the bit after each row stays empty; a board is a number with a digit of
0 to 2 for each point.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable

MAX_POINTS: Final = 16  # 43 million boards, some seconds
_BOARDS_A_LOOK: Final = 200_000  # boards between calls of should_stop, about 20 ms


@jitable
def _spread(stones: int, height: int) -> int:
    """The stones and their neighbours."""
    return stones | stones << 1 | stones >> 1 | stones << height | stones >> height


@jitable
def _all_live(stones: int, empty: int, height: int) -> bool:
    """Whether each stone is connected with an empty point through others of its colour."""
    live = stones & _spread(empty, height)
    grown = stones & _spread(live, height)
    while grown != live:
        live = grown
        grown = stones & _spread(live, height)
    return live == stones


@jit
def _count_boards(rows: int, cols: int, start: int, stop: int, counts: NDArray[np.int64]) -> None:
    """Add the boards from ``start`` to before ``stop`` to ``counts`` [points + 1]."""
    height = cols + 1
    for code in range(start, stop):
        digits = code
        black, white, empty, stones = 0, 0, 0, 0
        for row in range(rows):
            for col in range(cols):
                point = 1 << (row * height + col)
                digit = digits % 3
                digits //= 3
                if digit == 0:
                    empty |= point
                elif digit == 1:
                    black |= point
                    stones += 1
                else:
                    white |= point
                    stones += 1
        if _all_live(black, empty, height) and _all_live(white, empty, height):
            counts[stones] += 1


def count_live_boards(
    shape: tuple[int, int],
    most: int | None,
    should_stop: Callable[[], bool] | None,
    progress: Callable[[int], None] | None,
) -> tuple[int, ...] | None:
    """The boards [H, W] of each number of stones up to ``most``; None when ``should_stop`` ended it.

    The caller sees to it that there are at most MAX_POINTS points.
    """
    rows, cols = shape
    points = rows * cols
    counts = np.zeros(points + 1, np.int64)
    for start in range(0, 3**points, _BOARDS_A_LOOK):
        if should_stop is not None and should_stop():
            return None
        _count_boards(rows, cols, start, min(start + _BOARDS_A_LOOK, 3**points), counts)
        if progress is not None:
            progress(int(counts.sum()))
    return tuple(counts[: points if most is None else min(points, most + 1)].tolist())  # a full board has no liberty
