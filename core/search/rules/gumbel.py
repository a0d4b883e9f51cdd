"""Gumbel MuZero's rule (Danihelka et al. 2022): the improved policy pi' = softmax(ln P + sigma(completed Q)).

Below the root the score is pi' - N / (1 + sum N) (section 5).  At a root with a plan it is g + ln P + sigma(Q) among
the moves that have the visits due, by sequential halving.  sigma(q) = (c_visit + max N) c_scale q on values in [0, 1]
(equation 8: 50 and 1).
"""

import math

import numpy as np
from numpy.typing import NDArray

from core._jit import jitable
from core.search.params import Params
from core.search.proofs import LOSS
from core.search.rules.terms import EdgeTerms, NodeTerms, mean, mean_of, value_of_node, visits_of
from core.search.tree import AT, OWN_RULE, PRIOR_ONE, SCHEDULED, Tree, share


@jitable
def node_terms(tree: Tree, node: int, params: Params) -> NodeTerms:
    """The terms that all edges of ``node`` share: v_mix, the factor of sigma, ln sum P exp(sigma(completed Q))
    (equation 11)."""
    start = tree.child_start[node]
    edges = tree.edge_start[node]
    children = tree.num_children[node]
    total = 0
    most = 0
    mass = 0.0
    mass_q = 0.0
    best = -1.0
    for i in range(children):
        slot = (start + i) & AT
        visits = tree.visits[slot]
        total += visits + tree.inflight[slot]
        most = max(most, visits + tree.inflight[slot])
        q = mean(tree, slot, -1.0)
        best = max(best, q)
        if visits > 0:
            prior = share(tree.edge_prior[(edges + i) & AT])
            mass += prior
            mass_q += prior * q
    value = float(tree.value[node])
    if not math.isfinite(value):
        value = value_of_node(tree, node)
    mixed = mixed_value(value, float(total), mass, mass_q)
    scale = sigma_scale(params.c, params.c_scale, float(most))
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
    return NodeTerms(float(total), np.nan, mixed, 0.0, np.nan, np.nan, scale, top + math.log(max(norm, 1e-300)))


@jitable
def edge_terms(tree: Tree, node: int, edge: int, terms: NodeTerms) -> EdgeTerms:
    """Q, pi' and score of one edge; -inf where it is not due."""
    visits = visits_of(tree, node, edge)
    q = mean_of(tree, node, edge, terms.unvisited)
    logit = math.log(tree.edge_prior[tree.edge_start[node] + edge] / PRIOR_ONE)
    improved = math.exp(min(0.0, logit + terms.scale * q - terms.log_mass))
    if node == tree.counts[OWN_RULE] and terms.total < tree.counts[SCHEDULED]:
        if visits != tree.schedule[int(terms.total)]:
            return EdgeTerms(q, 0.0, improved, -np.inf)
        return EdgeTerms(q, 0.0, improved, tree.gumbel[edge] + logit + terms.scale * q)
    return EdgeTerms(q, 0.0, improved, improved - visits / (1.0 + terms.total))


@jitable
def tie_breaker(tree: Tree, node: int, edge: int, params: Params, most: int, value: float) -> float:
    """What decides between moves of equal visits at a root with a plan: g + ln P + sigma(Q) (algorithm 2); ``value``
    elsewhere."""
    if node != tree.counts[OWN_RULE] or tree.counts[SCHEDULED] <= 0:
        return value
    prior = tree.edge_prior[tree.edge_start[node] + edge] / PRIOR_ONE
    return float(tree.gumbel[edge] + math.log(prior) + sigma_scale(params.c, params.c_scale, float(most)) * value)


@jitable
def improve(tree: Tree, root: int, params: Params, weights: NDArray[np.float64]) -> None:
    """Write the improved policy of ``root``, not normalised, into ``weights`` [E]; those of moves proved lost stay."""
    terms = node_terms(tree, root, params)
    start = tree.child_start[root]
    for i in range(tree.num_edges[root]):
        if i >= tree.num_children[root] or tree.proof[start + i] != LOSS:
            weights[i] = edge_terms(tree, root, i, terms).u


@jitable
def improved_value(tree: Tree, root: int, params: Params) -> float:
    """The value of an expanded ``root`` under the improved policy, sum pi' times completed Q (section 4): its visits
    depend on the schedule rather than on quality."""
    terms = node_terms(tree, root, params)
    mass = 0.0
    value = 0.0
    for i in range(tree.num_edges[root]):
        edge = edge_terms(tree, root, i, terms)
        mass += edge.u
        value += edge.u * edge.q
    return value / mass


@jitable
def sigma_scale(c_visit: float, c_scale: float, most_visits: float) -> float:
    """Factor of sigma on values in [-1, 1], half of that on [0, 1] (equation 8)."""
    return 0.5 * (c_visit + most_visits) * c_scale


@jitable
def mixed_value(value: float, sum_visits: float, visited_prior: float, visited_prior_q: float) -> float:
    """v_mix, the value assumed for a move without visits (appendix D, equation 33).

    It mixes the net's ``value`` with the visited moves' Q, weighted by their priors: ``visited_prior`` = sum P,
    ``visited_prior_q`` = sum P Q."""
    if visited_prior <= 0.0:
        return value
    return (value + sum_visits * visited_prior_q / visited_prior) / (1.0 + sum_visits)


def considered_visits(num_considered: int, simulations: int) -> NDArray[np.int32]:
    """Sequential halving as a table: int32 [simulations], the visits that a root move must have to be searched next.

    ``num_considered`` moves share the first of ceil(log2) equal phases, half of them each later one (Karnin et al.
    2013; Danihelka et al. 2022, section 3, figure 1); the last two share what is left.
    """
    if num_considered <= 1:
        return np.arange(simulations, dtype=np.int32)
    phases = math.ceil(math.log2(num_considered))
    table: list[int] = []
    reached, moves = 0, num_considered
    while len(table) < simulations:
        for _ in range(max(1, simulations // (phases * moves))):
            table += [reached] * moves
            reached += 1
        moves = max(2, moves // 2)
    return np.array(table[:simulations], np.int32)
