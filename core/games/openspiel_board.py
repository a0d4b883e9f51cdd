"""Finds out whether the moves of a game of OpenSpiel are the cells or columns of a board, and where its stones are in
the tensor.

OpenSpiel says neither: both are read off random games, in which each move must put a stone of its player into the cell
of its number, or onto the stones in the column of it, and every legal cell must be empty.
"""

import math
import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_GAMES: Final = 8
_MOVES: Final = 1500  # of all of them, at most, and so many that few numbers are read
_NUMBERS: Final = 900_000
_MOST_CELLS: Final = 26 * 26  # columns are named by letters


class CellBoard(NamedTuple):
    """A board whose moves are its cells, or where they ``fall`` its columns."""

    planes: tuple[int, int, int]
    """The tensor as planes, rows and columns."""
    falls: bool
    upwards: bool
    """Whether the first row of the tensor is the lowest."""
    first: tuple[int, ...]
    """The planes with stones of player 0."""
    second: tuple[int, ...]
    """The planes with stones of player 1."""
    adds: bool = False
    """Whether a move adds one stone and changes no other."""

    def place(self, action: int, state: Any, after: int = 0) -> int:
        """The cell in the tensor of an action that led to ``state``, or of one that is played there (``after`` 1)."""
        if not self.falls:
            return action
        rows, cols = self.planes[1:]
        height: int = state.history().count(action) - 1 + after
        return (height if self.upwards else rows - 1 - height) * cols + action

    def cells(self, state: Any) -> NDArray[np.int8]:
        """The stones of OpenSpiel's ``state``, int8 [H, W], row 0 on top: 0 empty, 1 player 0, 2 player 1."""
        shown = np.array(state.observation_tensor(0), np.float32).reshape(self.planes)
        first, second = shown[list(self.first)].any(axis=0), shown[list(self.second)].any(axis=0)
        board = np.where(second, 2, first).astype(np.int8)
        return np.ascontiguousarray(board[::-1] if self.upwards else board)


def find_board(game: Any) -> CellBoard | None:
    """The board of a game of OpenSpiel; None where its moves are nothing of the kind."""
    shape = tensor_shape(game)
    actions = game.num_distinct_actions()
    _, rows, cols = shape
    if not 4 <= rows * cols <= _MOST_CELLS or cols > 26:
        return None
    if actions - rows * cols in (0, 1):
        return _learn(game, shape, falls=False, upwards=False)
    if actions == cols:
        return _learn(game, shape, True, True) or _learn(game, shape, True, False)
    return None


def tensor_shape(game: Any) -> tuple[int, int, int]:
    """The tensor that a net is shown as planes, rows and columns; (0, 1, 1) where OpenSpiel shows none."""
    kind = game.get_type()
    if not kind.provides_observation_tensor:
        return 0, 1, 1
    shape = tuple(game.observation_tensor_shape())
    if len(shape) == 3:
        return shape
    size = int(np.prod(shape))
    if len(shape) == 2:
        side = game.get_parameters().get("size")
        if isinstance(side, int) and side * side == shape[1] == game.num_distinct_actions():
            return shape[0], side, side
    return size, 1, 1


def _learn(game: Any, shape: tuple[int, int, int], falls: bool, upwards: bool) -> CellBoard | None:
    """The board that random games show; None where a move does not put a stone into its cell."""
    planes, cells = shape[0], shape[1] * shape[2]
    marked, other = np.zeros((2, planes), np.bool_), np.zeros(planes, np.bool_)  # other: not only stones
    board = CellBoard(shape, falls, upwards, (), ())
    for player, action, _, after in _moves(game):
        cell = board.place(action, after)
        shown = np.array(after.observation_tensor(0), np.float32).reshape(planes, cells) != 0
        if cell < cells:
            marked[player] |= shown[:, cell]
        free = [board.place(a, after, 1) for a in after.legal_actions() if a < cells]
        if not 0 <= cell <= cells or max(free, default=0) >= cells or min(free, default=0) < 0:
            return None
        other |= shown[:, free].any(axis=1)
    first, second = marked[0] & ~marked[1] & ~other, marked[1] & ~marked[0] & ~other
    if not first.any() or not second.any():
        return None
    board = board._replace(first=tuple(np.flatnonzero(first).tolist()), second=tuple(np.flatnonzero(second).tolist()))
    return _checked(game, board)


def _checked(game: Any, board: CellBoard) -> CellBoard | None:
    """``board`` with ``adds``, if each move of the same games puts a stone of its player into its empty cell."""
    adds = True
    for player, action, before, after in _moves(game):
        cell = board.place(action, after)
        earlier, now = board.cells(before).ravel(), board.cells(after).ravel()
        if now.max() > 2:
            return None
        if cell < now.size:
            if board.upwards:
                row, col = divmod(cell, board.planes[2])
                cell = (board.planes[1] - 1 - row) * board.planes[2] + col
            if earlier[cell] != 0 or now[cell] != 1 + player:
                return None
            earlier[cell] = now[cell]
        adds = adds and bool((earlier == now).all())
    return board._replace(adds=adds)


def _moves(game: Any) -> Iterator[tuple[int, int, Any, Any]]:
    """(Player, action, OpenSpiel's state before, after) of each move of the same few random games."""
    rng, most = random.Random(0), min(_MOVES, _NUMBERS // max(1, math.prod(tensor_shape(game))))
    for _ in range(_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal() and most:
            player, action, most = state.current_player(), rng.choice(state.legal_actions()), most - 1
            before, state = state, state.child(action)
            yield player, action, before, state
