"""Threads that search one tree together, the caller's among them.

They work during a call alone: between two calls the tree is at rest and can be shown, moved and saved.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import pairwise
from typing import Any, Final, TypeVar

import numpy as np

from core._jit import Bound
from core.games import GameSpec, Position
from core.games.dispatch import State
from core.games.encoding import Encoding
from core.games.past_boards import tell_past
from core.search import shared
from core.search.settings import Params
from core.search.tree import Tree
from core.search.work import BATCHES, Answer, Quota, Work, make_work
from core.solve.threats import make_scout

LEAST_ROLLOUTS: Final = 32  # of a thread; for fewer it is not worth waking
LEAST_LEAVES: Final = 4  # the same for leaves of a batch
_LEAVES: Final = ("planes", "features", *(name for name in Work._fields if name.startswith("leaf_")))

R = TypeVar("R")


class Crew:
    """``threads`` threads; the caller's uses ``first``, whose counters hold those of all after every call."""

    def __init__(
        self, game: GameSpec, first: Work, encoding: Encoding, threads: int, seed: int, wants_threats: bool
    ) -> None:
        seeds = np.random.SeedSequence([seed, threads]).generate_state(threads - 1, np.uint64)
        self._own = [first]
        for number in seeds:
            scout = make_scout(game, wants_threats)
            work = make_work(game, encoding, 1, 1, int(number) >> 1, scout)
            self._own.append(work._replace(collided=np.zeros_like(first.collided)))
        self._states = [game.new_state() for _ in self._own]
        self._members = [shared.Member(*pair) for pair in zip(self._states, self._own, strict=True)]
        self._of_batch: dict[int, list[shared.Member]] = {}
        self._shared = shared.make_shared(threads)
        self._pool = ThreadPoolExecutor(threads - 1, "tree")
        # A thread calls with the tuples of its own, of which those of batches, quotas and answers change.
        self._collect = [Bound(shared.collect, alike=(1, 6)) for _ in self._own]
        self._absorb = [Bound(shared.absorb, alike=(2, 3)) for _ in self._own]

    def tell_past(self, position: Position) -> None:
        """Tell the other threads' encoders what came before ``position``, the root from now on."""
        for work in self._own[1:]:
            tell_past(work.encoder, position)

    def rollouts(self, tree: Tree, root: int, state: State, params: Params, count: int) -> bool:
        """Run at most ``count`` simulations valued by random games; returns whether the tree is full."""
        self._allow(count)
        busy = self._members[: 1 + count // LEAST_ROLLOUTS]
        self._together([partial(shared.rollouts, tree, m, state, root, params, self._shared) for m in busy])
        return self._rest(tree)

    def collect(
        self, tree: Tree, root: int, state: State, params: Params, batch: Work, quota: Quota
    ) -> tuple[int, bool]:
        """Collect a batch of leaves; returns (leaves waiting in ``batch``, whether the tree is full)."""
        self._allow(quota.simulations)
        cells = self._shared.cells
        cells[shared.PLACED] = cells[shared.COLLIDED] = 0
        members = self._members_with(batch)[: max(1, quota.leaves // LEAST_LEAVES)]
        unused = self._together(
            [
                partial(collect, tree, member, state, root, params, self._shared, quota)
                for collect, member in zip(self._collect, members, strict=False)
            ]
        )
        waiting = int(min(cells[shared.PLACED], quota.leaves))
        for place in sorted((int(place) for place in unused if place >= 0), reverse=True):
            waiting -= 1
            _move(batch, waiting, place)
        return waiting, self._rest(tree)

    def absorb(self, tree: Tree, params: Params, batch: Work, waiting: int, answer: Answer) -> None:
        """Expand the ``waiting`` leaves by the ``answer`` and back them up, each thread its part."""
        members = self._members_with(batch)[: max(1, waiting // LEAST_LEAVES)]
        self._together(
            [
                partial(absorb, tree, params, member.work, answer, *pair, self._shared)
                for absorb, member, pair in zip(self._absorb, members, _bounds(waiting, len(members)), strict=False)
            ]
        )
        self._rest(tree)
        self._own[0].stats[BATCHES] += 1

    def forget_tree(self) -> None:
        """Let go of the tree of the last calls, which is no longer in use."""
        for collect, absorb in zip(self._collect, self._absorb, strict=True):
            collect.forget()
            absorb.forget()

    def _members_with(self, batch: Work) -> list[shared.Member]:
        """The threads' own scratch together with the leaves of ``batch``, which lives as long as this."""
        if id(batch) not in self._of_batch:
            leaves = {name: getattr(batch, name) for name in (*_LEAVES, "cache")}
            works = [own._replace(**leaves) for own in self._own]
            self._of_batch[id(batch)] = [shared.Member(*pair) for pair in zip(self._states, works, strict=True)]
        return self._of_batch[id(batch)]

    def _allow(self, simulations: int) -> None:
        cells = self._shared.cells
        cells[shared.LEFT] = min(simulations, shared.MOST_A_SLICE)
        cells[shared.FULL] = 0

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
        shared.reclaim(tree, self._shared)
        for work in self._own[1:]:
            shared.add_stats(self._own[0].stats, work.stats)
        return bool(self._shared.cells[shared.FULL])


def _bounds(leaves: int, parts: int) -> list[tuple[int, int]]:
    """The first and last of the leaves of each part."""
    bounds = [leaves * i // parts for i in range(parts + 1)]
    return list(pairwise(bounds))


def _move(batch: Work, leaf: int, place: int) -> None:
    """Move a leaf to a ``place`` that no leaf has."""
    for name in _LEAVES:
        rows: Any = getattr(batch, name)
        rows[place] = rows[leaf]
