"""PUCT, the rule of AlphaZero: Q + S + U, U = c P sqrt(sum N) / (1 + N), sum over the children.

AlphaGo Zero: Silver et al. 2017, Methods, Search algorithm, Select.  c may grow, c = c_log log((1 + sum N + c_base) /
c_base) + c_init (AlphaZero: Silver et al. 2018, supplement, Search: c_base 19652, c_init 1.25, c_log 1; KataGo,
cpp/search/searchexplorehelpers.cpp: 500, 1.0, 0.45, without the 1), and follow the spread of the node's values.  A
score utility S is added to Q where the evaluator gives a score lead; Q itself is always the value.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import apart, jitable
from core.search.params import FPU_LOSS, FPU_REDUCTION, Params
from core.search.proofs import LOSS
from core.search.rules.terms import (
    EdgeTerms,
    NodeTerms,
    constant,
    mean,
    mean_of,
    terms_of,
    value_of_node,
    visits_below,
    visits_of,
)
from core.search.tree import AT, OWN_RULE, PRIOR_ONE, Tree, backups, share

SPREAD_USUAL: Final = 0.4  # deviation of values at which c is as set
SPREAD_WEIGHT: Final = 2.0  # simulations that this counts for


@jitable
def bonus(c: float, prior: float, visits: float, sum_visits: float) -> float:
    """U (AlphaGo Zero: Silver et al. 2017, Methods, Select): c P sqrt(sum N) / (1 + N)."""
    return c * prior * math.sqrt(sum_visits) / (1.0 + visits)


@jitable
def expected_deviation(count: float, mean: float, square: float) -> float:
    """Standard deviation of a node's ``count`` values, from their ``mean`` and mean ``square``, estimated as if
    ``SPREAD_WEIGHT`` more had been seen with the deviation ``SPREAD_USUAL`` (KataGo: parentUtilityStdev in
    cpp/search/searchexplorehelpers.cpp; the figures are its defaults for play and analysis)."""
    if count <= 1.0:
        return SPREAD_USUAL
    squared_mean = mean * mean
    expected = (squared_mean + SPREAD_USUAL * SPREAD_USUAL) * SPREAD_WEIGHT + max(square, squared_mean) * count
    return math.sqrt(max(0.0, expected / (SPREAD_WEIGHT + count - 1.0) - squared_mean))


@jitable
def spread_factor(share: float, deviation: float) -> float:
    """Factor of c where the values of a node have this ``deviation``, of which c follows a ``share`` (KataGo, as
    above): 1 at ``SPREAD_USUAL``."""
    return 1.0 + share * (deviation / SPREAD_USUAL - 1.0)


@jitable
def score_value(lead: float, scale: float) -> float:
    """A score lead as a value in (-1, 1): 2/pi atan(lead / scale), with scale 2 sqrt(points of the board) (KataGo:
    the static score value of cpp/neuralnet/nninputs.cpp, which is its mean over the distribution of the score)."""
    return math.atan(lead / scale) * (2.0 / math.pi)


@jitable
def node_terms(tree: Tree, node: int, params: Params) -> NodeTerms:
    """The terms that all edges of ``node`` share.

    FPU reduction: parent Q - reduction * sqrt(sum of the visited priors) (as in Leela Chess Zero, FpuReduction), and S
    is the parent's; a loss has the least S there is.
    """
    children = tree.num_children[node]
    mass = 0.0
    # Only an unvisited move is valued by the mass of the others.
    if (params.fpu == FPU_REDUCTION or params.extended) and children < tree.num_edges[node]:
        start = tree.child_start[node]
        edges = tree.edge_start[node]
        total = 0
        for i in range(children):
            slot = (start + i) & AT
            visits = tree.visits[slot] + tree.inflight[slot]
            total += visits
            if visits > 0:
                mass += share(tree.edge_prior[(edges + i) & AT])
    else:
        total = visits_below(tree, node)
    value = value_of_node(tree, node)
    c = constant(params, float(total))
    if params.extended:
        return _extended_terms(tree, node, params, terms_of(float(total), c, value), mass)
    if params.fpu == FPU_REDUCTION:
        return terms_of(float(total), c, value - params.fpu_reduction * math.sqrt(mass))
    return terms_of(float(total), c, -1.0 if params.fpu == FPU_LOSS else 0.0)


@apart
def _extended_terms(tree: Tree, node: int, params: Params, terms: NodeTerms, mass: float) -> NodeTerms:
    """The terms of ``node`` under puct with the spread of values, an FPU of the root or a score utility; in ``terms``
    ``unvisited`` is the node's own value, and ``mass`` is the prior mass of the visited moves."""
    slot = tree.slot[node]
    c, fpu, fpu_s, deviation = terms.c, 0.0, 0.0, np.nan
    rule, reduction = params.fpu, params.fpu_reduction
    if node == tree.counts[OWN_RULE]:
        rule, reduction = params.root_fpu, params.root_fpu_reduction
    if params.c_spread > 0.0 and tree.squares.size > 0:
        count = float(max(1, backups(tree, slot)))
        deviation = expected_deviation(count, terms.unvisited, tree.squares[slot] / count)
        c *= spread_factor(params.c_spread, deviation)
    if rule == FPU_REDUCTION:
        fpu = terms.unvisited - reduction * math.sqrt(mass)
        fpu_s = -score_utility(tree, slot, params)
    elif rule == FPU_LOSS:
        fpu = -1.0
        fpu_s = -params.score_utility if tree.lead_sum.size > 0 else 0.0
    return NodeTerms(terms.total, c, fpu, fpu_s, np.nan, deviation, np.nan, np.nan)


@apart
def score_utility(tree: Tree, slot: int, params: Params) -> float:
    """S of a slot for the owner of the edge, the utility of the mean lead as in KataGo; 0 where no score is known."""
    count = backups(tree, slot)
    if params.score_utility == 0.0 or tree.lead_sum.size == 0 or count == 0:
        return 0.0
    return params.score_utility * score_value(tree.lead_sum[slot, 0] / count, params.score_scale)


@jitable
def edge_terms(tree: Tree, node: int, edge: int, params: Params, terms: NodeTerms) -> EdgeTerms:
    """Q, S, U and score of one edge."""
    q = mean_of(tree, node, edge, terms.unvisited)
    prior = share(tree.edge_prior[tree.edge_start[node] + edge])
    u = bonus(terms.c, prior, float(visits_of(tree, node, edge)), terms.total)
    if not params.extended:
        return EdgeTerms(q, 0.0, u, q + u)
    s = terms.unvisited_s
    slot = (tree.child_start[node] + edge) & AT
    if edge < tree.num_children[node] and backups(tree, slot) > 0:
        s = score_utility(tree, slot, params)
    return EdgeTerms(q, s, u, q + s + u)


@jitable
def choose(tree: Tree, node: int, params: Params) -> int:
    """The edge of greatest score that may be entered, the first of equal ones; -1 when there is none.

    It is the choice by ``edge_terms`` where nothing is ``extended``: with priors and values alone few figures of an
    edge are needed."""
    terms = node_terms(tree, node, params)
    start = tree.child_start[node]
    edges = tree.edge_start[node]
    children = tree.num_children[node]
    best = -1
    best_score = -np.inf
    for edge in range(children):
        slot = (start + edge) & AT
        visits = tree.visits[slot] + tree.inflight[slot]
        u = bonus(terms.c, share(tree.edge_prior[(edges + edge) & AT]), float(visits), terms.total)
        score = mean(tree, slot, terms.unvisited) + u
        if score > best_score and (not params.prove or tree.proof[slot] != LOSS):
            best = edge
            best_score = score
    if children < tree.num_edges[node]:
        u = bonus(terms.c, share(tree.edge_prior[edges + children]), 0.0, terms.total)
        if terms.unvisited + u > best_score:
            best = children
    return best


@jitable
def _utility(tree: Tree, slot: int, params: Params) -> float:
    """Q + S of a visited child."""
    return float(tree.total[slot] / backups(tree, slot) + score_utility(tree, slot, params))


@jitable
def prune(tree: Tree, root: int, params: Params, clean: NDArray[np.uint16], weights: NDArray[np.float64]) -> None:
    """Policy target pruning: remove from ``weights``, the children's visits, those that only the noise explains.

    The most visited child keeps all of its visits.  Another one keeps the fewest with which its score, under the priors
    ``clean`` of noise, is below that child's; a single visit left becomes 0 (KataGo: Wu 2020, section 3.2).  KataGo
    removes forced playouts alone; here all those go that only noise explains.
    """
    start = tree.child_start[root]
    terms = node_terms(tree, root, params)
    best = -1
    for i in range(tree.num_children[root]):
        if weights[i] > 0.0 and (best < 0 or weights[i] > weights[best]):
            best = i
    if best < 0:
        return
    bar = _utility(tree, start + best, params) + bonus(terms.c, clean[best] / PRIOR_ONE, weights[best], terms.total)
    for i in range(tree.num_children[root]):
        if i == best or weights[i] == 0.0:
            continue
        room = bar - _utility(tree, start + i, params)
        if room > 0.0:
            needed = bonus(terms.c, clean[i] / PRIOR_ONE, 0.0, terms.total) / room - 1.0
            weights[i] = min(weights[i], math.floor(max(0.0, needed)) + 1.0)
        if weights[i] <= 1.0:
            weights[i] = 0.0
