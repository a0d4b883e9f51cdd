"""The operations on a game's state, selected by the state's type.

A game's state is a NamedTuple of arrays.  Its operations are plain Python functions that numba can
compile (helpers carry ``core._jit.jitable``); one table {state type: Kernels} serves both plain
Python, which runs them interpreted, and compiled kernels, which pick them by type at compile time.
They allocate nothing and raise nothing: legality is checked by ``Position``.

Letters: A actions, C planes, H W board.  A result code names the winner, independent of the side to move.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import ByType, jitable, overload, row_of_arrays
from core.rng import random_below

ONGOING: Final = 0
FIRST_WINS: Final = 1  # player 0, who moves first
SECOND_WINS: Final = 2  # player 1
DRAW: Final = 3

State = Any  # one of the registered NamedTuples


def _no_points(state: State) -> float:
    return 0.0


def _no_line(state: State) -> tuple[np.uint64, np.uint64]:
    return np.uint64(0), np.uint64(0)


def _is_among_legal(state: State, action: int, scratch: NDArray[np.int16]) -> bool:
    count = legal(state, scratch)
    is_legal = False
    for i in range(count):
        is_legal = is_legal or scratch[i] == action
    return bool(is_legal)


class Spare(NamedTuple):
    """Scratch of tactical random games."""

    after: State  # the position after a move
    reply: State  # and after the answer to it
    moves: NDArray[np.int16]  # [A]
    replies: NDArray[np.int16]  # [A]


@jitable
def _winning(state: State, moves: NDArray[np.int16], count: int, after: State) -> int:
    """How many of ``count`` legal ``moves`` win at once; they come to the front.  ``after`` is scratch."""
    won = to_move(state) + 1
    wins = 0
    for i in range(count):
        copy(after, state)
        play(after, int(moves[i]))
        if result(after) == won:
            moves[wins] = moves[i]
            wins += 1
    return wins


def _play_tactically(state: State, rng: NDArray[np.uint64], spare: Spare) -> int:
    moves, replies = spare.moves, spare.replies
    count = legal(state, moves)
    wins = _winning(state, moves, count, spare.after)
    while count > 0 and wins == 0:
        lost = 2 - to_move(state)
        untried = count
        first = action = -1
        safe = False
        while not safe and untried > 0:
            # Drawing moves until one is safe is uniform over the safe ones; when none is, the first drawn is played.
            pick = random_below(rng, untried)
            untried -= 1
            action = int(moves[pick])
            moves[pick] = moves[untried]
            if first < 0:
                first = action
            copy(spare.after, state)
            play(spare.after, action)
            count = legal(spare.after, replies)
            wins = _winning(spare.after, replies, count, spare.reply)
            safe = wins == 0 and result(spare.after) != lost
        if safe:
            play(state, action)
        else:
            play(state, first)
            count = legal(state, replies)
            wins = _winning(state, replies, count, spare.after)
        moves, replies = replies, moves
    if wins > 0:
        play(state, int(moves[random_below(rng, wins)]))
    return int(result(state))


class Kernels(NamedTuple):
    """One game's operations; see the functions of the same names below."""

    play: Callable[[State, int], None]
    legal: Callable[[State, NDArray[np.int16]], int]
    result: Callable[[State], int]
    to_move: Callable[[State], int]
    encode: Callable[[State, NDArray[np.float32]], None]
    copy: Callable[[State, State], None]
    key: Callable[[State], np.uint64]
    rollout: Callable[[State, NDArray[np.uint64]], int]
    tactical_rollout: Callable[[State, NDArray[np.uint64], Spare], int] = _play_tactically
    margin: Callable[[State], float] = _no_points
    line_key: Callable[[State], tuple[np.uint64, np.uint64]] = _no_line
    allows: Callable[[State, int, NDArray[np.int16]], bool] = _is_among_legal


_TABLE: Final = ByType[Kernels]()
register = _TABLE.register


@_TABLE.compiled()
def play(state: State, action: int) -> None:
    """Play ``action`` (must be legal) in place."""
    _TABLE[type(state)].play(state, action)


@_TABLE.compiled()
def legal(state: State, out: NDArray[np.int16]) -> int:
    """Write the legal actions in ascending order into ``out`` int16 [A]; return their number, 0 when over."""
    return _TABLE[type(state)].legal(state, out)


@_TABLE.compiled()
def result(state: State) -> int:
    """ONGOING, FIRST_WINS, SECOND_WINS or DRAW; constant time, kept by ``play``."""
    return _TABLE[type(state)].result(state)


@_TABLE.compiled()
def to_move(state: State) -> int:
    """The player to move, 0 or 1.  Turns alternate in every game: a pass is a ply of its own."""
    return _TABLE[type(state)].to_move(state)


@_TABLE.compiled()
def encode(state: State, out: NDArray[np.float32]) -> None:
    """Write the net's input planes for the side to move into every cell of ``out`` float32 [C, H, W]."""
    _TABLE[type(state)].encode(state, out)


@_TABLE.compiled(by=1)
def copy(target: State, source: State) -> None:
    """Make ``target`` equal to ``source``; both of the same type and sizes."""
    _TABLE[type(source)].copy(target, source)


@_TABLE.compiled()
def key(state: State) -> np.uint64:
    """A 64-bit hash of all that ``encode`` shows, for the evaluation cache."""
    return _TABLE[type(state)].key(state)


@_TABLE.compiled(inline=False)
def rollout(state: State, rng: NDArray[np.uint64]) -> int:
    """Play uniformly random legal moves in place to the end; return the result code.

    In Go these are the moves that fill no eye of the mover's own, a pass when there is none.
    """
    return _TABLE[type(state)].rollout(state, rng)


@_TABLE.compiled(inline=False)
def tactical_rollout(state: State, rng: NDArray[np.uint64], spare: Spare) -> int:
    """Play to the end in place, with immediate wins and blocks but otherwise random moves; return the result code.

    The side to move plays any move that wins at once if there is one; otherwise one drawn uniformly from its safe
    moves, after which the opponent neither has won nor can win at once; and if no move is safe, one drawn uniformly
    from all legal moves.  In Go, where no single move wins, it captures the stones just played and saves its own.

    A game has its own version only where this, which tries every move, is too slow: of Connect Four it plays 440 000
    games a second, its own two million.
    """
    return _TABLE[type(state)].tactical_rollout(state, rng, spare)


@_TABLE.compiled()
def margin(state: State) -> float:
    """The points of player 0 less those of player 1 in a finished game; 0 in games without points."""
    return _TABLE[type(state)].margin(state)


@_TABLE.compiled()
def line_key(state: State) -> tuple[np.uint64, np.uint64]:
    """Two hashes of all that the rest of a game depends on, earlier positions in any order but not the number of plies;
    zeros where the game needs none."""
    return _TABLE[type(state)].line_key(state)


@_TABLE.compiled()
def allows(state: State, action: int, scratch: NDArray[np.int16]) -> bool:
    """Whether an action of the game is legal; ``scratch`` int16 [A].

    A game that has its own test finds that sooner than all that are legal, and leaves the state as it is."""
    return _TABLE[type(state)].allows(state, action, scratch)


def has_own_test(state: State) -> bool:
    """Whether the game has its own ``allows``."""
    return _TABLE[type(state)].allows is not _is_among_legal


# Many states of a game in common arrays, so that kernels reach any of them by its number.


def repeated(state: State, count: int) -> State:
    """``count`` copies of ``state``, each of whose arrays has a first axis [count] for them."""
    return type(state)(*(np.repeat(array[None], count, axis=0) for array in state))


def state_at(states: State, i: int) -> State:
    """State ``i`` of ``repeated``: views of its arrays, so that changing it changes them."""
    return type(states)(*(array[i] for array in states))


@overload(state_at)
def _choose_state_at(states: Any, i: Any) -> Any:
    return _compiled_state_at


def _compiled_state_at(states: State, i: int) -> State:
    return row_of_arrays(states, i)
