"""Common operations of kernels on boards stored as cells: copy, encode, hash.

A cell is 0 empty, 1 player 0, 2 player 1, 3 border; the cell of row r, column c is at ``first + r * stride + c``.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.bits import mix
from core.games.info import LAST, PLY, begin_key

_CELLS_PER_WORD: Final = 31  # two bits each, clear of the sign


@jitable
def copy_into(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy ``source`` to ``target`` of the same length; faster than a slice for a few dozen entries."""
    for i in range(len(source)):
        target[i] = source[i]


@jitable
def encode_cells(
    cells: NDArray[np.int8], info: NDArray[np.int64], first: int, stride: int, out: NDArray[np.float32]
) -> None:
    """Write the planes float32 [4, H, W]: mover's stones, opponent's stones, last move, ones if player 0 is to move."""
    rows, cols, last = out.shape[1], out.shape[2], info[LAST]
    mover = 1 + (info[PLY] & 1)
    first_to_move = 1.0 if mover == 1 else 0.0
    # A row and a plane at a time, for the processor's wide instructions.
    for row in range(rows):
        line = cells[first + row * stride : first + row * stride + cols]
        mine, theirs, played, side = out[0, row], out[1, row], out[2, row], out[3, row]
        for col in range(cols):
            mine[col] = 1.0 if line[col] == mover else 0.0
        for col in range(cols):
            theirs[col] = 1.0 if line[col] == 3 - mover else 0.0
        for col in range(cols):
            played[col] = 0.0
            side[col] = first_to_move
    if 0 <= last < rows * cols:  # a pass is no point
        out[2, last // cols, last % cols] = 1.0


@jitable
def key_of_cells(cells: NDArray[np.int8], info: NDArray[np.int64]) -> np.uint64:
    """A hash of all that :func:`encode_cells` shows."""
    hashed = begin_key(info)
    whole = len(cells) - len(cells) % _CELLS_PER_WORD
    for first in range(0, whole, _CELLS_PER_WORD):
        part = cells[first : first + _CELLS_PER_WORD]
        word = 0
        for i in range(_CELLS_PER_WORD):
            word |= int(part[i]) << (2 * (_CELLS_PER_WORD - 1 - i))
        hashed = mix(hashed ^ np.uint64(word))
    word = 0
    for i in range(whole, len(cells)):
        word = (word << 2) | int(cells[i])
    return mix(hashed ^ np.uint64(word))
