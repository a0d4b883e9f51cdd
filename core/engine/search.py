"""One search: a tree, its evaluator and the search loop, on the caller's thread."""

import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.engine.corrections import Corrections
from core.engine.endings import Endings, Stop, enter_solution, has_come, never
from core.engine.evaluator import Evaluator
from core.engine.search_state import SearchState, copy_subtree, copy_tree, locate, tree_for
from core.engine.simulator import Simulator
from core.engine.symmetry import average_root
from core.games import GameSpec, Position
from core.glass.curves import ALL, CurveMaker, Curves
from core.glass.snapshot import FULL, LIMIT, OVER, PROVED, RUNNING, STOPPED, NodeView, Path, Snapshot
from core.glass.view import Viewer
from core.rng import check_seed
from core.search import work
from core.search.backup import enter_root, leave_root, prove
from core.search.growth import add_top
from core.search.proofs import UNPROVED
from core.search.root import ALL_MOVES, Restriction, RootEdges, chosen_moves
from core.search.settings import Limit, SearchSettings
from core.search.tree import (
    NODES,
    OWN_RULE,
    RECORDS,
    SCHEDULED,
    TERMINAL,
    Tree,
    backups,
    bytes_used,
    clear,
    common_ancestor,
    make_tree,
    node_at,
)
from core.text import Text

SLICE_S = 0.01
_numberings = itertools.count(1)


class Search:
    """A search from one position; ``evaluator`` None values leaves by random rollouts.

    The same position, evaluator, settings, seed and ``only`` give the same tree.  ``only`` names the root's moves to
    be searched, () for all: the others stay without visits, and what is proved of the root is proved among these.
    ``corrections`` replace answers of the evaluator.
    ValueError for a negative seed or a memory budget too small for the game, IllegalMove for a move not legal.
    """

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator | None,
        settings: SearchSettings | None = None,
        seed: int = 0,
        only: Iterable[int] = (),
        corrections: Corrections | None = None,
    ) -> None:
        game = position.game
        self.game: GameSpec = game
        self.settings = settings or SearchSettings()
        if self.settings.selection == "flat" and evaluator is not None:
            raise ValueError(Text("selection is 'flat', which plays random games; with a net it must be another"))
        check_seed(seed)
        self.params = self.settings.params(game.num_cells)
        self.simulator = Simulator(game, evaluator, self.settings, seed, corrections)
        self.endings = Endings(game, self.settings)
        self._budget = self.settings.memory_mb << 20
        self._tree = self._new_tree()
        self._noise_rng = np.random.default_rng(seed)
        self._viewer = Viewer(game.num_actions)
        self._curve_maker = CurveMaker(game.num_actions)
        self._elapsed_s = 0.0
        self._reason = RUNNING
        self._begin(position, only)

    def _new_tree(self) -> Tree:
        budget = self._budget - self.simulator.cache_bytes
        squares, leads = self.settings.keeps_squares, self.simulator.encoding.leads
        return make_tree(self.game.num_actions, budget, squares=squares, leads=leads)

    # State.

    @property
    def evaluator(self) -> Evaluator | None:
        """The evaluator of the leaves; None: random games."""
        return self.simulator.evaluator

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self._position

    @property
    def simulations(self) -> int:
        """Simulations made from the root or, before it was the root, through it."""
        return backups(self._tree, int(self._tree.slot[self._root]))

    @property
    def reason(self) -> str:
        """The reason why the last run ended; "" before the first."""
        return self._reason

    @property
    def only(self) -> tuple[int, ...]:
        """The root's moves that are searched, ascending; () for all."""
        return self._edges.restriction.only

    def is_at(self, position: Position, only: Iterable[int]) -> bool:
        """Whether the search, after ``go_to(position)``, is restricted to ``only``."""
        return chosen_moves(position, only) == (self.only if position == self._position else ())

    def _begin(self, position: Position, only: Iterable[int] = ()) -> None:
        """Start a new tree at ``position``."""
        restriction = Restriction(chosen_moves(position, only))
        clear(self._tree)
        self.numbering = next(_numberings)
        self._top = position
        self._root = int(add_top(self._tree))
        self.root_changes: list[tuple[int, int]] = []
        self.simulator.forget_records(0)
        self._set_root(position, restriction)

    def _set_root(self, position: Position, restriction: Restriction = ALL_MOVES) -> None:
        self._position = position
        self._root_state = position.state
        self.simulator.tell_past(position)
        self._positions: dict[Path, Position] = {(): position}
        self._edges = RootEdges(restriction)
        enter_root(self._tree, self._root)
        self._mark_root()
        self._reason = RUNNING
        stats = self.simulator.stats
        stats[work.DEPTH_SUM] = stats[work.DEPTH_MAX] = 0
        self._earlier = int(stats[work.SIMULATIONS])
        self.root_changes.append((int(self._tree.counts[RECORDS]), self._root))

    def advance(self, action: int) -> None:
        """Play ``action`` at the root and keep its subtree.  Raises IllegalMove."""
        self.go_to(self._position.play(action))

    def go_to(self, position: Position) -> bool:
        """Move the root to ``position``; True when its subtree was kept, False when a new tree was begun.

        A position at or below the tree's top is found by its moves, so going back finds the earlier tree.  A
        restriction to some moves ends with its root: that is never gone back to.  An ending to be solved exactly
        always begins a new tree.
        """
        if position == self._position and (position.moves == self._position.moves or not self.simulator.sees_past):
            return True
        self._drain()
        node = -1 if self.endings.holds(position) else locate(self._top, self._tree, position)
        self._edges.restore_priors(self._tree, self._root)
        if node < 0:
            self._begin(position)
            return False
        leave_root(self._tree, self._root)
        if self.settings.prove:
            prove(self._tree, self._root, common_ancestor(self._tree, self._root, node))
        self._root, restricted = node, bool(self.only)
        self._set_root(position)
        if restricted or bytes_used(self._tree) > self._budget // 2:
            self._compact()
        return True

    def _compact(self) -> None:
        """Keep only the subtree of the root, so the root cannot move back up.  Needs memory for both trees."""
        target = self._new_tree()
        self._root, self.root_changes = copy_subtree(self._tree, self._root, self.root_changes, target)
        self._tree = target
        self.simulator.forget_tree()
        self.simulator.forget_records(int(target.counts[RECORDS]))
        self.numbering = next(_numberings)
        self._top = self._position
        self._mark_root()

    # Saving and loading.

    def state(self) -> SearchState:
        """The whole search except its random numbers; the arrays are not copied and change when it continues."""
        self._drain()
        return SearchState(
            top=self._top,
            position=self._position,
            tree=self._tree,
            root=self._root,
            root_changes=tuple(self.root_changes),
            net_priors=self._edges.net_priors,
            same=self._edges.same,
            stats=self.simulator.stats,
            earlier=self._earlier,
            elapsed_s=self._elapsed_s,
            restriction=self._edges.restriction,
            prepared=self._edges.done,
        )

    def load_state(self, state: SearchState) -> None:
        """Load the state of another search of this game; its tree is copied.  The settings should be the same.

        ValueError when the game is another or the memory budget too small for the tree.
        """
        if state.top.game != self.game:
            raise ValueError(
                Text("the search is of {other}, and this one of {game}", other=state.top.game.text, game=self.game.text)
            )
        self._drain()
        source = tree_for(state, self._tree)
        if source.counts[NODES] < 2:
            # Arrays of one element are contiguous, another type to numba: start a new tree instead of copying it.
            self._begin(state.position, state.restriction.only)
            return
        copy_tree(source, self._tree)
        self.numbering = next(_numberings)
        self._top, self._root = state.top, state.root
        self._set_root(state.position)
        self._tree.counts[OWN_RULE : SCHEDULED + 1] = source.counts[OWN_RULE : SCHEDULED + 1]
        self.root_changes = list(state.root_changes)
        net_priors = None if state.net_priors is None else state.net_priors.copy()
        self._edges = RootEdges(state.restriction, dict(state.same), net_priors, state.prepared)
        self.simulator.stats[:] = state.stats
        self.simulator.forget_records(int(self._tree.counts[RECORDS]))
        self._earlier = state.earlier
        self._elapsed_s = state.elapsed_s

    def _mark_root(self) -> None:
        self._tree.counts[OWN_RULE] = self._root if self.settings.own_root else -1
        self._tree.counts[SCHEDULED] = 0

    # Searching.

    def run(self, limit: Limit, should_stop: Stop = never, between: Callable[[], object] = lambda: None) -> str:
        """Search until ``limit``, a proof, a full budget or ``should_stop``; returns the reason.

        At most half of the time goes into solving an ending.  ``between`` is called before each slice."""
        began, seconds = time.perf_counter(), limit.seconds
        deadline, half = (None, None) if seconds is None else (began + seconds, began + seconds / 2)
        while not should_stop():
            between()
            slice_s = SLICE_S if deadline is None else min(SLICE_S, deadline - time.perf_counter())
            if slice_s <= 0:
                return self._end(LIMIT)
            if self.step(limit.simulations, slice_s, lambda: should_stop() or has_come(half, time.perf_counter())):
                return self._reason
        return self._end(STOPPED)

    def _end(self, reason: str) -> str:
        self._drain()
        self._reason = reason
        return reason

    def step(self, simulations: int | None = None, max_seconds: float = SLICE_S, stop_solving: Stop = never) -> str:
        """Search for about ``max_seconds``, to at most ``simulations`` root visits; returns why it ends, or "".

        An ending is solved first, unless ``stop_solving``."""
        started = time.perf_counter()
        try:
            while True:
                self._reason = self._done(simulations)
                if self._reason:
                    return self._reason
                self.simulator.expand_root(self._tree, self._root, self._root_state)
                self._average_root()
                self._prepare_root()
                full = False
                if not self._solve_root(stop_solving):
                    most = self._simulations_left(simulations)
                    full = self.simulator.simulate(self._tree, self._root, self._root_state, most, max_seconds)
                    self._prepare_root()
                    self._solve_root(stop_solving)
                if full or time.perf_counter() - started >= max_seconds:
                    self._reason = FULL if full else self._done(simulations)
                    return self._reason
        finally:
            self._elapsed_s += time.perf_counter() - started
            if self._reason:
                self._drain()

    def _done(self, simulations: int | None) -> str:
        tree = self._tree
        if tree.num_edges[self._root] == TERMINAL or self._position.is_over:
            return OVER
        if self.settings.prove and tree.proof[tree.slot[self._root]] != UNPROVED:
            return PROVED
        return RUNNING if self._simulations_left(simulations) else LIMIT

    def _simulations_left(self, simulations: int | None) -> int:
        moves = max(0, int(self._tree.num_edges[self._root]))
        return self.settings.simulations_left(simulations, self.simulations, moves)

    def _average_root(self) -> None:
        """Give a new root the mean of the evaluator's answers under all symmetries; values backed up before stay."""
        if self.settings.root_symmetries and not self._edges.done:
            average_root(self.simulator, self._edges, self._tree, self._root, self._position)

    def _prepare_root(self) -> None:
        self._edges.prepare(self._tree, self._root, self._position, self.settings, self._noise_rng)

    def _solve_root(self, should_stop: Stop) -> bool:
        """Prove the moves of a root that is an ending and has edges; returns whether something was done.

        A root that was searched meanwhile begins a new tree."""
        if self._tree.num_edges[self._root] <= 0 or self._edges.solution is not None:
            return False
        solution = self.endings.solve(self._position, should_stop)
        if solution is None:
            return False
        self._drain()
        if self._tree.num_children[self._root]:
            self._begin(self._position, self.only)
            return True
        stats = self.simulator.stats
        return enter_solution(self._tree, self._root, self._position, solution, self._edges, self.params, stats)

    def _drain(self) -> None:
        """Back up every batch in flight."""
        started = time.perf_counter()
        self.simulator.drain(self._tree)
        self._elapsed_s += time.perf_counter() - started

    # Results.

    def snapshot(self, opened: Iterable[Path] = (), request: int = 0, past: Tree | None = None) -> Snapshot:
        """A copy of all that is shown: the root, the ``opened`` nodes that exist and have edges, and the counters.

        ``past``: the tree at an earlier moment (core.engine.look_back); the counters are those of now."""
        tree, evaluator = self._tree if past is None else past, self.evaluator
        views: dict[Path, NodeView] = {}
        for path in opened:
            node = node_at(tree, self._root, path) if path else -1
            if node >= 0 and tree.num_edges[node] > 0:
                at = self._position_at(path)
                views[path] = self._viewer.view(tree, node, self.params, path, at)
        edges = self._edges if tree.num_edges[self._root] > 0 else RootEdges(self._edges.restriction)
        root = self._viewer.view(tree, self._root, self.params, (), self._position, edges)
        return Snapshot(
            request=request,
            position=self._position,
            evaluator=self.simulator.description,
            evaluator_note="" if evaluator is None else evaluator.provider_note,
            encoding=self.simulator.encoding.name,
            ownership=evaluator is not None and evaluator.gives_ownership,
            outcomes=evaluator is not None and evaluator.gives_outcomes,
            root=root,
            opened=views,
            counters=self.simulator.counters(self._tree, self._earlier, self._budget, self._elapsed_s),
            reason=self._reason,
        )

    def curves(self, most: int = ALL) -> Curves:
        """A copy of the curves of the root's moves, after reading up to ``most`` new records."""
        curves = self._curve_maker.curves(self._tree, self._root, self.root_changes, self.params, self.numbering, most)
        return replace(curves, batches=self.simulator.batches_of(self._tree))

    def _position_at(self, path: Path) -> Position:
        position = self._positions.get(path)
        if position is None:
            position = self._position_at(path[:-1]).play(path[-1])
            self._positions[path] = position
        return position

    def best_action(self) -> int:
        """The move to play; -1 before any simulation."""
        return self.snapshot().best

    def visit_policy(self, temperature: float = 1.0) -> NDArray[np.float32]:
        """The probability of each action to be played, float32 [A], see ``NodeView``; zeros before any visit."""
        root, policy = self.snapshot().root, np.zeros(self.game.num_actions, np.float32)
        policy[root.actions] = root.visit_policy(temperature)
        return policy

    @property
    def tree(self) -> Tree:
        """The arrays themselves, read-only."""
        return self._tree

    @property
    def root(self) -> int:
        """The root's node id."""
        return self._root
