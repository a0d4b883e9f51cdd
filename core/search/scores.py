"""The score of each move of a node, which selection compares, and its terms: Q, S and U.

Every count is N, of simulations from this node or above; every mean and variance is over n, all simulations known
(core.search.tree).  Under puct a score utility S is added to Q where the evaluator gives a score lead; Q itself is
always the value.  A simulation in flight counts in N at once, so that the next descents choose other moves, and in
means only when it ends (WU-UCT: Liu et al. 2020): counted as a loss it would change the choice several times as much.
"""

import math
from typing import NamedTuple

import numpy as np

from core._jit import apart, jitable
from core.search.formulas import (
    expected_deviation,
    growing_c,
    gumbel_scale,
    log_of_visits,
    mixed_value,
    puct_bonus,
    score_value,
    spread_factor,
    ucb1_bonus,
    ucb1_tuned_bonus,
)
from core.search.settings import FLAT, FPU_LOSS, FPU_REDUCTION, GUMBEL, PUCT, UCB1, Params
from core.search.tree import AT, OWN_RULE, PRIOR_ONE, SCHEDULED, Tree, seen, share


class NodeTerms(NamedTuple):
    """Terms that the scores of all edges of one node share; each a float64."""

    total: float  # sum of N over the children, simulations in flight included
    c: float  # the constant in force; under gumbel the factor of sigma on values in [-1, 1]
    unvisited: float  # value of a child without visits: FPU under puct (may be < -1), v_mix under gumbel, else NaN
    unvisited_s: float  # its score utility
    log_total: float  # ln of ``total``; 0 under puct; under gumbel ln sum P exp(sigma(Q)), its normaliser
    deviation: float  # of the node's values, where c follows it, else NaN


class EdgeTerms(NamedTuple):
    """The terms of one edge's score, for the side to move at its node; each a float64."""

    q: float  # in [-1, 1]; ``NodeTerms.unvisited`` before the first simulation ends
    s: float  # the score utility; 0 where none is in use
    u: float  # the bonus; under gumbel the improved policy, under flat -N
    score: float  # selection takes the greatest


@jitable
def node_terms(tree: Tree, node: int, params: Params) -> NodeTerms:
    """The terms that all edges of ``node`` share.

    FPU reduction: parent Q - reduction * sqrt(sum of the visited priors) (as in Leela Chess Zero, FpuReduction), and S
    is the parent's; a loss has the least S there is.
    Gumbel: v_mix and sigma, see core.search.formulas; ln sum P exp(sigma(completed Q)) (Danihelka et al. 2022,
    equation 11).
    """
    start = tree.child_start[node]
    edges = tree.edge_start[node]
    own = tree.slot[node] & AT
    children = tree.num_children[node]
    parent_value = 0.0
    if seen(tree, own) > 0:
        parent_value = -tree.total[own] / seen(tree, own)
    total = 0
    mass = 0.0
    # Only an unvisited move is valued by the mass of the others.
    weigh = params.fpu == FPU_REDUCTION or params.extended
    if params.selection == PUCT and weigh and children < tree.num_edges[node]:
        for i in range(children):
            slot = (start + i) & AT
            visits = tree.visits[slot] + tree.inflight[slot]
            total += visits
            if visits > 0:
                mass += share(tree.edge_prior[(edges + i) & AT])
    else:
        for i in range(children):
            slot = (start + i) & AT
            total += tree.visits[slot] + tree.inflight[slot]
    if params.selection == GUMBEL:
        most = 0
        mass_q = 0.0
        best = -1.0
        for i in range(children):
            slot = (start + i) & AT
            visits = tree.visits[slot]
            most = max(most, visits + tree.inflight[slot])
            q = mean(tree, slot, -1.0)
            best = max(best, q)
            if visits > 0:
                prior = share(tree.edge_prior[(edges + i) & AT])
                mass += prior
                mass_q += prior * q
        value = float(tree.value[node])
        if not math.isfinite(value):
            value = parent_value
        mixed = mixed_value(value, float(total), mass, mass_q)
        scale = gumbel_scale(params.c, params.c_scale, float(most))
        top = scale * max(mixed, best)
        # Added up rather than 1 less the others: rounded to 16 bits, the priors of all do not sum to 1.
        untried = 0
        priors = tree.edge_prior[edges + children : edges + tree.num_edges[node]]
        for i in range(len(priors)):
            untried += priors[i]
        norm = untried / PRIOR_ONE * math.exp(scale * mixed - top)
        for i in range(children):
            slot = (start + i) & AT
            norm += share(tree.edge_prior[(edges + i) & AT]) * math.exp(scale * mean(tree, slot, mixed) - top)
        return NodeTerms(float(total), scale, mixed, 0.0, top + math.log(max(norm, 1e-300)), np.nan)
    c = growing_c(params.c, params.c_base, params.c_log, float(total))
    if params.selection != PUCT:
        return NodeTerms(float(total), c, np.nan, 0.0, log_of_visits(total), np.nan)
    if params.extended:
        return _extended_terms(tree, node, params, NodeTerms(float(total), c, parent_value, 0.0, 0.0, np.nan), mass)
    if params.fpu == FPU_REDUCTION:
        fpu = parent_value - params.fpu_reduction * math.sqrt(mass)
    elif params.fpu == FPU_LOSS:
        fpu = -1.0
    else:
        fpu = 0.0
    return NodeTerms(float(total), c, fpu, 0.0, 0.0, np.nan)


@apart
def _extended_terms(tree: Tree, node: int, params: Params, terms: NodeTerms, mass: float) -> NodeTerms:
    """The terms of ``node`` under puct with the spread of values, an FPU of the root or a score utility; in ``terms``
    ``unvisited`` is the node's own value, and ``mass`` is the prior mass of the visited moves."""
    own = tree.slot[node]
    c, fpu, fpu_s, deviation = terms.c, 0.0, 0.0, np.nan
    rule, reduction = params.fpu, params.fpu_reduction
    if node == tree.counts[OWN_RULE]:
        rule, reduction = params.root_fpu, params.root_fpu_reduction
    if params.c_spread > 0.0 and tree.squares.size > 0:
        count = float(max(1, seen(tree, own)))
        deviation = expected_deviation(count, terms.unvisited, tree.squares[own] / count)
        c *= spread_factor(params.c_spread, deviation)
    if rule == FPU_REDUCTION:
        fpu = terms.unvisited - reduction * math.sqrt(mass)
        fpu_s = -score_utility(tree, own, params)
    elif rule == FPU_LOSS:
        fpu = -1.0
        fpu_s = -params.score_utility if tree.lead_sum.size > 0 else 0.0
    return NodeTerms(terms.total, c, fpu, fpu_s, 0.0, deviation)


@apart
def score_utility(tree: Tree, slot: int, params: Params) -> float:
    """S of a slot for the owner of the edge, the utility of the mean lead as in KataGo; 0 where no score is known."""
    count = seen(tree, slot)
    if params.score_utility == 0.0 or tree.lead_sum.size == 0 or count == 0:
        return 0.0
    return params.score_utility * score_value(tree.lead_sum[slot, 0] / count, params.score_scale)


@jitable
def mean(tree: Tree, slot: int, unvisited: float) -> float:
    """Q of a slot; ``unvisited`` before its first simulation ends."""
    count = seen(tree, slot)
    return tree.total[slot] / count if count > 0 else unvisited


@jitable
def spread(tree: Tree, slot: int) -> float:
    """Variance of a slot's values in [-1, 1]; 0 where squares are not kept or nothing was seen."""
    count = seen(tree, slot)
    if tree.squares.size == 0 or count == 0:
        return 0.0
    mean = tree.total[slot] / count
    return float(max(0.0, tree.squares[slot] / count - mean * mean))


@jitable
def edge_terms(tree: Tree, node: int, edge: int, params: Params, terms: NodeTerms) -> EdgeTerms:
    """Q, U and score of one edge; ``terms`` are those of ``node``.

    puct, ucb1, ucb1_tuned: score = Q + S + U; an untried edge of the last two has no Q (NaN) and an infinite score, and
    Q = -1 while its first simulation is in flight.  Only puct knows S.
    flat: U = score = -N at the root.  gumbel: U is the improved policy and the score U - N / (1 + sum N) (Danihelka et
    al. 2022, section 5); at a scheduled root g + ln P + sigma(Q) among the moves that have the visits due, -inf for
    the others.
    """
    visits = 0
    total, c = terms.total, terms.c
    q = terms.unvisited
    slot = (tree.child_start[node] + edge) & AT
    tried = edge < tree.num_children[node]
    if tried:
        visits = tree.visits[slot] + tree.inflight[slot]
        q = mean(tree, slot, terms.unvisited)
        if visits > 0 and math.isnan(q):
            q = -1.0
    if params.selection == PUCT:
        prior = share(tree.edge_prior[tree.edge_start[node] + edge])
        u = puct_bonus(c, prior, float(visits), total)
        if params.extended:
            s = terms.unvisited_s
            if tried and seen(tree, slot) > 0:
                s = score_utility(tree, slot, params)
            return EdgeTerms(q, s, u, q + s + u)
        return EdgeTerms(q, 0.0, u, q + u)
    if params.selection == UCB1:
        u = 2.0 * ucb1_bonus(c, float(visits), terms.log_total)
        return EdgeTerms(q, 0.0, u, q + u if visits > 0 else u)
    if params.selection == GUMBEL:
        logit = math.log(tree.edge_prior[tree.edge_start[node] + edge] / PRIOR_ONE)
        improved = math.exp(min(0.0, logit + c * q - terms.log_total))
        if node == tree.counts[OWN_RULE] and total < tree.counts[SCHEDULED]:
            if visits != tree.schedule[int(total)]:
                return EdgeTerms(q, 0.0, improved, -np.inf)
            return EdgeTerms(q, 0.0, improved, tree.gumbel[edge] + logit + c * q)
        return EdgeTerms(q, 0.0, improved, improved - visits / (1.0 + total))
    if params.selection == FLAT:
        return EdgeTerms(q, 0.0, -float(visits), -float(visits))
    known = spread(tree, slot) / 4.0 if tried else 0.0
    u = 2.0 * ucb1_tuned_bonus(c, float(visits), terms.log_total, known)
    return EdgeTerms(q, 0.0, u, q + u if visits > 0 else u)
