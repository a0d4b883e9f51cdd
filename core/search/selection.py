"""Selection: the edge that a simulation enters, the figures shown of it, and the edge to play.

What is shown comes from the function that selects.  Each rule is a file of ``core.search.rules``; the four functions
``node_terms``, ``edge_terms``, ``_choose`` and ``_tie_breaker`` are all that tells them apart here.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import apart, jit, jitable, seldom
from core.search.params import FINAL_LCB, FINAL_MEAN, GUMBEL, PUCT, UCB1, UCB1_TUNED, Params
from core.search.proofs import LOSS, PROVED_DRAW, UNPROVED, WIN
from core.search.rules import flat, gumbel, puct, tuned, ucb1
from core.search.rules.terms import EdgeTerms, NodeTerms, spread
from core.search.tree import OWN_RULE, Tree, backups


@jitable
def node_terms(tree: Tree, node: int, params: Params) -> NodeTerms:
    """The terms that all edges of ``node`` share."""
    if params.selection == PUCT:
        return puct.node_terms(tree, node, params)
    if params.selection == UCB1:
        return ucb1.node_terms(tree, node, params)
    if params.selection == UCB1_TUNED:
        return tuned.node_terms(tree, node, params)
    if params.selection == GUMBEL:
        return gumbel.node_terms(tree, node, params)
    return flat.node_terms(tree, node)


@jitable
def edge_terms(tree: Tree, node: int, edge: int, params: Params, terms: NodeTerms) -> EdgeTerms:
    """Q, S, the rule's own term and the score of one edge; ``terms`` are those of ``node``."""
    if params.selection == PUCT:
        return puct.edge_terms(tree, node, edge, params, terms)
    if params.selection == UCB1:
        return ucb1.edge_terms(tree, node, edge, terms)
    if params.selection == UCB1_TUNED:
        return tuned.edge_terms(tree, node, edge, terms)
    if params.selection == GUMBEL:
        return gumbel.edge_terms(tree, node, edge, terms)
    return flat.edge_terms(tree, node, edge, terms)


@jitable
def _choose(tree: Tree, node: int, params: Params) -> int:
    """The edge of greatest score that may be entered, the first of equal ones; -1 when there is none."""
    if params.selection == UCB1:
        return ucb1.choose(tree, node, params)
    if seldom(params.selection != PUCT or params.extended):  # but for these two, what else is done takes far longer
        terms = node_terms(tree, node, params)
        best = -1
        best_score = -np.inf
        for edge in range(min(tree.num_children[node] + 1, tree.num_edges[node])):
            if may_enter(tree, node, edge, params):
                score = edge_terms(tree, node, edge, params, terms).score
                if score > best_score:
                    best = edge
                    best_score = score
        return best if best >= 0 else _most_visited(tree, node, params)
    return puct.choose(tree, node, params)


@jitable
def _tie_breaker(tree: Tree, node: int, edge: int, params: Params, most: int, value: float) -> float:
    """What decides between moves of equal visits, of which the most are ``most``; ``value`` is the move's Q."""
    if params.selection == GUMBEL:
        return gumbel.tie_breaker(tree, node, edge, params, most, value)
    return value


class EdgeFigures(NamedTuple):
    """Statistics of one node's edges, for display.  A actions, L plies of a line."""

    qs: NDArray[np.float32]  # [A] of finished simulations alone
    ss: NDArray[np.float32]  # [A] score utility of finished simulations alone
    us: NDArray[np.float32]  # [A] as selection sees it
    scores: NDArray[np.float32]  # [A] as selection sees it
    radii: NDArray[np.float32]  # [A] how far the lower bound lies below Q; NaN where no bound is in use
    pv: NDArray[np.int16]  # [A, L] the principal variation that begins with the edge
    pv_length: NDArray[np.int64]  # [A]


COLUMNS: Final = EdgeFigures._fields[:-2]  # those of one number for each edge


def make_figures(num_actions: int, max_plies: int) -> EdgeFigures:
    """Empty figures for any node of a game, with lines of up to ``max_plies``."""
    columns = [np.zeros(num_actions, np.float32) for _ in COLUMNS]
    return EdgeFigures._make([*columns, np.zeros((num_actions, max_plies), np.int16), np.zeros(num_actions, np.int64)])


@jitable
def may_enter(tree: Tree, node: int, edge: int, params: Params) -> bool:
    """Whether simulations may enter ``edge``: not when it is proved lost."""
    if not params.prove or edge >= tree.num_children[node]:
        return True
    return bool(tree.proof[tree.child_start[node] + edge] != LOSS)


@jitable
def select(tree: Tree, node: int, params: Params) -> int:
    """The edge of greatest score that may be entered, the first of equal ones; -1 when there is none.

    Unvisited edges share one Q and N = 0 and are in the order in which they are tried (by prior; the moves that a
    gumbel root's schedule considers before the others, by g + ln P), so only the first of them can win.  When all
    moves due under gumbel's schedule are proved lost it is the most visited other one.
    """
    children = tree.num_children[node]
    if params.root_first and node == tree.counts[OWN_RULE] and children < tree.num_edges[node]:
        return int(children)
    return _choose(tree, node, params)


@apart
def _most_visited(tree: Tree, node: int, params: Params) -> int:
    """The most visited edge that may be entered, the first of equal ones; -1 when there is none."""
    children = tree.num_children[node]
    best = -1
    for edge in range(min(children + 1, tree.num_edges[node])):
        if may_enter(tree, node, edge, params) and (
            best < 0
            or (
                edge < children
                and tree.visits[tree.child_start[node] + edge] > tree.visits[tree.child_start[node] + best]
            )
        ):
            best = edge
    return best


@jitable
def next_edge(tree: Tree, node: int, params: Params) -> int:
    """The edge that the next simulation to pass ``node`` enters; -1 when none does, because the node is proved."""
    if params.prove and tree.proof[tree.slot[node]] != UNPROVED:
        return -1
    return select(tree, node, params)


@jitable
def final_edge(tree: Tree, node: int, params: Params) -> int:
    """The edge to play: a proved win first (the shortest); a proved loss last (the longest); a proved draw rather
    than a move with Q < 0; else by ``params.final``: most visits, highest mean, or highest lower confidence bound among
    the well visited; ties by the second value of ``_rank``, then by tree order.

    Before any move was tried it is the first to be tried, of the highest prior (at a Gumbel root, of g + ln P); -1
    without moves.  Simulations in flight are ignored."""
    start = tree.child_start[node]
    most = 0
    for i in range(tree.num_children[node]):
        most = max(most, tree.visits[start + i])
    best = -1
    drawn = -1
    for i in range(tree.num_children[node]):
        slot = start + i
        proof = tree.proof[slot]
        if proof == PROVED_DRAW and (drawn < 0 or tree.visits[slot] > tree.visits[start + drawn]):
            drawn = i
        if best < 0:
            best = i
            continue
        other = start + best
        best_proof = tree.proof[other]
        if proof == WIN or best_proof == WIN:
            if proof == WIN and (best_proof != WIN or tree.distance[slot] < tree.distance[other]):
                best = i
        elif proof == LOSS or best_proof == LOSS:
            if best_proof == LOSS and (proof != LOSS or tree.distance[slot] > tree.distance[other]):
                best = i
        else:
            first, second = _rank(tree, node, i, params, most)
            best_first, best_second = _rank(tree, node, best, params, most)
            if first > best_first or (first == best_first and second > best_second):
                best = i
    if best < 0:
        return 0 if tree.num_edges[node] > 0 else -1
    if drawn >= 0 and tree.proof[start + best] != WIN and tree.total[start + best] < 0.0:
        best = drawn
    # When every visited move is proved lost, an untried one may still hold.
    if tree.proof[start + best] == LOSS and tree.num_children[node] < tree.num_edges[node]:
        best = tree.num_children[node]
    return best


@jitable
def _rank(tree: Tree, node: int, edge: int, params: Params, most: int) -> tuple[float, float]:
    """(Rank, tie-breaker) of a visited move that is not proved won or lost."""
    slot = tree.child_start[node] + edge
    visits = float(tree.visits[slot])
    if visits == 0:
        return -np.inf, 0.0
    value = tree.total[slot] / backups(tree, slot)
    if params.final == FINAL_MEAN:
        return value, visits
    if params.final == FINAL_LCB:
        if visits < params.lcb_share * most:
            return -2.0 - params.lcb_z, visits
        return value - bound_radius(tree, slot, params), visits
    return visits, _tie_breaker(tree, node, edge, params, most, value)


@jitable
def bound_radius(tree: Tree, slot: int, params: Params) -> float:
    """How far the lower confidence bound of a slot with visits lies below its mean: z standard errors, with 1 / N more
    variance than was seen, so that it is wide after few visits."""
    visits = float(tree.visits[slot])
    return params.lcb_z * math.sqrt((spread(tree, slot) + 1.0 / visits) / visits)


@jit
def figures(tree: Tree, node: int, params: Params, into: EdgeFigures) -> tuple[int, int]:
    """Fill ``into`` with the figures of ``node``'s edges; returns (edge the next simulation enters, edge to play),
    -1 = none."""
    n = tree.num_edges[node]
    if n < 0:
        return -1, -1
    terms = node_terms(tree, node, params)
    pv = into.pv
    for edge in range(n):
        shown = edge_terms(tree, node, edge, params, terms)
        slot = tree.child_start[node] + edge
        tried = edge < tree.num_children[node] and backups(tree, slot) > 0
        into.qs[edge] = tree.total[slot] / backups(tree, slot) if tried else terms.unvisited
        into.ss[edge] = shown.s
        bounded = tried and params.final == FINAL_LCB and tree.visits[slot] > 0
        into.radii[edge] = bound_radius(tree, slot, params) if bounded else np.nan
        into.us[edge] = shown.u
        into.scores[edge] = shown.score
        pv[edge, 0] = tree.edge_action[tree.edge_start[node] + edge]
        length = 1
        if edge < tree.num_children[node]:
            below = tree.child[tree.child_start[node] + edge]
            while length < pv.shape[1] and tree.num_edges[below] > 0:
                line = final_edge(tree, below, params)
                if line < 0 or line >= tree.num_children[below]:
                    break
                below = tree.child[tree.child_start[below] + line]
                pv[edge, length] = tree.action[below]
                length += 1
        into.pv_length[edge] = length
    return next_edge(tree, node, params), final_edge(tree, node, params)
