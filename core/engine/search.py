"""One search: a tree, its evaluator and the loop between them, on the caller's thread.  Knows no window."""

import itertools
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.engine.in_flight import Batches, Playouts
from core.engine.search_state import SearchState, fits
from core.games import GameSpec, Position
from core.processors import processors
from core.rng import make_rng
from core.search import simulate, work
from core.search.backup import prove
from core.search.curves import ALL, Curver, Curves
from core.search.formulas import UNPROVED, WIN, flip
from core.search.picture import Picturer, TreePicture
from core.search.root import (
    Restriction,
    chosen_moves,
    leave_out,
    merge_symmetric,
    mix_noise,
    plan_gumbel,
    priors_of,
    set_priors,
)
from core.search.settings import Limit, SearchSettings
from core.search.snapshot import FULL, LIMIT, OVER, PROVED, RUNNING, STOPPED, Counters, NodeView, Path, Snapshot
from core.search.tree import (
    NODES,
    RECORDS,
    ROOT,
    SCHEDULED,
    TERMINAL,
    UNEXPANDED,
    Tree,
    add_top,
    bytes_used,
    clear,
    compact,
    make_tree,
    without_inflight,
)
from core.search.view import Viewer
from core.solve.threats_leaf import make_scout

CACHE_ENTRIES = 1 << 16
PLAYOUTS_A_THREAD = 256  # at most, at once
ROLLOUT_SLICE = 64  # simulations of the first slice; later ones follow the measured rate
SLICE_S = 0.01
_numberings = itertools.count(1)


class Search:
    """A search from one position; ``evaluator`` None values leaves by random rollouts.

    The same position, evaluator, settings, seed and ``only`` give the same tree.  ``only`` names the root's moves to
    be searched, () for all: the others stay without visits, and what is proved of the root is proved among these.
    Raises ValueError when the memory budget is too small for the game, IllegalMove for a move that cannot be played.
    """

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator | None,
        settings: SearchSettings | None = None,
        seed: int = 0,
        only: Iterable[int] = (),
    ) -> None:
        game = position.game
        self.game: GameSpec = game
        self.settings = settings or SearchSettings()
        if self.settings.selection == "flat" and evaluator is not None:
            raise ValueError("selection is 'flat', which plays random games; with a net it must be another")
        self.evaluator = evaluator
        self._params = self.settings.params()
        self._budget = self.settings.memory_mb << 20
        entries = CACHE_ENTRIES
        while entries > 1024 and entries * (12 + 2 * game.num_actions) > self._budget // 8:
            entries //= 2
        self._cache_bytes = entries * (12 + 2 * game.num_actions) if evaluator is not None else 0
        self._tree = self._new_tree()
        self._cache = work.make_cache(game.num_actions, entries if evaluator is not None else 1)
        self._threads = (self.settings.threads or processors()) if evaluator is None else 1
        batch = self.settings.max_batch if evaluator is not None else PLAYOUTS_A_THREAD * self._threads
        batch = 1 if evaluator is None and self._threads == 1 else batch
        self._values = np.zeros(batch, np.float32)
        self._work = work.make_work(
            game.num_actions, (game.num_planes, *game.shape), batch, make_scout(game, self.settings.wants_threats)
        )
        self._playouts = Playouts(game, self._threads, seed) if self._threads > 1 else None
        self._batches = Batches(self._work, self.settings.batches_in_flight, game.num_actions)
        self._state = game.new_state()
        self._rng = make_rng(seed)
        self._noise_rng = np.random.default_rng(seed)
        self._viewer = Viewer(game.num_actions)
        self._picturer = Picturer(game.num_actions)
        self._curver = Curver(game.num_actions)
        self._elapsed_s = 0.0
        self._rollout_slice = ROLLOUT_SLICE
        self._reason = RUNNING
        self._clean_priors: NDArray[np.uint16] | None = None
        self._begin(position, only)

    def _new_tree(self) -> Tree:
        budget = self._budget - self._cache_bytes
        return make_tree(self.game.num_actions, budget, squares=self.settings.keeps_squares)

    # Where the search stands.

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self._position

    @property
    def simulations(self) -> int:
        """Visits of the root."""
        return int(self._tree.visits[self._tree.slot[self._root]])

    @property
    def reason(self) -> str:
        """Why the last run ended; "" before the first."""
        return self._reason

    @property
    def only(self) -> tuple[int, ...]:
        """The root's moves that are searched, ascending; () for all."""
        return self._restriction.only

    def is_of(self, position: Position, only: Iterable[int]) -> bool:
        """Whether ``go_to(position)`` leads to a search of these moves."""
        return chosen_moves(position, only) == (self.only if position == self._position else ())

    def _begin(self, position: Position, only: Iterable[int] = ()) -> None:
        """Forget the tree and start one at ``position``."""
        self._restriction = Restriction(chosen_moves(position, only))
        clear(self._tree)
        self.numbering = next(_numberings)
        self._top = position
        self._root = int(add_top(self._tree))
        self.root_changes: list[tuple[int, int]] = []
        self._draws: list[tuple[int, int, int]] = []
        self._stand(position)

    def _stand(self, position: Position) -> None:
        self._position = position
        self._root_state = position.state
        self._positions: dict[Path, Position] = {(): position}
        self._clean_priors = None
        if self._tree.num_edges[self._root] == UNEXPANDED:
            # Proved by threats as a leaf: as the root it must show its moves.
            self._tree.proof[self._tree.slot[self._root]] = UNPROVED
        self._prepared = False
        self._same: dict[int, tuple[int, ...]] = {}
        self._mark_root()
        self._reason = RUNNING
        self._work.stats[work.DEPTH_SUM] = 0
        self._work.stats[work.DEPTH_MAX] = 0
        self._depth_first = int(self._work.stats[work.SIMULATIONS])
        self.root_changes.append((int(self._tree.counts[RECORDS]), self._root))

    def advance(self, action: int) -> None:
        """Play ``action`` at the root and keep its subtree.  Raises IllegalMove."""
        self.go_to(self._position.play(action))

    def go_to(self, position: Position) -> bool:
        """Move the root to ``position``; True when its subtree was kept, False when a new tree was begun.

        A position at or below the tree's top is found by its moves, so going back finds the earlier tree.  A
        restriction to some moves ends with its root: that is never gone back to.
        """
        if position == self._position:
            return True
        self._settle()
        node = self._locate(position)
        self._restore_priors()
        if node < 0:
            self._begin(position)
            return False
        prove(self._tree, self._root, self._common_ancestor(self._root, node))
        self._root = node
        self._stand(position)
        restricted, self._restriction = bool(self.only), Restriction()
        if restricted or bytes_used(self._tree) > self._budget // 2:
            self._compact()
        return True

    def _locate(self, position: Position) -> int:
        """The node of ``position`` in the tree, by its moves from the top; -1 when it has none."""
        known = len(self._top.moves)
        if position.start != self._top.start or position.moves[:known] != self._top.moves:
            return -1
        return self._descend(self._tree, 0, position.moves[known:])

    def _descend(self, tree: Tree, node: int, path: Path) -> int:
        for action in path:
            start = int(tree.child_start[node])
            children = tree.child[start : start + int(tree.num_children[node])]
            found = np.flatnonzero(tree.action[children] == action)
            if not len(found):
                return -1
            node = int(children[found[0]])
        return node

    def _common_ancestor(self, a: int, b: int) -> int:
        """Ids grow downwards, so the larger of two different nodes is never the ancestor."""
        while a != b:
            if a > b:
                a = int(self._tree.parent[a])
            else:
                b = int(self._tree.parent[b])
        return a

    def _compact(self) -> None:
        """Keep only the subtree of the root: the way back is lost.  While it is copied both trees stand."""
        target = self._new_tree()
        source, roots = self._tree, np.array([self._root], np.int32)
        new_id = np.empty(int(source.counts[NODES]), np.int32)
        compact(source, target, roots, new_id)
        # What began above the root is as if it had begun at it; what began beside it left no records.
        kept = np.concatenate(([0], np.cumsum(new_id[source.leaf[: int(source.counts[RECORDS])]] >= 0)))
        changes = [(int(kept[record]), max(int(new_id[node]), 0)) for record, node in self.root_changes]
        self._tree, self._draws = target, []
        self.numbering = next(_numberings)
        self._root = int(roots[0])
        self._top = self._position
        self.root_changes = changes
        self._mark_root()

    # Kept and taken up again.

    def state(self) -> SearchState:
        """All of the search but its random numbers; the arrays are its own and change when it goes on."""
        self._settle()
        return SearchState(
            top=self._top,
            position=self._position,
            tree=self._tree,
            root=self._root,
            root_changes=tuple(self.root_changes),
            net_priors=self._clean_priors,
            same=self._same,
            stats=self._work.stats,
            earlier=self._depth_first,
            elapsed_s=self._elapsed_s,
            restriction=self._restriction,
        )

    def take_up(self, state: SearchState) -> None:
        """Go on where another search of this game stood; its tree is copied.  The settings should be the same.

        ValueError when the game is another or the memory budget too small for the tree.
        """
        source = state.tree
        if state.top.game != self.game:
            raise ValueError(f"the search is of {state.top.game.text}, and this one of {self.game.text}")
        self._settle()
        if bytes_used(source) > self._budget - self._cache_bytes or not fits(source, self._tree):
            raise ValueError(
                f"the tree has {int(source.counts[NODES])} nodes and needs {bytes_used(source) / 2**20:.0f} MiB, more "
                f"than the memory budget of {self.settings.memory_mb} MiB has room for"
            )
        if not self._tree.squares.size:
            source = source._replace(squares=self._tree.squares)
        elif not source.squares.size:
            raise ValueError("the tree was made without sums of squares, which these settings need")
        if source.counts[NODES] < 2:
            # Arrays of one element are contiguous, to numba another type: a tree not begun is begun here.
            self._begin(state.position, state.restriction.only)
            return
        clear(self._tree)
        compact(source, self._tree, np.zeros(1, np.int32), np.empty(int(source.counts[NODES]), np.int32))
        self._top, self._root = state.top, state.root
        self._stand(state.position)
        self._restriction = state.restriction
        self._tree.gumbel[:] = source.gumbel
        self._tree.schedule[:] = source.schedule
        self._tree.counts[ROOT : SCHEDULED + 1] = source.counts[ROOT : SCHEDULED + 1]
        self.root_changes, self._draws = list(state.root_changes), []
        self._clean_priors = None if state.net_priors is None else state.net_priors.copy()
        self._same = dict(state.same)
        self._prepared = bool(self._tree.num_children[self._root] > 0)
        self._work.stats[:] = state.stats
        self._depth_first = state.earlier
        self._elapsed_s = state.elapsed_s

    def _mark_root(self) -> None:
        self._tree.counts[ROOT] = self._root if self.settings.own_root else -1
        self._tree.counts[SCHEDULED] = 0

    # Searching.

    def run(self, limit: Limit, should_stop: Callable[[], bool] = lambda: False) -> str:
        """Search until ``limit``, a proof, a full budget or ``should_stop``; returns the reason."""
        deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        while True:
            if should_stop():
                self._settle()
                self._reason = STOPPED
                return self._reason
            slice_s = SLICE_S if deadline is None else min(SLICE_S, deadline - time.perf_counter())
            if slice_s <= 0:
                self._settle()
                self._reason = LIMIT
                return self._reason
            if self.step(limit.simulations, slice_s):
                return self._reason

    def step(self, simulations: int | None = None, max_seconds: float = SLICE_S) -> str:
        """Search for about ``max_seconds``, to at most ``simulations`` root visits; returns why it ends, or ""."""
        started = time.perf_counter()
        try:
            while True:
                self._reason = self._done(simulations)
                if self._reason:
                    return self._reason
                left = 1 << 40 if simulations is None else simulations - self.simulations
                if self.evaluator is not None:
                    full = self._batch(self.evaluator, left)
                elif self._playouts is not None:
                    full = self._shared_rollouts(self._playouts, left)
                else:
                    full = self._rollouts(left, max_seconds)
                if full:
                    self._reason = FULL
                    return self._reason
                if time.perf_counter() - started >= max_seconds:
                    self._reason = self._done(simulations)
                    return self._reason
        finally:
            self._elapsed_s += time.perf_counter() - started
            if self._reason:
                self._settle()

    def _done(self, simulations: int | None) -> str:
        tree = self._tree
        if tree.num_edges[self._root] == TERMINAL or self._position.is_over:
            return OVER
        if self.settings.prove and tree.proof[tree.slot[self._root]] != UNPROVED:
            return PROVED
        if simulations is not None and self.simulations >= simulations:
            return LIMIT
        games = self.settings.flat_games
        if games and self.settings.selection == "flat" and 0 < games * self._num_moves() <= self.simulations:
            return LIMIT
        return RUNNING

    def _expand_root(self) -> None:
        """Random games need the root's moves before the first of them."""
        if self._tree.num_edges[self._root] == UNEXPANDED:
            simulate.expand_root(self._tree, self._root, self._root_state, self._params, self._work, self._rng)
        self._prepare_root()

    def _flat_left(self, left: int) -> int:
        """``left``, or what flat's own end leaves when that is less."""
        if self.settings.selection == "flat" and self.settings.flat_games:
            return min(left, max(1, self.settings.flat_games * self._num_moves() - self.simulations))
        return left

    def _rollouts(self, left: int, max_seconds: float) -> bool:
        """One slice of simulations inside the kernel; True when the tree is full."""
        self._expand_root()
        count = self._flat_left(min(left, self._rollout_slice))
        self._draws.append((int(self._tree.counts[RECORDS]), int(self._rng[0]), int(self._rng[1])))
        started = time.perf_counter()
        status = simulate.rollouts(
            self._tree, self._state, self._root_state, self._root, self._params, self._work, self._rng, count
        )
        spent = time.perf_counter() - started
        # The next slice should last most of ``max_seconds``: every return to Python waits for the window's turn.
        wanted = 4 * count if spent <= 0.2 * max_seconds else int(count * 0.8 * max_seconds / spent)
        if count == self._rollout_slice or wanted < self._rollout_slice:
            self._rollout_slice = min(max(ROLLOUT_SLICE, wanted), 1 << 20)
        return bool(status == simulate.FULL)

    def _collect(self, into: work.Work, want: int, left: int, underway: int, lazy: bool) -> tuple[int, bool]:
        """(Leaves now waiting in ``into``, whether the tree is full)."""
        waiting, status = simulate.collect(
            self._tree,
            self._cache,
            self._state,
            self._root_state,
            self._root,
            self._params,
            into,
            self._rng,
            want,
            left,
            underway,
            lazy,
        )
        return int(waiting), bool(status == simulate.FULL)

    def _shared_rollouts(self, playouts: Playouts, left: int) -> bool:
        """A batch of leaves, a random game from each on several threads; True when the tree is full."""
        self._expand_root()
        want = min(len(self._values), 1 + self.simulations // 16)
        waiting, full = self._collect(self._work, want, self._flat_left(left), 0, True)
        playouts.value(self._tree, self._root_state, self._params, self._work, waiting, self._values)
        simulate.absorb_playouts(self._tree, self._params, self._work, waiting, self._values)
        return full

    def _batch(self, evaluator: Evaluator, left: int) -> bool:
        """Send the batches that may be under way, back up the oldest; True when the tree is full.

        A batch grows with the tree: virtual loss spoils the choice of a young one.
        """
        full, batches = False, self._batches
        want = min(self.settings.max_batch, 1 + self.simulations // (16 * self.settings.batches_in_flight))
        while not full and batches.leaves < left and (free := batches.free()) is not None:
            prepared = self._prepared
            if not prepared and batches.leaves:
                break
            waiting, full = self._collect(free, want, left - batches.leaves if prepared else 1, batches.leaves, False)
            if waiting:
                batches.send(evaluator, waiting)
            if not waiting or not prepared:
                break
        if batches.leaves:
            self._absorb_oldest()
        self._prepare_root()
        return full

    def _absorb_oldest(self) -> None:
        try:
            leaves, waiting, (logits, values) = self._batches.receive()
        except BaseException:
            for unread, waiting in self._batches.give_up():
                simulate.abandon(self._tree, unread, waiting, 1)
            raise
        simulate.absorb(self._tree, self._cache, self._params, leaves, waiting, logits, values, 1)

    def _settle(self) -> None:
        """Back up every batch under way."""
        started = time.perf_counter()
        while self._batches.leaves:
            self._absorb_oldest()
        self._elapsed_s += time.perf_counter() - started

    # What is done to a root once, when it has its edges.

    def _num_moves(self) -> int:
        return max(0, int(self._tree.num_edges[self._root]))

    def _prepare_root(self) -> None:
        """Leave moves out, merge symmetric ones, mix in the noise, draw gumbel's order: each once per root, when its
        edges exist."""
        tree, root, settings = self._tree, self._root, self.settings
        if self._prepared or tree.num_edges[root] <= 0:
            return
        self._prepared = True
        if self.only:
            self._restriction = leave_out(tree, root, self.only)
        if settings.merge_symmetric and tree.num_children[root] == 0:
            self._same = merge_symmetric(tree, root, self._position)
        if settings.noise_epsilon > 0:
            self._clean_priors = mix_noise(tree, root, settings.noise_epsilon, settings.noise_alpha, self._noise_rng)
        # A kept subtree has its own visits: sequential halving is for a fresh root.
        if settings.selection == "gumbel" and tree.num_children[root] == 0:
            clean = priors_of(tree, root).copy() if self._clean_priors is None else self._clean_priors
            self._clean_priors = clean[plan_gumbel(tree, root, settings, self._noise_rng)]

    def _restore_priors(self) -> None:
        """Leave the root's priors as the net gave them: noise belongs to one move."""
        if self._clean_priors is not None:
            set_priors(self._tree, self._root, self._clean_priors)
            self._clean_priors = None

    # What came of it.

    def snapshot(self, opened: Iterable[Path] = (), request: int = 0, past: Tree | None = None) -> Snapshot:
        """All that is shown, copied: the root, those ``opened`` nodes that exist and have edges, and the counters.

        ``past``: the tree at an earlier moment (core.engine.look_back); the counters are those of now."""
        living = self._tree if past is None else past
        tree = without_inflight(living) if self._batches.leaves and past is None else living
        views: dict[Path, NodeView] = {}
        for path in opened:
            node = self._descend(tree, self._root, path) if path else -1
            if node >= 0 and tree.num_edges[node] > 0:
                at = self._position_at(path)
                views[path] = self._viewer.view(tree, node, self._params, path, at, living=living)
        clean, same = (self._clean_priors, self._same) if tree.num_edges[self._root] > 0 else (None, None)
        root = self._viewer.view(
            tree, self._root, self._params, (), self._position, clean, same, living, self._restriction
        )
        return Snapshot(
            request=request,
            position=self._position,
            evaluator=self._evaluator_words(),
            evaluator_note=getattr(self.evaluator, "provider_note", ""),
            root=root,
            opened=views,
            counters=self._counters(),
            reason=self._reason,
        )

    def picture(self, nodes: int, pv: Path = (), past: Tree | None = None) -> TreePicture:
        """The ``nodes`` most visited nodes at and below the root, copied, with the expected line ``pv`` marked;
        ``past`` as in ``snapshot``."""
        return self._picturer.picture(past or self._tree, self._root, nodes, pv, self.numbering)

    def draws_before(self, record: int) -> tuple[int, NDArray[np.uint64]] | None:
        """(A record at or before ``record``, the random generator before it); None when it is not known."""
        place = bisect_right(self._draws, (record, 1 << 64, 0)) - 1
        if place < 0:
            return None
        first, a, b = self._draws[place]
        return first, np.array([a, b], np.uint64)

    def curves(self, most: int = ALL) -> Curves:
        """How the root's figures came about, copied; up to ``most`` records are looked at that were not before."""
        changes, number = self.root_changes, self.numbering
        return self._curver.curves(self._tree, self._root, changes, self._params, number, most)

    def _evaluator_words(self) -> str:
        if self.evaluator is not None:
            return self.evaluator.description
        kind = "tactical" if self.settings.rollout_policy == "tactical" else "random"
        return f"{kind} rollouts on CPU" + (f", {self._threads} threads" if self._threads > 1 else "")

    def _position_at(self, path: Path) -> Position:
        found = self._positions.get(path)
        if found is None:
            found = self._position_at(path[:-1]).play(path[-1])
            self._positions[path] = found
        return found

    def _counters(self) -> Counters:
        stats = self._work.stats
        simulations = int(stats[work.SIMULATIONS])
        here = simulations - self._depth_first
        return Counters(
            simulations=simulations,
            evaluations=int(stats[work.EVALUATIONS]),
            batches=int(stats[work.BATCHES]),
            cache_hits=int(stats[work.CACHE_HITS]),
            collisions=int(stats[work.COLLISIONS]),
            nodes=int(self._tree.counts[NODES]),
            bytes_used=bytes_used(self._tree) + self._cache_bytes,
            bytes_budget=self._budget,
            depth=int(stats[work.DEPTH_MAX]),
            mean_depth=int(stats[work.DEPTH_SUM]) / here if here else 0.0,
            elapsed_s=self._elapsed_s,
        )

    def best_action(self) -> int:
        """The move to play; -1 before any simulation."""
        return self.snapshot().best

    def visit_policy(self, temperature: float = 1.0) -> NDArray[np.float32]:
        """pi = N^(1/tau) over the root's moves, normalised, float32 [A]; ``temperature`` 0 puts all on the best move.

        Clean of noise.  All zeros before any child was visited.  (AlphaGo Zero: Silver et al. 2017, Methods, Play.)
        """
        policy = np.zeros(self.game.num_actions, np.float64)
        root = self._viewer.view(self._tree, self._root, self._params, (), self._position)
        if root.best_index < 0:
            return policy.astype(np.float32)
        if temperature == 0 or flip(int(self._tree.proof[self._tree.slot[self._root]])) == WIN:
            policy[root.best_action] = 1.0
            return policy.astype(np.float32)
        share = root.visits_of / max(1, int(root.visits_of.max()))
        with np.errstate(divide="ignore"):
            policy[root.actions] = np.exp(np.log(share) / temperature)
        policy /= policy.sum()
        return policy.astype(np.float32)

    def sample_action(self, rng: np.random.Generator, temperature: float | None = None) -> int:
        """Draw a move from ``visit_policy``; ``temperature`` None takes the settings'.  -1 before any simulation."""
        tau = self.settings.temperature if temperature is None else temperature
        policy = self.visit_policy(tau).astype(np.float64)
        if not policy.any():
            return -1
        return int(rng.choice(len(policy), p=policy / policy.sum()))

    @property
    def tree(self) -> Tree:
        """The arrays themselves, to read."""
        return self._tree

    @property
    def root(self) -> int:
        """The root's node id."""
        return self._root
