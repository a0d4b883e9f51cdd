"""Leaves that wait for a value: batches at an evaluator, random games on several threads.  Knows no limit.

A leaf that waits has a virtual loss, so that the next descents choose other moves.
"""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from core.engine.evaluator import Evaluator, ask
from core.games import GameSpec
from core.games.encoding import Inputs
from core.rng import make_rng
from core.search import simulate
from core.search.settings import Params
from core.search.tree import Tree
from core.search.work import Answer, Work, another_batch, make_playout_scratch


class Batches:
    """At most ``depth`` batches of leaves at an evaluator, answered in the order they were sent.

    With ``depth`` 1 the caller's thread evaluates; with more a thread of its own does, while the caller collects.
    """

    def __init__(self, first: Work, depth: int, num_actions: int) -> None:
        self._num_actions = num_actions
        self._free = [first, *(another_batch(first) for _ in range(depth - 1))]
        self._sent: deque[tuple[Work, int, Future[Answer]]] = deque()
        self._pool = ThreadPoolExecutor(1, "evaluator") if depth > 1 else None
        self.leaves = 0  # that wait for an answer

    def free(self) -> Work | None:
        """The arrays for one more batch, or None."""
        return self._free[-1] if self._free else None

    def send(self, evaluator: Evaluator, leaves: int) -> None:
        """Start to evaluate the first ``leaves`` of the batch that ``free`` returned."""
        work = self._free.pop()
        answer: Future[Answer]
        if self._pool is None:
            answer = Future()
            try:
                answer.set_result(self._evaluate(evaluator, work, leaves))
            except BaseException as error:
                answer.set_exception(error)
        else:
            answer = self._pool.submit(self._evaluate, evaluator, work, leaves)
        self._sent.append((work, leaves, answer))
        self.leaves += leaves

    def _evaluate(self, evaluator: Evaluator, work: Work, leaves: int) -> Answer:
        return ask(evaluator, Inputs(work.planes[:leaves], work.features[:leaves]), self._num_actions)

    def receive(self) -> tuple[Work, int, Answer]:
        """Wait for the oldest batch: (its leaves, their number, the answer).  Raises what the evaluator raised;
        ``cancel`` then still returns the batch."""
        work, leaves, future = self._sent[0]
        answer = future.result()
        self._sent.popleft()
        self._free.append(work)
        self.leaves -= leaves
        return work, leaves, answer

    def cancel(self) -> list[tuple[Work, int]]:
        """Wait for every batch sent and drop its answer; returns (its leaves, their number) of each."""
        dropped = []
        while self._sent:
            work, leaves, future = self._sent.popleft()
            future.exception()
            self._free.append(work)
            dropped.append((work, leaves))
        self.leaves = 0
        return dropped


class Playouts:
    """Random games from many leaves at once, shared among ``threads``; the same seed gives the same games."""

    def __init__(self, game: GameSpec, threads: int, seed: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads - 1, "playouts")
        seeds = np.random.SeedSequence([seed, threads]).generate_state(threads, np.uint64)
        self._scratch = [make_playout_scratch(game, make_rng(int(s) >> 1)) for s in seeds]

    def value(self, tree: Tree, root_state: object, params: Params, work: Work, leaves: int) -> None:
        """Play one game from each of the first ``leaves`` of ``work``; writes the results into its ``leaf_result``."""
        bounds = np.linspace(0, leaves, self.threads + 1).astype(int).tolist()

        def share(t: int) -> None:
            simulate.playouts(tree, root_state, params, work, bounds[t], bounds[t + 1], self._scratch[t])

        others = [self._pool.submit(share, t) for t in range(1, self.threads)]
        share(0)
        for other in others:
            other.result()
