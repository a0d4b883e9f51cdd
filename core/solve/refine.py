"""Exact values from yes-or-no searches: each asks whether a score is above a threshold.  Knows no game.

A score is an integer: positive for a win of the side to move, the larger the sooner; 0 a draw; negative for a loss.
A search with an empty window is far cheaper than one with a wide window, and what it learns stays in its table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

# (threshold) -> a bound of the score: a lower one when it is above the threshold, an upper one otherwise.
Probe = Callable[[int], int]


@dataclass
class Range:
    """What is known of one score: ``low <= score <= high``."""

    low: int
    high: int

    @property
    def sign(self) -> int | None:
        """The value -1, 0 or +1 once it is settled."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == self.high else None

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def ask(self, probe: Probe, threshold: int) -> None:
        """Narrow by one search."""
        bound = probe(threshold)
        if bound > threshold:
            self.low = max(self.low, min(bound, self.high))
        else:
            self.high = min(self.high, max(bound, self.low))


def find_sign(known: Range, probe: Probe) -> None:
    """Settle who wins."""
    if known.sign is None and known.high > 0:
        known.ask(probe, 0)
    if known.sign is None:
        known.ask(probe, -1)


def find_score(known: Range, probe: Probe) -> None:
    """Settle the score, by halving what is left: quick ends first, they are found at the least depth."""
    find_sign(known, probe)
    while not known.is_exact:
        middle = (known.low + known.high) // 2
        threshold = max(middle, known.high // 2) if known.low > 0 else min(middle, -(-known.low // 2) - 1)
        known.ask(probe, min(max(threshold, known.low), known.high - 1))


def refine(items: Sequence[tuple[Range, Probe]]) -> None:
    """Settle first the sign of every score, then the scores; what the searches raise passes through."""
    for known, probe in items:
        find_sign(known, probe)
    for known, probe in items:
        find_score(known, probe)
