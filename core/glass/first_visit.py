"""After how many visits of its node a move is tried first, foretold from a search in which its prior was another.

Selection itself is run on the node alone: a move that it takes for the k-th time gets the value that the recorded
search backed up when it took that move for the k-th time, and its mean when there are no more.  What lies below a move
depends on the visits of that move alone, so this is exact as long as there are recorded values, but for simulations in
flight and for proofs.  Beyond ``STEPS`` visits the rule of PUCT gives the visits in closed form.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.search.params import FPU_LOSS, FPU_REDUCTION, PUCT, Params
from core.search.proofs import LOSS
from core.search.selection import select
from core.search.tree import PRIOR_ONE, Tree

NEVER: Final = 1e12  # visits beyond which a first visit is not foretold
STEPS: Final = 200_000  # visits that are run one by one


class NodeLog(NamedTuple):
    """The simulations that passed one node, in their order.  E moves, M simulations that took one of them."""

    node: Tree  # the node alone, as node 0 of a tree by ``core.search.tree.one_node``
    priors: NDArray[np.float64]  # [E]
    value: float  # of the node by the net, for the side to move
    moves: NDArray[np.int64]  # [M] the place of the move taken, in 0 .. E - 1
    values: NDArray[np.float64]  # [M] what the simulation added to W of the move


def can_foretell(params: Params) -> bool:
    """Whether a first visit can be foretold under the rule of a search: one that weighs priors without a schedule."""
    return bool(params.selection == PUCT and params.score_utility == 0.0)


def foretell(log: NodeLog, move: int, prior: float, params: Params) -> float:
    """Return how many visits the moves of a node have when ``move``, with this ``prior``, gets its first; inf: more
    than ``NEVER``.  The other moves share the rest of the prior as in the ``log``."""
    others = 1.0 - log.priors[move]
    priors = log.priors * ((1.0 - prior) / others if others > 0.0 else 0.0)
    priors[move] = prior
    order = np.argsort(-priors, kind="stable")
    tree = _unvisited(log, priors, order)
    by_move = np.argsort(log.moves, kind="stable")
    counts = np.bincount(log.moves, minlength=len(priors))
    starts = np.concatenate([[0], np.cumsum(counts)])
    values = [log.values[by_move[starts[place] : starts[place + 1]]] for place in order]
    bounds = np.concatenate([[0], np.cumsum([len(child_values) for child_values in values])]).astype(np.int64)
    lost = log.node.proof[1 : 1 + len(priors)][order] == LOSS
    edge = int(np.flatnonzero(order == move)[0])
    flat = np.concatenate([*values, np.zeros(0)])
    taken = run_to_first_visit(tree, edge, bounds, flat, lost, params, STEPS)
    if taken >= 0:
        return float(taken)
    return _beyond(tree, priors[order], log.value, edge, params)


def _unvisited(log: NodeLog, priors: NDArray[np.float64], order: NDArray[np.int64]) -> Tree:
    """A copy of the node with these ``priors``, in the ``order`` of the tree, when it had just been expanded."""
    node = log.node
    tree = node._replace(**{name: getattr(node, name).copy() for name in node._fields})
    tree.edge_action[:] = node.edge_action[order]
    tree.edge_prior[:] = np.maximum(1, np.round(priors[order] * PRIOR_ONE))
    for array in (tree.visits, tree.was_root, tree.total, tree.inflight, tree.proof, tree.distance, tree.squares):
        array[:] = 0
    tree.num_children[0], tree.begun[:] = 0, 0
    tree.visits[0], tree.total[0] = 1, -log.value
    if tree.squares.size:
        tree.squares[0] = log.value**2
    return tree


@jit
def run_to_first_visit(
    tree: Tree,
    move: int,
    bounds: NDArray[np.int64],
    values: NDArray[np.float64],
    lost: NDArray[np.bool_],
    params: Params,
    most: int,
) -> int:
    """Run selection at node 0 until it takes ``move``; return the place of that visit among those of the moves, from 1,
    or -1 where it is not within ``most``.

    Edge e gets ``values[bounds[e]:bounds[e + 1]]`` in turn, then their mean; a ``lost`` one, [E], is proved lost with
    its last value."""
    for visit in range(1, most + 1):
        edge = select(tree, 0, params)
        if edge == move:
            return visit
        if edge < 0:
            return -1
        slot = 1 + edge
        if edge >= tree.num_children[0]:
            tree.num_children[0] = edge + 1
        done = tree.visits[slot]
        at = bounds[edge] + done
        value = values[at] if at < bounds[edge + 1] else tree.total[slot] / done if done > 0 else -tree.total[0] / visit
        tree.visits[slot] += 1
        tree.total[slot] += value
        tree.visits[0] += 1
        tree.total[0] -= value
        if tree.squares.size > 0:
            tree.squares[slot] += value * value
            tree.squares[0] += value * value
        if lost[edge] and at + 1 == bounds[edge + 1]:
            tree.proof[slot] = LOSS
    return -1


def _beyond(tree: Tree, priors: NDArray[np.float64], value: float, move: int, params: Params) -> float:
    """Return the visits at which PUCT takes ``move`` when every other move of node 0 keeps its mean; inf: more than
    ``NEVER``.  Moves that are proved lost get no more visits."""
    slots = slice(1, 1 + len(priors))
    visits, totals = tree.visits[slots].astype(np.float64), tree.total[slots]
    tried = (visits > 0) & (tree.proof[slots] != LOSS)
    if not tried.any() or params.extended:
        return math.inf
    fixed, fixed_total = float(visits[~tried].sum()), float(totals[~tried].sum())
    means, mass = totals[tried] / visits[tried], float(priors[visits > 0].sum())

    def is_taken(total: float) -> bool:
        u = _constant(params, total) * math.sqrt(total)
        spread = _spread(means, u * priors[tried], visits[tried], total - fixed)
        unvisited = -1.0 if params.fpu == FPU_LOSS else 0.0
        if params.fpu == FPU_REDUCTION:
            mean = (value + float(means @ spread) + fixed_total) / (1.0 + total)
            unvisited = mean - params.fpu_reduction * math.sqrt(mass)
        level = float((means + u * priors[tried] / (1.0 + spread)).max())
        return unvisited + u * float(priors[move]) > level

    low = float(visits.sum())
    high = 2.0 * low
    while not is_taken(high):
        low, high = high, 2.0 * high
        if high > NEVER:
            return math.inf
    while high - low > max(1.0, 1e-4 * high):
        middle = (low + high) / 2.0
        low, high = (low, middle) if is_taken(middle) else (middle, high)
    return float(math.floor(high) + 1)


def _constant(params: Params, total: float) -> float:
    """c at so many visits of a node's moves (core.search.rules.terms)."""
    if params.c_base <= 0.0:
        return float(params.c)
    return float(params.c_log * math.log((1.0 + total + params.c_base) / params.c_base) + params.c)


def _spread(
    means: NDArray[np.float64], bonus: NDArray[np.float64], least: NDArray[np.float64], total: float
) -> NDArray[np.float64]:
    """Return the visits, at least ``least`` and ``total`` together, at which the scores mean + bonus / (1 + visits) of
    the moves that get more than that are equal."""
    visits, low, high = least, float(means.max()), float(means.max() + bonus.max()) + 1.0
    for _ in range(60):
        level = (low + high) / 2.0
        visits = np.maximum(least, bonus / np.maximum(level - means, 1e-15) - 1.0)
        low, high = (level, high) if visits.sum() > total else (low, level)
    return visits
