"""Checks that the moves of a loaded tree are legal.

An illegal move passes the other checks, but the kernels assume legal moves: on a full board a rollout would search for
a free cell forever.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.files.reading import BadFile
from core.games import dispatch
from core.games.dispatch import ONGOING
from core.games.position import Position
from core.games.spec import GameSpec
from core.search.tree import TERMINAL, Tree, allocate

_FEW: Final = 500  # nodes up to which the check runs interpreted instead of compiled


def check_moves(tree: Tree, top: Position) -> None:
    """Check that every move in ``tree``, whose arrays are valid and whose first node is ``top``, is legal; BadFile."""
    wrong = _look(tree, top, compiled=tree.parent.size > _FEW)
    if wrong >= 0:
        raise BadFile(f"its tree is damaged: the rules do not allow what it has at node {wrong}")


def compile_for(game: GameSpec) -> None:
    """Compile the kernel that :func:`check_moves` uses for large trees of ``game``."""
    tree = allocate(game.num_actions, nodes=2, slots=2, edges=2, records=2, squares=False)
    tree.num_edges[:] = 0  # wrong, so that the look ends at the first node
    _look(tree, game.initial(), compiled=True)


def _look(tree: Tree, top: Position, compiled: bool) -> int:
    actions = top.game.num_actions
    path = np.zeros(max(2, top.game.max_plies), np.int16)
    legal, marks = np.zeros(actions, np.int16), np.full(actions, -1, np.int64)
    look: Any = first_impossible if compiled else getattr(first_impossible, "py_func", first_impossible)
    return int(look(tree, top.state, top.state, path, legal, marks))


@jit
def first_impossible(
    tree: Tree,
    top: Any,
    state: Any,
    path: NDArray[np.int16],
    legal: NDArray[np.int16],
    marks: NDArray[np.int64],
) -> int:
    """The first node with a duplicate or illegal move, or that is over without being marked so; -1 for none.

    ``state``, ``path`` [P], ``legal`` [A] and ``marks`` [A] are scratch.  Parents come before their children, so that
    the path to each node is known to be legal.
    """
    for node in range(tree.parent.size):
        depth, at = 0, node
        while at != 0:
            if depth == path.size:
                return node
            path[depth] = tree.action[at]
            depth += 1
            at = tree.parent[at]
        dispatch.copy(state, top)
        for d in range(depth - 1, -1, -1):
            dispatch.play(state, int(path[d]))
        edges = tree.num_edges[node]
        if (dispatch.result(state) != ONGOING) != (edges == TERMINAL) or edges == 0:
            return node
        if edges > 0:
            allowed = 2 * node
            for i in range(dispatch.legal(state, legal)):
                marks[legal[i]] = allowed
            start = tree.edge_start[node]
            for i in range(start, start + edges):
                action = tree.edge_action[i]
                if marks[action] != allowed:
                    return node
                marks[action] = allowed + 1
    return -1
