"""Exact scores from null-window searches, each of which tests whether a score is above a threshold.

A score is an integer: positive for a win of the side to move, larger for a quicker one; 0 for a draw; negative for a
loss.  A null-window search is much cheaper than one with a wide window, and its table is kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

# (threshold) -> a bound of the score: a lower one when it is above the threshold, an upper one otherwise.
Probe = Callable[[int], int]


@dataclass
class Range:
    """Bounds of a score: ``low <= score <= high``."""

    low: int
    high: int

    @property
    def sign(self) -> int | None:
        """The value -1, 0 or +1 if the bounds determine it, else None."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == self.high else None

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def ask(self, probe: Probe, threshold: int) -> None:
        """Narrow the bounds by one search."""
        bound = probe(threshold)
        if bound > threshold:
            self.low = max(self.low, min(bound, self.high))
        else:
            self.high = min(self.high, max(bound, self.low))


def find_sign(bounds: Range, probe: Probe) -> None:
    """Search until the sign of the score is known."""
    if bounds.sign is None and bounds.high > 0:
        bounds.ask(probe, 0)
    if bounds.sign is None:
        bounds.ask(probe, -1)


def find_score(bounds: Range, probe: Probe) -> None:
    """Search until the score is known, by bisection from the quick ends, which need the least depth."""
    find_sign(bounds, probe)
    while not bounds.is_exact:
        middle = (bounds.low + bounds.high) // 2
        threshold = max(middle, bounds.high // 2) if bounds.low > 0 else min(middle, -(-bounds.low // 2) - 1)
        bounds.ask(probe, min(max(threshold, bounds.low), bounds.high - 1))


def refine(items: Sequence[tuple[Range, Probe]], changed: Callable[[], None]) -> None:
    """Find first the sign of every score, then the scores; exceptions of the searches are passed on.

    ``changed`` is called before the first and after each of them.
    """
    changed()
    for find in (find_sign, find_score):
        for bounds, probe in items:
            find(bounds, probe)
            changed()
