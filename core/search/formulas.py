"""The selection formulas and the proof rules.  One function selects and shows; knows no game.

``puct``: U = c P sqrt(sum N) / (1 + N), sum over the children (AlphaGo Zero: Silver et al. 2017, Methods, Search
algorithm, Select); c may grow, c = log((1 + sum N + c_base) / c_base) + c_init (AlphaZero: Silver et al. 2018,
supplement, Search: c_base 19652, c_init 1.25).
``ucb1``: Q + c sqrt(ln sum N / N) on values in [0, 1] (Auer et al. 2002; Kocsis & Szepesvari 2006).  Values here
lie in [-1, 1], twice as wide, so U is shown and added with the factor 2: the same order of the moves.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.search.settings import FPU_LOSS, FPU_REDUCTION, PUCT, Params
from core.search.tree import PRIOR_ONE, TERMINAL, Tree

UNPROVED: Final = 0
WIN: Final = 1
PROVED_DRAW: Final = 2
LOSS: Final = 3


@jitable
def flip(proof: int) -> int:
    """The same result seen by the other side."""
    return (4 - proof) & 3


@jitable
def exact_value(proof: int) -> float:
    """+1, 0 or -1 of a proved result."""
    return float(2 - proof)


@jitable
def growing_c(c: float, c_base: float, sum_visits: float) -> float:
    """AlphaZero's growing constant; ``c_base`` 0 keeps ``c``."""
    return c if c_base <= 0.0 else math.log((1.0 + sum_visits + c_base) / c_base) + c


@jitable
def puct_bonus(c: float, prior: float, visits: float, sum_visits: float) -> float:
    """U of puct."""
    return c * prior * math.sqrt(sum_visits) / (1.0 + visits)


@jitable
def ucb1_bonus(c: float, visits: float, sum_visits: float) -> float:
    """U of ucb1 on values in [0, 1]; infinite for an untried child."""
    return c * math.sqrt(math.log(sum_visits) / visits) if visits > 0 else np.inf


@jitable
def node_terms(tree: Tree, node: int, params: Params) -> tuple[float, float, float]:
    """(sum of the children's visits with those in flight, c in force, value of an unvisited child)."""
    start = tree.child_start[node]
    edges = tree.edge_start[node]
    total = 0
    mass = 0.0
    for i in range(tree.num_children[node]):
        total += tree.visits[start + i] + tree.inflight[start + i]
        mass += tree.edge_prior[edges + i]
    c = growing_c(params.c, params.c_base, float(total))
    if params.fpu == FPU_REDUCTION:
        own = tree.slot[node]
        parent_value = 0.0
        if tree.visits[own] > 0:
            parent_value = -tree.total[own] / tree.visits[own]
        fpu = parent_value - params.fpu_reduction * math.sqrt(mass / PRIOR_ONE)
    elif params.fpu == FPU_LOSS:
        fpu = -1.0
    else:
        fpu = 0.0
    return float(total), c, fpu


@jitable
def edge_terms(
    tree: Tree, node: int, edge: int, params: Params, total: float, c: float, fpu: float
) -> tuple[float, float]:
    """(Q, U) of one edge for the side to move at ``node``; a simulation in flight counts as a loss."""
    visits = 0
    q = fpu
    if edge < tree.num_children[node]:
        slot = tree.child_start[node] + edge
        lost = tree.inflight[slot]
        visits = tree.visits[slot] + lost
        if visits > 0:
            q = (tree.total[slot] - lost) / visits
    if params.selection == PUCT:
        prior = tree.edge_prior[tree.edge_start[node] + edge] / PRIOR_ONE
        return q, puct_bonus(c, prior, float(visits), total)
    return q, 2.0 * ucb1_bonus(c, float(visits), total)


@jitable
def may_enter(tree: Tree, node: int, edge: int, params: Params) -> bool:
    """A move proved to lose is not searched again."""
    if not params.prove or edge >= tree.num_children[node]:
        return True
    return bool(tree.proof[tree.child_start[node] + edge] != LOSS)


@jitable
def select(tree: Tree, node: int, params: Params) -> int:
    """The edge of greatest Q + U that may be entered, the first of equal ones; -1 when there is none.

    Unvisited edges share one Q and N = 0 and are sorted by prior, so only the first of them can win.
    """
    total, c, fpu = node_terms(tree, node, params)
    best = -1
    best_score = -np.inf
    for edge in range(min(tree.num_children[node] + 1, tree.num_edges[node])):
        if may_enter(tree, node, edge, params):
            q, u = edge_terms(tree, node, edge, params, total, c, fpu)
            if q + u > best_score:
                best = edge
                best_score = q + u
    return best


@jitable
def prove(tree: Tree, node: int, root: int) -> None:
    """Carry the proof of ``node`` towards ``root`` as far as it goes (MCTS-Solver: Winands et al. 2008).

    One winning move proves a win, a draw or loss needs every move proved; a side picks the shortest
    win and the longest rest.
    """
    while node != root:
        slot = tree.slot[node]
        parent = tree.parent[node]
        own = tree.slot[parent]
        if tree.proof[slot] == UNPROVED or tree.proof[own] != UNPROVED:
            return
        if tree.proof[slot] == WIN:
            tree.proof[own] = LOSS
            tree.distance[own] = tree.distance[slot] + 1
        else:
            if tree.num_children[parent] < tree.num_edges[parent]:
                return
            best = LOSS
            longest = 0
            start = tree.child_start[parent]
            for i in range(tree.num_children[parent]):
                proof = tree.proof[start + i]
                if proof == UNPROVED:
                    return
                if proof < best:
                    best = proof
                    longest = 0
                if proof == best:
                    longest = max(longest, tree.distance[start + i])
            tree.proof[own] = flip(best)
            tree.distance[own] = longest + 1
        node = parent


@jitable
def backup(tree: Tree, leaf: int, value: float, root: int, params: Params, inflight: int) -> None:
    """Add one finished simulation to every edge from ``leaf`` to ``root``; ``value`` is for the side to move there.

    The one place where signs flip.  From a proved node on upwards its exact value counts.  ``inflight`` is what the
    simulation had put on each edge.
    """
    if params.prove:
        prove(tree, leaf, root)
    node = leaf
    v = value
    while True:
        v = -v
        slot = tree.slot[node]
        if params.prove and tree.proof[slot] != UNPROVED:
            v = exact_value(tree.proof[slot])
        tree.visits[slot] += 1
        tree.total[slot] += v
        tree.inflight[slot] -= inflight
        if node == root:
            return
        node = tree.parent[node]


@jitable
def final_edge(tree: Tree, node: int) -> int:
    """The edge to play: a proved win first (the shortest); a proved loss last (the longest); a proved draw rather
    than a most visited move that stands below 0; else most visits, then the higher total, then tree order; -1
    without visits."""
    start = tree.child_start[node]
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
        elif tree.visits[slot] > tree.visits[other] or (
            tree.visits[slot] == tree.visits[other] and tree.total[slot] > tree.total[other]
        ):
            best = i
    if best >= 0 and drawn >= 0 and tree.proof[start + best] != WIN and tree.total[start + best] < 0.0:
        best = drawn
    # When every visited move is proved lost, an untried one may still hold.
    if best >= 0 and tree.proof[start + best] == LOSS and tree.num_children[node] < tree.num_edges[node]:
        best = tree.num_children[node]
    return best


@jit
def figures(
    tree: Tree,
    node: int,
    params: Params,
    q: NDArray[np.float32],
    u: NDArray[np.float32],
    pv: NDArray[np.int16],
    pv_length: NDArray[np.int64],
) -> tuple[int, int]:
    """What selection sees at ``node``: fills ``q``, ``u`` float32 [A] and the lines ``pv`` int16 [A, L] below each edge
    (-> ``pv_length`` [A]); returns (edge the next simulation enters, edge that would be played), -1 = none."""
    n = tree.num_edges[node]
    if n < 0:
        return -1, -1
    total, c, fpu = node_terms(tree, node, params)
    for edge in range(n):
        value, bonus = edge_terms(tree, node, edge, params, total, c, fpu)
        q[edge] = value
        u[edge] = bonus
        pv[edge, 0] = tree.edge_action[tree.edge_start[node] + edge]
        length = 1
        if edge < tree.num_children[node]:
            below = tree.child[tree.child_start[node] + edge]
            while length < pv.shape[1] and tree.num_edges[below] > 0:
                line = final_edge(tree, below)
                if line < 0 or line >= tree.num_children[below]:
                    break
                below = tree.child[tree.child_start[below] + line]
                pv[edge, length] = tree.action[below]
                length += 1
        pv_length[edge] = length
    return select(tree, node, params), final_edge(tree, node)


@jitable
def is_terminal(tree: Tree, node: int) -> bool:
    """Whether the game is over at ``node``."""
    return bool(tree.num_edges[node] == TERMINAL)
