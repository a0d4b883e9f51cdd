"""k in a row on a board given as cells: winning cells, side to move and result of a board set up by hand.

Plain Python for single positions; the kernels check only the lines through the last move.  Overlines win, except for
the stones in ``exact``.
"""

from collections.abc import Collection, Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.diagram import SYMBOLS
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from core.text import Text

FIVE_IN_A_ROW: Final = 4  # SGF's number (GM) of gomoku and Renju, for all games of stones in lines
_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (row, column): each line of the board in one direction


def line_cells(cells: NDArray[np.int8], k: int, stone: int, exact: Collection[int] = ()) -> tuple[int, ...]:
    """The cells ``row * cols + col`` of all winning runs of ``stone``, ascending; cells int8 [H, W]."""
    rows, cols = cells.shape
    board = cells.tolist()
    cells_won: set[int] = set()
    for row in range(rows):
        for col in range(cols):
            if board[row][col] != stone:
                continue
            for down, right in _STEPS:
                r, c = row - down, col - right
                if 0 <= r < rows and 0 <= c < cols and board[r][c] == stone:
                    continue  # the run was found at its start
                run = []
                r, c = row, col
                while 0 <= r < rows and 0 <= c < cols and board[r][c] == stone:
                    run.append(r * cols + c)
                    r, c = r + down, c + right
                if len(run) == k or (len(run) > k and stone not in exact):
                    cells_won.update(run)
    return tuple(sorted(cells_won))


def winning_cells(cells: NDArray[np.int8], k: int, exact: Collection[int] = ()) -> tuple[int, ...]:
    """The cells of all winning runs of either player, ascending."""
    return tuple(sorted(line_cells(cells, k, 1, exact) + line_cells(cells, k, 2, exact)))


def side_to_move(cells: NDArray[np.int8], stated: int | None) -> int:
    """The player to move by the numbers of stones; ValueError when these, or the ``stated`` side, are impossible."""
    firsts, seconds = int((cells == 1).sum()), int((cells == 2).sum())
    if firsts - seconds not in (0, 1):
        raise ValueError(
            Text(
                "it has {firsts} X and {seconds} O, and as X begins there must be as many X as O or one more",
                firsts=firsts,
                seconds=seconds,
            )
        )
    to_move = firsts - seconds
    if stated is not None and stated != to_move:
        raise ValueError(
            Text(
                "it says {player} to move, and with {firsts} X and {seconds} O it is {other}'s turn",
                player=SYMBOLS[1 + stated],
                firsts=firsts,
                seconds=seconds,
                other=SYMBOLS[1 + to_move],
            )
        )
    return to_move


def verdict(
    cells: NDArray[np.int8], k: int, to_move: int, last_cells: Iterable[int], exact: Collection[int] = ()
) -> int:
    """The result code of a board; ValueError when it cannot be reached.

    ``last_cells``: the cells that may hold the last stone, all of the player who just moved.  A won board must have
    been won by that stone: without it there is no line.
    """
    winner = 2 - to_move  # the stone of the player who just moved
    lines = line_cells(cells, k, winner, exact)
    if line_cells(cells, k, 3 - winner, exact):
        if lines:
            raise ValueError(Text("both sides have {k} in a row", k=k))
        raise ValueError(Text("{player} is to move and already has {k} in a row", player=SYMBOLS[3 - winner], k=k))
    if not lines:
        return DRAW if (cells != 0).all() else ONGOING
    for cell in last_cells:
        if cell in lines:
            before = cells.copy()
            before.flat[cell] = 0
            if not line_cells(before, k, winner, exact):
                return FIRST_WINS if winner == 1 else SECOND_WINS
    raise ValueError(
        Text(
            "{player} has {k} in a row without the last move, so the game was over before it",
            player=SYMBOLS[winner],
            k=k,
        )
    )
