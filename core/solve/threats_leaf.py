"""Threats for the search kernels: proofs of new leaves, and boosts of their priors.

``follow_board`` updates threats to a board at a cost proportional to the number of different stones, so one ``Threats``
is kept per search.  ``leaf_outcome`` and ``leaf_boosts`` are selected by the type of the threats, which
``core.solve.threats.make_scout`` makes: a search without threats compiles none of it.  No allocations.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import ByType, jit, jitable
from core.games import dispatch
from core.games.dispatch import State
from core.solve.threats_lines import (
    COLS,
    DIRECTIONS,
    FIVE,
    OPEN_FOUR,
    ROWS,
    Threats,
    load,
    put,
    take,
)

# Plies of a proof: DRAWN is added where neither side wins, UNKNOWN_PLIES stands where they are not counted.
DRAWN: Final = 1 << 14
UNKNOWN_PLIES: Final = DRAWN - 1

PRIOR_ONE: Final = 65535  # a prior of 1, as the search's tree stores it
_RELOAD: Final = 24  # number of different stones from which a full reload is faster

# By kind, NONE to FIVE: added to a move's weight for each line on which it makes the kind, or denies it to the other
# side.  Set by hand: an order of magnitude per level of urgency; making comes before denying.
MAKES: Final = (0.0, 0.2, 1.0, 1.0, 6.0, 8.0, 200.0, 5000.0)
DENIES: Final = (0.0, 0.1, 0.5, 0.5, 3.0, 4.0, 60.0, 1000.0)


Scout = Any  # Threats, or another of the registered NamedTuples


def _no_boosts(t: Scout, state: State, actions: NDArray[np.int16], n: int, out: NDArray[np.float32]) -> bool:
    return False


class LeafOperations(NamedTuple):
    """What one kind of threats says of a leaf; see the functions of the same names below."""

    leaf_outcome: Callable[[Scout, State], int]
    leaf_boosts: Callable[[Scout, State, NDArray[np.int16], int, NDArray[np.float32]], bool] = _no_boosts


_TABLE: Final = ByType[LeafOperations]()
register = _TABLE.register


@_TABLE.compiled(inline=False)
def leaf_outcome(t: Scout, state: State) -> int:
    """``outcome`` of a game's state for the side to move, with DRAWN added in a draw; 0 where nothing is proved.
    Updates ``t`` to the board."""
    return _TABLE[type(t)].leaf_outcome(t, state)


@_TABLE.compiled(inline=False)
def leaf_boosts(t: Scout, state: State, actions: NDArray[np.int16], n: int, out: NDArray[np.float32]) -> bool:
    """``write_boosts`` for the side to move in a game's state; False, without writing, where moves have no boosts."""
    return _TABLE[type(t)].leaf_boosts(t, state, actions, n, out)


class NoThreats(NamedTuple):
    """Replaces Threats where none are used: kernels compiled for it omit them."""

    nothing: NDArray[np.int64]  # [0]


def _no_outcome(t: NoThreats, state: State) -> int:
    return 0


def _outcome_of_lines(t: Threats, state: State) -> int:
    follow_board(t, state.cells)
    return outcome(t, dispatch.to_move(state))


def _boosts_of_lines(t: Threats, state: State, actions: NDArray[np.int16], n: int, out: NDArray[np.float32]) -> bool:
    follow_board(t, state.cells)
    write_boosts(t, dispatch.to_move(state), actions, n, out)
    return True


register(NoThreats, LeafOperations(_no_outcome))
register(Threats, LeafOperations(_outcome_of_lines, _boosts_of_lines))


@jit
def follow_board(t: Threats, cells: NDArray[np.int8]) -> None:
    """Update ``t`` to a board of ConnectNState, int8 [(H + 2) * (W + 1) + 1] with its border."""
    rows, cols = int(t.dims[ROWS]), int(t.dims[COLS])
    different = 0
    cell = 0
    for row in range(rows):
        first = (row + 1) * (cols + 1) + 1
        for index in range(first, first + cols):
            if t.cells[cell] != cells[index]:
                different += 1
            cell += 1
    if different == 0:
        return
    if different > _RELOAD or t.cells[0] < 0:
        for row in range(rows):
            first = (row + 1) * (cols + 1) + 1
            for col in range(cols):
                t.cells[row * cols + col] = cells[first + col]
        load(t, t.cells)
        return
    cell = 0
    for row in range(rows):
        first = (row + 1) * (cols + 1) + 1
        for index in range(first, first + cols):
            if t.cells[cell] != cells[index]:
                if t.cells[cell] != 0:
                    take(t, cell)
                if cells[index] != 0:
                    put(t, int(cells[index]) - 1, cell)
            cell += 1


@jitable
def outcome(t: Threats, mover: int) -> int:
    """Plies to a win of ``mover``, who is to move (1 or 3), minus the plies to its loss (-2), or 0 when undecided.

    Exact under best play: an immediate five; two fives of the other side; an open four without a five of the other.
    """
    if t.counts[mover, FIVE] > 0:
        return 1
    fives = t.counts[1 - mover, FIVE]
    if fives > 1:
        return -2
    return 3 if fives == 0 and t.counts[mover, OPEN_FOUR] > 0 else 0


@jitable
def prior_boost(t: Threats, mover: int, cell: int) -> float:
    """The factor for a move's prior: 1 + the sum of MAKES and DENIES over its four lines."""
    weight = 1.0
    for direction in range(DIRECTIONS):
        weight += MAKES[t.kinds[mover, cell, direction]] + DENIES[t.kinds[1 - mover, cell, direction]]
    # Two fours at once, each counted as a four above.
    if t.best[mover, cell] == OPEN_FOUR:
        weight = max(weight, 1.0 + MAKES[OPEN_FOUR])
    if t.best[1 - mover, cell] == OPEN_FOUR:
        weight = max(weight, 1.0 + DENIES[OPEN_FOUR])
    return weight


@jit
def write_boosts(t: Threats, mover: int, actions: NDArray[np.int16], n: int, out: NDArray[np.float32]) -> None:
    """``prior_boost`` of each of the first ``n`` ``actions`` into ``out`` float32 [A]."""
    for i in range(n):
        out[i] = prior_boost(t, mover, int(actions[i]))


@jit
def boost_priors(priors: NDArray[np.uint16], boosts: NDArray[np.float32], n: int) -> None:
    """Multiply the first ``n`` ``priors`` by ``boosts`` and renormalise to their sum; at least 1 each.  With an
    evaluator the boosts are written when the leaf is collected and applied when it has been evaluated."""
    before = 0.0
    after = 0.0
    for i in range(n):
        before += priors[i]
        after += priors[i] * boosts[i]
    for i in range(n):
        priors[i] = max(1, min(PRIOR_ONE, int(priors[i] * boosts[i] * before / after + 0.5)))
