"""Counts the different reachable boards of k in a row by ply, with or without gravity, and of Go.

A board counts once, whatever the order of moves; play stops at a win, the empty and the finished boards are included,
images under symmetry count separately.  The boards of one ply are a set of 64-bit codes, one per board.

Both kinds of game are laid out as in core.games.connect4: column c, height h is bit ``c * (rows + 1) + h``, and the
bit above each column stays empty.  A free board's code is the first player's stones beside the second's; a Connect
Four board's is the mover's discs plus all discs, from which each column can be read again.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games.spec import GameSpec
from core.solve.count_chains import MAX_POINTS, count_live_boards

CODE_BITS: Final = 64
MAX_BOARDS: Final = 100_000_000  # of one ply; their set takes up to 4 GB
BOARDS_A_LOOK: Final = 20_000  # boards between calls of should_stop, about 20 ms
_PART: Final = 1 << 20  # places copied between such calls while a set grows
_MULTIPLIER: Final = 0x1E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class BoardCount:
    """Number of different boards, ``per_ply[n]`` after n moves, or of n stones in Go; ``seconds``: duration."""

    per_ply: tuple[int, ...]
    seconds: float

    @property
    def total(self) -> int:
        return sum(self.per_ply)


@jitable
def _has_line(stones: int, height: int, k: int) -> bool:
    """Whether ``k`` stones are in a line, with ``height`` bits per column."""
    for direction in range(4):
        step = 1 if direction == 0 else height - 2 + direction
        run = stones
        for _ in range(k - 1):  # a bit that is still set after n passes begins n + 1 stones
            run &= run >> step
        if run != 0:
            return True
    return False


@jitable
def _insert(codes: NDArray[np.int64], code: int) -> int:
    """Add a code to an open-addressing set, whose size is a power of two and 0 an empty place; 1 if it is new."""
    mask = len(codes) - 1
    at = code * _MULTIPLIER
    at = (at ^ (at >> 29)) & mask
    while codes[at] != 0:
        if codes[at] == code:
            return 0
        at = (at + 1) & mask
    codes[at] = code
    return 1


@jit
def _insert_all(target: NDArray[np.int64], source: NDArray[np.int64]) -> None:
    for i in range(len(source)):
        if source[i] != 0:
            _insert(target, source[i])


@jit
def _expand(
    boards: NDArray[np.int64], start: int, stop: int, boards_found: NDArray[np.int64], ply: int, dims: NDArray[np.int64]
) -> int:
    """Add the boards after one move from ``boards[start:stop]``, all of ``ply`` stones; the number of new ones.

    ``dims``: rows, cols, k, and whether stones fall.
    """
    rows, cols, k, falls = dims[0], dims[1], dims[2], dims[3] != 0
    height = rows + 1
    bits = height * cols
    bottom = 0
    for col in range(cols):
        bottom |= 1 << (col * height)
    column = (1 << rows) - 1
    new = 0
    for i in range(start, stop):
        code = boards[i]
        if falls:
            # In a column of n discs the code holds 2**n - 1 plus the mover's discs.
            mover = 0
            filled = 0
            for col in range(cols):
                part = (code >> (col * height)) & ((1 << height) - 1)
                discs = 0
                while (2 << discs) - 1 <= part:
                    discs += 1
                filled |= ((1 << discs) - 1) << (col * height)
                mover |= (part - ((1 << discs) - 1)) << (col * height)
            other = mover ^ filled
        else:
            mover = code >> bits
            other = code & ((1 << bits) - 1)
            if ply & 1 == 1:
                mover, other = other, mover
            filled = mover | other
            # Now ``mover`` is the one to move: the first player's stones are the upper half.
        if _has_line(other, height, k):
            continue
        possible = ((filled + bottom) if falls else ~filled) & (bottom * column)
        while possible != 0:
            stone = possible & -possible
            possible ^= stone
            if falls:
                new += _insert(boards_found, other + (filled | stone))
            elif ply & 1 == 0:
                new += _insert(boards_found, (mover | stone) << bits | other)
            else:
                new += _insert(boards_found, other << bits | mover | stone)
    return new


def count(
    game: GameSpec,
    plies: int | None = None,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[int], None] | None = None,
) -> BoardCount | None:
    """Count the boards reachable in at most ``plies`` moves (None: to the end); None when ``should_stop`` ended it.

    Where stones are captured, the boards are those of at most ``plies`` stones whose chains all have a liberty: passes
    make each of them reachable.  ``progress`` is called with the number found so far.  ValueError for other games,
    boards that do not fit a code, a ply with more than MAX_BOARDS boards, and negative ``plies``.
    """
    if plies is not None and plies < 0:
        raise ValueError(f"plies is {plies}; it must be at least 0")
    began = time.perf_counter()
    rows, cols = game.shape
    falls = game.gravity
    if game.captures:
        if rows * cols > MAX_POINTS:
            raise ValueError(f"{game.text} is too large to count its boards, rows * cols is at most {MAX_POINTS}")
        per_stones = count_live_boards(game.shape, plies, should_stop, progress)
        return None if per_stones is None else BoardCount(per_stones, time.perf_counter() - began)
    if game.lines is None:
        raise ValueError(f"boards are counted for games of k in a row and Go, not for {game.text}")
    if game.lines.exact:
        raise ValueError(f"boards are counted where every line of k wins, not for {game.text}")
    bits = (rows + 1) * cols * (1 if falls else 2)
    if bits > CODE_BITS:
        raise ValueError(f"{game.text} is too large to count its boards, (rows + 1) * cols is at most {CODE_BITS // 2}")
    dims = np.array([rows, cols, game.lines.k, falls], np.int64)
    boards = np.zeros(1, np.int64)
    per_ply = [1]
    for ply in range(min(game.max_plies, game.max_plies if plies is None else plies)):
        places = np.zeros(1 << 12, np.int64)
        number = 0
        most = game.num_actions * BOARDS_A_LOOK
        for start in range(0, len(boards), BOARDS_A_LOOK):
            if should_stop is not None and should_stop():
                return None
            stop = min(start + BOARDS_A_LOOK, len(boards))
            while 2 * (number + min(most, (stop - start) * game.num_actions)) > len(places):
                larger = np.zeros(2 * len(places), np.int64)
                for part in range(0, len(places), _PART):
                    if should_stop is not None and should_stop():
                        return None
                    _insert_all(larger, places[part : part + _PART])
                places = larger
            number += int(_expand(boards, start, stop, places, ply, dims))
            if number > MAX_BOARDS:
                raise ValueError(
                    f"{game.text} has more than {MAX_BOARDS} boards of {ply + 1} stones, too many to count"
                )
            if progress is not None:
                progress(sum(per_ply) + number)
        boards = places[places != 0]
        if not number:
            break
        per_ply.append(number)
    return BoardCount(tuple(per_ply), time.perf_counter() - began)
