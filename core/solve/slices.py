"""Searches that run slice by slice: where one stands, how long a slice is, and what ends it.

Each kernel has a stack of its own and keeps the numbers below in ``control`` of its run; ``Pace`` runs it.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from core.solve.solution import Interim

SOLVER_SLICE_S: Final = 0.02

# Indices into Run.control.
DEPTH: Final = 0
PHASE: Final = 1
VALUE: Final = 2
SEARCHED: Final = 3
NUM_CONTROL: Final = 4

ENTER: Final = 0  # examine the position at DEPTH
ADVANCE: Final = 1  # play its next move
RETURN: Final = 2  # VALUE is the answer for the position at DEPTH


class Cancelled(Exception):
    """The caller cancelled the search; never leaves ``core.solve``."""


class OutOfTime(Exception):
    """The time limit is reached; never leaves ``core.solve``."""


@dataclass
class Monitor:
    """Checked between slices of a search: counts nodes, reports progress, enforces the limits.

    ``should_stop`` is polled and ``progress`` called with the nodes so far, both in the solving thread; ``interim``
    with what is known, by the solvers that find it step by step.
    """

    should_stop: Callable[[], bool] | None = None
    progress: Callable[[int], None] | None = None
    seconds: float | None = None
    nodes: int = 0
    began: float = field(default_factory=time.perf_counter)
    interim: "Callable[[Interim], None] | None" = None

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.began

    def check(self, nodes: int = 0) -> None:
        """Count ``nodes`` more; Cancelled or OutOfTime when the search must end."""
        self.nodes += nodes
        if self.progress is not None:
            self.progress(self.nodes)
        if self.should_stop is not None and self.should_stop():
            raise Cancelled
        if self.seconds is not None and self.elapsed >= self.seconds:
            raise OutOfTime


@dataclass
class Pace:
    """Adapts the nodes per slice of a search, so that the limits are checked about every SOLVER_SLICE_S."""

    nodes: int = 1000

    def run(self, search: Callable[[int], bool], control: NDArray[np.int64], monitor: Monitor) -> int:
        """Begin a search and continue it until it has finished; return its value.

        ``search`` continues it for so many nodes and returns whether it has finished; ``control`` is that of its run.
        Cancelled or OutOfTime when ``monitor`` ends it.
        """
        control[:] = 0
        counted = 0
        while True:
            began = time.perf_counter()
            ended = search(self.nodes)
            self.follow(time.perf_counter() - began, ended)
            nodes = int(control[SEARCHED])
            monitor.check(nodes - counted)
            counted = nodes
            if ended:
                return int(control[VALUE])

    def follow(self, spent: float, ended: bool) -> None:
        """Adapt to a slice that took ``spent`` seconds; the last one (``ended``) may have been short."""
        if spent > SOLVER_SLICE_S:
            self.nodes = max(self.nodes // 2, 100)
        elif not ended:
            self.nodes += self.nodes // 2
