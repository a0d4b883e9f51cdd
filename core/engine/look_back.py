"""A search after any of its simulations: the whole snapshot, and the last simulation before it.

The search must be paused while a method runs.  Memory: about 60 bytes a node for the copy
of the structure, and at most ``history.KEPT_BYTES`` of checkpoints.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine.extras import Drawn
from core.games import Position
from core.glass.batches import Place
from core.glass.history import History
from core.glass.redo import RecordRange, random_moves, redraw
from core.glass.snapshot import PROOF_NAMES, Path, Snapshot
from core.glass.watch import Watch, Watcher
from core.search.tree import TERMINAL, Tree, backups
from core.search.work import make_playout_scratch
from core.text import Text

if TYPE_CHECKING:
    from core.engine.search import Search

NET: Final = "net"  # or its cache, see ``Playout.place``
ROLLOUT: Final = "rollout"
ENDED: Final = "game over"
PROOF: Final = "proof"
NOTHING_DRAWN: Final = Drawn()
RECORDS_A_LOOK: Final = 4096  # records between two readings of the clock


class BackupStep(NamedTuple):
    """A node on the path of one simulation, before and after it; figures for the side that moves INTO the node."""

    path: Path
    visits_before: int  # N of the move, n of the root
    visits: int
    q_before: float  # NaN before any simulation
    q: float
    proof_before: str  # "", "win", "draw", "loss"
    proof: str


@dataclass(frozen=True)
class Playout:
    """One simulation."""

    simulation: int  # of the position searched, from 1
    path: Path  # actions from the root to the leaf
    leaf: Position
    created: bool  # it added the leaf to the tree
    expanded: Path | None  # the node that it expanded; None when none
    moves: int  # the number of edges of that node
    kind: str  # NET, ROLLOUT, ENDED or PROOF: what valued the leaf
    value: float  # of the leaf for the side to move there
    place: Place | None  # of its batch, under NET; None where that was not recorded
    backed: tuple[BackupStep, ...]  # from the root to the leaf
    game: tuple[int, ...]  # the moves of the random game from the leaf; () when there is none or it is unknown
    note: str  # why the random game is not shown, in one sentence; ""


@dataclass(frozen=True)
class Past:
    """The search after ``simulation`` of the root's visits, and the last simulation before."""

    request: int
    simulation: int
    snapshot: Snapshot
    playout: Playout | None  # None at simulation 0
    before: Snapshot | None = None  # as ``snapshot``, before that simulation; None at simulation 0, or if not asked for

    def changed(self, change: Callable[[Snapshot], Snapshot]) -> Past:
        """The same moment with ``change`` made to its snapshots."""
        before = None if self.before is None else change(self.before)
        return replace(self, snapshot=change(self.snapshot), before=before)


def watcher_of(search: Search, watch: Watch) -> Watcher:
    """What watches a search from now on, or tells when something happened in it."""
    priors = search.snapshot().root.net_priors
    favourite = int(priors.argmax()) if len(priors) else 0
    return Watcher(search.tree, search.root, search.params, favourite, watch)


class LookBack:
    """Earlier moments of one tree and one root; valid while ``fits``."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._of = (search.numbering, search.root, len(search.root_changes))
        self._history = History(search.tree, search.root_changes, search.params)
        self._first = search.root_changes[-1][0]
        self._earlier = self._history.earlier()

    def fits(self, search: Search) -> bool:
        """Whether ``search`` still has the tree and the root this was made for."""
        return search is self._search and self._of == (search.numbering, search.root, len(search.root_changes))

    def __len__(self) -> int:
        """The number of recorded simulations of the root."""
        return len(self._earlier) + len(self._history) - self._first

    def _records(self, simulation: int) -> int:
        """The number of records up to a simulation of the root.

        Those made elsewhere in the tree before it became the root again belong to the last simulation before."""
        if simulation >= len(self._earlier):
            return self._first + simulation - len(self._earlier)
        return self._record(simulation) + 1 if simulation else 0

    def _record(self, simulation: int) -> int:
        """The record of a simulation, which is counted from 1."""
        if simulation <= len(self._earlier):
            return int(self._earlier[simulation - 1])
        return self._first + simulation - len(self._earlier) - 1

    def moments(self, watch: Watch) -> NDArray[np.int64]:
        """The simulations of the root after which what is watched had happened, ascending.

        ValueError where the records are not complete."""
        self._check_records()
        records = watcher_of(self._search, watch).records(self._history)
        own_records = np.concatenate([self._earlier, np.arange(self._first, len(self._history))])
        return np.unique(np.searchsorted(own_records, records, side="right"))

    def _check_records(self) -> None:
        if len(self) != self._search.simulations:
            raise ValueError(Text("the records of this tree are not complete: its earlier simulations cannot be shown"))

    def approach(self, simulation: int, seconds: float) -> bool:
        """Go towards a simulation for about ``seconds``; True when there.  ValueError when there is none such."""
        self._check_records()
        if not 0 <= simulation <= len(self):
            raise ValueError(
                Text(
                    "simulation {simulation!r} is not there to look at; there are 0 to {last}",
                    simulation=simulation,
                    last=len(self),
                )
            )
        end = time.perf_counter() + seconds
        while not self._history.approach(self._records(simulation), RECORDS_A_LOOK):
            if time.perf_counter() >= end:
                return False
        return True

    def past(
        self,
        simulation: int,
        opened: Iterable[Path] = (),
        drawn: Drawn = NOTHING_DRAWN,
        request: int = 0,
        before: bool = False,
    ) -> Past:
        """The search after ``simulation``, with what is ``drawn`` of it, and ``before`` it if asked for.

        Call ``approach`` first to go there in slices; raises as it does."""
        self.approach(simulation, float("inf"))
        playout = self._playout(simulation) if simulation else None
        path = playout.path if playout is not None else ()

        def shown(opened: Iterable[Path]) -> Snapshot:
            search, past = self._search, self._history.past
            snapshot = drawn.added(search, search.snapshot(opened, request, past), past, path)
            return replace(snapshot, now=len(self))

        opened, along = tuple(opened), (path[:plies] for plies in range(1, len(path)))  # where moves were chosen
        earlier = shown(dict.fromkeys((*opened, *along))) if playout is not None and before else None
        self._history.seek(self._records(simulation))
        return Past(request, simulation, shown(opened), playout, earlier)

    def _playout(self, simulation: int) -> Playout:
        """The details of ``simulation``; leaves the history before it."""
        search, history = self._search, self._history
        record = self._record(simulation)
        history.seek(record + 1)
        tree = search.tree
        leaf, value = int(tree.leaf[record]), float(tree.leaf_value[record])
        nodes = [leaf]
        while nodes[-1] != search.root:
            nodes.append(int(tree.parent[nodes[-1]]))
        nodes.reverse()
        path = tuple(int(tree.action[node]) for node in nodes[1:])
        afterwards = [_figures(history.past, node, search.root) for node in nodes]
        had_edges = [int(history.past.num_edges[node]) > 0 for node in nodes]
        history.seek(record)
        before = [_figures(history.past, node, search.root) for node in nodes]
        grew = [i for i, node in enumerate(nodes) if had_edges[i] and int(history.past.num_edges[node]) <= 0]
        created = before[-1][0] == 0
        if int(tree.num_edges[leaf]) == TERMINAL:
            kind = ENDED
        elif history.decided(record):
            kind = PROOF
        else:
            kind = ROLLOUT if search.evaluator is None else NET
        position = search.position
        for action in path:
            position = position.play(action)
        game, note = self._random_game(record, position) if kind == ROLLOUT else ((), "")
        return Playout(
            simulation=simulation,
            path=path,
            leaf=position,
            created=created,
            expanded=path[: grew[-1]] if grew else None,
            moves=int(tree.num_edges[nodes[grew[-1]]]) if grew else 0,
            kind=kind,
            value=value,
            place=search.simulator.batches_of(tree).place(record) if kind == NET else None,
            backed=tuple(
                BackupStep(path[:i], b[0], a[0], b[1], a[1], PROOF_NAMES[b[2]], PROOF_NAMES[a[2]])
                for i, (b, a) in enumerate(zip(before, afterwards, strict=True))
            ),
            game=game,
            note=note,
        )

    def _random_game(self, record: int, leaf: Position) -> tuple[Path, str]:
        """(Moves of the random game, ""), or ((), why they are unknown)."""
        search = self._search
        if search.settings.rollout_policy == "tactical":
            return (), "Only its result was kept: tactical rollouts cannot be replayed."
        mark = search.simulator.draws_before(record)
        if mark is None or record < self._first:
            return (), "Only its result was kept: its random numbers are no longer known."
        first, rng = mark
        tree, params = search.tree, search.params
        root_state = search.position.state
        nodes_before = max(int(tree.leaf[:first].max(initial=0)), search.root) + 1
        scratch = make_playout_scratch(search.game, rng)
        records = RecordRange(first, record, nodes_before)
        same = redraw(tree, self._history.proved_at, root_state, search.root, params, scratch, records)
        moves = random_moves(leaf, rng) if same else None
        if moves is None:
            return (), "Only its result was kept: its random game could not be replayed with certainty."
        return moves, ""


def _figures(tree: Tree, node: int, root: int) -> tuple[int, float, int]:
    slot = int(tree.slot[node])
    count = backups(tree, slot)
    mean = float(tree.total[slot]) / count if count else float("nan")
    return count if node == root else int(tree.visits[slot]), mean, int(tree.proof[slot])
