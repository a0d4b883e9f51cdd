"""Names and symmetries of the cells of a rectangular board."""

import string

import numpy as np
from numpy.typing import NDArray


def cell_names(
    rows: int, cols: int, rows_from_top: bool = False, letters: str = string.ascii_lowercase
) -> tuple[str, ...]:
    """The name of each cell, by ``row * cols + col``: column letter, row number from the bottom or the top."""
    numbers = range(1, rows + 1) if rows_from_top else range(rows, 0, -1)
    return tuple(f"{letter}{number}" for number in numbers for letter in letters[:cols])


def grid_symmetries(rows: int, cols: int) -> NDArray[np.int16]:
    """The image of each cell, int16 [S, H*W], identity first: 8 for a square, 4 for another rectangle."""
    cells = np.arange(rows * cols, dtype=np.int16).reshape(rows, cols)
    images = [cells, cells[:, ::-1], cells[::-1], cells[::-1, ::-1]]
    if rows == cols:
        images += [grid.T for grid in images]
    # These grids are the inverse maps; each is its own inverse except the two quarter turns, which are each other's,
    # so the set is the same.
    return np.stack([grid.reshape(-1) for grid in images])


def mirror_symmetries(rows: int, cols: int) -> NDArray[np.int16]:
    """Identity and left-right mirror, int16 [2, H*W]."""
    return grid_symmetries(rows, cols)[:2].copy()


def marked(
    cells: NDArray[np.int8], where: NDArray[np.bool_], on: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """1 where ``where`` holds, else 0; NaN outside ``on``, by default the empty cells.  All [H, W]."""
    return np.where(cells == 0 if on is None else on, where.astype(np.float32), np.float32(np.nan))
