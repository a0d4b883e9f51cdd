"""UCB1-tuned: Q + 2 c sqrt(ln sum N / N * min(1/4, V)) with V = variance + sqrt(2 ln sum N / N).

Auer et al. 2002, section 4: the variance is that of values in [0, 1], and c is 1.
"""

import math

import numpy as np

from core._jit import jitable
from core.search.params import Params
from core.search.rules import ucb1
from core.search.rules.terms import EdgeTerms, NodeTerms, mean_of, spread, visits_of
from core.search.tree import AT, Tree


@jitable
def bonus(c: float, visits: float, log_visits: float, variance: float) -> float:
    """U on values in [0, 1], from the logarithm of sum N; infinite for an untried child."""
    if visits <= 0:
        return np.inf
    share = log_visits / visits
    return c * math.sqrt(share * min(0.25, variance + math.sqrt(2.0 * share)))


@jitable
def node_terms(tree: Tree, node: int, params: Params) -> NodeTerms:
    """The terms that all edges of ``node`` share."""
    return ucb1.node_terms(tree, node, params)


@jitable
def edge_terms(tree: Tree, node: int, edge: int, terms: NodeTerms) -> EdgeTerms:
    """Q, U and score of one edge; untried and in flight as under UCB1."""
    visits = float(visits_of(tree, node, edge))
    q = mean_of(tree, node, edge, -1.0 if visits > 0 else np.nan)
    variance = 0.0
    if edge < tree.num_children[node]:
        variance = spread(tree, (tree.child_start[node] + edge) & AT) / 4.0
    u = 2.0 * bonus(terms.c, visits, terms.log_total, variance)
    return EdgeTerms(q, 0.0, u, q + u if visits > 0 else u)
