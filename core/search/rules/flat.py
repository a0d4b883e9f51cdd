"""Flat Monte Carlo: the move of the root with the fewest games is next, score -N.  There is no tree below its moves."""

import numpy as np

from core._jit import jitable
from core.search.rules.terms import EdgeTerms, NodeTerms, mean_of, terms_of, visits_below, visits_of
from core.search.tree import Tree


@jitable
def node_terms(tree: Tree, node: int) -> NodeTerms:
    """The terms that all edges of ``node`` share."""
    return terms_of(float(visits_below(tree, node)), np.nan, np.nan)


@jitable
def edge_terms(tree: Tree, node: int, edge: int, terms: NodeTerms) -> EdgeTerms:
    """The score of one edge; Q is NaN before its first game, and -1 while that is in flight."""
    visits = float(visits_of(tree, node, edge))
    q = mean_of(tree, node, edge, -1.0 if visits > 0 else np.nan)
    return EdgeTerms(q, 0.0, -visits, -visits)
