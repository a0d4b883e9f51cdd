"""Common operations of kernels on boards stored as cells: copy, encode, hash.  Knows no rules.

A cell is 0 empty, 1 player 0, 2 player 1, 3 border; the cell of row r, column c is at ``first + r * stride + c``.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.hashing import mix
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
    for row in range(rows):
        for col in range(cols):
            cell = cells[first + row * stride + col]
            out[0, row, col] = 1.0 if cell == mover else 0.0
            out[1, row, col] = 1.0 if cell == 3 - mover else 0.0
            out[2, row, col] = 1.0 if row * cols + col == last else 0.0
            out[3, row, col] = 1.0 if mover == 1 else 0.0


@jitable
def key_of_cells(cells: NDArray[np.int8], info: NDArray[np.int64]) -> np.uint64:
    """A hash of all that :func:`encode_cells` shows."""
    hashed = begin_key(info)
    word = 0
    filled = 0
    for i in range(len(cells)):
        word = (word << 2) | int(cells[i])
        filled += 1
        if filled == _CELLS_PER_WORD:
            hashed = mix(hashed ^ np.uint64(word))
            word = 0
            filled = 0
    return mix(hashed ^ np.uint64(word))
