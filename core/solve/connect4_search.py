"""The kernel of the Connect Four solver: negamax with a null window over bitboards.

Boards are laid out as in core.games.connect4, from the side to move: ``mover`` its discs, ``filled`` all discs.  A
score is ±(1 + discs the winner has left when the game ends), 0 for a draw (Pons, "Solving Connect 4: how to build a
perfect AI", whose ideas of non-losing moves, of ordering by threats made and of windows narrowed by the discs left
are used here).  A table of bounds keeps two positions per bucket, the one with the larger subtree and the newest.
Its entries identify positions exactly: the hash is a bijection of the board's bits.  On boards of 64 bits keys, hashes
and entries may be negative, so whatever is shifted right is masked.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.solve.slices import ADVANCE, DEPTH, ENTER, NUM_CONTROL, PHASE, RETURN, SEARCHED, VALUE

MIRROR_PLIES: Final = 14  # number of discs up to which a position and its mirror image share an entry
LATE: Final = 12  # number of empty cells up to which searching a reply is cheaper than looking it up

# An entry, from bit 0: 5 bits work, 5 move, 6 upper bound, 6 lower bound, and the rest of the hash.
_WORK_BITS: Final = 5
_MOVE_AT: Final = 5
_HIGH_AT: Final = 10
_LOW_AT: Final = 16
REST_AT: Final = 22
_OFFSET: Final = 32  # a bound b is stored as b + 32
_NO_MOVE: Final = 31
_MULTIPLIER: Final = 0x1E3779B97F4A7C15  # odd, so that multiplying is a bijection of the low bits


class Shape(NamedTuple):
    """A board as plain numbers."""

    rows: int
    cols: int
    bottom: int  # the lowest bit of each column
    board: int  # the bits that are cells
    mask: int  # the bits of a key
    half: int  # half their number
    upper: int  # the bits of a hash that stay when it is shifted right by half
    shift: int  # of a hash, to its bucket
    buckets: int  # their number less one


def board_shape(rows: int, cols: int, table_bits: int) -> Shape:
    """A board, with a table of ``2 ** table_bits`` buckets, or of as many as the entries' hashes need."""
    bits = (rows + 1) * cols
    table_bits = min(max(table_bits, bits + REST_AT - 64), bits - 1)
    bottom = sum(1 << (col * (rows + 1)) for col in range(cols))
    return Shape(
        rows,
        cols,
        bottom,
        board=bottom * ((1 << rows) - 1),
        mask=-1 if bits == 64 else (1 << bits) - 1,
        half=bits >> 1,
        upper=(1 << (bits - (bits >> 1))) - 1,
        shift=bits - table_bits,
        buckets=(1 << table_bits) - 1,
    )


class Connect4Run(NamedTuple):
    """The state of a search.  D plies, W columns."""

    mover: NDArray[np.int64]  # [D]
    filled: NDArray[np.int64]  # [D]
    alpha: NDArray[np.int64]  # [D]: is the score above this?
    best: NDArray[np.int64]  # [D]
    best_move: NDArray[np.int64]  # [D]: column
    number: NDArray[np.int64]  # [D]: moves to try
    following: NDArray[np.int64]  # [D]: index of the next of them
    hashed: NDArray[np.int64]  # [D]
    mirrored: NDArray[np.int64]  # [D]: whether the hash is the mirror image's
    began: NDArray[np.int64]  # [D]: nodes when the position was entered
    moves: NDArray[np.int64]  # [D, W]: columns, most promising first
    marks: NDArray[np.int64]  # [D, W]: what they were ordered by
    control: NDArray[np.int64]  # [NUM_CONTROL]


def make_run(plies: int, cols: int) -> Connect4Run:
    """Arrays for a search of ``plies`` positions."""

    def column() -> NDArray[np.int64]:
        return np.zeros(plies, np.int64)

    return Connect4Run(
        mover=column(),
        filled=column(),
        alpha=column(),
        best=column(),
        best_move=column(),
        number=column(),
        following=column(),
        hashed=column(),
        mirrored=column(),
        began=column(),
        moves=np.zeros((plies, cols), np.int64),
        marks=np.zeros((plies, cols), np.int64),
        control=np.zeros(NUM_CONTROL, np.int64),
    )


@jitable
def _count(bits: int) -> int:
    """Number of set bits, fast when there are few."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@jitable
def winning_cells(discs: int, filled: int, height: int, board: int) -> int:
    """The empty cells that would give ``discs`` a line of four, playable now or not."""
    winning = (discs << 1) & (discs << 2) & (discs << 3)
    for step in range(height - 1, height + 2):
        pair = (discs << step) & (discs << (2 * step))
        winning |= pair & (discs << (3 * step))
        winning |= pair & (discs >> step)
        pair = (discs >> step) & (discs >> (2 * step))
        winning |= pair & (discs << step)
        winning |= pair & (discs >> (3 * step))
    return winning & board & ~filled


@jitable
def _mirror(key: int, height: int, cols: int) -> int:
    column = (1 << height) - 1
    image = 0
    for col in range(cols):
        image |= ((key >> (col * height)) & column) << ((cols - 1 - col) * height)
    return image


@jitable
def _hash(mover: int, filled: int, ply: int, shape: Shape) -> tuple[int, bool]:
    """A bijective hash of a position, and whether it is that of its mirror image."""
    key = mover + filled
    mirrored = False
    if ply <= MIRROR_PLIES:
        image = _mirror(key, shape.rows + 1, shape.cols)
        if image < key:
            key = image
            mirrored = True
    hashed = (key * _MULTIPLIER) & shape.mask
    return hashed ^ ((hashed >> shape.half) & shape.upper), mirrored


@jitable
def _bucket(hashed: int, shape: Shape) -> int:
    """Where the two entries of a hash are in the table; a hash of 64 bits may be negative."""
    return ((hashed >> shape.shift) & shape.buckets) * 2


@jitable
def _find(table: NDArray[np.int64], bucket: int, rest: int) -> int:
    """The entry of a position, 0 when it is not there."""
    tag = rest << REST_AT
    if (table[bucket] ^ tag) >> REST_AT == 0 and table[bucket] != 0:
        return int(table[bucket])
    if (table[bucket + 1] ^ tag) >> REST_AT == 0 and table[bucket + 1] != 0:
        return int(table[bucket + 1])
    return 0


@jitable
def _keep(table: NDArray[np.int64], bucket: int, rest: int, low: int, high: int, move: int, work: int) -> None:
    """Store bounds in the table, merged with those it has for the position."""
    stored = _find(table, bucket, rest)
    if stored != 0:
        low = max(low, ((stored >> _LOW_AT) & 63) - _OFFSET)
        high = min(high, ((stored >> _HIGH_AT) & 63) - _OFFSET)
        if move == _NO_MOVE:
            move = (stored >> _MOVE_AT) & 31
    grade = 0
    while work > 1 and grade < (1 << _WORK_BITS) - 1:
        work >>= 1
        grade += 1
    entry = rest << REST_AT | (low + _OFFSET) << _LOW_AT | (high + _OFFSET) << _HIGH_AT | move << _MOVE_AT | grade
    first = table[bucket]
    if first == 0 or (first ^ entry) >> REST_AT == 0:
        table[bucket] = entry
    elif stored == 0 and grade >= first & ((1 << _WORK_BITS) - 1):
        table[bucket + 1] = first
        table[bucket] = entry
    else:
        table[bucket + 1] = entry


@jit
def run_slice(run: Connect4Run, table: NDArray[np.int64], shape: Shape, budget: int) -> bool:
    """Continue a search for ``budget`` nodes; whether it has finished, with the score in control[VALUE].

    The score is a bound: below or at the root's alpha an upper one, above it a lower one.  No position on the stack
    is over, and in none can the mover win at once.
    """
    control = run.control
    height, cols = shape.rows + 1, shape.cols
    area = shape.rows * cols
    board, bottom = shape.board, shape.bottom
    column = (1 << shape.rows) - 1
    rest_mask = (1 << shape.shift) - 1
    depth, phase, value, nodes = control[DEPTH], control[PHASE], control[VALUE], control[SEARCHED]
    root_ply = 0
    bits = run.filled[0]
    while bits != 0:
        bits &= bits - 1
        root_ply += 1
    limit = nodes + budget
    while depth >= 0 and nodes < limit:
        if phase == ENTER:
            nodes += 1
            phase = RETURN
            mover, filled, alpha = run.mover[depth], run.filled[depth], run.alpha[depth]
            ply = root_ply + depth
            possible = (filled + bottom) & board
            threats = winning_cells(mover ^ filled, filled, height, board)
            forced = possible & threats
            if forced != 0:
                possible = forced if forced & (forced - 1) == 0 else 0
            possible &= ~(threats >> 1)  # not under a cell where the opponent wins
            if possible == 0:
                value = -((area - ply) // 2)
                continue
            if ply >= area - 2:
                value = 0
                continue
            low = -((area - 2 - ply) // 2)
            high = (area - 1 - ply) // 2
            if low > alpha:
                value = low
                continue
            if high <= alpha:
                value = high
                continue
            hashed, mirrored = _hash(mover, filled, ply, shape)
            entry = _find(table, _bucket(hashed, shape), hashed & rest_mask)
            favourite = _NO_MOVE
            if entry != 0:
                low = ((entry >> _LOW_AT) & 63) - _OFFSET
                if low > alpha:
                    value = low
                    continue
                high = ((entry >> _HIGH_AT) & 63) - _OFFSET
                if high <= alpha:
                    value = high
                    continue
                favourite = (entry >> _MOVE_AT) & 31
                if mirrored and favourite != _NO_MOVE:
                    favourite = cols - 1 - favourite
            # Is some reply known to be bad enough?
            refuted = False
            if ply < area - LATE:
                for col in range(cols):
                    move = possible & (column << (col * height))
                    if move != 0:
                        reply, _ = _hash(mover ^ filled, filled | move, ply + 1, shape)
                        entry = _find(table, _bucket(reply, shape), reply & rest_mask)
                        if entry != 0 and _OFFSET - ((entry >> _HIGH_AT) & 63) > alpha:
                            value = _OFFSET - ((entry >> _HIGH_AT) & 63)
                            refuted = True
                            break
            if refuted:
                continue
            number = 0
            for i in range(cols):
                # From the centre outwards: equal marks keep this order.
                col = (cols - 1) // 2 + ((i + 1) // 2 if i & 1 == 1 else -(i // 2))
                move = possible & (column << (col * height))
                if move == 0:
                    continue
                mark = 100 if col == favourite else _count(winning_cells(mover | move, filled | move, height, board))
                at = number
                while at > 0 and run.marks[depth, at - 1] < mark:
                    run.marks[depth, at] = run.marks[depth, at - 1]
                    run.moves[depth, at] = run.moves[depth, at - 1]
                    at -= 1
                run.marks[depth, at] = mark
                run.moves[depth, at] = col
                number += 1
            run.number[depth] = number
            run.following[depth] = 0
            run.best[depth] = -_OFFSET
            run.best_move[depth] = _NO_MOVE
            run.hashed[depth] = hashed
            run.mirrored[depth] = mirrored
            run.began[depth] = nodes
            phase = ADVANCE
        elif phase == ADVANCE:
            i = run.following[depth]
            run.following[depth] = i + 1
            mover, filled = run.mover[depth], run.filled[depth]
            move = (filled + bottom) & (column << (run.moves[depth, i] * height))
            run.mover[depth + 1] = mover ^ filled
            run.filled[depth + 1] = filled | move
            run.alpha[depth + 1] = -run.alpha[depth] - 1
            depth += 1
            phase = ENTER
        else:
            depth -= 1
            if depth < 0:
                break
            value = -value
            alpha = run.alpha[depth]
            if value > run.best[depth]:
                run.best[depth] = value
                run.best_move[depth] = run.moves[depth, run.following[depth] - 1]
            if value <= alpha and run.following[depth] < run.number[depth]:
                phase = ADVANCE
                continue
            best = run.best[depth]
            above = best > alpha
            favourite = run.best_move[depth] if above else _NO_MOVE
            if above and run.mirrored[depth] != 0:
                favourite = cols - 1 - favourite
            hashed = run.hashed[depth]
            ply = root_ply + depth
            low = best if above else -((area - 2 - ply) // 2)
            high = (area - 1 - ply) // 2 if above else best
            _keep(
                table,
                _bucket(hashed, shape),
                hashed & rest_mask,
                low,
                high,
                favourite,
                nodes - run.began[depth],
            )
            value = best
    control[DEPTH] = depth
    control[PHASE] = phase
    control[VALUE] = value
    control[SEARCHED] = nodes
    return bool(depth < 0)
