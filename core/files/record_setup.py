"""Stones set up in the middle of a game, from where it goes on with no earlier moves."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position

KEPT: Final = 3  # a cell that stays as it is


class Setup(NamedTuple):
    """A change of the board: what is on each cell afterwards, and whose turn it is."""

    cells: bytes  # [H * W]: 0 empty, 1 player 0, 2 player 1, KEPT
    to_move: int

    @classmethod
    def of(cls, stones: Mapping[int, int], num_cells: int, to_move: int) -> "Setup":
        """The change by ``stones``, cell -> 0, 1 or 2."""
        cells = bytearray([KEPT]) * num_cells
        for cell, stone in stones.items():
            cells[cell] = stone
        return cls(bytes(cells), to_move)

    @classmethod
    def between(cls, before: Position, after: Position) -> "Setup":
        """The change that makes the board of ``after`` from that of ``before``; the whole board where only the turn
        changes, which a file could not tell from a move that is missing."""
        old, new = before.cells().ravel(), after.cells().ravel()
        changed = new if (new == old).all() else np.where(new == old, np.int8(KEPT), new)
        return cls(changed.tobytes(), after.to_move)

    @property
    def stones(self) -> dict[int, int]:
        """Cell -> 0, 1 or 2, of the cells that are named, ascending."""
        return {cell: stone for cell, stone in enumerate(self.cells) if stone != KEPT}

    def board(self, cells: NDArray[np.int8]) -> NDArray[np.int8]:
        """The board int8 [H, W] that it makes of ``cells``."""
        new = np.frombuffer(self.cells, np.int8).reshape(cells.shape)
        return np.where(new == KEPT, cells, new)

    def position(self, before: Position) -> Position:
        """The position that it makes of ``before``, without moves; ValueError with a phrase when the game has none."""
        return before.game.set_up(self.board(before.cells()), self.to_move)
