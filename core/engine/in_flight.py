"""Leaves that wait for a value: batches at an evaluator, random games on several threads.  Knows no limit.

A leaf that waits counts as a visit of its path, so that the next descents choose other moves.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Final

import numpy as np

from core.engine.evaluator import Evaluator, start, works_elsewhere
from core.games import GameSpec
from core.games.encoding import Inputs
from core.rng import make_rng
from core.search import simulate
from core.search.settings import Params
from core.search.tree import Tree
from core.search.work import Answer, Work, another_batch, make_playout_scratch

PARTS_A_THREAD: Final = 2  # of a batch of random games


class Batches:
    """At most ``depth`` batches of leaves at an evaluator, answered in the order they were sent.

    With ``depth`` 1 the caller's thread evaluates; with more a thread of its own does, while the caller collects.  For
    an evaluator that works elsewhere neither does.
    """

    def __init__(self, first: Work, depth: int, num_actions: int) -> None:
        self._num_actions = num_actions
        self._free = [first, *(another_batch(first) for _ in range(depth - 1))]
        self._elsewhere = False
        self._sent: deque[tuple[Work, int, Callable[[], Answer]]] = deque()
        self._pool = ThreadPoolExecutor(1, "evaluator") if depth > 1 else None
        self.leaves = 0  # that wait for an answer

    def free(self) -> Work | None:
        """The arrays for one more batch, or None."""
        return self._free[-1] if self._free else None

    def send(self, evaluator: Evaluator, leaves: int) -> None:
        """Have the first ``leaves`` of the batch that ``free`` returned evaluated; without a thread, by ``receive``."""
        work = self._free.pop()
        inputs = Inputs(work.planes[:leaves], work.features[:leaves])
        answer = start(evaluator, inputs, self._num_actions)
        self._elsewhere = works_elsewhere(evaluator)
        if self._pool is not None and not self._elsewhere:
            answer = self._pool.submit(answer).result
        self._sent.append((work, leaves, answer))
        self.leaves += leaves

    def receive(self) -> tuple[Work, int, Answer]:
        """Wait for the oldest batch: (its leaves, their number, the answer).  Raises what the evaluator raised;
        ``cancel`` then still returns the batch."""
        work, leaves, answer = self._sent[0]
        answered = answer()
        self._sent.popleft()
        self._free.append(work)
        self.leaves -= leaves
        return work, leaves, answered

    def cancel(self) -> list[tuple[Work, int]]:
        """Wait for the evaluator and drop every answer; returns (its leaves, their number) of each batch sent.

        Batches of an evaluator that works elsewhere are asked for their answers, as it holds room for them until then.
        """
        if self._pool is not None:
            self._pool.submit(int).result()  # the one thread works in order
        if self._elsewhere:
            for _, _, answer in self._sent:
                with suppress(Exception):  # the first error has been raised
                    answer()
        dropped = [(work, leaves) for work, leaves, _ in self._sent]
        self._free += (work for work, _ in dropped)
        self._sent.clear()
        self.leaves = 0
        return dropped


class Playouts:
    """Random games from the leaves of up to two batches, shared among ``threads``.

    The other threads begin with a batch when it is sent, while the caller collects the next; the caller then plays what
    is left of it.  A batch is divided into parts with random numbers of their own: the same seed gives the same games,
    whoever plays them.
    """

    def __init__(self, game: GameSpec, first: Work, threads: int, seed: int) -> None:
        self._pool = ThreadPoolExecutor(threads - 1, "playouts")
        self._free = [first, another_batch(first)]
        self._sent: deque[tuple[Work, int, list[tuple[Callable[[], None], Future[None]]]]] = deque()
        parts = PARTS_A_THREAD * threads
        seeds = np.random.SeedSequence([seed, threads]).generate_state(2 * parts, np.uint64)
        scratch = [make_playout_scratch(game, make_rng(int(s) >> 1)) for s in seeds]
        self._scratch = deque([scratch[:parts], scratch[parts:]])  # of every other batch
        self.leaves = 0  # that wait for their games

    def free(self) -> Work | None:
        """The arrays for one more batch, or None."""
        return self._free[-1] if self._free else None

    def send(self, tree: Tree, root_state: object, params: Params, leaves: int) -> None:
        """Have a game played from each of the first ``leaves`` of the batch that ``free`` returned.

        Meanwhile nodes may be added to ``tree``, which must not be renumbered."""
        work, scratch = self._free.pop(), self._scratch[0]
        self._scratch.rotate()
        bounds = np.linspace(0, leaves, len(scratch) + 1).astype(int).tolist()
        plays = [
            partial(simulate.playouts, tree, root_state, params, work, first, last, own)
            for own, first, last in zip(scratch, bounds, bounds[1:], strict=False)
            if first < last
        ]
        self._sent.append((work, leaves, [(play, self._pool.submit(play)) for play in plays]))
        self.leaves += leaves

    def receive(self) -> tuple[Work, int]:
        """Play what was not begun of the oldest batch, wait for the rest: (its leaves with their ``leaf_result``, their
        number)."""
        work, leaves, parts = self._sent.popleft()
        for play, begun in reversed(parts):
            if begun.cancel():
                play()
        for _, begun in parts:
            if not begun.cancelled():
                begun.result()
        self._free.append(work)
        self.leaves -= leaves
        return work, leaves
