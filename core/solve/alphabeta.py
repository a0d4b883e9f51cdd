"""The kernels of minimax: negamax with a null window, for the games of core.games.dispatch.

The stack is explicit, so that a search runs in slices.  A score is, for the side to move, ``sign * (big - plies to the
end)``, 0 for a draw: quick wins and late losses score higher.  Table entries are identified by a 128-bit hash of the
stones and the side to move, shared by the images under the board's symmetries.  That is sound for games whose future
depends only on the stones and the side to move.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games import dispatch
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, State
from core.solve.slices import ADVANCE, DEPTH, ENTER, NUM_CONTROL, PHASE, RETURN, SEARCHED, VALUE
from core.solve.table import Key, TranspositionTable, find, keep

_FAVOURITE: Final = 1 << 50
_KILLER: Final = 1 << 48
_HISTORY_MAX: Final = 1 << 20
_NEVER: Final = 1000


class Traits(NamedTuple):
    """Properties of the game that the search uses, as plain numbers."""

    big: int  # more than the plies of any game
    lines: bool  # a completed line wins, and a winning move stays one until its cell is taken
    free: bool  # lines, and every empty cell of one can be taken at any time
    mobility: bool  # try first what leaves the opponent few replies
    symmetric_from: int  # empty cells from which images are looked at


class Nearest(NamedTuple):
    """Stones missing in the lines nearest to completion; _NEVER where none can be completed in the moves left."""

    mover_lacks: int
    other_lacks: int
    other_cell: int  # where the opponent lacks one stone; otherwise undefined
    several: bool  # the opponent lacks a single stone in several cells


class Hashing(NamedTuple):
    """Data of the board for hashing and for lines.  A actions, C planes, H W board, S symmetries."""

    planes: NDArray[np.float32]  # [C, H, W]: scratch
    stones: NDArray[np.int64]  # [H * W]: scratch, the mover's stones and then the opponent's
    owner: NDArray[np.int8]  # [H * W]: scratch, 0 empty, 1 mover, 2 opponent
    weight: NDArray[np.int64]  # [H * W]: scratch, what taking a cell adds to lines
    windows: NDArray[np.int16]  # [L, k]: cells of the lines that somebody may yet complete
    codes: NDArray[np.uint64]  # [2, 3, H * W]: random words for mover's and opponent's stones and for the side
    cells: NDArray[np.int16]  # [S, H * W]: images of the cells
    actions: NDArray[np.int16]  # [S, A]: images of the actions
    origins: NDArray[np.int16]  # [S, A]: the inverse


class AlphaBetaRun(NamedTuple):
    """The state of a search, with its killer moves and history.  D levels, A actions."""

    alpha: NDArray[np.int64]  # [D]: is the score above this?
    best: NDArray[np.int64]  # [D]
    best_move: NDArray[np.int64]  # [D]
    number: NDArray[np.int64]  # [D]: moves to try
    following: NDArray[np.int64]  # [D]: index of the next of them
    image: NDArray[np.int64]  # [D]: the symmetry that was hashed
    began: NDArray[np.int64]  # [D]: nodes when the position was entered
    reply: NDArray[np.int64]  # [D]: the move that wins at once, when there is one
    first: NDArray[np.uint64]  # [D]
    second: NDArray[np.uint64]  # [D]
    moves: NDArray[np.int16]  # [D, A]
    marks: NDArray[np.int64]  # [D, A]: what the moves are ordered by
    killers: NDArray[np.int64]  # [D, 2]: moves that refuted neighbours, the latest first
    history: NDArray[np.int64]  # [2, A]: how often each side's moves refuted, weighted
    control: NDArray[np.int64]  # [NUM_CONTROL]


def make_run(levels: int, actions: int) -> AlphaBetaRun:
    """Arrays for a search of ``levels`` plies."""

    def column() -> NDArray[np.int64]:
        return np.zeros(levels, np.int64)

    return AlphaBetaRun(
        alpha=column(),
        best=column(),
        best_move=column(),
        number=column(),
        following=column(),
        image=column(),
        began=column(),
        reply=column(),
        first=np.zeros(levels, np.uint64),
        second=np.zeros(levels, np.uint64),
        moves=np.zeros((levels, actions), np.int16),
        marks=np.zeros((levels, actions), np.int64),
        killers=np.full((levels, 2), -1, np.int64),
        history=np.zeros((2, actions), np.int64),
        control=np.zeros(NUM_CONTROL, np.int64),
    )


@jitable
def _closer(score: int) -> int:
    """A reply's score from the other side, one ply earlier."""
    return -score - 1 if score < 0 else (1 - score if score > 0 else 0)


@jitable
def _hash(state: State, board: Hashing, rules: Traits) -> tuple[Key, int]:
    """A position's hash and the symmetry whose image it is of: the one with the smallest first word."""
    planes = board.planes
    dispatch.encode(state, planes)
    height, width = planes.shape[1], planes.shape[2]
    number = 0
    for row in range(height):
        for col in range(width):
            board.owner[row * width + col] = 0
            if planes[0, row, col] != 0.0:
                board.owner[row * width + col] = 1
                board.stones[number] = row * width + col
                number += 1
    mover_stones = number
    for row in range(height):
        for col in range(width):
            if planes[1, row, col] != 0.0:
                board.owner[row * width + col] = 2
                board.stones[number] = row * width + col
                number += 1
    side = dispatch.to_move(state)
    images = len(board.cells) if height * width - number >= rules.symmetric_from else 1
    chosen = 0
    first = np.uint64(0)
    for s in range(images):
        word = board.codes[0, 2, side]
        for i in range(number):
            word ^= board.codes[0, 0 if i < mover_stones else 1, board.cells[s, board.stones[i]]]
        if s == 0 or word < first:
            first = word
            chosen = s
    second = board.codes[1, 2, side]
    for i in range(number):
        second ^= board.codes[1, 0 if i < mover_stones else 1, board.cells[chosen, board.stones[i]]]
    return Key(first, second), chosen


@jitable
def _nearest_lines(board: Hashing, empties: int) -> Nearest:
    """The lines nearest to completion in the position just hashed; writes ``board.weight``."""
    windows, owner, weight = board.windows, board.owner, board.weight
    k = windows.shape[1]
    for i in range(len(weight)):
        weight[i] = 0
    mover_lacks, other_lacks, other_cell = _NEVER, _NEVER, -1
    several = False
    for i in range(len(windows)):
        mine = 0
        theirs = 0
        empty = -1
        for j in range(k):
            cell = windows[i, j]
            stone = owner[cell]
            if stone == 0:
                empty = int(cell)
            elif stone == 1:
                mine += 1
            else:
                theirs += 1
        if mine > 0 and theirs > 0:
            continue
        for j in range(k):
            weight[windows[i, j]] += 1 << (2 * (mine + theirs))
        if theirs == 0:
            mover_lacks = min(mover_lacks, k - mine)
        if mine == 0:
            if k - theirs == 1:
                several = several or (other_lacks == 1 and other_cell != empty)
            if k - theirs < other_lacks:
                other_lacks = k - theirs
                other_cell = empty
    if 2 * mover_lacks > empties + 1:
        mover_lacks = _NEVER
    if 2 * other_lacks > empties:
        other_lacks = _NEVER
    return Nearest(mover_lacks, other_lacks, other_cell, several)


@jitable
def _order(run: AlphaBetaRun, depth: int, count: int, side: int, favourite: int) -> None:
    """Sort the moves of a level, most promising first; ``marks`` holds what is known of each beyond history."""
    moves, marks = run.moves[depth], run.marks[depth]
    for i in range(count):
        action = int(moves[i])
        mark = int(marks[i]) * _HISTORY_MAX + run.history[side, action]
        if action == favourite:
            mark = _FAVOURITE
        elif action == run.killers[depth, 0]:
            mark += _KILLER
        elif action == run.killers[depth, 1]:
            mark += _KILLER - 1
        at = i
        while at > 0 and marks[at - 1] < mark:
            marks[at] = marks[at - 1]
            moves[at] = moves[at - 1]
            at -= 1
        marks[at] = mark
        moves[at] = action


@jitable
def _reward_cutoff(run: AlphaBetaRun, depth: int, side: int, action: int, weight: int) -> None:
    """Update killer moves and history with a move that caused a cutoff."""
    if run.killers[depth, 0] != action:
        run.killers[depth, 1] = run.killers[depth, 0]
        run.killers[depth, 0] = action
    run.history[side, action] += weight * weight
    if run.history[side, action] >= _HISTORY_MAX:
        for i in range(run.history.shape[1]):
            run.history[side, i] >>= 1


@jit
def run_slice(
    stack: Any, run: AlphaBetaRun, table: TranspositionTable, board: Hashing, rules: Traits, budget: int
) -> bool:
    """Continue a search for ``budget`` nodes; whether it has finished, with the score in control[VALUE].

    The score is a bound: below or at level 0's alpha an upper one, above it a lower one.  No position on the stack
    is over.
    """
    control = run.control
    big = rules.big
    depth, phase, value, nodes = int(control[DEPTH]), int(control[PHASE]), int(control[VALUE]), int(control[SEARCHED])
    limit = nodes + budget
    while depth >= 0 and nodes < limit:
        if phase == ENTER:
            nodes += 1
            phase = RETURN
            run.reply[depth] = -1
            state = dispatch.state_at(stack, depth)
            alpha = run.alpha[depth]
            key, image = _hash(state, board, rules)
            entry = find(table, key)
            favourite = -1
            if entry >= 0:
                favourite = int(table.move[entry])
                if favourite >= 0:
                    favourite = int(board.origins[image, favourite])
                if table.low[entry] > alpha:
                    value = int(table.low[entry])
                    if value == big - 1:
                        run.reply[depth] = favourite
                    continue
                if table.high[entry] <= alpha:
                    value = int(table.high[entry])
                    continue
            mover_lacks, forced = 1, -1
            if rules.lines:
                empties = 0
                for i in range(len(board.owner)):
                    empties += board.owner[i] == 0
                mover_lacks, other_lacks, forced, several = _nearest_lines(board, empties)
                if rules.free and mover_lacks == 1:
                    value = big - 1
                    continue
                if rules.free and several:
                    value = 2 - big
                    continue
                high = 0 if mover_lacks == _NEVER else big + 1 - 2 * mover_lacks
                if high <= alpha:
                    value = high
                    continue
                low = 0 if other_lacks == _NEVER else 2 * other_lacks - big
                if low > alpha:
                    value = low
                    continue
                if not rules.free or other_lacks > 1:
                    forced = -1
            count = dispatch.legal(state, run.moves[depth])
            side = dispatch.to_move(state)
            if forced >= 0:
                run.moves[depth, 0] = forced
                run.marks[depth, 0] = 0
                count = 1
            elif rules.free:
                for i in range(count):
                    run.marks[depth, i] = board.weight[run.moves[depth, i]]
            else:
                child = dispatch.state_at(stack, depth + 1)
                won = -1
                for i in range(count):
                    run.marks[depth, i] = 0
                    if mover_lacks > 1 and not rules.mobility:
                        continue
                    action = int(run.moves[depth, i])
                    dispatch.copy(child, state)
                    dispatch.play(child, action)
                    result = dispatch.result(child)
                    if result != ONGOING:
                        if result != DRAW and (result == FIRST_WINS) == (side == 0):
                            won = action
                            break
                    elif rules.mobility:
                        run.marks[depth, i] = -dispatch.legal(child, run.moves[depth + 1])
                if won >= 0:
                    value = big - 1
                    run.reply[depth] = won
                    keep(table, key, value, value, int(board.actions[image, won]), 1)
                    continue
                # No win at once: the next chance is two plies later, or one where the opponent may end the game.
                high = big - 3 if rules.lines else big - 2
                if high <= alpha:
                    value = high
                    continue
            _order(run, depth, count, side, favourite)
            run.number[depth] = count
            run.following[depth] = 0
            run.best[depth] = -big
            run.best_move[depth] = -1
            run.first[depth], run.second[depth] = key
            run.image[depth] = image
            run.began[depth] = nodes
            phase = ADVANCE
        elif phase == ADVANCE:
            state, child = dispatch.state_at(stack, depth), dispatch.state_at(stack, depth + 1)
            action = int(run.moves[depth, run.following[depth]])
            run.following[depth] += 1
            dispatch.copy(child, state)
            dispatch.play(child, action)
            result = dispatch.result(child)
            least = run.alpha[depth] + 1  # the child's score must be at most -u, where u is one ply farther out
            run.alpha[depth + 1] = -(least + 1 if least > 0 else (least - 1 if least < 0 else 0))
            depth += 1
            run.reply[depth] = -1
            phase = ENTER
            if result != ONGOING:
                phase = RETURN
                value = 0
                if result != DRAW:
                    value = big if (result == FIRST_WINS) == (dispatch.to_move(child) == 0) else -big
        else:
            depth -= 1
            if depth < 0:
                break
            refuted = value == big - 1
            reply = run.reply[depth + 1]
            value = _closer(value)
            alpha = run.alpha[depth]
            tried = run.following[depth]
            if value > run.best[depth]:
                run.best[depth] = value
                run.best_move[depth] = run.moves[depth, tried - 1]
            if refuted and rules.lines and not rules.free and reply != run.moves[depth, tried - 1]:
                # Every other move loses to the same reply, but the one that takes its cell.  (A reply on top of the
                # move is no threat to others.)
                number = tried
                for i in range(tried, run.number[depth]):
                    if run.moves[depth, i] == reply:
                        run.moves[depth, tried] = reply
                        number = tried + 1
                        break
                run.number[depth] = number
            if value <= alpha and tried < run.number[depth]:
                phase = ADVANCE
                continue
            value = int(run.best[depth])
            above = value > alpha
            image = int(run.image[depth])
            move = -1
            if above:
                side = dispatch.to_move(dispatch.state_at(stack, depth))
                action = int(run.best_move[depth])
                move = int(board.actions[image, action])
                _reward_cutoff(run, depth, side, action, len(run.alpha) - depth)
            low, high = (value, big) if above else (-big, value)
            work = nodes - int(run.began[depth]) + 1
            keep(table, Key(run.first[depth], run.second[depth]), low, high, move, work)
    control[DEPTH] = depth
    control[PHASE] = phase
    control[VALUE] = value
    control[SEARCHED] = nodes
    return bool(depth < 0)
