"""Runs simulations in a tree: inside the kernel or in batches at an evaluator, on one thread or several.

Of positions it needs only the root's node, its state and what came before it.
"""

import time
from bisect import bisect_right
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.engine.corrections import Corrections
from core.engine.crew import Crew, OneThread
from core.engine.evaluator import CPU_BATCHES, Evaluator
from core.engine.in_flight import Batches
from core.games import GameSpec, Position
from core.games.dispatch import State
from core.games.encoding import OWN_ENCODING
from core.games.past_boards import PastEncoder
from core.glass.batches import BatchLog, BatchRows
from core.glass.snapshot import Counters
from core.machine import processors
from core.search import simulate, work
from core.search.settings import SearchSettings
from core.search.tree import NODES, RECORDS, UNEXPANDED, Tree, backups, bytes_used
from core.solve.threats import make_scout
from core.text import Text

CACHE_ENTRIES = 1 << 16
VISITS_A_COLLISION = 256  # of the root, for each collision that a batch passes over
ROLLOUT_SLICE = 64  # simulations of the first slice; later ones follow the measured rate


class Simulator:
    """Runs the simulations of one search; ``evaluator`` None values leaves by random games.

    The same calls with the same seed give the same simulations, unless several threads make them.
    """

    def __init__(
        self,
        game: GameSpec,
        evaluator: Evaluator | None,
        settings: SearchSettings,
        seed: int,
        corrections: Corrections | None = None,
    ) -> None:
        self.evaluator = evaluator
        self._corrections = corrections
        self._game = game
        self._settings = settings
        self._params = settings.params(game.num_cells)
        actions, entries = game.num_actions, CACHE_ENTRIES if corrections is None else 1
        while entries > 1024 and entries * (12 + 2 * actions) > (settings.memory_mb << 20) // 8:
            entries //= 2
        self.cache_bytes = entries * (12 + 2 * actions) if evaluator is not None else 0
        threads = settings.threads if evaluator is None else settings.collectors
        self.threads = threads or processors()
        preferred, in_flight = CPU_BATCHES if evaluator is None else evaluator.preferred_batches
        self._in_flight = settings.batches_in_flight or in_flight
        batch = settings.max_batch or preferred
        batch = batch if evaluator is not None else 1
        self._batch_room = batch
        scouts = partial(make_scout, game, settings.wants_threats, searched=evaluator is not None)
        self.encoding = encoding = OWN_ENCODING if evaluator is None else evaluator.encoding
        self._work = work.make_work(game, encoding, batch, entries if evaluator is not None else 1, seed, scouts())
        self._crew: Crew | OneThread = OneThread(game, self._work)
        if self.threads > 1:
            self._crew = Crew(game, self._work, encoding, self.threads, seed, scouts)
        self.batches = Batches(self._work, self._in_flight, actions)
        self._rollout_slice = ROLLOUT_SLICE
        self._draws: list[tuple[int, int, int]] = []
        self._log = BatchLog()

    @property
    def description(self) -> str:
        """The evaluator of the leaves, in words."""
        if self.evaluator is not None:
            return self.evaluator.description
        kind = "tactical" if self._settings.rollout_policy == "tactical" else "random"
        threads = ", {threads} threads" if self.threads > 1 else ""
        return Text(f"{kind} rollouts on CPU{threads}", threads=self.threads)

    @property
    def stats(self) -> NDArray[np.int64]:
        """Counters of all simulations made, by the indices of core.search.work."""
        return self._work.stats

    @property
    def sees_past(self) -> bool:
        """Whether the net is shown what came before a position, so that the same board may get other answers."""
        return isinstance(self._work.encoder, PastEncoder)

    def tell_past(self, position: Position) -> None:
        """Tell the net's input what came before ``position``, the root of the simulations from now on."""
        self._crew.tell_past(position)

    def expand_root(self, tree: Tree, root: int, state: State) -> None:
        """Expand the root for random games, which need its edges first; an evaluator's answer expands it otherwise."""
        if self.evaluator is None and tree.num_edges[root] == UNEXPANDED:
            simulate.expand_root(tree, root, state, self._params, self._work)

    def expand_by(self, answer: work.Answer, tree: Tree, root: int, state: State) -> None:
        """Make the root's first simulation, which expands it, with an ``answer`` for it alone: the cache does not get
        it."""
        cache = work.make_cache(self._game.num_actions, 1, self.encoding.leads)
        lone_work = work.another_batch(self._work)._replace(cache=cache)
        quota = work.Quota(leaves=1, in_flight=0, collisions=0)
        waiting, _ = self._crew.collect(tree, root, state, self._params, lone_work, 1, quota)
        if waiting:
            self._crew.absorb(tree, self._params, lone_work, waiting, answer)
            self.stats[work.EVALUATIONS] -= waiting  # counted when it was asked
            self._record(tree, waiting)

    def simulate(self, tree: Tree, root: int, state: State, simulations: int, max_seconds: float) -> bool:
        """Run at most ``simulations`` from ``root``, whose position is ``state``, for about ``max_seconds`` or one
        batch; returns whether the tree is full."""
        if self.evaluator is not None:
            full = self._batch(self.evaluator, tree, root, state, simulations)
        else:
            full = self._rollouts(tree, root, state, simulations, max_seconds)
        self._game.board.check()
        return full

    def _rollouts(self, tree: Tree, root: int, state: State, simulations: int, max_seconds: float) -> bool:
        """One slice of simulations inside the kernel."""
        count = min(simulations, self._rollout_slice)
        started = time.perf_counter()
        if self.threads == 1:
            rng = self._work.rng
            self._draws.append((int(tree.counts[RECORDS]), int(rng[0]), int(rng[1])))
        full = self._crew.rollouts(tree, root, state, self._params, count)
        spent = time.perf_counter() - started
        # The next slice should last most of ``max_seconds``: every return to Python waits for the window's thread.
        next_count = 4 * count if spent <= 0.2 * max_seconds else int(count * 0.8 * max_seconds / spent)
        if count == self._rollout_slice or next_count < self._rollout_slice:
            self._rollout_slice = min(max(ROLLOUT_SLICE, next_count), 1 << 20)
        return full

    def _batch(self, evaluator: Evaluator, tree: Tree, root: int, state: State, simulations: int) -> bool:
        """Send as many batches as may be in flight, back up the oldest.

        The size of a batch grows with the tree, because leaves that are chosen without the values of the others distort
        a small one.  So does passing over collisions: instead of ending the batch, the next best leaf is taken.
        """
        full, batches = False, self.batches
        expanded = bool(tree.num_edges[root] > 0)
        visits = backups(tree, int(tree.slot[root]))
        # A device that has run out of memory wants less than at the start.
        size = min(self._batch_room, self._settings.max_batch or evaluator.preferred_batches[0])
        want = min(size, 1 + visits // (16 * self._in_flight))
        # Gumbel's schedule holds for the simulations made, and those passed over are not.
        scheduled = self._settings.selection == "gumbel"
        collisions = 0 if scheduled else min(size, visits // VISITS_A_COLLISION)
        end = int(self.stats[work.SIMULATIONS]) + simulations
        while not full and (free := batches.free()) is not None:
            most = end - int(self.stats[work.SIMULATIONS]) - batches.leaves if expanded else 1 - batches.leaves
            if most <= 0:
                break
            quota = work.Quota(want, batches.leaves, collisions)
            waiting, full = self._crew.collect(tree, root, state, self._params, free, most, quota)
            if waiting:
                batches.send(evaluator, waiting)
            if not waiting or not expanded:
                break
        if batches.leaves:
            self._absorb_oldest(tree)
        return full

    def _absorb_oldest(self, tree: Tree) -> None:
        try:
            leaves, waiting, answer = self.batches.receive()
        except BaseException:
            for unread, waiting in self.batches.cancel():
                simulate.abandon(tree, unread, waiting, 1)
            raise
        self._absorb(tree, leaves, waiting, answer)

    def _absorb(self, tree: Tree, leaves: work.Work, waiting: int, answer: work.Answer) -> None:
        if self._corrections is not None:
            answer = self._corrections.apply(tree, leaves, waiting, answer)
        self._crew.absorb(tree, self._params, leaves, waiting, answer)
        if self._corrections is not None:
            leaves.cache.keys[:] = 0
        self._record(tree, waiting)

    def _record(self, tree: Tree, leaves: int) -> None:
        self._log.add(tree.counts[RECORDS], leaves, self.stats[work.CACHE_HITS], self.stats[work.COLLISIONS])

    def drain(self, tree: Tree) -> None:
        """Back up every batch in flight."""
        while self.batches.leaves:
            self._absorb_oldest(tree)

    def counters(self, tree: Tree, earlier: int, budget: int, elapsed_s: float) -> Counters:
        """What was counted; ``earlier``: the simulations made before the present root, to which the depths refer."""
        stats = self.stats
        simulations = int(stats[work.SIMULATIONS])
        since_root = simulations - earlier
        return Counters(
            simulations=simulations,
            evaluations=int(stats[work.EVALUATIONS]),
            batches=int(stats[work.BATCHES]),
            cache_hits=int(stats[work.CACHE_HITS]),
            collisions=int(stats[work.COLLISIONS]),
            nodes=int(tree.counts[NODES]),
            bytes_used=bytes_used(tree) + self.cache_bytes,
            bytes_budget=budget,
            depth=int(stats[work.DEPTH_MAX]),
            mean_depth=int(stats[work.DEPTH_SUM]) / since_root if since_root else 0.0,
            elapsed_s=elapsed_s,
        )

    def forget_tree(self) -> None:
        """Let go of the tree of the last simulations, which is no longer in use."""
        self._crew.forget_tree()

    # What is known of earlier simulations: their batches, and states of the random generator, from which their games
    # can be replayed.

    def forget_records(self, records: int) -> None:
        """Drop what was stored of the records, of which there are ``records``: they are renumbered."""
        self._draws = []
        self._log.clear(records, int(self.stats[work.CACHE_HITS]), int(self.stats[work.COLLISIONS]))

    def batches_of(self, tree: Tree) -> BatchRows:
        """The batches at the evaluator so far."""
        stats = self.stats
        records = int(tree.counts[RECORDS])
        return self._log.read(records, int(stats[work.CACHE_HITS]), int(stats[work.COLLISIONS]))

    def draws_before(self, record: int) -> tuple[int, NDArray[np.uint64]] | None:
        """(A record at or before ``record``, the state of the random generator before it); None when unknown."""
        place = bisect_right(self._draws, (record, 1 << 64, 0)) - 1
        if place < 0:
            return None
        first, a, b = self._draws[place]
        return first, np.array([a, b], np.uint64)
