"""The rules of Go on the board of core.games.go_board: turns, passes, repetitions, the end, rollouts.

A game ends with two passes in a row.  With simple ko it also ends with a pass in a position in which the same player
passed before, and it is drawn when a position with the same player to move occurs for the third time since the last
pass.  After the number of plies that no game should need it ends as if both had passed: a player who goes on in a lost
position gains nothing by it.

A score counts every stone on the board as alive (core.games.go_score).  In rollouts, which go on until nothing is left
to take, moves cost no points: where territory is counted, only the stones played before they begin are deducted.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.games.bits import mix
from core.games.cells import copy_into, encode_cells
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Kernels, Spare, register
from core.games.go_board import (
    BONUS,
    BORDER,
    BUTTON,
    CAP,
    COLS,
    COUNT,
    FREE,
    HAD_STONE,
    ILLEGAL,
    KEPT,
    KO,
    KO_RULE,
    MARGIN,
    PASSES,
    PASSES_SINCE,
    PLAYED,
    PRISONERS,
    QUIET,
    ROWS,
    SIMPLE,
    SINCE,
    TERRITORY,
    GoState,
    action_of,
    board_code,
    is_legal,
    last_liberty,
    outcome,
    place,
    place_of_move,
    point_of,
    remember,
    side_code,
    times_seen,
)
from core.games.go_score import margin_of
from core.games.info import LAST, PLY, RESULT, begin_key, result, to_move
from core.rng import below, step

_PASSED: Final = np.uint64(0x6A09E667F3BCC908)  # marks a position in which its player passed
_SECOND: Final = np.uint64(0xBB67AE8584CAA73B)  # makes another hash of the same


@jitable
def _settle(state: GoState) -> None:
    """End the game by its score."""
    info = state.info
    info[MARGIN] = margin_of(state)
    info[RESULT] = DRAW if info[MARGIN] == 0 else FIRST_WINS if info[MARGIN] > 0 else SECOND_WINS


@jitable
def passed_here_before(state: GoState) -> bool:
    """Whether the side to move passed before in the present position."""
    info, history = state.info, state.history
    present = info[COUNT] - 1
    count = 0
    for i in range(info[PASSES_SINCE], present):
        count += history[i] == history[present] and state.moves[i] == 0
    return bool(count != 0)


@jitable
def _advance(state: GoState, point: int) -> None:
    """Play at a point, or pass for 0; all of a move but LAST, the stones played and the end after many plies."""
    info = state.info
    player = int(info[PLY] & 1)
    count = int(info[COUNT])
    simple = state.dims[KO_RULE] == SIMPLE
    code = board_code(state)
    state.moves[count - 1] = point
    ends = False
    may_repeat = False
    if point != 0:
        may_repeat = simple and state.around[point] >= HAD_STONE
        code ^= place(state, point, 1 + player)
        may_repeat = may_repeat or (simple and state.emptied[place_of_move(state)] != 0)
        info[PASSES] = 0
    else:
        info[KO] = 0
        state.emptied[place_of_move(state)] = 0
        if info[BUTTON] != 0:
            info[BUTTON] = 0
            info[BONUS] += 1 - 2 * player
            info[SINCE] = count
            info[PASSES_SINCE] = count
        else:
            ends = info[PASSES] != 0 or (simple and passed_here_before(state))
            info[PASSES] = 1
            if simple:
                info[SINCE] = count
    info[PLY] += 1
    code ^= side_code(state, 1 - player)
    repeats = may_repeat and times_seen(state, code) == 2
    remember(state, code)
    if ends:
        _settle(state)
    elif repeats:
        info[RESULT] = DRAW


def _play(state: GoState, action: int) -> None:
    info = state.info
    player, move = int(info[PLY] & 1), place_of_move(state)
    point = point_of(state, action) if action < state.dims[ROWS] * state.dims[COLS] else 0
    _advance(state, point)
    info[LAST] = action
    if point != 0:
        info[PLAYED] += 1 - 2 * player
        info[PRISONERS + (player if state.cells[point] != 0 else 1 - player)] += state.emptied[move]
    if info[RESULT] == ONGOING and info[PLY] >= state.dims[CAP]:
        _settle(state)


def _legal(state: GoState, out: NDArray[np.int16]) -> int:
    count = 0
    if state.info[RESULT] == ONGOING:
        rows, cols = state.dims[ROWS], state.dims[COLS]
        stone = 1 + int(state.info[PLY] & 1)
        action = 0
        for row in range(rows):
            first = (row + 1) * (cols + 1) + 1
            for point in range(first, first + cols):
                if state.cells[point] == 0 and is_legal(state, point, stone):
                    out[count] = action
                    count += 1
                action += 1
        out[count] = action
        count += 1
    return count


def _allows(state: GoState, action: int, scratch: NDArray[np.int16]) -> bool:
    if state.info[RESULT] != ONGOING:
        return False
    if action == state.dims[ROWS] * state.dims[COLS]:
        return True
    point = point_of(state, action)
    return bool(state.cells[point] == 0 and is_legal(state, point, 1 + int(state.info[PLY] & 1)))


def _encode(state: GoState, out: NDArray[np.float32]) -> None:
    cols = int(state.dims[COLS])
    encode_cells(state.cells, state.info, cols + 2, cols + 1, out)


def _copy(target: GoState, source: GoState) -> None:
    copy_into(target.cells, source.cells)
    copy_into(target.around, source.around)
    copy_into(target.chain, source.chain)
    copy_into(target.following, source.following)
    copy_into(target.liberties, source.liberties)
    copy_into(target.size, source.size)
    copy_into(target.info, source.info)
    copy_into(target.dims, source.dims)
    copy_into(target.recorded, source.recorded)
    for i in range(source.info[COUNT]):
        target.history[i] = source.history[i]
    for i in range(source.info[COUNT] - 1):
        target.moves[i] = source.moves[i]
    for move in range(KEPT):
        target.emptied[move] = source.emptied[move]
        for i in range(source.emptied[move]):
            target.taken[move, i] = source.taken[move, i]


def _key(state: GoState) -> np.uint64:
    return mix(begin_key(state.info) ^ board_code(state))


@jitable
def _is_eye(state: GoState, point: int, stone: int) -> bool:
    """Whether an empty point is surrounded by ``stone`` and at most one corner is the opponent's, none at the edge."""
    cells = state.cells
    stride = int(state.dims[COLS]) + 1
    if state.around[point] & (FREE | FREE << 3 * (3 - stone)) != 0:
        return False
    lost = 0
    edge = 0
    by, across = stride + 1, stride - 1
    for _ in range(4):
        if cells[point + by] == 3 - stone:
            lost += 1
        elif cells[point + by] == BORDER:
            edge = 1
        by, across = across, -by
    return lost + edge < 2


@jitable
def _draw(state: GoState, a: np.uint64, b: np.uint64, count: int) -> tuple[np.uint64, np.uint64, int]:
    """Draw uniformly from the legal moves that fill no eye of the mover's own; 0, a pass, when there is none.

    The first ``count`` entries of scratch are the empty points; the drawn one is removed from them.
    """
    empties = state.scratch
    stone = 1 + int(state.info[PLY] & 1)
    untried = count
    while untried > 0:
        # Drawing empty points until one is right is uniform over the right ones; refused points go to the end.
        a, b, word = step(a, b)
        pick = below(word, untried)
        point = int(empties[pick])
        untried -= 1
        empties[pick] = empties[untried]
        empties[untried] = point
        if not _is_eye(state, point, stone) and is_legal(state, point, stone):
            empties[untried] = empties[count - 1]
            return a, b, point
    return a, b, 0


@jitable
def _urgent(state: GoState, last: int) -> int:
    """A point that captures the chain of the stone just put at ``last`` or saves one beside it; 0 for none.

    To save a chain is to play on its last liberty where that captures or seems to leave it two.
    """
    info, cells = state.info, state.cells
    stone = 1 + int(info[PLY] & 1)
    if last == 0 or cells[last] == 0:
        return 0
    point = last_liberty(state, int(state.chain[last]))
    if point != 0 and is_legal(state, point, stone):
        return point
    by, across = 1, int(state.dims[COLS]) + 1
    for _ in range(4):
        if cells[last + by] == stone:
            point = last_liberty(state, int(state.chain[last + by]))
            if point != 0 and _frees(state, point, stone) and is_legal(state, point, stone):
                return point
        by, across = across, -by
    return 0


@jitable
def _frees(state: GoState, point: int, stone: int) -> bool:
    """Whether a legal stone captures, or has beside it two points that are free or of chains with several liberties."""
    if outcome(state, point, stone) != QUIET:
        return outcome(state, point, stone) != ILLEGAL
    free = 0
    by, across = 1, int(state.dims[COLS]) + 1
    for _ in range(4):
        near = point + by
        if state.cells[near] == 0 or (state.cells[near] == stone and last_liberty(state, int(state.chain[near])) == 0):
            free += 1
        by, across = across, -by
    return free >= 2


@jitable
def _play_out(state: GoState, rng: NDArray[np.uint64], tactical: bool) -> int:
    """Play to the end; a game that reaches the greatest number of plies is scored as it is."""
    info, empties = state.info, state.scratch
    cols = int(state.dims[COLS])
    if info[RESULT] != ONGOING:
        return int(info[RESULT])
    count = 0
    for row in range(state.dims[ROWS]):
        first = (row + 1) * (cols + 1) + 1
        for point in range(first, first + cols):
            if state.cells[point] == 0:
                empties[count] = point
                count += 1
    a, b = rng[0], rng[1]
    last = 0 if info[LAST] < 0 or info[LAST] == len(empties) else point_of(state, int(info[LAST]))
    while info[RESULT] == ONGOING and info[PLY] < state.dims[CAP]:
        point = _urgent(state, last) if tactical else 0
        if point == 0:
            a, b, point = _draw(state, a, b, count)
        else:
            for i in range(count):
                if empties[i] == point:
                    empties[i] = empties[count - 1]
                    break
        move = place_of_move(state)
        _advance(state, point)
        last = point
        if point != 0:
            count -= 1
            for i in range(state.emptied[move]):
                empties[count] = state.taken[move, i]
                count += 1
    rng[0], rng[1] = a, b
    info[LAST] = action_of(state, last)
    if info[RESULT] == ONGOING:
        _settle(state)
    return int(info[RESULT])


def rollout(state: GoState, rng: NDArray[np.uint64]) -> int:
    """The operation of that name, for ``dispatch.Kernels``: moves are random but fill no eye of the mover's own."""
    return _play_out(state, rng, False)


def _tactical_rollout(state: GoState, rng: NDArray[np.uint64], _spare: Spare) -> int:
    """Captures and escapes around the last stone come first, the rest is random: no move of Go wins at once."""
    return _play_out(state, rng, True)


def _margin(state: GoState) -> float:
    return 0.5 * float(state.info[MARGIN])


def _line_key(state: GoState) -> tuple[np.uint64, np.uint64]:
    info, history = state.info, state.history
    present = int(info[COUNT]) - 1
    first, second = np.uint64(0), np.uint64(0)
    for i in range(min(info[SINCE], info[PASSES_SINCE]), present + 1):
        if i >= info[SINCE]:
            first += mix(history[i])
            second += mix(history[i] ^ _SECOND)
        if i >= info[PASSES_SINCE] and i < present and state.moves[i] == 0 and state.dims[KO_RULE] == SIMPLE:
            first += mix(history[i] ^ _PASSED)
            second += mix(history[i] ^ _PASSED ^ _SECOND)
    rest = ((info[BONUS] + 1024) * 2048 + 1024 + info[PLAYED] * state.dims[TERRITORY]) * 512 + info[KO]
    rest = ((rest * 2 + info[PASSES]) * 2 + info[BUTTON]) * 2 + (info[PLY] & 1)
    now = mix(np.uint64(rest)) ^ history[present]
    return mix(first ^ mix(now)), mix(second ^ mix(now ^ _SECOND))


register(
    GoState,
    Kernels(
        _play,
        _legal,
        result,
        to_move,
        _encode,
        _copy,
        _key,
        rollout,
        _tactical_rollout,
        _margin,
        _line_key,
        _allows,
    ),
)
