"""The search as it was after any of its simulations, recomputed exactly from the records.  Knows no game.

A record is (leaf, value), 8 bytes.  Nodes and edges never change once made, so only the figures and the number of
visited children are rebuilt.  The search must stand still meanwhile.
"""

from collections.abc import Sequence

from core.search.settings import Params
from core.search.simulate import replay
from core.search.tree import RECORDS, Tree, with_own_figures


class History:
    """Goes to any simulation of ``tree``; forwards it repeats only what lies between.

    ``root_changes``: (record, node) pairs, ascending: from that record on simulations started at that node.
    """

    def __init__(self, tree: Tree, root_changes: Sequence[tuple[int, int]], params: Params) -> None:
        self._tree = tree
        self._changes = list(root_changes)
        self._params = params
        self.past = with_own_figures(tree)
        self._at = 0

    def __len__(self) -> int:
        return int(self._tree.counts[RECORDS])

    def seek(self, simulation: int) -> Tree:
        """The tree after its first ``simulation`` records; the same arrays are overwritten by the next call.

        Raises ValueError outside 0 .. len(self).
        """
        if not 0 <= simulation <= len(self):
            raise ValueError(f"simulation {simulation!r} is not recorded; the search has 0 to {len(self)}")
        past = self.past
        if simulation < self._at:
            for figures in (past.num_children, past.visits, past.total, past.proof, past.distance, past.squares):
                figures.fill(0)
            self._at = 0
        for i, (first, root) in enumerate(self._changes):
            last = self._changes[i + 1][0] if i + 1 < len(self._changes) else simulation
            start, end = max(first, self._at), min(last, simulation)
            if start < end:
                replay(self._tree, past, root, self._params, start, end)
        self._at = simulation
        return past
