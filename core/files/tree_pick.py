"""Selects the most visited nodes of a search as plain rows for export.

The figures are those of selection (``core.search.selection.figures``).  Those of an edge are for the side that plays
the move; those of the root are for the side to move.
"""

import heapq
import math
from dataclasses import dataclass, replace
from typing import Final

from core.engine import SearchState
from core.glass.nodes import known_plies
from core.glass.snapshot import PROOF_NAMES
from core.glass.view import PV_LENGTH
from core.search import SearchSettings
from core.search.formulas import UNPROVED, flip, is_upper_bound
from core.search.selection import figures, make_figures
from core.search.tree import PRIOR_ONE, seen

MAX_DEPTH: Final = 200  # plies below the root; many readers refuse JSON nested deeper


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node with the edge to it."""

    parent: int  # its place in the tuple; -1 for the root
    depth: int
    side: int  # the player for whom q and value are: who played the move, at the root who is to move
    action: int  # -1 for the root
    name: str  # "" for the root
    visits: int  # N of the move, simulations from its node or above; at the root all
    seen: int  # visits plus simulations begun at this node as root; q is their mean
    share: float  # of the visits of its parent's children
    prior: float  # as selection uses it; NaN under a rule without
    q: float
    u: float
    score: float
    value: float  # the net's own; NaN when there is none
    proof: str
    distance: int  # plies to the end under the proof, this move counted; 0 when unproved
    distance_at_most: bool  # best play may end sooner: the first win found is kept
    next: bool  # the next simulation selects it at its parent
    best: bool  # it is the move to play
    main: bool  # it is on the principal variation
    children: tuple[int, ...]  # places in the tuple, most visits first
    hidden: int  # visited children that were left out


def pick(
    state: SearchState, settings: SearchSettings, most: int = 1000, depth: int = MAX_DEPTH, min_visits: int = 1
) -> tuple[TreeNode, ...]:
    """The ``most`` most visited nodes, up to ``depth`` plies below the root and with at least ``min_visits``.

    In preorder-compatible order: the root first, parents before children.  ValueError for a limit that leaves nothing.
    """
    for name, value, low in (("most", most, 1), ("depth", depth, 0), ("min_visits", min_visits, 0)):
        if value < low:
            raise ValueError(f"{name} is {value!r}; it must be at least {low}")
    reader = _Reader(state, settings)
    rows = [reader.root()]
    nodes = [state.root]
    # (-visits, order of insertion, place of the parent, node, row without place)
    heap: list[tuple[int, int, int, int, TreeNode]] = []
    came = 0
    children: list[list[int]] = [[]]
    seen = [0]

    def offer(place: int) -> None:
        nonlocal came
        if rows[place].depth >= min(depth, MAX_DEPTH):
            seen[place] = int(state.tree.num_children[nodes[place]])
            return
        for node, row in reader.below(nodes[place], rows[place]):
            seen[place] += 1
            if row.visits >= min_visits:
                came += 1
                heapq.heappush(heap, (-row.visits, came, place, node, row))

    offer(0)
    while heap and len(rows) < most:
        _, _, parent, node, row = heapq.heappop(heap)
        place = len(rows)
        rows.append(replace(row, parent=parent))
        nodes.append(node)
        children.append([])
        seen.append(0)
        children[parent].append(place)
        offer(place)
    return _finished(rows, children, seen)


def _finished(rows: list[TreeNode], children: list[list[int]], seen: list[int]) -> tuple[TreeNode, ...]:
    """Fill in the children, the number of hidden ones, and the principal variation."""
    main = {0}
    out = []
    for place, row in enumerate(rows):
        if row.parent in main and row.best:
            main.add(place)
        below = tuple(children[place])
        out.append(replace(row, children=below, hidden=seen[place] - len(below), main=place in main))
    return tuple(out)


class _Reader:
    """Reads the nodes of one tree, with buffers for their figures.  A actions."""

    def __init__(self, state: SearchState, settings: SearchSettings) -> None:
        self._tree, self._root, self._position = state.tree, state.root, state.position
        game = state.position.game
        self._params, self._with_priors = settings.params(game.num_cells), settings.uses_priors
        self._names = game.action_names
        self._figures = make_figures(game.num_actions, PV_LENGTH)

    def root(self) -> TreeNode:
        tree, node = self._tree, self._root
        slot = int(tree.slot[node])
        visits = seen(tree, slot)
        q = -float(tree.total[slot]) / visits if visits else float("nan")
        distance = int(known_plies(tree.distance[slot]))
        return TreeNode(
            parent=-1,
            depth=0,
            side=self._position.to_move,
            action=-1,
            name="",
            visits=visits,
            seen=visits,
            share=1.0,
            prior=1.0,
            q=q,
            u=0.0,
            score=q,
            value=float(tree.value[node]),
            proof=PROOF_NAMES[int(flip(int(tree.proof[slot])))],
            distance=distance,
            distance_at_most=bool(is_upper_bound(int(tree.proof[slot]), distance, True)),
            next=True,
            best=True,
            main=True,
            children=(),
            hidden=0,
        )

    def below(self, node: int, row: TreeNode) -> list[tuple[int, TreeNode]]:
        """The visited children of ``node``."""
        tree = self._tree
        count, first = int(tree.num_children[node]), int(tree.child_start[node])
        if count == 0:
            return []
        following, best = figures(tree, node, self._params, self._figures)
        slots = slice(first, first + count)
        edges = int(tree.edge_start[node])
        visits = tree.visits[slots].tolist()
        distances = known_plies(tree.distance[slots] + (tree.proof[slots] != UNPROVED)).tolist()
        total = max(1, sum(visits))
        side = self._position.to_move if row.depth == 0 else 1 - row.side
        out = []
        for i in range(count):
            child = int(tree.child[first + i])
            proof = int(tree.proof[first + i])
            action = int(tree.edge_action[edges + i])
            below = TreeNode(
                parent=-1,
                depth=row.depth + 1,
                side=side,
                action=action,
                name=self._names[action],
                visits=visits[i],
                seen=seen(tree, first + i),
                share=visits[i] / total,
                prior=float(tree.edge_prior[edges + i]) / PRIOR_ONE if self._with_priors else math.nan,
                q=float(self._figures.q[i]),
                u=float(self._figures.u[i]),
                score=float(self._figures.score[i]),
                value=-float(tree.value[child]),
                proof=PROOF_NAMES[proof],
                distance=distances[i],
                distance_at_most=bool(is_upper_bound(proof, distances[i] - 1, bool(tree.num_edges[child] > 0))),
                next=i == following,
                best=i == best,
                main=False,
                children=(),
                hidden=0,
            )
            out.append((child, below))
        return out
