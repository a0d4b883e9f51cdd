"""A Go board as kernels: chains, liberties, captures, ko, hashes of earlier positions.

A point is an index into the bordered board: row r, column c is at ``(r + 1) * (cols + 1) + c + 1``, one border column
serves both sides.  Index 0 is border, so it stands for no point.

The liberties of a chain are counted once for each of its stones that touches them ("pseudo-liberties"): adding and
removing stones keeps them by single steps, and they are 0 exactly when the chain has no liberty.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.info import PLY

BORDER: Final = 3
STONE: Final = 3  # the bits of a cell that hold its stone
MAX_SIDE: Final = 19
MAX_POINTS: Final = (MAX_SIDE + 2) * (MAX_SIDE + 1) + 1

# Indices into GoState.info after those of core.games.info.
KO: Final = 3  # the point that the side to move may not retake at once, 0 for none
COUNT: Final = 4  # positions in history, the present one included
SINCE: Final = 5  # the first of them that a repetition may be of
PASSES_SINCE: Final = 6  # the first of them from which a pass is remembered
PASSES: Final = 7  # 1 after a pass that counts towards the end
BUTTON: Final = 8  # 1 while the button can be taken
BONUS: Final = 9  # black's points from button and handicap, in halves
MARGIN: Final = 10  # black's points less white's with komi and bonus, in halves; 0 before the end
PLAYED: Final = 11  # stones that black put on the board less those of white, the first ones counted, without rollouts
PRISONERS: Final = 12  # stones that black took, and after them those that white took, without rollouts
NUM_INFO: Final = 14

# Indices into GoState.dims.
ROWS: Final = 0
COLS: Final = 1
CAP: Final = 2  # plies after which the game ends by its score
KO_RULE: Final = 3
SUICIDE: Final = 4  # 1 where a chain of several stones may take itself
KOMI: Final = 5  # in halves of a point
TAX: Final = 6  # of groups: a tax of core.games.go_area
TERRITORY: Final = 7  # 1 where territory and prisoners are counted instead of area

# Ko rules.
SIMPLE: Final = 0
POSITIONAL: Final = 1
SITUATIONAL: Final = 2

# How a point can be taken.
ILLEGAL: Final = 0
QUIET: Final = 1  # nothing is captured
CAPTURES: Final = 2  # stones of the opponent leave the board
SUICIDES: Final = 3  # stones of the mover leave it, several of them

KEPT: Final = 8  # moves whose captures are kept

# Words for the stones of both players on each point, and for the second player to move.
_CODES: Final = np.random.default_rng(20).integers(1, 1 << 63, (3, MAX_POINTS), np.uint64)
_NO_CODE: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_LOW: Final = np.uint64(4095)
_LOWEST: Final = np.uint64(63)

# GoState.around counts the neighbours of a point: empty ones in its lowest three bits, black and white stones above.
FREE: Final = 7
HAD_STONE: Final = 1 << 9  # a stone of the point was taken


class GoState(NamedTuple):
    """The board, its chains, and the positions and moves since the game or the diagram began.

    N points with the border, P plies.
    """

    cells: NDArray[np.int8]  # [N]: 0 empty, 1 player 0, 2 player 1, 3 border
    around: NDArray[np.int16]  # [N]: empty neighbours + 8 * black ones + 64 * white ones, and HAD_STONE
    chain: NDArray[np.int16]  # [N]: of a stone the head of its chain, else 0
    following: NDArray[np.int16]  # [N]: the next stone of the chain, in a circle
    liberties: NDArray[np.int16]  # [N]: of a head the pseudo-liberties of its chain; that of 0 means nothing
    size: NDArray[np.int16]  # [N]: of a head the stones of its chain
    info: NDArray[np.int64]  # [NUM_INFO]
    dims: NDArray[np.int64]  # [8]
    history: NDArray[np.uint64]  # [P + 1]: hashes of the positions, COUNT of them
    recorded: NDArray[np.uint64]  # [64]: a bit for each value of the lowest twelve bits of those hashes
    moves: NDArray[np.int16]  # [P]: the point that followed each of them, 0 for a pass
    emptied: NDArray[np.int16]  # [KEPT]: how many points each of the last moves emptied; move i is at i % KEPT
    taken: NDArray[np.int16]  # [KEPT, H * W]: these points
    scratch: NDArray[np.int16]  # [H * W]: for rollouts and scoring


@jitable
def point_of(state: GoState, action: int) -> int:
    """The point of an action that is no pass."""
    cols = state.dims[COLS]
    return int(action + action // cols + cols + 2)


@jitable
def action_of(state: GoState, point: int) -> int:
    """The action at a point, the pass for 0."""
    rows, cols = state.dims[ROWS], state.dims[COLS]
    if point == 0:
        return int(rows * cols)
    return int((point // (cols + 1) - 1) * cols + point % (cols + 1) - 1)


@jitable
def place_of_move(state: GoState) -> int:
    """Where in ``emptied`` and ``taken`` the move in the present position is kept."""
    return int(state.info[COUNT] - 1) % KEPT


@jitable
def side_code(state: GoState, player: int) -> np.uint64:
    """What the player to move adds to the hash of a position: nothing where only boards are compared."""
    if player == 0 or state.dims[KO_RULE] == POSITIONAL:
        return _NO_CODE
    return np.uint64(_CODES[2, 0])


@jitable
def board_code(state: GoState) -> np.uint64:
    """The hash of the present board alone."""
    return np.uint64(state.history[state.info[COUNT] - 1] ^ side_code(state, int(state.info[PLY] & 1)))


@jitable
def _merge(state: GoState, head: int, other: int) -> int:
    """Join two chains by their heads; the head of the joined one."""
    chain, following, size = state.chain, state.following, state.size
    if size[head] < size[other]:
        head, other = other, head
    stone = other
    for _ in range(size[other]):
        chain[stone] = head
        stone = int(following[stone])
    following[head], following[other] = following[other], following[head]
    size[head] += size[other]
    state.liberties[head] += state.liberties[other]
    return head


@jitable
def _remove(state: GoState, head: int) -> np.uint64:
    """Take a chain off the board, list its points in taken, and return the code of its stones."""
    around, chain, liberties = state.around, state.chain, state.liberties
    move = place_of_move(state)
    listed = state.emptied[move]
    stone = int(state.cells[head])
    change = (1 << 3 * stone) - 1
    code = _NO_CODE
    point = head
    count = int(state.size[head])
    for i in range(count):
        state.cells[point] = 0
        chain[point] = 0
        around[point] |= HAD_STONE
        code ^= _CODES[stone - 1, point]
        state.taken[move, listed + i] = point
        step, across = 1, int(state.dims[COLS]) + 1
        for _ in range(4):
            around[point + step] -= change
            liberties[chain[point + step]] += 1
            step, across = across, -step
        point = int(state.following[point])
    state.emptied[move] += count
    return np.uint64(code)


@jitable
def place(state: GoState, point: int, stone: int) -> np.uint64:
    """Put a stone, take what it captures, and return what that changes in the board's hash; sets KO and emptied."""
    cells, around, info = state.cells, state.around, state.info
    chain, following, liberties, size = state.chain, state.following, state.liberties, state.size
    change = (1 << 3 * stone) - 1
    free = around[point] & FREE
    cells[point] = stone
    move = place_of_move(state)
    state.emptied[move] = 0
    info[KO] = 0
    code = _CODES[stone - 1, point]
    step, across = 1, int(state.dims[COLS]) + 1
    takes = False
    for _ in range(4):
        near = point + step
        around[near] += change
        liberties_after = liberties[chain[near]] - 1
        liberties[chain[near]] = liberties_after
        takes |= (cells[near] == 3 - stone) & (liberties_after == 0)
        step, across = across, -step
    head = 0
    beside = around[point] >> 3 * stone & FREE
    if beside == 0:
        head = point
        chain[point] = point
        following[point] = point
        size[point] = 1
        liberties[point] = free
    elif beside == 1:
        for _ in range(4):
            near = point + step
            head += int(chain[near]) if cells[near] == stone else 0
            step, across = across, -step
        chain[point] = head
        following[point] = following[head]
        following[head] = point
        size[head] += 1
        liberties[head] += free
    else:
        for _ in range(4):
            near = point + step
            if cells[near] == stone and chain[near] != head:
                if head == 0:
                    head = int(chain[near])
                    chain[point] = head
                    following[point] = following[head]
                    following[head] = point
                    size[head] += 1
                    liberties[head] += free
                else:
                    head = _merge(state, head, int(chain[near]))
            step, across = across, -step
    if takes:
        for _ in range(4):
            near = point + step
            if cells[near] == 3 - stone and liberties[chain[near]] == 0:
                code ^= _remove(state, int(chain[near]))
            step, across = across, -step
    if liberties[head] == 0:
        code ^= _remove(state, head)
    elif state.emptied[move] == 1 and size[head] == 1 and liberties[head] == 1:
        info[KO] = state.taken[move, 0]
    return np.uint64(code)


@jitable
def _is_last_liberty(state: GoState, point: int, head: int) -> bool:
    """Whether an empty point is the only liberty of a chain that it touches."""
    chain = state.chain
    stride = int(state.dims[COLS]) + 1
    touched = 0
    touched += chain[point + 1] == head
    touched += chain[point - 1] == head
    touched += chain[point + stride] == head
    touched += chain[point - stride] == head
    return bool(state.liberties[head] == touched)


@jitable
def outcome(state: GoState, point: int, stone: int) -> int:
    """ILLEGAL, QUIET, CAPTURES or SUICIDES for a stone on an empty point; repetitions of positions are not examined."""
    cells, chain = state.cells, state.chain
    free = state.around[point] & FREE != 0
    joins, lives, takes = False, free, False
    step, across = 1, int(state.dims[COLS]) + 1
    for _ in range(4):  # without branches, which would not be foreseen
        near = point + step
        last = _is_last_liberty(state, point, int(chain[near]))
        mine = cells[near] == stone
        joins |= mine
        lives |= mine & (not last)
        takes |= (cells[near] == 3 - stone) & last
        step, across = across, -step
    if takes:
        return CAPTURES if point != state.info[KO] else ILLEGAL
    if lives:
        return QUIET
    return SUICIDES if joins and state.dims[SUICIDE] != 0 else ILLEGAL


@jitable
def last_liberty(state: GoState, head: int) -> int:
    """The only liberty of a chain; 0 when it has several."""
    if state.liberties[head] > 4:
        return 0  # a point touches a chain on four sides at most
    liberty = 0
    stone = head
    for _ in range(state.size[head]):
        by, across = 1, int(state.dims[COLS]) + 1
        for _ in range(4):
            near = stone + by
            if state.cells[near] & STONE == 0 and near != liberty:
                if liberty != 0:
                    return 0
                liberty = near
            by, across = across, -by
        stone = int(state.following[stone])
    return liberty


@jitable
def _code_of_chain(state: GoState, head: int) -> np.uint64:
    code = _NO_CODE
    colour = int(state.cells[head]) - 1
    stone = head
    for _ in range(state.size[head]):
        code ^= _CODES[colour, stone]
        stone = int(state.following[stone])
    return code


@jitable
def _code_after(state: GoState, point: int, stone: int) -> np.uint64:
    """The hash of the board after a stone whose outcome is CAPTURES or SUICIDES."""
    cells, chain = state.cells, state.chain
    stride = int(state.dims[COLS]) + 1
    taken = _NO_CODE
    code = _CODES[stone - 1, point]
    lives = state.around[point] & FREE != 0
    step, across = 1, stride
    for side in range(4):
        head = int(chain[point + step])
        new = head != 0
        by, over = 1, stride
        for _ in range(side):
            new = new and chain[point + by] != head
            by, over = over, -by
        if new:
            last = _is_last_liberty(state, point, head)
            if cells[head] == stone:
                lives = lives or not last
                code ^= _code_of_chain(state, head)
            elif last:
                taken ^= _code_of_chain(state, head)
        step, across = across, -step
    if taken == _NO_CODE and not lives:
        return np.uint64(board_code(state) ^ code ^ _CODES[stone - 1, point])
    return np.uint64(board_code(state) ^ taken ^ _CODES[stone - 1, point])


@jitable
def remember(state: GoState, code: np.uint64) -> None:
    """Add the present position to the history by its hash."""
    state.history[state.info[COUNT]] = code
    state.info[COUNT] += 1
    state.recorded[int(code & _LOW) >> 6] |= _ONE << (code & _LOWEST)


@jitable
def times_seen(state: GoState, code: np.uint64) -> int:
    """How often a position of this hash is among those that a repetition may be of."""
    if state.recorded[int(code & _LOW) >> 6] & _ONE << (code & _LOWEST) == _NO_CODE:
        return 0
    history = state.history
    count = 0
    for i in range(state.info[SINCE], state.info[COUNT]):
        count += history[i] == code
    return count


@jitable
def is_legal(state: GoState, point: int, stone: int) -> bool:
    """Whether a stone may be put on an empty point.

    A stone that stays on the board repeats a position only on a point that had a stone before.  (A ko point has no
    empty neighbour.)
    """
    around = state.around[point]
    new = around < HAD_STONE or state.dims[KO_RULE] == SIMPLE
    if new and around & FREE != 0:
        return True
    effect = QUIET
    if around & FREE == 0 or around & FREE << 3 * (3 - stone) != 0:
        effect = outcome(state, point, stone)
    if effect == ILLEGAL:
        return False
    if effect == SUICIDES:
        new = state.dims[KO_RULE] == SIMPLE
    if new:
        return True
    code = board_code(state) ^ _CODES[stone - 1, point] if effect == QUIET else _code_after(state, point, stone)
    return times_seen(state, code ^ side_code(state, 2 - stone)) == 0
