"""Threats for the search kernels: what a new node already is, and which of its moves come first.  Knows no tree.

``follow_board`` brings threats to a board; it costs what the stones differ from the board before, so one ``Threats`` is
kept per search.  ``leaf_outcome`` and ``leaf_boosts`` are chosen by the types of the threats and of the game's state:
a search without threats compiles none of it, and in Connect Four no prior is boosted.  They allocate nothing.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from core._jit import jit, jitable, overload
from core.games import GameSpec, dispatch
from core.games.connect4 import Connect4State
from core.games.connectn import ConnectNState
from core.solve.threats import rules_of
from core.solve.threats_falling import FallingThreats, falling_outcome
from core.solve.threats_lines import (
    COLS,
    DIRECTIONS,
    FIVE,
    OPEN_FOUR,
    ROWS,
    Threats,
    load,
    make_threats,
    put,
    take,
)

PRIOR_ONE: Final = 65535  # a prior of 1, as the search's tree stores it
_RELOAD: Final = 24  # differing stones from which judging the whole board is quicker

# By kind, NONE to FIVE: what is added to a move's weight for each line on which it makes, or denies the other side, it.
# Set by hand: a level of urgency is an order of magnitude, and making one's own comes before denying the same.
MAKES: Final = (0.0, 0.2, 1.0, 1.0, 6.0, 8.0, 200.0, 5000.0)
DENIES: Final = (0.0, 0.1, 0.5, 0.5, 3.0, 4.0, 60.0, 1000.0)


class NoThreats(NamedTuple):
    """In the place of Threats where none are wanted: kernels compiled for it leave them out."""

    nothing: NDArray[np.int64]  # [0]


Scout = Threats | FallingThreats | NoThreats


def make_scout(game: GameSpec, wanted: bool = True) -> Scout:
    """Threats for ``game``'s searches; NoThreats when they are not ``wanted`` or the game has none."""
    state = game.new_state()
    if wanted and isinstance(state, Connect4State):
        return FallingThreats(np.zeros(0, np.int64))
    if not wanted or not isinstance(state, ConnectNState):
        return NoThreats(np.zeros(0, np.int64))
    rules = rules_of(game)
    return make_threats(rules.rows, rules.cols, rules.k, (rules.exact, rules.exact))


def has_threat_proofs(game: GameSpec) -> bool:
    """Whether threats can prove positions of ``game``."""
    return not isinstance(make_scout(game), NoThreats)


def leaf_outcome(t: Scout, state: Any) -> int:
    """``outcome`` of a game's state for the side to move there; 0 where there are no threats.  ``t`` follows it."""
    return _outcome_for(type(t), type(state))(t, state)


def leaf_boosts(t: Scout, state: Any, actions: NDArray[np.int16], n: int, out: NDArray[np.float32]) -> bool:
    """``write_boosts`` for the side to move in a game's state; False, and nothing done, where there are no threats."""
    boosts = _boosts_of_lines if _has_lines(type(t), type(state)) else _boosts_of_nothing
    return boosts(t, state, actions, n, out)


def _has_lines(threats_type: object, state_type: object) -> bool:
    return threats_type is Threats and state_type is ConnectNState


def _outcome_for(threats_type: object, state_type: object) -> Callable[[Any, Any], int]:
    if _has_lines(threats_type, state_type):
        return _outcome_of_lines
    if threats_type is FallingThreats and state_type is Connect4State:
        return _outcome_of_discs
    return _outcome_of_nothing


def _typed(value: Any) -> object:
    return value.instance_class if isinstance(value, types.NamedTuple | types.NamedUniTuple) else None


@overload(leaf_outcome, inline=False)
def _leaf_outcome(t: Any, state: Any) -> Any:
    return _outcome_for(_typed(t), _typed(state))


@overload(leaf_boosts, inline=False)
def _leaf_boosts(t: Any, state: Any, actions: Any, n: Any, out: Any) -> Any:
    return _boosts_of_lines if _has_lines(_typed(t), _typed(state)) else _boosts_of_nothing


def _outcome_of_nothing(t: Any, state: Any) -> int:
    return 0


def _outcome_of_lines(t: Any, state: Any) -> int:
    follow_board(t, state.cells)
    return outcome(t, dispatch.to_move(state))


def _outcome_of_discs(t: Any, state: Any) -> int:
    return falling_outcome(state)


def _boosts_of_nothing(t: Any, state: Any, actions: Any, n: Any, out: Any) -> bool:
    return False


def _boosts_of_lines(t: Any, state: Any, actions: Any, n: Any, out: Any) -> bool:
    follow_board(t, state.cells)
    write_boosts(t, dispatch.to_move(state), actions, n, out)
    return True


@jit
def follow_board(t: Threats, cells: NDArray[np.int8]) -> None:
    """Bring ``t`` to a board of ConnectNState, int8 [(H + 2) * (W + 1) + 1] with its border."""
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
    """Plies until ``mover``, to move, has won (1 or 3), minus the plies until he has lost (-2), or 0: not settled.

    Exact under best play: five now; the other side's two fives; an open four that no five answers.
    """
    if t.counts[mover, FIVE] > 0:
        return 1
    fives = t.counts[1 - mover, FIVE]
    if fives > 1:
        return -2
    return 3 if fives == 0 and t.counts[mover, OPEN_FOUR] > 0 else 0


@jitable
def prior_boost(t: Threats, mover: int, cell: int) -> float:
    """What a move's prior is multiplied by: 1 + the sum over its four lines of MAKES and DENIES."""
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
    """Multiply the first ``n`` ``priors`` by ``boosts`` and keep their sum; at least 1 each.  For an evaluator's priors
    the boosts are written when the leaf is met, and used when its answer has come."""
    before = 0.0
    after = 0.0
    for i in range(n):
        before += priors[i]
        after += priors[i] * boosts[i]
    for i in range(n):
        priors[i] = max(1, min(PRIOR_ONE, int(priors[i] * boosts[i] * before / after + 0.5)))
