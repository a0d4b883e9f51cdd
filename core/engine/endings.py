"""Endings of a search: a root with few empty cells is solved exactly, and its moves enter the tree proved.

Each move of such a root gets one simulation, which ends there with its exact result as others end where threats prove
something.  The best move comes first: by discs where they decide, else the quickest win or the longest loss.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position, dispatch
from core.search.descent import count_depth, finish, settle_exactly, settle_terminal
from core.search.growth import add_child
from core.search.locks import ALONE
from core.search.params import Params
from core.search.root import RootEdges
from core.search.settings import SearchSettings
from core.search.tree import Tree, has_room
from core.solve.solution import MoveValue, Solution, best_first
from core.solve.solver import Solver, empty_cells, quick_empties
from core.solve.threats_leaf import DRAWN, UNKNOWN_PLIES

Stop = Callable[[], bool]


def never() -> bool:
    """The ``Stop`` that does not."""
    return False


class Endings:
    """Solves the positions of one search that have few enough empty cells; none where the settings ask for none."""

    def __init__(self, game: GameSpec, settings: SearchSettings) -> None:
        self._game = game
        self._empties = min(settings.exact_empties, quick_empties(game)) if settings.prove else 0
        self._solver: Solver | None = None  # its table takes memory
        self._solved: tuple[Position, Solution] | None = None

    def holds(self, position: Position) -> bool:
        """Whether ``position`` is to be solved exactly when it is the root."""
        return self._empties > 0 and not position.is_over and empty_cells(position) <= self._empties

    def solve(self, position: Position, should_stop: Stop) -> Solution | None:
        """The exact results of a position; None unless it ``holds`` that, and when ``should_stop`` ended the solver,
        whose table shortens the next attempt."""
        if not self.holds(position):
            return None
        if self._solved is None or self._solved[0] != position:
            if should_stop():
                return None
            if self._solver is None:
                self._solver = Solver(self._game)
            solution = self._solver.solve(position, should_stop)
            self._solved = None if solution is None else (position, solution)
        return self._solved[1] if self._solved is not None else None


def has_come(moment: float | None, now: float) -> bool:
    """Whether a moment has come; None: it never does."""
    return moment is not None and now >= moment


def enter_solution(
    tree: Tree,
    root: int,
    position: Position,
    solution: Solution,
    edges: RootEdges,
    params: Params,
    stats: NDArray[np.int64],
) -> bool:
    """Give each move of a ``root`` without children a simulation that ends at its exact result, the best move first.

    False, without a change, when the tree has no room for them."""
    n = int(tree.num_edges[root])
    if not has_room(tree, n, n):
        return False
    start = int(tree.edge_start[root])
    actions = tree.edge_action[start : start + n].tolist()
    ranked = [move for move in best_first(solution) if move.action in actions]
    edges.put_in_order(tree, root, np.array([actions.index(move.action) for move in ranked]))
    edges.solution = solution
    for move in ranked:
        node = add_child(tree, root, 0, ALONE)
        _settle(tree, node, move, position)
        count_depth(stats, 1)
        finish(tree, node, float(tree.value[node]), root, params, stats, 0, ALONE)
    return True


def _settle(tree: Tree, node: int, move: MoveValue, position: Position) -> None:
    """Mark the new ``node``, to which a solved ``move`` at ``position`` leads, as proved."""
    after, mover = position.play(move.action), position.to_move
    if after.is_over:
        margin = dispatch.margin(after.state)
        settle_terminal(tree, node, dispatch.result(after.state), mover, margin if mover == 1 else -margin)
        return
    # Where discs decide the solver counts no plies.
    plies = UNKNOWN_PLIES if move.distance is None else move.distance - 1
    assert move.value is not None
    settle_exactly(tree, node, plies + DRAWN if move.value == 0 else plies * move.value * -1)
