"""The input planes and features of Plyscope's own nets of Go.

Chosen to learn fast with a small net: what a few convolutions would have to find out first is shown at once, which is
few liberties, repetitions that are forbidden, and who would win if the game ended now.  Ladders, whose reading costs
more than the net, are not shown.  All but the features are zeros and ones.  The move before the last is all history.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games.bits import mix
from core.games.go_board import (
    BONUS,
    COLS,
    COUNT,
    ILLEGAL,
    KO,
    KO_RULE,
    KOMI,
    ROWS,
    SIMPLE,
    STONE,
    GoState,
    is_legal,
    outcome,
    point_of,
)
from core.games.go_planes import parity_wave
from core.games.go_score import OWNER, find_owners
from core.games.info import PLY, begin_key

POINTS_PLANES: Final = (
    "board",
    "own stones",
    "opponent's stones",
    "1 liberty",
    "2 liberties",
    "3 liberties",
    "forbidden by ko",
    "last move",
    "move before",
    "own territory",
    "opponent's territory",
)
POINTS_FEATURES: Final = ("komi / 20", "komi and parity", "lead now", "winner now", "last move a pass")

_LIBERTIES: Final = 2  # before the plane of one liberty
_FORBIDDEN: Final = 6
_LAST: Final = 7
_TERRITORY: Final = 9
_LEAD_SCALE: Final = 10.0


class Marks(NamedTuple):
    """Scratch for one position; N points with the border."""

    counts: NDArray[np.int16]  # [N] liberties of a chain, at its head
    owners: NDArray[np.int8]  # [N] a stone's colour, and the only one that an empty region touches


def new_marks(rows: int, cols: int) -> Marks:
    """For boards of this size."""
    points = (rows + 2) * (cols + 1) + 1
    return Marks(np.zeros(points, np.int16), np.zeros(points, np.int8))


@jitable
def _count_liberties(state: GoState, counts: NDArray[np.int16]) -> None:
    """Write the liberties of each chain at its head."""
    cells, chain = state.cells, state.chain
    stride = int(state.dims[COLS]) + 1
    counts[:] = 0
    for point in range(stride + 1, len(cells) - stride):
        if cells[point] != 0:
            continue
        up, left, right, down = chain[point - stride], chain[point - 1], chain[point + 1], chain[point + stride]
        counts[up] += 1
        if left != up:
            counts[left] += 1
        if right not in (up, left):
            counts[right] += 1
        if down not in (up, left, right):
            counts[down] += 1


@jitable
def _mark_owners(state: GoState, owners: NDArray[np.int8]) -> int:
    """Write whose each point is; black's points less white's without komi."""
    cells = state.cells
    find_owners(state)
    ahead = 0
    for point in range(len(cells)):
        owner = cells[point] >> OWNER & STONE
        owners[point] = owner
        ahead += int(owner == 1) - int(owner == 2)
        cells[point] &= STONE
    return ahead


@jitable
def _forbidden(state: GoState, point: int, stone: int) -> bool:
    """Whether only a repetition keeps a stone from an empty point."""
    if state.info[KO] == point:
        return True
    if state.dims[KO_RULE] == SIMPLE or is_legal(state, point, stone):
        return False
    return outcome(state, point, stone) != ILLEGAL


@jit
def encode_points(state: GoState, marks: Marks, out: NDArray[np.float32], numbers: NDArray[np.float32]) -> None:
    """Write the planes to ``out`` float32 [11, H, W] and the features to ``numbers`` float32 [5]."""
    info, dims, cells = state.info, state.dims, state.cells
    rows, cols = int(dims[ROWS]), int(dims[COLS])
    stone = 1 + int(info[PLY] & 1)
    _count_liberties(state, marks.counts)
    ahead = _mark_owners(state, marks.owners)
    for row in range(rows):
        for col in range(cols):
            for plane in range(out.shape[0]):
                out[plane, row, col] = 0.0
            out[0, row, col] = 1.0
            point = (row + 1) * (cols + 1) + col + 1
            if cells[point] != 0:
                out[1 if cells[point] == stone else 2, row, col] = 1.0
                liberties = int(marks.counts[state.chain[point]])
                if liberties <= 3:
                    out[_LIBERTIES + liberties, row, col] = 1.0
            else:
                owner = marks.owners[point]
                if owner in (1, 2):
                    out[_TERRITORY if owner == stone else _TERRITORY + 1, row, col] = 1.0
                if _forbidden(state, point, stone):
                    out[_FORBIDDEN, row, col] = 1.0
    count = int(info[COUNT])
    for ago in range(min(2, count - 1)):
        point = int(state.moves[count - 2 - ago])
        if point != 0:
            out[_LAST + ago, point // (cols + 1) - 1, point % (cols + 1) - 1] = 1.0
    side = 1 if stone == 1 else -1
    komi = -0.5 * side * float(dims[KOMI] - info[BONUS])
    lead = side * ahead + komi
    numbers[0] = komi / 20.0
    numbers[1] = parity_wave(komi, rows * cols)
    numbers[2] = math.tanh(lead / _LEAD_SCALE)
    numbers[3] = 1.0 if lead > 0.0 else -1.0 if lead < 0.0 else 0.0
    numbers[4] = 1.0 if count > 1 and state.moves[count - 2] == 0 else 0.0


@jitable
def key_points(state: GoState) -> np.uint64:
    """A hash of all that ``encode_points`` shows."""
    info = state.info
    count = int(info[COUNT])
    key = mix(begin_key(info) ^ state.history[count - 1])
    before = int(state.moves[count - 3]) + 1 if count > 2 else 0
    boards = min(count, 2)
    key = mix(key ^ np.uint64((before * 4 + boards) * 4096 + info[KO]))
    key = mix(key ^ np.uint64(state.dims[KOMI] - info[BONUS] + (1 << 20)))
    if state.dims[KO_RULE] != SIMPLE:
        stone = 1 + int(info[PLY] & 1)
        for action in range(state.dims[ROWS] * state.dims[COLS]):
            point = point_of(state, action)
            if state.cells[point] == 0 and _forbidden(state, point, stone):
                key = mix(key ^ np.uint64(point))
    return key
