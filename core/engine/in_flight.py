"""Leaves that wait for a value: batches at an evaluator.

A leaf that waits counts as a visit of its path, so that the next descents choose other moves.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from core.engine.evaluator import Evaluator, start
from core.games.encoding import Inputs
from core.search.work import Answer, Work, another_batch


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
        self._elsewhere = evaluator.works_elsewhere
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
