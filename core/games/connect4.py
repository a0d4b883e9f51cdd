"""Connect Four on any board that fits in 64 bits, k in a row.

Discs fall to the lowest empty cell of their column; overlines win; a full board is a draw.  Actions are columns.

A player's discs are an int64: the cell of column c, height h from the bottom is bit ``c * (rows + 1) + h``.
The bit above each column stays empty, so shifted boards never run into the next column, and adding a
column's lowest bit to the occupied cells carries into its lowest empty one (Tromp's encoding).  Bit 63 can only be
the one above the last column, so discs are never negative and right shifts bring in no ones; what left shifts and
sums put there is masked away.
"""

from collections.abc import Mapping
from functools import partial
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.bits import count_bits, lowest_bit, mix
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Kernels, Spare, register
from core.games.grid import marked, mirror_symmetries
from core.games.info import LAST, PLY, RESULT, begin_key, new_info, result, to_move
from core.games.line_words import gaps
from core.games.lines import FIVE_IN_A_ROW, side_to_move, verdict
from core.games.lines import winning_cells as winning_line
from core.games.position import Position
from core.games.redraw import redraw_columns
from core.games.spec import (
    FOUR_ON_BITS,
    MINIMAX,
    Board,
    Concept,
    GameFamily,
    GameSpec,
    IntParameter,
    Label,
    Lines,
    Sgf,
)
from core.rng import below, step
from core.text import Text

MAX_BITS: Final = 64
MAX_SIDE: Final = 19


class Connect4State(NamedTuple):
    boards: NDArray[np.int64]  # [2]: the discs of player 0 and of player 1
    info: NDArray[np.int64]  # [3]: see core.games.info
    dims: NDArray[np.int64]  # [3]: rows, cols, k
    scratch: NDArray[np.int64]  # [A]: for rollouts; no part of the position


@jitable
def _line(discs: int, step: int, k: int) -> int:
    """Non-zero when there are ``k`` discs ``step`` bits apart; run lengths double, the last step goes up to k."""
    length = 1
    while 2 * length <= k:
        discs &= discs >> (length * step)
        length *= 2
    if length < k:
        discs &= discs >> ((k - length) * step)
    return discs


@jitable
def _wins(discs: int, height: int, k: int) -> bool:
    """Whether the discs contain a line: vertical, horizontal or diagonal; ``height`` bits per column."""
    if k == 4:
        upright = discs & (discs >> 1)
        level = discs & (discs >> height)
        falling = discs & (discs >> (height - 1))
        rising = discs & (discs >> (height + 1))
        return (
            (upright & (upright >> 2))
            | (level & (level >> (2 * height)))
            | (falling & (falling >> (2 * (height - 1))))
            | (rising & (rising >> (2 * (height + 1))))
        ) != 0
    straight = _line(discs, 1, k) | _line(discs, height, k)
    return (straight | _line(discs, height - 1, k) | _line(discs, height + 1, k)) != 0


@jitable
def _gaps_of_four(discs: int, step: int) -> int:
    """The bits that would complete four discs ``step`` bits apart."""
    down, up = discs << step, discs >> step
    two_down, two_up = down & (discs << (2 * step)), up & (discs >> (2 * step))
    return (two_down & (up | (discs << (3 * step)))) | (two_up & (down | (discs >> (3 * step))))


@jitable
def winning_cells(discs: int, inside: int, height: int, k: int) -> int:
    """The cells where one more disc would complete a line, playable now or not."""
    if k == 4:
        upright = (discs << 1) & (discs << 2) & (discs << 3)
        straight = upright | _gaps_of_four(discs, height)
        winning = straight | _gaps_of_four(discs, height - 1) | _gaps_of_four(discs, height + 1)
    else:
        straight = gaps(discs, 1, k, False) | gaps(discs, height, k, False)
        winning = straight | gaps(discs, height - 1, k, False) | gaps(discs, height + 1, k, False)
    return winning & inside


def _play(state: Connect4State, action: int) -> None:
    boards, info = state.boards, state.info
    rows, cols, k = state.dims[0], state.dims[1], state.dims[2]
    side = info[PLY] & 1
    filled = boards[0] | boards[1]
    boards[side] |= (filled + (1 << (action * (rows + 1)))) & ~filled
    info[PLY] += 1
    info[LAST] = action
    if _wins(boards[side], rows + 1, k):
        info[RESULT] = FIRST_WINS if side == 0 else SECOND_WINS
    elif info[PLY] == rows * cols:
        info[RESULT] = DRAW


def _legal(state: Connect4State, out: NDArray[np.int16]) -> int:
    count = 0
    if state.info[RESULT] == ONGOING:
        rows, cols = state.dims[0], state.dims[1]
        filled = state.boards[0] | state.boards[1]
        for col in range(cols):
            if (filled >> (col * (rows + 1) + rows - 1)) & 1 == 0:
                out[count] = col
                count += 1
    return count


def _encode(state: Connect4State, out: NDArray[np.float32]) -> None:
    rows, cols, last = state.dims[0], state.dims[1], state.info[LAST]
    side = state.info[PLY] & 1
    mover, other = state.boards[side], state.boards[1 - side]
    for col in range(cols):
        topmost = col == last
        for row in range(rows):  # from the top: the first disc found is the column's last
            bit = 1 << (col * (rows + 1) + rows - 1 - row)
            out[0, row, col] = 1.0 if mover & bit != 0 else 0.0
            out[1, row, col] = 1.0 if other & bit != 0 else 0.0
            out[2, row, col] = 0.0
            if topmost and (mover | other) & bit != 0:
                out[2, row, col] = 1.0
                topmost = False
            out[3, row, col] = 1.0 if side == 0 else 0.0


def _copy(target: Connect4State, source: Connect4State) -> None:
    target.boards[0] = source.boards[0]
    target.boards[1] = source.boards[1]
    for i in range(len(source.info)):
        target.info[i] = source.info[i]
    for i in range(len(source.dims)):
        target.dims[i] = source.dims[i]


def _key(state: Connect4State) -> np.uint64:
    hashed = begin_key(state.info)
    hashed = mix(hashed ^ np.uint64(state.boards[0]))
    return mix(hashed ^ np.uint64(state.boards[1]))


def _rollout(state: Connect4State, rng: NDArray[np.uint64]) -> int:
    boards, info, bottoms = state.boards, state.info, state.scratch
    rows, cols, k = int(state.dims[0]), int(state.dims[1]), int(state.dims[2])
    height = rows + 1
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    side = int(info[PLY] & 1)
    mover, other = int(boards[side]), int(boards[1 - side])
    filled = mover | other
    # The lowest bits of the columns that are not full, and the top cells of all.
    count = 0
    tops = 0
    for col in range(cols):
        top = 1 << (col * height + rows - 1)
        tops |= top
        if filled & top == 0:
            bottoms[count] = 1 << (col * height)
            count += 1
    ply = int(info[PLY])
    bottom = 0
    earliest = 2 * k - 1  # nobody has k discs before this ply
    a, b = rng[0], rng[1]
    result = ONGOING
    while result == ONGOING:
        a, b, word = step(a, b)
        pick = below(word, count)
        bottom = int(bottoms[pick])
        disc = (filled + bottom) & ~filled
        mover |= disc
        filled |= disc
        ply += 1
        if disc & tops != 0:
            count -= 1
            bottoms[pick] = bottoms[count]
        if ply >= earliest and _wins(mover, height, k):
            result = FIRST_WINS if ply & 1 == 1 else SECOND_WINS
        elif count == 0:
            result = DRAW
        mover, other = other, mover
    rng[0], rng[1] = a, b
    boards[ply & 1] = mover
    boards[1 - (ply & 1)] = other
    last = 0
    while bottom > 1:
        bottom >>= height
        last += 1
    info[PLY] = ply
    info[LAST] = last
    info[RESULT] = result
    return result


def _tactical_rollout(state: Connect4State, rng: NDArray[np.uint64], _spare: Spare) -> int:
    boards, info = state.boards, state.info
    rows, cols, k = int(state.dims[0]), int(state.dims[1]), int(state.dims[2])
    height = rows + 1
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    ply = int(info[PLY])
    mover, other = int(boards[ply & 1]), int(boards[1 - (ply & 1)])
    filled = mover | other
    floor = 0  # the lowest cells
    for col in range(cols):
        floor |= 1 << (col * height)
    inside = floor * ((1 << rows) - 1)
    mine = winning_cells(mover, inside, height, k)
    theirs = winning_cells(other, inside, height, k)
    disc = 0
    a, b = rng[0], rng[1]
    result = ONGOING
    while result == ONGOING:
        open_cells = (filled + floor) & inside & ~filled
        moves = mine & open_cells
        if moves != 0:
            result = FIRST_WINS if ply & 1 == 0 else SECOND_WINS
        else:
            moves = open_cells & ~(theirs >> 1)  # a disc under a winning cell opens it
            threats = theirs & open_cells
            if threats & (threats - 1) != 0:
                moves = 0
            elif threats != 0:
                moves &= threats
            if moves == 0:
                moves = open_cells
        a, b, word = step(a, b)
        for _ in range(below(word, count_bits(np.uint64(moves)))):
            moves &= moves - 1
        disc = moves & -moves
        mover |= disc
        filled |= disc
        ply += 1
        if result == ONGOING and filled == inside:
            result = DRAW
        mover, other = other, mover
        mine = theirs
        theirs = winning_cells(other, inside, height, k)
    rng[0], rng[1] = a, b
    boards[ply & 1] = mover
    boards[1 - (ply & 1)] = other
    info[PLY] = ply
    info[LAST] = lowest_bit(np.uint64(disc)) // height
    info[RESULT] = result
    return result


register(Connect4State, Kernels(_play, _legal, result, to_move, _encode, _copy, _key, _rollout, _tactical_rollout))


def _new_state(rows: int, cols: int, k: int) -> Connect4State:
    info = new_info()
    return Connect4State(np.zeros(2, np.int64), info, np.array([rows, cols, k], np.int64), np.zeros(cols, np.int64))


def _bits(rows: int, cols: int) -> NDArray[np.int64]:
    """The bit number of each cell, int64 [H, W]."""
    return np.arange(cols, dtype=np.int64)[None, :] * (rows + 1) + np.arange(rows, dtype=np.int64)[::-1, None]


def _refusal(state: Connect4State, action: int) -> str:
    return Text("the column is full")


def _cells(state: Connect4State) -> NDArray[np.int8]:
    bits = _bits(int(state.dims[0]), int(state.dims[1]))
    cells = np.zeros(bits.shape, np.int8)
    for side in (0, 1):
        cells[(state.boards[side] >> bits) & 1 != 0] = 1 + side
    return cells


def _completing(position: Position, by_mover: bool) -> NDArray[np.bool_]:
    """The empty cells [H, W] where one more disc of the side to move, or of the other, completes a line."""
    state = position.state
    rows, cols, k = (int(number) for number in state.dims)
    side = position.to_move if by_mover else 1 - position.to_move
    filled = int(state.boards[0] | state.boards[1])
    inside = sum(((1 << rows) - 1) << (col * (rows + 1)) for col in range(cols))
    winning = winning_cells(int(state.boards[side]), inside, rows + 1, k) & ~filled
    return np.array([[winning >> int(bit) & 1 for bit in row] for row in _bits(rows, cols)], np.bool_)


def _line_here(by_mover: bool, position: Position) -> Label:
    return marked(position.cells(), _completing(position, by_mover))


def _served_threat(by_mover: bool, position: Position) -> Label:
    """Threats that wait and that the end of the game serves: the first player gets the odd rows from the bottom, the
    second the even ones."""
    cells = position.cells()
    side = position.to_move if by_mover else 1 - position.to_move
    below = np.vstack([cells[1:], np.ones((1, cells.shape[1]), np.int8)])
    odd = (np.arange(len(cells), 0, -1) % 2 == 1)[:, None]
    return marked(cells, _completing(position, by_mover) & (below == 0) & (odd == (side == 0)))


_CONCEPTS: Final = (
    Concept("own line", "a disc of the side to move completes a line here", partial(_line_here, True), is_move=True),
    Concept("their line", "a disc of the other side completes a line here", partial(_line_here, False)),
    Concept("own good parity", "a waiting threat of the side to move in its rows", partial(_served_threat, True)),
    Concept("their good parity", "a waiting threat of the other side in its rows", partial(_served_threat, False)),
)


def _from_cells(k: int, cells: NDArray[np.int8], stated: int | None, last: int) -> Connect4State:
    rows, cols = cells.shape
    for row in range(rows - 1):
        for col in range(cols):
            if cells[row, col] != 0 and cells[row + 1, col] == 0:
                raise ValueError(
                    Text(
                        "its disc at {cell} has nothing under it",
                        cell=f"{ascii_lowercase[col]}{rows - row}",
                    )
                )
    to_move = side_to_move(cells, stated)
    moved = 2 - to_move  # the disc of the player who just moved
    # The topmost disc of each column, where it may have been the last to fall.
    falls = {col: int(np.argmax(cells[:, col] != 0)) * cols + col for col in range(cols)}
    candidates = {col: cell for col, cell in falls.items() if cells.flat[cell] == moved}
    if last >= 0 and last not in candidates:
        raise ValueError(
            Text(
                "its last move {move} does not end in a disc of the player who just moved",
                move=ascii_lowercase[last],
            )
        )
    state = _new_state(rows, cols, k)
    bits = _bits(rows, cols)
    state.boards[0] = (1 << bits[cells == 1]).sum()
    state.boards[1] = (1 << bits[cells == 2]).sum()
    state.info[PLY] = np.count_nonzero(cells)
    state.info[LAST] = last
    state.info[RESULT] = verdict(cells, k, to_move, candidates.values() if last < 0 else [candidates[last]])
    return state


def _connect4(text: str, params: Mapping[str, Any]) -> GameSpec:
    rows, cols, k = params["rows"], params["cols"], params["k"]
    if (rows + 1) * cols > MAX_BITS:
        raise ValueError(
            Text(
                "{rows} rows and {cols} columns are too many, (rows + 1) * cols is at most {most}",
                rows=rows,
                cols=cols,
                most=MAX_BITS,
            )
        )
    if k > max(rows, cols):
        raise ValueError(
            Text(
                "k={k} does not fit on {rows}×{cols}, k is from 2 to {most} there",
                k=k,
                rows=rows,
                cols=cols,
                most=max(rows, cols),
            )
        )
    size = "" if (rows, cols) == (6, 7) else " {rows}×{cols}"
    goal = "" if k == 4 else ", {k} in a row"
    return GameSpec(
        text=text,
        name="connect4",
        title=Text(f"Connect Four{size}{goal}", rows=rows, cols=cols, k=k),
        params=params,
        shape=(rows, cols),
        action_names=tuple(ascii_lowercase[:cols]),
        first_number=1,
        max_plies=rows * cols,
        symmetries=np.stack([np.arange(cols, dtype=np.int16), np.arange(cols, dtype=np.int16)[::-1]]),
        cell_symmetries=mirror_symmetries(rows, cols),
        board=Board(
            new_state=partial(_new_state, rows, cols, k),
            cells=_cells,
            from_cells=partial(_from_cells, k),
            winning_cells=partial(winning_line, k=k),
            refusal=_refusal,
            redraw=redraw_columns,
        ),
        lines=Lines(k),
        gravity=True,
        stones_alternate=True,
        solver=FOUR_ON_BITS if k == 4 else MINIMAX,
        sgf=Sgf(FIVE_IN_A_ROW),
        concepts=_CONCEPTS,
    )


CONNECT4 = GameFamily(
    "connect4",
    "Connect Four",
    (IntParameter("rows", 2, MAX_SIDE, 6), IntParameter("cols", 2, MAX_SIDE, 7), IntParameter("k", 2, MAX_SIDE, 4)),
    _connect4,
    states=("connect4",),
    small="connect4(rows=4, cols=4)",
)
