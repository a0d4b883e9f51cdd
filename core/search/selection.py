"""Selection: the edge that a simulation enters, the figures shown of it, and the edge to play.  Knows no game.

What is shown comes from the function that selects.  Every count is N, of simulations from this node or above; every
mean and variance is over n, all simulations known (core.search.tree).  Under puct a score utility S is added to Q where
the evaluator gives a score lead; Q itself is always the value.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import apart, jit, jitable
from core.search.formulas import (
    LOSS,
    PROVED_DRAW,
    UNPROVED,
    WIN,
    expected_deviation,
    growing_c,
    gumbel_scale,
    mixed_value,
    puct_bonus,
    score_value,
    spread_factor,
    ucb1_bonus,
    ucb1_tuned_bonus,
)
from core.search.settings import FINAL_LCB, FINAL_MEAN, FLAT, FPU_LOSS, FPU_REDUCTION, GUMBEL, PUCT, UCB1, Params
from core.search.tree import OWN_RULE, PRIOR_ONE, SCHEDULED, Tree, seen


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

    q: float  # in [-1, 1], simulations in flight counted as losses; ``NodeTerms.unvisited`` without visits
    s: float  # the score utility, counted alike; 0 where none is in use
    u: float  # the bonus; under gumbel the improved policy, under flat -N
    score: float  # selection takes the greatest


class EdgeFigures(NamedTuple):
    """Statistics of one node's edges, for display.  A actions, L plies of a line."""

    q: NDArray[np.float32]  # [A] of finished simulations alone
    s: NDArray[np.float32]  # [A] score utility of finished simulations alone
    u: NDArray[np.float32]  # [A] as selection sees it
    score: NDArray[np.float32]  # [A] as selection sees it
    radius: NDArray[np.float32]  # [A] how far the lower bound lies below Q; NaN where no bound is in use
    pv: NDArray[np.int16]  # [A, L] the principal variation that begins with the edge
    pv_length: NDArray[np.int64]  # [A]


def make_figures(num_actions: int, max_plies: int) -> EdgeFigures:
    """Empty figures for any node of a game, with lines of up to ``max_plies``."""
    return EdgeFigures(
        q=np.zeros(num_actions, np.float32),
        s=np.zeros(num_actions, np.float32),
        u=np.zeros(num_actions, np.float32),
        score=np.zeros(num_actions, np.float32),
        radius=np.zeros(num_actions, np.float32),
        pv=np.zeros((num_actions, max_plies), np.int16),
        pv_length=np.zeros(num_actions, np.int64),
    )


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
    own = tree.slot[node]
    children = tree.num_children[node]
    parent_value = 0.0
    if seen(tree, own) > 0:
        parent_value = -tree.total[own] / seen(tree, own)
    total = 0
    for i in range(children):
        total += tree.visits[start + i] + tree.inflight[start + i]
    most = 0
    mass = 0.0
    mass_q = 0.0
    untried = tree.num_edges[node]
    if params.selection == GUMBEL:
        for i in range(children):
            visits = tree.visits[start + i] + tree.inflight[start + i]
            most = max(most, visits)
            if visits > 0:
                prior = tree.edge_prior[edges + i] / PRIOR_ONE
                mass += prior
                untried -= 1
                mass_q += prior * _mean(tree, start + i, 0.0)
    elif (
        params.selection == PUCT
        and (params.fpu == FPU_REDUCTION or params.extended)
        and children < tree.num_edges[node]
    ):
        # Only an unvisited move is valued by the mass of the others.
        for i in range(children):
            if tree.visits[start + i] + tree.inflight[start + i] > 0:
                mass += tree.edge_prior[edges + i] / PRIOR_ONE
    if params.selection == GUMBEL:
        value = float(tree.value[node])
        if not math.isfinite(value):
            value = parent_value
        mixed = mixed_value(value, float(total), mass, mass_q)
        scale = gumbel_scale(params.c, params.c_scale, float(most))
        top = scale * mixed
        for i in range(tree.num_children[node]):
            q = _mean(tree, start + i, mixed)
            top = max(top, scale * q)
        # No prior is below one step of its 16 bits, however much the visited ones take.
        left = max(1.0 - mass, untried / PRIOR_ONE) if untried > 0 else 0.0
        rest = left * math.exp(scale * mixed - top)
        for i in range(tree.num_children[node]):
            q = _mean(tree, start + i, mixed)
            if tree.visits[start + i] + tree.inflight[start + i] > 0:
                rest += tree.edge_prior[edges + i] / PRIOR_ONE * math.exp(scale * q - top)
        return NodeTerms(float(total), scale, mixed, 0.0, top + math.log(max(rest, 1e-300)), np.nan)
    c = growing_c(params.c, params.c_base, params.c_log, float(total))
    if params.selection != PUCT:
        return NodeTerms(float(total), c, np.nan, 0.0, math.log(total) if total > 0 else 0.0, np.nan)
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
        fpu_s = -score_utility(tree, own, 0, params)
    elif rule == FPU_LOSS:
        fpu = -1.0
        fpu_s = -params.score_utility if tree.lead_sum.size > 0 else 0.0
    return NodeTerms(terms.total, c, fpu, fpu_s, 0.0, deviation)


@apart
def score_utility(tree: Tree, slot: int, lost: int, params: Params) -> float:
    """S of a slot for the owner of the edge, with ``lost`` simulations more that lose by any score; 0 where no score is
    known.  It is the utility of the mean lead, as KataGo's of a node is."""
    if params.score_utility == 0.0 or tree.lead_sum.size == 0:
        return 0.0
    count = seen(tree, slot)
    if count + lost == 0:
        return 0.0
    s = 0.0
    if count > 0:
        s = params.score_utility * score_value(tree.lead_sum[slot, 0] / count, params.score_scale)
    return (s * count - params.score_utility * lost) / (count + lost)


@jitable
def _mean(tree: Tree, slot: int, unvisited: float) -> float:
    """Q of a slot, a simulation in flight counted as a loss."""
    lost = tree.inflight[slot]
    count = seen(tree, slot) + lost
    return (tree.total[slot] - lost) / count if count > 0 else unvisited


@jitable
def spread(tree: Tree, slot: int) -> float:
    """Variance of a slot's values in [-1, 1], a simulation in flight counted as a loss; 0 where squares are not kept
    or nothing was seen."""
    return _variance(tree, slot, tree.inflight[slot])


@jitable
def _variance(tree: Tree, slot: int, lost: int) -> float:
    """Variance of a slot's values with ``lost`` losses more."""
    count = seen(tree, slot) + lost
    if tree.squares.size == 0 or count == 0:
        return 0.0
    mean = (tree.total[slot] - lost) / count
    return float(max(0.0, (tree.squares[slot] + lost) / count - mean * mean))


@jitable
def edge_terms(tree: Tree, node: int, edge: int, params: Params, terms: NodeTerms) -> EdgeTerms:
    """Q, U and score of one edge; ``terms`` are those of ``node``.

    puct, ucb1, ucb1_tuned: score = Q + S + U; an untried edge of the last two has no Q (NaN) and an infinite score.
    Only puct knows S.
    flat: U = score = -N at the root.  gumbel: U is the improved policy and the score U - N / (1 + sum N) (Danihelka et
    al. 2022, section 5); at a scheduled root g + ln P + sigma(Q) among the moves that have the visits due, -inf for
    the others.
    """
    visits = 0
    total, c = terms.total, terms.c
    q = terms.unvisited
    slot = tree.child_start[node] + edge
    tried = edge < tree.num_children[node]
    if tried:
        visits = tree.visits[slot] + tree.inflight[slot]
        q = _mean(tree, slot, terms.unvisited)
    if params.selection == PUCT:
        u = puct_bonus(c, tree.edge_prior[tree.edge_start[node] + edge] / PRIOR_ONE, float(visits), total)
        if params.extended:
            s = terms.unvisited_s
            if tried and seen(tree, slot) + tree.inflight[slot] > 0:
                s = score_utility(tree, slot, tree.inflight[slot], params)
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
    variance = 0.0
    if tried:
        variance = spread(tree, slot) / 4.0
    u = 2.0 * ucb1_tuned_bonus(c, float(visits), terms.log_total, variance)
    return EdgeTerms(q, 0.0, u, q + u if visits > 0 else u)


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
    terms = node_terms(tree, node, params)
    best = -1
    best_score = -np.inf
    spare = -1
    for edge in range(min(children + 1, tree.num_edges[node])):
        if may_enter(tree, node, edge, params):
            score = edge_terms(tree, node, edge, params, terms).score
            if score > best_score:
                best = edge
                best_score = score
            if spare < 0 or (
                edge < children
                and tree.visits[tree.child_start[node] + edge] > tree.visits[tree.child_start[node] + spare]
            ):
                spare = edge
    return best if best >= 0 else spare


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
    """(Rank, tie-breaker) of a visited move that is not proved won or lost.

    At a Gumbel root ties are broken by g + ln P + sigma(Q) (Danihelka et al. 2022, algorithm 2)."""
    slot = tree.child_start[node] + edge
    visits = float(tree.visits[slot])
    if visits == 0:
        return -np.inf, 0.0
    mean = tree.total[slot] / seen(tree, slot)
    if params.final == FINAL_MEAN:
        return mean, visits
    if params.final == FINAL_LCB:
        if visits < params.lcb_share * most:
            return -2.0 - params.lcb_z, visits
        return mean - bound_radius(tree, slot, params), visits
    if params.selection == GUMBEL and node == tree.counts[OWN_RULE] and tree.counts[SCHEDULED] > 0:
        prior = tree.edge_prior[tree.edge_start[node] + edge] / PRIOR_ONE
        scale = gumbel_scale(params.c, params.c_scale, float(most))
        return visits, tree.gumbel[edge] + math.log(prior) + scale * mean
    return visits, mean


@jitable
def bound_radius(tree: Tree, slot: int, params: Params) -> float:
    """How far the lower confidence bound of a slot with visits lies below its mean: z standard errors, with 1 / N more
    variance than was seen, so that it is wide after few visits."""
    visits = float(tree.visits[slot])
    return params.lcb_z * math.sqrt((_variance(tree, slot, 0) + 1.0 / visits) / visits)


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
        tried = edge < tree.num_children[node] and seen(tree, slot) > 0
        into.q[edge] = tree.total[slot] / seen(tree, slot) if tried else terms.unvisited
        into.s[edge] = score_utility(tree, slot, 0, params) if tried and params.selection == PUCT else terms.unvisited_s
        bounded = tried and params.final == FINAL_LCB and tree.visits[slot] > 0
        into.radius[edge] = bound_radius(tree, slot, params) if bounded else np.nan
        into.u[edge] = shown.u
        into.score[edge] = shown.score
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
