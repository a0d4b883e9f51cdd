"""Backup of a finished simulation: values on the edges of its path, and proofs.

A won terminal is a loss for the side to move there; the only place where signs flip is ``add_to_path``.
MCTS-Solver: Winands, Björnsson & Saito 2008, section 3.
"""

import numpy as np

from core._jit import jitable
from core.search.locks import AnyLocks, add
from core.search.params import Params
from core.search.proofs import LOSS, PROVED_DRAW, UNPROVED, WIN, exact_value, flip
from core.search.tree import AT, UNEXPANDED, Tree
from core.solve.threats_leaf import DRAWN


@jitable
def verdict(tree: Tree, node: int) -> tuple[int, int]:
    """(Proof of ``node`` by its moves, for the side that moves into it; plies to the end), UNPROVED and 0 without one.

    One winning move proves a win; a draw or loss needs every move proved (MCTS-Solver).  A side picks the shortest win,
    and the longest draw or loss.
    """
    start = tree.child_start[node]
    best = LOSS
    plies = 0
    open_moves = tree.num_children[node] < tree.num_edges[node] or tree.num_edges[node] <= 0
    for i in range(tree.num_children[node]):
        proof = tree.proof[start + i]
        distance = tree.distance[start + i]
        if proof == UNPROVED:
            open_moves = True
        elif proof < best or (best == WIN and proof == WIN and distance < plies):
            best = proof
            plies = distance
        elif proof == best and proof != WIN:
            plies = max(plies, distance)
    if open_moves and best != WIN:
        return UNPROVED, 0
    return flip(best), plies + 1


@jitable
def leaf_proof(tree: Tree, node: int) -> int:
    """The proof that threats or an exact ending gave ``node`` as a leaf, for the side that moves into it."""
    if tree.threats[node] >= DRAWN:
        return PROVED_DRAW
    return LOSS if tree.threats[node] > 0 else WIN


@jitable
def settle_leaf(tree: Tree, node: int) -> None:
    """Mark ``node`` as ``leaf_proof`` says: proof, distance and, before it has edges, its exact value."""
    slot = tree.slot[node]
    tree.proof[slot] = leaf_proof(tree, node)
    tree.distance[slot] = abs(tree.threats[node]) & (DRAWN - 1)
    if tree.num_edges[node] == UNEXPANDED:
        tree.value[node] = -exact_value(tree.proof[slot])


def enter_root(tree: Tree, node: int) -> None:
    """Make ``node`` the root: only its moves prove something there, because they are to be searched and shown."""
    if tree.threats[node] != 0:
        slot = tree.slot[node]
        tree.proof[slot], tree.distance[slot] = verdict(tree, node)
        if tree.num_edges[node] == UNEXPANDED:
            tree.value[node] = np.float32(np.nan)


def leave_root(tree: Tree, node: int) -> None:
    """Make ``node`` an ordinary node again: what its threats prove holds for the moves that lead to it."""
    if tree.threats[node] != 0:
        settle_leaf(tree, node)


@jitable
def prove(tree: Tree, node: int, root: int) -> None:
    """Propagate the proof of ``node`` towards ``root``, to the first node that stays unproved or was proved before."""
    while node != root:
        slot = tree.slot[node]
        parent = tree.parent[node]
        above = tree.slot[parent]
        if tree.proof[slot] == UNPROVED or tree.proof[above] != UNPROVED:
            return
        proof, distance = verdict(tree, parent)
        if proof == UNPROVED:
            return
        tree.proof[above] = proof
        tree.distance[above] = distance
        node = parent


@jitable
def backup(tree: Tree, leaf: int, value: float, root: int, params: Params, inflight: int, locks: AnyLocks) -> None:
    """Add one finished simulation to every edge from ``leaf`` to ``root``; ``value`` is for the side to move there.

    ``inflight`` is what its descent added to each edge while it was in flight.  Under the lock.
    """
    if params.prove:
        prove(tree, leaf, root)
    add_to_path(tree, leaf, value, root, params, 1, inflight, locks)


@jitable
def add_to_path(
    tree: Tree, leaf: int, value: float, root: int, params: Params, times: int, inflight: int, locks: AnyLocks
) -> None:
    """Add a simulation ``times`` times (-1 removes it) to every edge from ``leaf`` to ``root``, and to those begun at
    ``root``; it is no longer ``inflight`` times in flight there.

    The only place where signs flip.  From a proved node upwards its exact value is used.
    """
    node = leaf & AT
    v = value
    lead = 0.0
    if tree.lead_sum.size > 0:
        lead = float(tree.node_lead[leaf, 0])
    while True:
        v = -v
        lead = -lead
        slot = tree.slot[node] & AT
        if params.prove and tree.proof[slot] != UNPROVED:
            v = exact_value(tree.proof[slot])
        if node == root:
            tree.begun[node] += times
            tree.was_root[slot] = tree.begun[node] != 0
        else:
            tree.visits[slot] += times
        tree.total[slot] += times * v
        if tree.squares.size > 0:
            tree.squares[slot] += times * v * v
        if tree.lead_sum.size > 0:
            tree.lead_sum[slot, 0] += times * lead
            tree.lead_sum[slot, 1] += times * tree.node_lead[leaf, 1]
        if inflight != 0:
            add(locks, tree.inflight, slot, -inflight)
        if node == root:
            return
        node = tree.parent[node] & AT
