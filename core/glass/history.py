"""The search tree after any of its simulations, recomputed exactly from the records.

A record is (leaf, value), 8 bytes.  Simulations are replayed forwards and undone backwards one by one: values are
multiples of 2**-24, so sums are exact and undoing leaves no trace.  Checkpoints of the statistics are kept so that no
moment is far from a known one.  The structure is copied, because blocks of slots move while the search runs; the search
must be paused only while a method runs.

Letters: N nodes, K slots of the copy.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit
from core.search.backup import add_to_path, backup, enter_root, leave_root, prove, settle_leaf
from core.search.locks import ALONE
from core.search.params import Params
from core.search.proofs import UNPROVED
from core.search.tree import NODES, RECORDS, TERMINAL, UNEXPANDED, Tree, backups, with_own_nodes
from core.text import Text

NOT_PROVED: Final = 2**31 - 1  # later than any record
KEPT_BYTES: Final = 96 << 20  # of checkpoints, at most
FIRST_GAP: Final = 1 << 14  # records between two checkpoints, doubled when KEPT_BYTES are used
RESTORED: Final = 24  # nodes restored in the time of one record


class Replica(NamedTuple):
    """A recorded tree and a copy of its structure with the statistics of an earlier moment."""

    tree: Tree  # as it is now, with its records; only read
    past: Tree  # as it was
    proved_at: NDArray[np.int32]  # [N] the record that proved a node (as root, where threats prove it); NOT_PROVED
    lazy: bool  # leaves were valued by random games, and got no edges at that moment


class Checkpoint(NamedTuple):
    """A checkpoint: the statistics of the first M nodes at one moment."""

    visits: NDArray[np.int32]  # [M]
    total: NDArray[np.float64]  # [M]
    squares: NDArray[np.float64]  # [M], or [0] where no rule needs it
    leads: NDArray[np.float64]  # [M, 2], or [0, 2] where none are kept

    @property
    def bytes(self) -> int:
        """Their size in memory."""
        return sum(figures.nbytes for figures in self)


@jit
def replay(replica: Replica, root: int, params: Params, first: int, last: int) -> None:
    """Replay the recorded simulations [first, last), made from ``root``, on ``replica.past``."""
    tree, past, proved_at, lazy = replica
    for i in range(first, last):
        leaf = tree.leaf[i]
        edges = tree.num_edges[leaf]
        by_threats = leaf != root and tree.threats[leaf] != 0
        if edges == TERMINAL:
            past.proof[past.slot[leaf]] = tree.proof[tree.slot[leaf]]
            past.distance[past.slot[leaf]] = tree.distance[tree.slot[leaf]]
        if by_threats:
            settle_leaf(past, leaf)
        node = leaf
        while node != root:
            parent = past.parent[node]
            place = past.slot[node] - past.child_start[parent]
            if past.num_children[parent] > place:
                break
            past.num_children[parent] = place + 1
            past.num_edges[parent] = tree.num_edges[parent]
            node = parent
        if not by_threats and (not lazy or edges == TERMINAL):
            past.num_edges[leaf] = edges
            past.value[leaf] = tree.value[leaf]
        backup(past, leaf, float(tree.leaf_value[i]), root, params, 0, ALONE)
        node = leaf
        while past.proof[past.slot[node]] != UNPROVED:
            if node == root or tree.threats[node] == 0:
                proved_at[node] = min(proved_at[node], i)
            if node == root:
                break
            node = past.parent[node]


@jit
def take_back(replica: Replica, root: int, params: Params, first: int, last: int) -> None:
    """Undo what ``replay`` of the same records did, the last one first."""
    tree, past, proved_at, lazy = replica
    for i in range(last - 1, first - 1, -1):
        leaf = tree.leaf[i]
        add_to_path(past, leaf, float(tree.leaf_value[i]), root, params, -1, 0, ALONE)
        node = leaf
        while past.proof[past.slot[node]] != UNPROVED:
            if proved_at[node] == i:
                past.proof[past.slot[node]] = UNPROVED
                past.distance[past.slot[node]] = 0
            if node == root:
                break
            node = past.parent[node]
        if leaf == root and past.begun[root] == 0:
            # The first simulation that the root began expanded it.
            past.value[root] = np.float32(np.nan)
            past.num_edges[root] = UNEXPANDED
        node = leaf
        while backups(past, past.slot[node]) == 0:
            past.value[node] = np.float32(np.nan)
            past.num_edges[node] = UNEXPANDED
            past.proof[past.slot[node]] = UNPROVED
            past.distance[past.slot[node]] = 0
            if node == root:
                break
            node = past.parent[node]
            start, n = past.child_start[node], past.num_children[node]
            while n > 0 and backups(past, start + n - 1) == 0:
                n -= 1
            past.num_children[node] = n
            if lazy and n == 0:
                past.num_edges[node] = UNEXPANDED


@jit
def restore(replica: Replica, nodes: int, at: int, checkpoint: Checkpoint) -> None:
    """Bring ``replica.past``, of ``nodes`` nodes, to the moment after ``at`` records, with the statistics of a
    ``checkpoint``.

    Its ``begun`` and ``was_root`` must be set already."""
    tree, past, proved_at, lazy = replica
    visits, total, squares, leads = checkpoint
    for node in range(nodes):
        slot = past.slot[node]
        existed = node < visits.size
        past.visits[slot] = visits[node] if existed else 0
        past.total[slot] = total[node] if existed else 0.0
        if past.squares.size > 0:
            past.squares[slot] = squares[node] if existed else 0.0
        if past.lead_sum.size > 0:
            for i in range(2):
                past.lead_sum[slot, i] = leads[node, i] if existed else 0.0
        then = proved_at[node] < at
        past.proof[slot] = tree.proof[tree.slot[node]] if then else UNPROVED
        past.distance[slot] = tree.distance[tree.slot[node]] if then else 0
        past.num_children[node] = 0
        past.num_edges[node] = UNEXPANDED
        past.value[node] = np.float32(np.nan)
        if backups(past, slot) == 0:
            continue
        opened = tree.threats[node] == 0 or past.begun[node] > 0
        if opened and (not lazy or tree.num_edges[node] == TERMINAL):
            past.num_edges[node] = tree.num_edges[node]
            past.value[node] = tree.value[node]
        if tree.threats[node] != 0:
            settle_leaf(past, node)
            if opened and lazy:
                past.value[node] = np.float32(np.nan)
        parent = past.parent[node]
        if parent >= 0:
            past.num_children[parent] = slot - past.child_start[parent] + 1
            past.num_edges[parent] = tree.num_edges[parent]


@jit
def _below(tree: Tree, root: int, first: int, last: int, records: NDArray[np.int32], count: int) -> int:
    """Append to ``records`` the records [first, last) whose leaf lies at or below ``root``; returns the new count."""
    for i in range(first, last):
        node = tree.leaf[i]
        while node > root:
            node = tree.parent[node]
        if node == root:
            records[count] = i
            count += 1
    return count


Replay = Callable[[Replica, int, Params, int, int], None]
NO_VISITS: Final = Checkpoint(np.zeros(0, np.int32), np.zeros(0), np.zeros(0), np.zeros((0, 2)))


class History:
    """Goes to any simulation of ``tree``, from the nearest checkpoint or from where it is.

    ``root_changes``: (record, node) pairs, ascending: simulations from that record on began at that node.
    """

    def __init__(self, tree: Tree, root_changes: Sequence[tuple[int, int]], params: Params) -> None:
        self._tree = tree
        self._changes = list(root_changes)
        self._params = params
        self._at = self._reached = self._nodes_reached = 0
        self._checkpoints: dict[int, Checkpoint] = {}
        self._gap = FIRST_GAP
        self._nodes = self._records = 0
        self.past: Tree  # the whole tree as it was
        self.proved_at = np.zeros(0, np.int32)  # [N] the record that proved a node; NOT_PROVED
        self._copy_out()

    def __len__(self) -> int:
        return int(self._tree.counts[RECORDS])

    @property
    def at(self) -> int:
        """The number of records that ``past`` includes."""
        return self._at

    @property
    def lazy(self) -> bool:
        """Whether the leaves were valued by random games: then the root has no value of its own."""
        return bool(np.isnan(self._tree.value[self._changes[0][1]]))

    def _replica(self) -> Replica:
        return Replica(self._tree, self.past, self.proved_at, self.lazy)

    def _copy_out(self) -> None:
        """Copy the structure as it is now, with the statistics of the moment ``at``."""
        nodes = int(self._tree.counts[NODES])
        past = with_own_nodes(self._tree)
        proved_at = np.full(nodes, NOT_PROVED, np.int32)
        if self._nodes:
            before, n = self.past, self._nodes
            for name in ("num_edges", "num_children", "value", "begun"):
                getattr(past, name)[:n] = getattr(before, name)[:n]
            old, new = before.slot[:n], past.slot[:n]
            for name in (
                "visits",
                "was_root",
                "total",
                "proof",
                "distance",
                *(("squares",) if past.squares.size else ()),
                *(("lead_sum",) if past.lead_sum.size else ()),
            ):
                getattr(past, name)[new] = getattr(before, name)[old]
            proved_at[:n] = self.proved_at
        self.past, self.proved_at, self._nodes, self._records = past, proved_at, nodes, len(self)

    def seek(self, simulation: int) -> Tree:
        """The tree after its first ``simulation`` records; the same arrays are overwritten by the next call.

        Raises ValueError outside 0 .. len(self).
        """
        while not self.approach(simulation, 1 << 30):
            pass
        return self.past

    def approach(self, simulation: int, most: int) -> bool:
        """Process at most ``most`` records towards ``simulation``; True when there.  Raises as ``seek``."""
        if not 0 <= simulation <= len(self):
            raise ValueError(
                Text(
                    "simulation {simulation!r} is not recorded; the search has 0 to {last}",
                    simulation=simulation,
                    last=len(self),
                )
            )
        if simulation > self._records:
            self._copy_out()
        self._jump_nearer(simulation)
        if self._at < simulation:
            step = self._gap - self._at % self._gap
            self._forward(min(simulation, self._at + min(most, step)))
        elif self._at > simulation:
            self._backward(max(simulation, self._at - most))
        return self._at == simulation

    def _segments(self, first: int, last: int) -> list[tuple[int, int, int]]:
        """(root, first record, last) of every part of [first, last) made from one root."""
        starts = [record for record, _ in self._changes]
        ends = [*starts[1:], NOT_PROVED]
        stretches = zip(self._changes, ends, strict=True)
        return [(root, max(start, first), min(end, last)) for (start, root), end in stretches]

    def scan(self, run: Replay) -> None:
        """Go from before the first record to after the last one with ``run`` in place of ``replay``, which it calls."""
        self.seek(len(self))  # the structure is copied as it is now
        self.seek(0)
        while self._at < len(self):
            self._forward(min(len(self), self._at + self._gap - self._at % self._gap), run)

    def _forward(self, to: int, run: Replay = replay) -> None:
        for change, (root, first, last) in enumerate(self._segments(self._at, to), 1):
            if first < last:
                run(self._replica(), root, self._params, first, last)
            if change < len(self._changes) and self._at < self._changes[change][0] <= to:
                self._root_moved(change)
        if to > self._reached:
            new = self._tree.leaf[self._reached : to]
            self._nodes_reached = max(self._nodes_reached, int(new.max()) + 1)
            self._reached = to
        self._at = to
        if to % self._gap == 0 and to == self._reached:
            self._keep()

    def _backward(self, to: int) -> None:
        segments = list(enumerate(self._segments(to, self._at), 1))
        for change, (root, first, last) in reversed(segments):
            if change < len(self._changes) and to < self._changes[change][0] <= self._at:
                self._root_moved_back(change)
            if first < last:
                take_back(self._replica(), root, self._params, first, last)
        self._at = to

    # When the root moves: the old root's proof is propagated up to the roots' common ancestor; what threats prove holds
    # again at the old root and no longer at the new one.

    def _above(self, change: int) -> list[int]:
        """The nodes above the root before ``change``, up to the common ancestor with the root after it."""
        node, other = self._changes[change - 1][1], self._changes[change][1]
        above = []
        while node != other:
            if node > other:
                node = int(self.past.parent[node])
                above.append(node)
            else:
                other = int(self.past.parent[other])
        return above

    def _root_moved(self, change: int) -> None:
        """Update proofs for root change ``change``, forwards in time."""
        above = self._above(change)
        leave_root(self.past, self._changes[change - 1][1])
        if self._params.prove and above:
            open_ = [node for node in above if self.past.proof[self.past.slot[node]] == UNPROVED]
            prove(self.past, self._changes[change - 1][1], above[-1])
            for node in open_:
                if self.past.proof[self.past.slot[node]] != UNPROVED:
                    self.proved_at[node] = self._changes[change][0] - 1
        enter_root(self.past, self._changes[change][1])

    def _root_moved_back(self, change: int) -> None:
        """Undo ``_root_moved`` of the same change."""
        leave_root(self.past, self._changes[change][1])
        for node in self._above(change):
            if self.proved_at[node] == self._changes[change][0] - 1:
                self.past.proof[self.past.slot[node]] = UNPROVED
                self.past.distance[self.past.slot[node]] = 0
        enter_root(self.past, self._changes[change - 1][1])

    def _place(self, record: int) -> int:
        """The index in the root changes of the root that ``record`` began at."""
        return bisect_right(self._changes, (record, NOT_PROVED)) - 1

    def decided(self, record: int) -> bool:
        """Whether ``record`` ended at a position that was already proved, but not at a finished game."""
        leaf = int(self._tree.leaf[record])
        if self._tree.threats[leaf] and leaf != self._changes[self._place(record)][1]:
            return True
        return bool(self.proved_at[leaf] <= record)

    # Checkpoints.

    def _keep(self) -> None:
        slots = self.past.slot[: self._nodes_reached]
        squares = self.past.squares[slots] if self.past.squares.size else np.zeros(0)
        leads = self.past.lead_sum[slots] if self.past.lead_sum.size else np.zeros((0, 2))
        self._checkpoints[self._at] = Checkpoint(self.past.visits[slots], self.past.total[slots], squares, leads)
        while sum(moment.bytes for moment in self._checkpoints.values()) > KEPT_BYTES and self._gap < NOT_PROVED:
            self._gap *= 2
            self._checkpoints = {at: moment for at, moment in self._checkpoints.items() if at % self._gap == 0}

    def _jump_nearer(self, simulation: int) -> None:
        """Load the checkpoint nearest to ``simulation``, if that is quicker than going there from ``at``."""
        moments = sorted(self._checkpoints)
        place = bisect_right(moments, simulation)
        near = [0, *moments][place : place + 1] + moments[place : place + 1]
        best = min(near, key=lambda moment: abs(moment - simulation))
        if abs(best - simulation) + self._nodes // RESTORED >= abs(self._at - simulation):
            return
        self.past.begun[:] = 0
        self.past.was_root[:] = 0
        for root, first, last in self._segments(0, best):
            if first < last:
                self.past.begun[root] += last - first
                self.past.was_root[self.past.slot[root]] = 1
        checkpoint = self._checkpoints.get(best, NO_VISITS)
        restore(self._replica(), self._nodes, best, checkpoint)
        enter_root(self.past, self._changes[self._place(best)][1])
        self._at = best

    # The records of the present root.

    def earlier(self) -> NDArray[np.int32]:
        """The records that passed the present root before it became the root, ascending."""
        first, root = self._changes[-1]
        records, count = np.empty(first, np.int32), 0
        for start, begin, end in self._segments(0, first):
            node = root
            while node > start:
                node = int(self._tree.parent[node])
            if node == start and begin < end:
                count = _below(self._tree, root, begin, end, records, count)
        return records[:count].copy()
