"""Watchpoints: when something happened in a search, to the simulation, and whether it has happened now.

What is watched is a small number made of the tree after a simulation, such as the best edge; it happened where that
number changed.  The same function reads the running tree and, replayed record by record, every earlier one.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.glass.history import History, Replica, replay
from core.search.params import Params
from core.search.proofs import UNPROVED
from core.search.selection import final_edge
from core.search.tree import Path, Tree, backups, node_at

# What can be watched.
BEST: Final = "best"  # the best move of the root changed
OVERRULED: Final = "overruled"  # another move than the one of the highest prior became the best
CROSSED: Final = "crossed"  # Q of a node crossed a value
ENTERED: Final = "entered"  # a node was first entered
PROVED: Final = "proved"  # a proof of a node came
KINDS: Final = (BEST, OVERRULED, CROSSED, ENTERED, PROVED)
_ONCE: Final = (OVERRULED, ENTERED, PROVED)  # where it counts that something became so, not that it ended

NOTHING: Final = -1  # what is watched before there is anything to see
MOST: Final = 1 << 16  # moments that are kept, the last ones


@dataclass(frozen=True)
class Watch:
    """Something to be watched in a search."""

    kind: str  # one of ``KINDS``
    path: Path = ()  # of the node, from the root; CROSSED, ENTERED and PROVED
    value: float = 0.0  # CROSSED: for the side that plays into the node; at the root for the side to move


@jitable
def _figure(tree: Tree, root: int, node: int, kind: int, value: float, favourite: int, params: Params) -> int:
    """What is watched, as a number; ``kind``: the place in ``KINDS``, ``favourite``: the edge of the highest prior."""
    if node < 0:
        return 0 if kind == 3 else NOTHING
    slot = tree.slot[node]
    if kind == 3:
        return 1 if tree.visits[slot] > 0 else 0
    if kind == 4:
        return 1 if tree.proof[slot] != UNPROVED else 0
    if kind == 2:
        n = backups(tree, slot)
        if n == 0:
            return NOTHING
        q = tree.total[slot] / n
        return 1 if (-q if node == root else q) >= value else 0
    if tree.num_children[root] == 0 or tree.num_edges[root] <= 0:
        return NOTHING
    best = int(final_edge(tree, root, params))
    return best if kind == 0 else int(best != favourite)


@jit
def _figure_now(tree: Tree, root: int, node: int, kind: int, value: float, favourite: int, params: Params) -> int:
    """``_figure`` of the running tree."""
    return _figure(tree, root, node, kind, value, favourite, params)


@jit
def _follow(
    replica: Replica,
    start: int,
    params: Params,
    first: int,
    last: int,
    of: tuple[int, int, int, float, int],
    once: bool,
    state: NDArray[np.int64],
    moments: NDArray[np.int64],
) -> None:
    """Replay the records [first, last), made from the root ``start``, and note where what is watched changed.

    ``of``: root, node, kind, value and favourite of ``_figure``; ``state``: its last number, and the number of moments;
    ``moments``: a ring of the last of them."""
    root, node, kind, value, favourite = of
    for i in range(first, last):
        replay(replica, start, params, i, i + 1)
        figure = _figure(replica.past, root, node, kind, value, favourite, params)
        if figure != state[0]:
            if state[0] != NOTHING and figure != NOTHING and (not once or figure == 1):
                moments[state[1] % moments.size] = i
                state[1] += 1
            state[0] = figure


class Watcher:
    """Watches one tree below one root."""

    def __init__(self, tree: Tree, root: int, params: Params, favourite: int, watch: Watch) -> None:
        """``favourite``: the place of the root's edge with the highest prior."""
        self._tree, self._root, self._params, self._favourite = tree, root, params, favourite
        self._watch, self._once = watch, watch.kind in _ONCE
        self._before = self._figure()

    def _of(self) -> tuple[int, int, int, float, int]:
        node = node_at(self._tree, self._root, self._watch.path)
        return self._root, node, KINDS.index(self._watch.kind), float(self._watch.value), self._favourite

    def _figure(self) -> int:
        root, node, kind, value, favourite = self._of()
        return int(_figure_now(self._tree, root, node, kind, value, favourite, self._params))

    def has_happened(self) -> bool:
        """Whether it has happened since it was last asked for."""
        before, self._before = self._before, self._figure()
        return NOTHING != before != self._before != NOTHING and (not self._once or self._before == 1)

    def records(self, history: History) -> NDArray[np.int64]:
        """The records after which it had happened, ascending, the last ``MOST``; ``history`` is of the same tree."""
        state, moments = np.array([NOTHING, 0]), np.zeros(MOST, np.int64)
        history.seek(len(history))  # has its structure as it is now
        root, node, kind, value, favourite = self._of()
        exists = 0 <= node < history.past.parent.size  # else it is not there, or nothing has come back from it yet
        of = root, node if exists else NOTHING, kind, value, favourite
        state[0] = 0 if exists and KINDS[kind] in (ENTERED, PROVED) else NOTHING
        history.scan(
            lambda replica, start, params, first, last: _follow(
                replica, start, params, first, last, of, self._once, state, moments
            )
        )
        count = int(state[1])
        return moments[:count].copy() if count <= MOST else np.roll(moments, -(count % MOST))
