"""Boards of Hex as cells: the winning chain, and boards that are set up by hand."""

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.games.diagram import SYMBOLS
from core.games.dispatch import FIRST_WINS, ONGOING, SECOND_WINS
from core.games.info import LAST, PLY, RESULT
from core.games.lines import side_to_move
from core.games.redraw import redraw_empties
from core.rng import random_below
from core.text import Text

from .kernels import HexState, can_swap, has_won, neighbour, new_state, put_stone


def cells_of(state: HexState) -> NDArray[np.int8]:
    """The board, int8 [N, N]."""
    size = int(state.dims[0])
    return state.cells.reshape(size, size).copy()


def winning_cells(cells: NDArray[np.int8]) -> tuple[int, ...]:
    """The cells of a shortest chain that connects a player's edges, ascending; () when there is none."""
    size, owners = len(cells), cells.ravel().tolist()
    for side in (0, 1):
        goal = size * size + 2 * side
        reached = {
            cell: -1
            for cell, owner in enumerate(owners)
            if owner == 1 + side and goal in [neighbour(size, cell, direction) for direction in range(6)]
        }
        waiting = list(reached)
        for cell in waiting:  # which grows
            around = [neighbour(size, cell, direction) for direction in range(6)]
            if goal + 1 in around:
                chain = [cell]
                while reached[chain[-1]] >= 0:
                    chain.append(reached[chain[-1]])
                return tuple(sorted(chain))
            for near in around:
                if near < size * size and owners[near] == 1 + side and near not in reached:
                    reached[near] = cell
                    waiting.append(near)
    return ()


def from_cells(swap: bool, cells: NDArray[np.int8], stated: int | None, last: int) -> HexState:
    """The state of a board; ValueError when no game leads to it."""
    firsts, seconds = int((cells == 1).sum()), int((cells == 2).sum())
    # After a swap the second player has one stone more than else.
    swapped = swap and (seconds == firsts + 1 or (seconds == firsts > 0 and stated == 1))
    mover = (seconds == firsts) if swapped else side_to_move(cells, stated)
    if swapped and stated not in (None, mover):
        raise ValueError(Text("it says {player} to move, which these stones do not allow", player=SYMBOLS[2 - mover]))
    state = new_state(len(cells), swap)
    for cell, owner in enumerate(cells.ravel().tolist()):
        if owner:
            put_stone(state, cell, owner - 1)
    if has_won(state, int(mover)):
        raise ValueError(Text("{player} is to move and has connected already", player=SYMBOLS[1 + mover]))
    state.info[PLY] = firsts + seconds + swapped
    state.info[LAST] = last
    if has_won(state, 1 - int(mover)):
        state.info[RESULT] = FIRST_WINS if mover else SECOND_WINS
    if state.info[PLY] == 1 and last < 0:  # a swap needs to know where the stone is
        state.info[LAST] = int(np.flatnonzero(cells.ravel())[0])
    return state


def refusal(state: HexState, action: int) -> str:
    """Why a move is illegal."""
    return Text("the place is taken") if action < state.cells.size else Text("a swap answers the first stone alone")


def redraw(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...] | None:
    """The moves of a random game of the kernels."""
    first: tuple[int, ...] = ()
    if position.result == ONGOING and can_swap(position.state):
        legal = position.legal_actions()
        first = (legal[random_below(rng, len(legal))],)
        position = position.play(first[0])
    rest = redraw_empties(position, rng)
    return None if rest is None else first + rest
