"""What the scores of moves are made of under any rule.

Every count is N, of simulations from this node or above; every mean and variance is over n, all simulations known
(core.search.tree).  A simulation in flight counts in N at once, so that the next descents choose other moves, and in
means only when it ends (WU-UCT: Liu et al. 2020): counted as a loss it would change the choice several times as much.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from core._jit import jitable
from core.search.params import Params
from core.search.tree import AT, Tree, backups

_LOGS: Final = np.array([0.0, *(math.log(n) for n in range(1, 1024))])


class NodeTerms(NamedTuple):
    """What the scores of all edges of one node share; each a float64, NaN where the rule has none."""

    total: float  # sum of N over the children, simulations in flight included
    c: float  # the constant in force
    unvisited: float  # value of a child without visits: the first-play urgency (may be < -1), or v_mix
    unvisited_s: float  # its score utility; 0 where none is in use
    log_total: float  # ln of ``total``
    deviation: float  # of the node's values, where c follows it
    scale: float  # the factor of sigma on values in [-1, 1]
    log_mass: float  # ln sum P exp(sigma(Q)): what the improved policy is normalised by


class EdgeTerms(NamedTuple):
    """The terms of one edge's score, for the side to move at its node; each a float64."""

    q: float  # in [-1, 1]; ``NodeTerms.unvisited`` before the first simulation ends
    s: float  # the score utility; 0 where none is in use
    u: float  # the rule's own term, which its columns name: mostly a bonus
    score: float  # selection takes the greatest


@jitable
def terms_of(total: float, c: float, unvisited: float) -> NodeTerms:
    """The terms of most rules."""
    return NodeTerms(total, c, unvisited, 0.0, np.nan, np.nan, np.nan, np.nan)


@jitable
def visits_below(tree: Tree, node: int) -> int:
    """The sum of N over the children, simulations in flight included."""
    start = tree.child_start[node]
    total = 0
    for i in range(tree.num_children[node]):
        slot = (start + i) & AT
        total += tree.visits[slot] + tree.inflight[slot]
    return total


@jitable
def visits_of(tree: Tree, node: int, edge: int) -> int:
    """N of an edge, simulations in flight included."""
    if edge >= tree.num_children[node]:
        return 0
    slot = (tree.child_start[node] + edge) & AT
    return int(tree.visits[slot] + tree.inflight[slot])


@jitable
def value_of_node(tree: Tree, node: int) -> float:
    """The searched value of ``node`` for the side to move there; 0 before any visit."""
    slot = tree.slot[node] & AT
    count = backups(tree, slot)
    return -tree.total[slot] / count if count > 0 else 0.0


@jitable
def mean(tree: Tree, slot: int, unvisited: float) -> float:
    """Q of a slot; ``unvisited`` before its first simulation ends."""
    count = backups(tree, slot)
    return tree.total[slot] / count if count > 0 else unvisited


@jitable
def mean_of(tree: Tree, node: int, edge: int, unvisited: float) -> float:
    """Q of an edge; ``unvisited`` before its first simulation ends."""
    if edge >= tree.num_children[node]:
        return unvisited
    return mean(tree, (tree.child_start[node] + edge) & AT, unvisited)


@jitable
def spread(tree: Tree, slot: int) -> float:
    """Variance of a slot's values in [-1, 1]; 0 where squares are not kept or nothing was seen."""
    count = backups(tree, slot)
    if tree.squares.size == 0 or count == 0:
        return 0.0
    mean = tree.total[slot] / count
    return float(max(0.0, tree.squares[slot] / count - mean * mean))


@jitable
def growing_c(c: float, c_base: float, c_log: float, sum_visits: float) -> float:
    """c growing with the visits (AlphaZero: Silver et al. 2018, supplement, Search); ``c_base`` 0 keeps ``c``."""
    return c if c_base <= 0.0 else c_log * math.log((1.0 + sum_visits + c_base) / c_base) + c


@jitable
def constant(params: Params, total: float) -> float:
    """The constant in force at a node with so many visits of its moves."""
    return growing_c(params.c, params.c_base, params.c_log, total)


@jitable
def log_of_visits(visits: int) -> float:
    """ln ``visits``, from a table where there are few of them; 0 without any."""
    return float(_LOGS[visits & 1023]) if visits < 1024 else math.log(visits)
