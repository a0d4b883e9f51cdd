"""After how many visits of its node a move is tried first, foretold from the visits of the other moves.

PUCT takes a move without visits as soon as its FPU + c P sqrt(sum N) exceeds the score of every other move.  The visits
and values of the others are those of a search that was recorded; beyond its end each keeps its Q, and the visits are
spread so that the scores are equal.  Simulations in flight are not considered.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.search.params import FPU_LOSS, FPU_REDUCTION, PUCT, Params

NEVER: Final = 1e12  # visits beyond which a first visit is not foretold
_CHUNK: Final = 4096  # visits looked at together


class NodeLog(NamedTuple):
    """The simulations that passed one node, in their order.  E moves, M simulations that took one of them."""

    priors: NDArray[np.float64]  # [E]
    value: float  # of the node by the net, for the side to move
    moves: NDArray[np.int64]  # [M] the place of the move taken, in 0 .. E - 1
    values: NDArray[np.float64]  # [M] what the simulation added to W of the move
    lost: NDArray[np.bool_]  # [E] the move is proved lost now, and was not taken since


def can_foretell(params: Params) -> bool:
    """Whether a first visit can be foretold under the rule of a search: plain PUCT."""
    return bool(params.selection == PUCT and not params.extended)


def foretell(log: NodeLog, move: int, prior: float, params: Params) -> float:
    """Return how many visits the moves of a node have when ``move``, with this ``prior``, gets its first; inf: more
    than ``NEVER``.  The other moves share the rest of the prior as in the ``log``; their visits are those of the log
    without the ones of ``move``."""
    kept = log.moves != move
    moves, values = log.moves[kept], log.values[kept]
    lost_after = np.array(
        [
            np.flatnonzero(moves == place)[-1] + 1 if lost and (moves == place).any() else math.inf
            for place, lost in enumerate(log.lost)
        ]
    )
    others = 1.0 - log.priors[move]
    priors = log.priors * ((1.0 - prior) / others if others > 0.0 else 0.0)
    priors[move] = prior
    state = _State(np.zeros(len(priors)), np.zeros(len(priors)))
    for first in range(0, len(moves) + 1, _CHUNK):
        part = slice(first, first + _CHUNK)
        place, state = _within(state, moves[part], values[part], priors, log.value, move, params, lost_after - first)
        if place >= 0:
            return float(first + place + 1)
    return _beyond(state, priors, log.value, move, params, lost_after < math.inf)


class _State(NamedTuple):
    visits: NDArray[np.float64]  # [E]
    totals: NDArray[np.float64]  # [E]


def _within(
    state: _State,
    moves: NDArray[np.int64],
    values: NDArray[np.float64],
    priors: NDArray[np.float64],
    value: float,
    move: int,
    params: Params,
    lost_after: NDArray[np.float64],
) -> tuple[int, _State]:
    """Return (the first of the moments before and after each of M ``moves`` at which ``move`` would be taken, or -1;
    the state after the last).  ``lost_after``, [E]: from which moment on a move is proved lost."""
    taken = np.zeros((len(moves) + 1, len(priors)))
    taken[np.arange(1, len(moves) + 1), moves] = 1.0
    added = taken.copy()
    added[1:] *= values[:, None]
    visits = state.visits + np.cumsum(taken, axis=0)
    totals = state.totals + np.cumsum(added, axis=0)
    scores = _scores(visits, totals, priors, value, params)
    # Of equal scores the higher prior, which is the first in the tree, is taken.
    rivals = scores - np.where(priors > priors[move], 0.0, 1e-12)
    rivals[np.arange(len(rivals))[:, None] >= lost_after] = -np.inf
    rivals[:, move] = -np.inf
    wins = np.flatnonzero(scores[:, move] > rivals.max(axis=1))
    return (int(wins[0]) if len(wins) else -1), _State(visits[-1], totals[-1])


def _scores(
    visits: NDArray[np.float64], totals: NDArray[np.float64], priors: NDArray[np.float64], value: float, params: Params
) -> NDArray[np.float64]:
    """The scores [M, E] of the moves of a node at M moments."""
    count = visits.sum(axis=1)
    unvisited = _first_play(totals.sum(axis=1), count, (priors * (visits > 0)).sum(axis=1), value, params)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(visits > 0, totals / visits, unvisited[:, None])
    bonus: NDArray[np.float64] = (_constant(params, count) * np.sqrt(count))[:, None] * priors / (1.0 + visits)
    return means + bonus


def _first_play(
    total: NDArray[np.float64], count: NDArray[np.float64], mass: NDArray[np.float64], value: float, params: Params
) -> NDArray[np.float64]:
    """The value [M] of a move without visits."""
    if params.fpu == FPU_REDUCTION:
        return (value + total) / (1.0 + count) - params.fpu_reduction * np.sqrt(mass)
    return np.full(len(count), -1.0 if params.fpu == FPU_LOSS else 0.0)


def _constant(params: Params, count: NDArray[np.float64]) -> NDArray[np.float64]:
    """c [M] at so many visits of a node's moves (core.search.rules.terms)."""
    if params.c_base <= 0.0:
        return np.full(len(count), params.c)
    return np.asarray(params.c_log * np.log((1.0 + count + params.c_base) / params.c_base) + params.c)


def _beyond(
    state: _State, priors: NDArray[np.float64], value: float, move: int, params: Params, lost: NDArray[np.bool_]
) -> float:
    """Return the visits at which ``move`` is taken when every other move keeps its mean; inf: more than ``NEVER``.

    The moves that are ``lost``, [E], get no more visits."""
    visits, totals = state
    count = visits.sum()
    tried = (visits > 0) & (np.arange(len(priors)) != move) & ~lost
    if not tried.any():
        return float(count) + 1.0
    fixed, fixed_total = float(visits[lost].sum()), float(totals[lost].sum())
    means = totals[tried] / visits[tried]
    mass = priors[visits > 0].sum()

    def is_taken(total: float) -> bool:
        at = np.array([total])
        u = float(_constant(params, at)[0]) * math.sqrt(total)
        spread = _spread(means, u * priors[tried], visits[tried], total - fixed)
        grown = np.array([means @ spread + fixed_total])
        unvisited = _first_play(grown, at, np.array([mass]), value, params)[0]
        level = (means + u * priors[tried] / (1.0 + spread)).max()
        return bool(unvisited + u * priors[move] > level)

    low, high = float(count), max(2.0 * count, 2.0)
    while not is_taken(high):
        low, high = high, 2.0 * high
        if high > NEVER:
            return math.inf
    while high - low > max(1.0, 1e-4 * high):
        middle = (low + high) / 2.0
        low, high = (low, middle) if is_taken(middle) else (middle, high)
    return float(math.floor(high) + 1)


def _spread(
    means: NDArray[np.float64], bonus: NDArray[np.float64], least: NDArray[np.float64], total: float
) -> NDArray[np.float64]:
    """Return the visits, at least ``least`` and ``total`` together, at which the scores mean + bonus / (1 + visits) of
    the moves that get more than that are equal."""
    visits, low, high = least, float(means.max()), float(means.max() + bonus.max()) + 1.0
    for _ in range(60):
        level = (low + high) / 2.0
        with np.errstate(divide="ignore"):
            visits = np.maximum(least, bonus / np.maximum(level - means, 1e-15) - 1.0)
        low, high = (level, high) if visits.sum() > total else (low, level)
    return visits
