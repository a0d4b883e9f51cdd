"""Othello up to 8×8 as kernels on two 64-bit words.

The cell of row r, column c is bit ``8 r + c`` on every size: a smaller board is the upper left part, and what
lies outside it is never occupied.  Discs are turned and moves found for all places of a direction at once: a
player's discs are spread along the opponent's by steps of 1, 2 and 2 places (parallel prefix), six in all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.bits import count_bits, lowest_bit, mix
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Kernels, register
from core.games.info import LAST, PLY, RESULT, begin_key, new_info, result, to_move
from core.rng import below, step

MAX_SIDE = 8

# Numba makes a float of an int64 beside a uint64, so every word is a uint64 from the start.
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_LEVEL = np.uint64(1)
_FALLING = np.uint64(9)
_UPRIGHT = np.uint64(8)
_RISING = np.uint64(7)
_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)  # without the first and last column, where a level or slanted line ends


class OthelloState(NamedTuple):
    boards: NDArray[np.uint64]  # [2]: the discs of player 0 and of player 1
    info: NDArray[np.int64]  # [3]: see core.games.info
    dims: NDArray[np.int64]  # [2]: size, 1 when passes are moves
    masks: NDArray[np.uint64]  # [2]: the board; where the side to move may place a disc


@jitable
def _spread_up(discs: np.uint64, through: np.uint64, by: np.uint64) -> np.uint64:
    """The bits of ``through`` that lie in unbroken line above ``discs``, up to six ``by`` bits apart."""
    reached = through & (discs << by)
    reached |= through & (reached << by)
    pairs = through & (through << by)
    twice = by + by
    reached |= pairs & (reached << twice)
    return reached | (pairs & (reached << twice))


@jitable
def _spread_down(discs: np.uint64, through: np.uint64, by: np.uint64) -> np.uint64:
    """The same below ``discs``."""
    reached = through & (discs >> by)
    reached |= through & (reached >> by)
    pairs = through & (through >> by)
    twice = by + by
    reached |= pairs & (reached >> twice)
    return reached | (pairs & (reached >> twice))


@jitable
def _ends(discs: np.uint64, through: np.uint64, by: np.uint64) -> np.uint64:
    """The cells after the lines of ``through`` that begin at ``discs``, both ways."""
    return (_spread_up(discs, through, by) << by) | (_spread_down(discs, through, by) >> by)


@jitable
def legal_places(mover: np.uint64, other: np.uint64, inside: np.uint64) -> np.uint64:
    """The empty cells where ``mover`` would turn a disc of ``other``."""
    inner = other & _INNER
    ends = _ends(mover, inner, _LEVEL) | _ends(mover, other, _UPRIGHT)
    ends |= _ends(mover, inner, _RISING) | _ends(mover, inner, _FALLING)
    return ends & inside & ~(mover | other)


@jitable
def _turned_along(mover: np.uint64, through: np.uint64, place: np.uint64, by: np.uint64) -> np.uint64:
    """The discs of ``through`` between ``place`` and ``mover`` in one line, both ways."""
    up = _spread_up(place, through, by)
    down = _spread_down(place, through, by)
    turned = up if (up << by) & mover != _NONE else _NONE
    return turned | (down if (down >> by) & mover != _NONE else _NONE)


@jitable
def _turned(mover: np.uint64, other: np.uint64, place: np.uint64) -> np.uint64:
    """The discs of ``other`` that a disc of ``mover`` at ``place`` turns."""
    inner = other & _INNER
    turned = _turned_along(mover, inner, place, _LEVEL) | _turned_along(mover, other, place, _UPRIGHT)
    return turned | _turned_along(mover, inner, place, _RISING) | _turned_along(mover, inner, place, _FALLING)


@jitable
def _count(boards: NDArray[np.uint64]) -> int:
    """The result code of a finished board."""
    firsts, seconds = count_bits(boards[0]), count_bits(boards[1])
    if firsts == seconds:
        return DRAW
    return FIRST_WINS if firsts > seconds else SECOND_WINS


@jitable
def settle(state: OthelloState) -> None:
    """Find the legal places of the side to move, and the result when the game is over."""
    boards, info, masks = state.boards, state.info, state.masks
    side = info[PLY] & 1
    masks[1] = legal_places(boards[side], boards[1 - side], masks[0])
    info[RESULT] = ONGOING
    if masks[1] == _NONE and (
        state.dims[1] == 0 or legal_places(boards[1 - side], boards[side], masks[0]) == _NONE
    ):  # neither can move, or passing is not allowed
        info[RESULT] = _count(boards)


def _play(state: OthelloState, action: int) -> None:
    boards, info = state.boards, state.info
    size = state.dims[0]
    side = info[PLY] & 1
    if action < size * size:
        place = _ONE << np.uint64(action + action // size * (8 - size))
        turned = _turned(boards[side], boards[1 - side], place)
        boards[side] |= turned | place
        boards[1 - side] ^= turned
    info[PLY] += 1
    info[LAST] = action
    settle(state)


def _legal(state: OthelloState, out: NDArray[np.int16]) -> int:
    count = 0
    if state.info[RESULT] == ONGOING:
        size = int(state.dims[0])
        places = state.masks[1]
        while places != _NONE:
            bit = lowest_bit(places)
            out[count] = bit - (bit >> 3) * (8 - size)
            count += 1
            places &= places - _ONE
        if count == 0:
            out[0] = size * size
            count = 1
    return count


def _encode(state: OthelloState, out: NDArray[np.float32]) -> None:
    size, last = state.dims[0], state.info[LAST]
    side = state.info[PLY] & 1
    mover, other = state.boards[side], state.boards[1 - side]
    for row in range(size):
        for col in range(size):
            bit = _ONE << np.uint64(8 * row + col)
            out[0, row, col] = 1.0 if mover & bit != _NONE else 0.0
            out[1, row, col] = 1.0 if other & bit != _NONE else 0.0
            out[2, row, col] = 1.0 if row * size + col == last else 0.0
            out[3, row, col] = 1.0 if side == 0 else 0.0


def _copy(target: OthelloState, source: OthelloState) -> None:
    for i in range(2):
        target.boards[i] = source.boards[i]
        target.masks[i] = source.masks[i]
        target.dims[i] = source.dims[i]
    for i in range(len(source.info)):
        target.info[i] = source.info[i]


def _key(state: OthelloState) -> np.uint64:
    hashed = begin_key(state.info)
    hashed = mix(hashed ^ state.boards[0])
    return mix(hashed ^ state.boards[1])


def _rollout(state: OthelloState, rng: NDArray[np.uint64]) -> int:
    boards, info = state.boards, state.info
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    inside = state.masks[0]
    passes = state.dims[1] != 0
    a, b = rng[0], rng[1]
    ply = info[PLY]
    mover, other = boards[ply & 1], boards[1 - (ply & 1)]
    places = state.masks[1]
    if places == _NONE:
        mover, other = other, mover
        ply += 1
        places = legal_places(mover, other, inside)
    place = _NONE
    while places != _NONE:
        a, b, word = step(a, b)
        for _ in range(below(word, count_bits(places))):
            places &= places - _ONE
        place = places & (~places + _ONE)
        turned = _turned(mover, other, place)
        mover, other = other ^ turned, mover | turned | place
        ply += 1
        places = legal_places(mover, other, inside)
        if places == _NONE and passes:
            places = legal_places(other, mover, inside)
            if places != _NONE:
                mover, other = other, mover
                ply += 1
    rng[0], rng[1] = a, b
    boards[ply & 1] = mover
    boards[1 - (ply & 1)] = other
    state.masks[1] = _NONE
    bit = lowest_bit(place)
    info[PLY] = ply
    info[LAST] = bit - (bit >> 3) * (8 - int(state.dims[0]))
    info[RESULT] = _count(boards)
    return int(info[RESULT])


register(OthelloState, Kernels(_play, _legal, result, to_move, _encode, _copy, _key, _rollout))


def _bits(size: int) -> NDArray[np.uint64]:
    """Each cell's word with its one bit, uint64 [H, W]."""
    rows, cols = np.indices((size, size)).astype(np.uint64)
    return _ONE << (np.uint64(8) * rows + cols)


def make_state(cells: NDArray[np.int8], ply: int, last: int, passes: bool) -> OthelloState:
    """The state of a board int8 [H, W], settled."""
    bits = _bits(len(cells))
    boards = np.array([bits[cells == 1].sum(), bits[cells == 2].sum()], np.uint64)
    info = new_info(ply, last)
    masks = np.array([bits.sum(), 0], np.uint64)
    state = OthelloState(boards, info, np.array([len(cells), passes], np.int64), masks)
    settle(state)
    return state


def read_cells(state: OthelloState) -> NDArray[np.int8]:
    """The board, int8 [H, W]: 0 empty, 1 player 0, 2 player 1."""
    bits = _bits(int(state.dims[0]))
    cells = np.zeros(bits.shape, np.int8)
    for side in (0, 1):
        cells[state.boards[side] & bits != _NONE] = 1 + side
    return cells
