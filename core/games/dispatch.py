"""The ten operations on a game's state, selected by the state's type.  Knows no game.

A game's state is a NamedTuple of arrays.  Its operations are plain Python functions that numba can
compile (helpers carry ``core._jit.jitable``); one table {state type: Kernels} serves both plain
Python, which runs them interpreted, and compiled kernels, which pick them by type at compile time.
They allocate nothing and raise nothing: legality is checked by ``Position``.

Letters: A actions, C planes, H W board.  A result code names the winner, independent of the side to move.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from core._jit import overload
from core._kernel_files import note_operations

ONGOING: Final = 0
FIRST_WINS: Final = 1  # player 0, who moves first
SECOND_WINS: Final = 2  # player 1
DRAW: Final = 3

State = Any  # one of the registered NamedTuples


def _no_points(state: State) -> float:
    return 0.0


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
    tactical_rollout: Callable[[State, NDArray[np.uint64]], int]
    margin: Callable[[State], float] = _no_points


_TABLE: dict[type, Kernels] = {}


def register(state_type: type, kernels: Kernels) -> None:
    """Register a game's operations."""
    _TABLE[state_type] = kernels
    note_operations(state_type, kernels)


def _of(state: Any) -> Kernels | None:
    """The operations for a numba type; None when it is no registered state."""
    return _TABLE.get(state.instance_class) if isinstance(state, types.NamedTuple | types.NamedUniTuple) else None


def play(state: State, action: int) -> None:
    """Play ``action`` (must be legal) in place."""
    _TABLE[type(state)].play(state, action)


def legal(state: State, out: NDArray[np.int16]) -> int:
    """Write the legal actions in ascending order into ``out`` int16 [A]; return their number, 0 when over."""
    return _TABLE[type(state)].legal(state, out)


def result(state: State) -> int:
    """ONGOING, FIRST_WINS, SECOND_WINS or DRAW; constant time, kept by ``play``."""
    return _TABLE[type(state)].result(state)


def to_move(state: State) -> int:
    """The player to move, 0 or 1.  Turns alternate in every game: a pass is a ply of its own."""
    return _TABLE[type(state)].to_move(state)


def encode(state: State, out: NDArray[np.float32]) -> None:
    """Write the net's input planes for the side to move into every cell of ``out`` float32 [C, H, W]."""
    _TABLE[type(state)].encode(state, out)


def copy(target: State, source: State) -> None:
    """Make ``target`` equal to ``source``; both of the same type and sizes."""
    _TABLE[type(source)].copy(target, source)


def key(state: State) -> np.uint64:
    """A 64-bit hash of all that ``encode`` shows, for the evaluation cache."""
    return _TABLE[type(state)].key(state)


def rollout(state: State, rng: NDArray[np.uint64]) -> int:
    """Play uniformly random legal moves in place to the end; return the result code.

    In Go these are the moves that fill no eye of the mover's own, a pass when there is none.
    """
    return _TABLE[type(state)].rollout(state, rng)


def tactical_rollout(state: State, rng: NDArray[np.uint64]) -> int:
    """Play to the end in place, with immediate wins and blocks but otherwise random moves; return the result code.

    The side to move plays any move that wins at once if there is one; otherwise one drawn uniformly from its safe
    moves, after which the opponent neither has won nor can win at once; and if no move is safe, one drawn uniformly
    from all legal moves.  In Go, where no single move wins, it captures the stones just played and saves its own.
    """
    return _TABLE[type(state)].tactical_rollout(state, rng)


def margin(state: State) -> float:
    """The points of player 0 less those of player 1 in a finished game; 0 in games without points."""
    return _TABLE[type(state)].margin(state)


@overload(play)
def _play(state: Any, action: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.play


@overload(legal)
def _legal(state: Any, out: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.legal


@overload(result)
def _result(state: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.result


@overload(to_move)
def _to_move(state: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.to_move


@overload(encode)
def _encode(state: Any, out: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.encode


@overload(copy)
def _copy(target: Any, source: Any) -> Any:
    kernels = _of(source)
    return kernels and kernels.copy


@overload(key)
def _key(state: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.key


@overload(rollout, inline=False)
def _rollout(state: Any, rng: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.rollout


@overload(tactical_rollout, inline=False)
def _tactical_rollout(state: Any, rng: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.tactical_rollout


@overload(margin)
def _margin(state: Any) -> Any:
    kernels = _of(state)
    return kernels and kernels.margin
