"""What a finished simulation leaves behind: figures on its edges, and proofs.  Knows no game and no selection.

A won terminal is a loss for the side to move there; the only place where signs flip is ``carry``.
"""

from core._jit import jitable
from core.search.formulas import LOSS, UNPROVED, WIN, exact_value, flip
from core.search.settings import Params
from core.search.tree import Tree


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

    ``inflight`` is what the simulation had put on each edge.
    """
    if params.prove:
        prove(tree, leaf, root)
    carry(tree, leaf, value, root, params, inflight, 1)


@jitable
def carry(tree: Tree, leaf: int, value: float, root: int, params: Params, inflight: int, times: int) -> None:
    """Count a simulation ``times`` more, -1 to take it back, on every edge from ``leaf`` to ``root``.

    The one place where signs flip.  From a proved node on upwards its exact value counts.
    """
    node = leaf
    v = value
    while True:
        v = -v
        slot = tree.slot[node]
        if params.prove and tree.proof[slot] != UNPROVED:
            v = exact_value(tree.proof[slot])
        tree.visits[slot] += times
        tree.total[slot] += times * v
        if tree.squares.size > 0:
            tree.squares[slot] += times * v * v
        tree.inflight[slot] -= inflight
        if node == root:
            return
        node = tree.parent[node]
