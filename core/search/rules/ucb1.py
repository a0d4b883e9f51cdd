"""UCB1, the rule of UCT: Q + 2 c sqrt(ln sum N / N) (Auer et al. 2002; Kocsis & Szepesvari 2006).

The papers' values lie in [0, 1], ours in [-1, 1], twice as wide, so U has the factor 2: the same order of the moves.
"""

import math
from typing import Any, Final

import numpy as np

from core._jit import jitable
from core.search.params import Params
from core.search.proofs import LOSS
from core.search.rules.terms import (
    EdgeTerms,
    NodeTerms,
    constant,
    log_of_visits,
    mean_of,
    visits_below,
    visits_of,
)
from core.search.tree import Tree, backups

_FEW: Final = 16  # children up to which all are worth a look at a table
_TABLED: Final = 1024  # a power of two
_INVERSE_ROOTS: Final = np.array([0.0, *(1.0 / math.sqrt(n) for n in range(1, _TABLED))])
_MARGIN: Final = 1e-9  # of a score: far above what rounding makes of it


@jitable
def bonus(c: float, visits: float, log_visits: float) -> float:
    """U on values in [0, 1] (Auer et al. 2002, figure 1), from the logarithm of sum N; infinite for an untried
    child."""
    return c * math.sqrt(log_visits / visits) if visits > 0 else np.inf


@jitable
def node_terms(tree: Tree, node: int, params: Params) -> NodeTerms:
    """The terms that all edges of ``node`` share."""
    total = visits_below(tree, node)
    c = constant(params, float(total))
    return NodeTerms(float(total), c, np.nan, 0.0, log_of_visits(total), np.nan, np.nan, np.nan)


@jitable
def edge_terms(tree: Tree, node: int, edge: int, terms: NodeTerms) -> EdgeTerms:
    """Q, U and score of one edge: an untried one has no Q (NaN) and an infinite score, and Q = -1 while its first
    simulation is in flight."""
    visits = float(visits_of(tree, node, edge))
    q = mean_of(tree, node, edge, -1.0 if visits > 0 else np.nan)
    u = 2.0 * bonus(terms.c, visits, terms.log_total)
    return EdgeTerms(q, 0.0, u, q + u if visits > 0 else u)


@jitable
def choose(tree: Tree, node: int, params: Params) -> int:
    """The edge of greatest score that may be entered, the first of equal ones; -1 when there is none.

    Searches by random games spend most of their time here.  It is the choice by ``edge_terms``: approximations leave
    only those out that are certainly lower, and where two are close, both are worked out.  Indices are unsigned: none
    of them counts from the end of its array."""
    children = int(tree.num_children[node])
    first: Any = np.uint64(tree.child_start[node] & 0x7FFFFFFF)
    end = first + np.uint64(children)
    total = 0
    for slot in range(first, end):
        visits = int(tree.visits[slot]) + int(tree.inflight[slot])
        if visits == 0 and (not params.prove or tree.proof[slot] != LOSS):
            return int(np.int64(slot - first))  # not tried from here or above: nothing is before it
        total += visits
    if children < tree.num_edges[node]:
        return children
    c = constant(params, float(total))
    log_total = log_of_visits(total)
    best = end
    if children <= _FEW:
        best = _by_table(tree, first, end, params.prove, 2.0 * c * math.sqrt(log_total))
    if best == end:
        best = _by_score(tree, first, end, params.prove, c, log_total)
    return int(np.int64(best - first)) if best != end else -1


@jitable
def _by_table(tree: Tree, first: Any, end: Any, prove: bool, factor: float) -> Any:
    """The slot of greatest score in [first, end); ``end`` where that is too close to tell, or there is none."""
    best = end
    best_score = -np.inf
    for slot in range(first, end):
        count = np.int64(tree.visits[slot])
        visits = count + np.int64(tree.inflight[slot])
        if tree.was_root[slot] != 0 or count == 0:
            return end
        if prove and tree.proof[slot] == LOSS:
            continue
        root = _INVERSE_ROOTS[visits & (_TABLED - 1)] if visits < _TABLED else 1.0 / math.sqrt(visits)
        share = root * root
        if visits != count:
            share = 1.0 / count
        score = tree.total[slot] * share + factor * root
        if abs(score - best_score) <= _MARGIN and score != best_score:
            return end
        better = score > best_score
        best = slot if better else best
        best_score = max(best_score, score)
    return best


@jitable
def _by_score(tree: Tree, first: Any, end: Any, prove: bool, c: float, log_total: float) -> Any:
    """The slot of greatest score in [first, end), the first of equal ones; ``end`` when none may be entered.

    A score above another S needs W > n S or 4 c c ln sum N > N (S - W / n)^2, which takes no division and no root."""
    best = end
    best_score = least = -np.inf
    worth = 4.0 * c * c * log_total
    for slot in range(first, end):
        visits = float(np.int64(tree.visits[slot]) + np.int64(tree.inflight[slot]))
        count = float(tree.visits[slot])
        if tree.was_root[slot] != 0:
            count = float(backups(tree, int(np.int64(slot))))
        missing = max(0.0, least * count - tree.total[slot])
        if missing * missing * visits > worth * count * count or (prove and tree.proof[slot] == LOSS):
            continue
        q = tree.total[slot] / count if count > 0.0 else -1.0
        score = q + 2.0 * (c * math.sqrt(log_total / visits))
        if score > best_score:
            best = slot
            best_score = score
            least = score - _MARGIN * (1.0 + abs(score))
    return best
