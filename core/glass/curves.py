"""Curves of the root moves' N and Q over the simulations, and counts of nodes by depth.

Each record (see core.glass.history) is read once, when it is new.  Proofs and visited children are rebuilt as they were
at its time, because from a proved node upwards its exact value was backed up.
Letters: N nodes, S samples, E visited edges of the root, D depths below it, A actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.glass.batches import NO_BATCHES, BatchRows
from core.search.backup import leaf_proof
from core.search.params import Params
from core.search.proofs import LOSS, UNPROVED, WIN, exact_value, flip
from core.search.tree import NODES, RECORDS, TERMINAL, Tree, backups_of, common_ancestor

SAMPLES: Final = 400  # at most; then every second one is dropped
DEPTHS: Final = 1024
NOT_BELOW: Final = -2  # not at or below the root
ITSELF: Final = -1  # the root
ALL: Final = 1 << 62
ENDED: Final = -1  # in ``Log.edges``: the simulation ended at the root
BEGUN: Final = -2  # BEGUN - e: it began at the child of edge e, and counts for Q of that edge alone

# Indices into Tallies.counts.
KNOWN: Final = 0  # nodes
DONE: Final = 1  # records
TAKEN: Final = 2  # samples
STRIDE: Final = 3  # simulations between two samples
LOGGED: Final = 4  # simulations in the log


class Log(NamedTuple):
    """The simulations of the root one by one, in the order of their records; arrays that are only appended to."""

    edges: NDArray[np.int16]  # [R] the root's edge that it took; ENDED; BEGUN - edge
    replies: NDArray[np.int16]  # [R] the move after that edge's; -1 where it ended before
    values: NDArray[np.float32]  # [R] what it adds to W of the edge


NO_LOG: Final = Log(np.zeros(0, np.int16), np.zeros(0, np.int16), np.zeros(0, np.float32))


@dataclass(frozen=True, eq=False)
class Curves:
    """The root's statistics after some of its simulations, ascending; the last sample is the present.

    Values are for the side to move at the root, as in a snapshot.
    """

    actions: NDArray[np.int16]  # [E] in the order of their first visits
    simulations: NDArray[np.int64]  # [S] of the root
    records: NDArray[np.int64]  # [S] simulations of the whole search by then, those of other roots included
    visits: NDArray[np.int32]  # [S, E] N
    qs: NDArray[np.float32]  # [S, E] NaN before the first visit
    q: NDArray[np.float32]  # [S] of the root
    nodes: NDArray[np.int64]  # [D] nodes by depth below the root, itself first
    ended: NDArray[np.int64]  # [D] simulations by the depth where they ended
    behind: int  # records not yet read
    exact: bool  # the last sample agrees with the tree; False where records of other roots interfere
    log: Log = NO_LOG
    batches: BatchRows = NO_BATCHES  # at the evaluator, by records of the whole search

    @property
    def shares(self) -> NDArray[np.float64]:
        """[S, E] each move's share of the visits; zeros before the first."""
        total: NDArray[np.float64] = self.visits.sum(axis=1, dtype=np.float64)
        return self.visits / np.maximum(total, 1.0)[:, None]


class Tallies(NamedTuple):
    """The nodes, the root's statistics so far, and the samples taken.  Index 0 is the root, 1 + e its edge e."""

    edge: NDArray[np.int16]  # [N] the root's edge that leads to the node; ITSELF, NOT_BELOW
    depth: NDArray[np.int16]  # [N] below the root
    proof: NDArray[np.int8]  # [N] for the side that plays into the node
    entered: NDArray[np.int16]  # [N] visited children
    visits: NDArray[np.int32]  # [1 + A] N; n of the root
    backups: NDArray[np.int32]  # [1 + A] n
    total: NDArray[np.float64]  # [1 + A]
    nodes: NDArray[np.int64]  # [D]
    ended: NDArray[np.int64]  # [D]
    past_visits: NDArray[np.int32]  # [S, 1 + A]
    past_backups: NDArray[np.int32]  # [S, 1 + A]
    past_total: NDArray[np.float64]  # [S, 1 + A]
    past_records: NDArray[np.int64]  # [S]
    log_edges: NDArray[np.int16]  # [R] as in ``Log``
    log_replies: NDArray[np.int16]  # [R]
    log_values: NDArray[np.float32]  # [R]
    counts: NDArray[np.int64]  # [5]


def _make_trace(num_actions: int) -> Tallies:
    places = 1 + num_actions
    counts = np.zeros(5, np.int64)
    counts[STRIDE] = 1
    return Tallies(
        edge=np.zeros(1024, np.int16),
        depth=np.zeros(1024, np.int16),
        proof=np.zeros(1024, np.int8),
        entered=np.zeros(1024, np.int16),
        visits=np.zeros(places, np.int32),
        backups=np.zeros(places, np.int32),
        total=np.zeros(places, np.float64),
        nodes=np.zeros(DEPTHS, np.int64),
        ended=np.zeros(DEPTHS, np.int64),
        past_visits=np.zeros((SAMPLES, places), np.int32),
        past_backups=np.zeros((SAMPLES, places), np.int32),
        past_total=np.zeros((SAMPLES, places), np.float64),
        past_records=np.zeros(SAMPLES, np.int64),
        log_edges=np.zeros(1024, np.int16),
        log_replies=np.zeros(1024, np.int16),
        log_values=np.zeros(1024, np.float32),
        counts=counts,
    )


def _grown(array: NDArray[Any], used: int, needed: int) -> NDArray[Any]:
    """A larger copy of ``array``, of which ``used`` entries are in use; itself where ``needed`` fit."""
    if needed <= array.size:
        return array
    larger = np.zeros(max(needed, 2 * array.size), array.dtype)
    larger[:used] = array[:used]
    return larger


def _with_room(trace: Tallies, nodes: int, records: int) -> Tallies:
    """``trace`` with room for so many nodes and records."""
    registered, logged = int(trace.counts[KNOWN]), int(trace.counts[LOGGED])
    return trace._replace(
        **{name: _grown(getattr(trace, name), registered, nodes) for name in ("edge", "depth", "proof", "entered")},
        **{name: _grown(getattr(trace, name), logged, records) for name in ("log_edges", "log_replies", "log_values")},
    )


@jit
def register_nodes(tree: Tree, trace: Tallies, root: int) -> None:
    """Register new nodes: root edge and depth of each.  Parents come before their children."""
    for node in range(trace.counts[KNOWN], tree.counts[NODES]):
        parent = tree.parent[node]
        trace.edge[node] = NOT_BELOW
        trace.depth[node] = 0
        trace.proof[node] = UNPROVED
        trace.entered[node] = 0
        if node == root:
            trace.edge[node] = ITSELF
        elif parent == root:
            trace.edge[node] = tree.slot[node] - tree.child_start[root]
            trace.depth[node] = 1
        elif parent >= 0 and trace.edge[parent] != NOT_BELOW:
            trace.edge[node] = trace.edge[parent]
            trace.depth[node] = trace.depth[parent] + 1
        if trace.edge[node] != NOT_BELOW:
            trace.nodes[min(trace.depth[node], DEPTHS - 1)] += 1
    trace.counts[KNOWN] = tree.counts[NODES]


@jitable
def _verdict(tree: Tree, trace: Tallies, node: int) -> int:
    """The proof of ``node`` by its moves, as in core.search.backup.verdict."""
    best = LOSS
    start = tree.child_start[node]
    open_moves = trace.entered[node] < tree.num_edges[node] or tree.num_edges[node] <= 0
    for i in range(trace.entered[node]):
        proof = trace.proof[tree.child[start + i]]
        open_moves = open_moves or proof == UNPROVED
        if proof != UNPROVED:
            best = min(best, proof)
    return UNPROVED if open_moves and best != WIN else flip(best)


@jitable
def _propagate(tree: Tree, trace: Tallies, node: int, top: int) -> None:
    """Propagate the proof of ``node`` towards ``top``, as core.search.backup.prove did at the time."""
    while node != top:
        parent = tree.parent[node]
        if trace.proof[node] == UNPROVED or trace.proof[parent] != UNPROVED:
            return
        trace.proof[parent] = _verdict(tree, trace, parent)
        node = parent


@jit
def move_root(tree: Tree, trace: Tallies, node: int, top: int, new: int) -> None:
    """Update the proofs when the search's root moves from ``node`` to ``new``; ``top`` is their common ancestor, or the
    root of the curves if that is deeper."""
    if trace.edge[node] != NOT_BELOW:
        if tree.threats[node] != 0:
            trace.proof[node] = leaf_proof(tree, node)
        _propagate(tree, trace, node, top)
    if tree.threats[new] != 0:
        trace.proof[new] = _verdict(tree, trace, new)


@jitable
def _sample(trace: Tallies, record: int, places: int) -> None:
    """Take a sample of the statistics, every STRIDE simulations."""
    counts = trace.counts
    if trace.visits[0] % counts[STRIDE] != 0:
        return
    if counts[TAKEN] == SAMPLES:
        for s in range(SAMPLES // 2):
            trace.past_records[s] = trace.past_records[2 * s + 1]
            for i in range(places):
                trace.past_visits[s, i] = trace.past_visits[2 * s + 1, i]
                trace.past_backups[s, i] = trace.past_backups[2 * s + 1, i]
                trace.past_total[s, i] = trace.past_total[2 * s + 1, i]
        counts[TAKEN] = SAMPLES // 2
        counts[STRIDE] *= 2
        if trace.visits[0] % counts[STRIDE] != 0:
            return
    s = counts[TAKEN]
    trace.past_records[s] = record + 1
    for i in range(places):
        trace.past_visits[s, i] = trace.visits[i]
        trace.past_backups[s, i] = trace.backups[i]
        trace.past_total[s, i] = trace.total[i]
    counts[TAKEN] = s + 1


@jit
def follow(tree: Tree, trace: Tallies, root: int, top: int, params: Params, last: int) -> None:
    """Read the records up to ``last``, made from ``top``.

    ``top`` is ``root`` for simulations begun at or above it.  Those begun at a node below did not reach the root: they
    count in n of the root's edge only where they began at its child."""
    places = 1 + tree.num_children[root]
    for record in range(trace.counts[DONE], last):
        leaf = tree.leaf[record]
        if trace.edge[leaf] == NOT_BELOW:
            continue
        if tree.num_edges[leaf] == TERMINAL:
            trace.proof[leaf] = tree.proof[tree.slot[leaf]]
        elif tree.threats[leaf] != 0 and leaf != top:
            trace.proof[leaf] = leaf_proof(tree, leaf)
        node = leaf
        while node != top:
            parent = tree.parent[node]
            place = tree.slot[node] - tree.child_start[parent]
            if trace.entered[parent] > place:
                break
            trace.entered[parent] = place + 1
            node = parent
        if params.prove:
            _propagate(tree, trace, leaf, top)
        if top != root and tree.parent[top] != root:
            continue
        edge = 1 + trace.edge[leaf]
        node = leaf
        v = float(tree.leaf_value[record])
        at = trace.counts[LOGGED]
        trace.log_edges[at] = trace.edge[leaf] if top == root else BEGUN - trace.edge[leaf]
        trace.log_replies[at] = -1
        trace.log_values[at] = 0.0
        trace.counts[LOGGED] = at + 1
        while True:
            v = -v
            if params.prove and trace.proof[node] != UNPROVED:
                v = exact_value(trace.proof[node])
            if node == root:
                break
            if tree.parent[node] == root:
                trace.visits[edge] += top == root
                trace.backups[edge] += 1
                trace.total[edge] += v
                trace.log_values[at] = v
            elif tree.parent[tree.parent[node]] == root:
                trace.log_replies[at] = tree.action[node]
            if node == top:
                break
            node = tree.parent[node]
        if top == root:
            trace.visits[0] += 1
            trace.backups[0] += 1
            trace.total[0] += v
            trace.ended[min(trace.depth[leaf], DEPTHS - 1)] += 1
            _sample(trace, record, places)
    trace.counts[DONE] = last


class CurveMaker:
    """Maintains the curves of one search; starts over when its tree or its root changes."""

    def __init__(self, num_actions: int) -> None:
        self._num_actions = num_actions
        self._of: tuple[int, int] | None = None
        self._change = 0  # which root of the search the records come from
        self._trace = _make_trace(0)

    def curves(
        self, tree: Tree, root: int, changes: Sequence[tuple[int, int]], params: Params, number: int, most: int = ALL
    ) -> Curves:
        """The curves of ``root`` after up to ``most`` more records; the search must be paused meanwhile.

        ``changes``: (record, node) pairs, see core.glass.history; ``number``: the numbering of the tree's nodes.
        """
        done = int(self._trace.counts[DONE])
        if self._of != (number, root) or done > tree.counts[RECORDS] or self._change >= len(changes):
            self._of, self._change = (number, root), 0
            self._trace = _make_trace(self._num_actions)
        self._trace = _with_room(self._trace, int(tree.counts[NODES]), int(tree.counts[RECORDS]))
        register_nodes(tree, self._trace, root)
        self._follow(tree, root, changes, params, most)
        return self._read(tree, root)

    def _follow(self, tree: Tree, root: int, changes: Sequence[tuple[int, int]], params: Params, most: int) -> None:
        counts = self._trace.counts
        bound = min(int(tree.counts[RECORDS]), int(counts[DONE]) + most)
        while True:
            node = changes[self._change][1]
            following = self._change + 1 < len(changes)
            end = changes[self._change + 1][0] if following else int(tree.counts[RECORDS])
            last = min(end, bound)
            if last > counts[DONE]:
                if common_ancestor(tree, node, root) == node:
                    follow(tree, self._trace, root, root, params, last)
                elif self._trace.edge[node] != NOT_BELOW:
                    follow(tree, self._trace, root, node, params, last)
                counts[DONE] = last
            if not following or counts[DONE] < end:
                return
            new = changes[self._change + 1][1]
            move_root(tree, self._trace, node, max(root, common_ancestor(tree, node, new)), new)
            self._change += 1

    def _read(self, tree: Tree, root: int) -> Curves:
        trace = self._trace
        taken, e = int(trace.counts[TAKEN]), int(tree.num_children[root])
        start = int(tree.child_start[root])
        records = int(trace.counts[DONE])
        visits, backups = trace.past_visits[:taken], trace.past_backups[:taken]
        if not taken or (backups[-1] != trace.backups).any():
            visits = np.concatenate([visits, trace.visits[None]])
            backups = np.concatenate([backups, trace.backups[None]])
            totals = np.concatenate([trace.past_total[:taken], trace.total[None]])
            at = np.append(trace.past_records[:taken], records)
        else:
            totals, at = trace.past_total[:taken], trace.past_records[:taken].copy()
        with np.errstate(invalid="ignore"):
            qs = (totals / backups).astype(np.float32)
        depths = 1 + int(np.flatnonzero(trace.nodes)[-1])
        logged = int(trace.counts[LOGGED])
        behind = int(tree.counts[RECORDS]) - records
        return Curves(
            actions=tree.action[tree.child[start : start + e]],
            simulations=visits[:, 0].astype(np.int64),
            records=at,
            visits=visits[:, 1 : 1 + e].copy(),
            qs=qs[:, 1 : 1 + e].copy(),
            q=-qs[:, 0],
            nodes=trace.nodes[:depths].copy(),
            ended=trace.ended[:depths].copy(),
            behind=behind,
            exact=bool(behind or (trace.backups[1 : 1 + e] == backups_of(tree, slice(start, start + e))).all()),
            log=Log(trace.log_edges[:logged], trace.log_replies[:logged], trace.log_values[:logged]),
        )
