"""The threads that search one tree: the caller's alone, or several with it.

Several work during a call alone: between two calls the tree is at rest and can be shown, moved and saved.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from core._jit import Bound
from core.games import GameSpec, Position
from core.games.dispatch import State
from core.games.encoding import Encoding
from core.games.past_boards import tell_past
from core.search import simulate
from core.search.growth import reclaim
from core.search.locks import ALONE, MOST_A_SLICE, make_locks
from core.search.params import Params
from core.search.tree import Tree
from core.search.work import DEPTH_MAX, FULL, LEFT, MOST_TOGETHER, PLACED, Answer, Quota, Work, make_work
from core.solve.threats_leaf import Scout

LEAST_ROLLOUTS: Final = 32  # of a thread; for fewer it is not worth waking
LEAST_LEAVES: Final = 4  # the same for leaves of a batch
_LEAVES: Final = ("planes", "features", *(name for name in Work._fields if name.startswith("leaf_")))

R = TypeVar("R")


class OneThread:
    """The caller's thread, which has the tree to itself."""

    def __init__(self, game: GameSpec, work: Work) -> None:
        self._work = work
        self._state = game.new_state()
        # Batches, quotas and answers are other objects from call to call, each made in one place.
        self._collect = Bound(simulate.collect, alike=(5, 6))
        self._absorb = Bound(simulate.absorb, alike=(2, 3))

    def tell_past(self, position: Position) -> None:
        """Tell the encoder what came before ``position``, the root from now on."""
        tell_past(self._work.encoder, position)

    def rollouts(self, tree: Tree, root: int, state: State, params: Params, count: int) -> bool:
        """Run at most ``count`` simulations valued by random games; returns whether the tree is full."""
        common = self._work.common
        common.fill(0)
        common[LEFT] = count
        simulate.rollouts(tree, (self._state,), state, root, params, self._work, ALONE)
        return common.item(FULL) != 0

    def collect(
        self, tree: Tree, root: int, state: State, params: Params, batch: Work, simulations: int, quota: Quota
    ) -> tuple[int, bool]:
        """Collect a batch of leaves in at most so many simulations; returns (leaves waiting in ``batch``, whether the
        tree is full)."""
        common = batch.common
        common.fill(0)
        common[LEFT] = simulations
        unused = self._collect(tree, self._state, state, root, params, batch, quota, ALONE)
        return (quota.leaves if unused < 0 else unused), common.item(FULL) != 0

    def absorb(self, tree: Tree, params: Params, batch: Work, waiting: int, answer: Answer) -> None:
        """Expand the ``waiting`` leaves by the ``answer`` and back them up."""
        self._absorb(tree, params, batch, answer, 0, waiting, 1, ALONE)

    def forget_tree(self) -> None:
        """Let go of the tree of the last calls, which is no longer in use."""
        self._collect.forget()
        self._absorb.forget()


class Crew:
    """Two ``threads`` or more; the caller's uses ``first``, whose counters hold those of all after every call."""

    def __init__(
        self, game: GameSpec, first: Work, encoding: Encoding, threads: int, seed: int, scouts: Callable[[], Scout]
    ) -> None:
        self._works = [first]
        for number in np.random.SeedSequence([seed, threads]).generate_state(threads - 1, np.uint64):
            work = make_work(game, encoding, 1, 1, int(number) >> 1, scouts())
            self._works.append(work._replace(collided=np.zeros_like(first.collided), common=first.common))
        self._states = [tuple(game.new_state() for _ in range(MOST_TOGETHER)) for _ in self._works]
        self._of_batch: dict[int, list[Work]] = {}
        self._common = first.common
        self._locks = make_locks(threads)
        self._pool = ThreadPoolExecutor(threads - 1, "tree")
        # A thread calls with the tuples of its own, of which those of batches, quotas and answers change.
        self._collect = [Bound(simulate.collect, alike=(5, 6)) for _ in self._works]
        self._absorb = [Bound(simulate.absorb, alike=(2, 3)) for _ in self._works]

    def tell_past(self, position: Position) -> None:
        """Tell the encoders what came before ``position``, the root from now on."""
        for work in self._works:
            tell_past(work.encoder, position)

    def rollouts(self, tree: Tree, root: int, state: State, params: Params, count: int) -> bool:
        """As of ``OneThread``."""
        self._allow(count)
        threads = list(zip(self._states, self._works, strict=True))[: 1 + count // LEAST_ROLLOUTS]
        self._together(
            [
                partial(simulate.rollouts, tree, scratches, state, root, params, work, self._locks)
                for scratches, work in threads
            ]
        )
        return self._rest(tree)

    def collect(
        self, tree: Tree, root: int, state: State, params: Params, batch: Work, simulations: int, quota: Quota
    ) -> tuple[int, bool]:
        """As of ``OneThread``, each thread one place of the batch after another."""
        self._allow(simulations)
        works = self._works_with(batch, quota.leaves)
        unused = self._together(
            [
                partial(collect, tree, scratches[0], state, root, params, work, quota, self._locks)
                for collect, scratches, work in zip(self._collect, self._states, works, strict=False)
            ]
        )
        waiting = min(int(self._common[PLACED]), quota.leaves)
        for place in sorted((int(place) for place in unused if place >= 0), reverse=True):
            waiting -= 1
            _move(batch, waiting, place)
        return waiting, self._rest(tree)

    def absorb(self, tree: Tree, params: Params, batch: Work, waiting: int, answer: Answer) -> None:
        """As of ``OneThread``, each thread its part."""
        works = self._works_with(batch, waiting)
        self._together(
            [
                partial(absorb, tree, params, work, answer, *part, 1, self._locks)
                for absorb, work, part in zip(self._absorb, works, _parts(waiting, len(works)), strict=False)
            ]
        )
        self._rest(tree)

    def forget_tree(self) -> None:
        """Let go of the tree of the last calls, which is no longer in use."""
        for collect, absorb in zip(self._collect, self._absorb, strict=True):
            collect.forget()
            absorb.forget()

    def _works_with(self, batch: Work, leaves: int) -> list[Work]:
        """The scratch of as many threads as so many leaves are worth, together with the leaves of ``batch``, which
        lives as long as this where several are."""
        busy = min(len(self._works), leaves // LEAST_LEAVES)
        if busy <= 1:
            return [batch]
        if id(batch) not in self._of_batch:
            leaves_of = {name: getattr(batch, name) for name in (*_LEAVES, "cache")}
            self._of_batch[id(batch)] = [batch, *(work._replace(**leaves_of) for work in self._works[1:])]
        return self._of_batch[id(batch)][:busy]

    def _allow(self, simulations: int) -> None:
        self._common.fill(0)
        self._common[LEFT] = min(simulations, MOST_A_SLICE)

    def _together(self, calls: Sequence[Callable[[], R]]) -> list[R]:
        """Make the calls at once, the first in this thread; returns when all have ended."""
        others = [self._pool.submit(call) for call in calls[1:]]
        try:
            first = calls[0]()
        finally:
            wait(others)
        return [first, *(other.result() for other in others)]

    def _rest(self, tree: Tree) -> bool:
        """Tidy up when all threads have ended; returns whether the tree is full."""
        reclaim(tree, self._locks)
        for work in self._works[1:]:
            _add_stats(self._works[0].stats, work.stats)
        return bool(self._common[FULL])


def _add_stats(into: NDArray[np.int64], stats: NDArray[np.int64]) -> None:
    """Add one thread's counters to those of all, and begin with none again."""
    deepest = max(into[DEPTH_MAX], stats[DEPTH_MAX])
    into += stats
    into[DEPTH_MAX] = deepest
    stats[:] = 0


def _parts(leaves: int, parts: int) -> list[tuple[int, int]]:
    """The first and last of the leaves of each part."""
    bounds = [leaves * i // parts for i in range(parts + 1)]
    return list(pairwise(bounds))


def _move(batch: Work, leaf: int, place: int) -> None:
    """Move a leaf to a ``place`` that no leaf has."""
    for name in _LEAVES:
        rows: Any = getattr(batch, name)
        rows[place] = rows[leaf]
