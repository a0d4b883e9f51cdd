"""The count of a game that points decide: as its players make it, and as self-play scores a board.

Letters: H W board.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games.dispatch import State


class Part(NamedTuple):
    """A part of a count."""

    title: str
    points: tuple[float, float]
    """Of each player."""


@dataclass(frozen=True, eq=False)
class Count:
    """A finished game as players count it."""

    owners: NDArray[np.int8]
    """[H, W]: 1 and 2 for a player whose point or living stone it is, 0 for nobody's."""
    dead: frozenset[int]
    """The cells of stones taken off as dead."""
    seki: frozenset[int]
    """The cells of stones in seki, as far as the rules need to know."""
    parts: tuple[Part, ...]

    @property
    def totals(self) -> tuple[float, float]:
        """The points of each player."""
        first, second = (float(sum(part.points[player] for part in self.parts)) for player in (0, 1))
        return first, second

    @property
    def margin(self) -> float:
        """The first player's points less the second's."""
        return self.totals[0] - self.totals[1]


class Points(NamedTuple):
    """How a game is counted that points decide; White's komi is the only compensation."""

    komi: float
    owners: Callable[[NDArray[np.int8]], NDArray[np.int8]]
    """(board int8 [H, W]) -> whose each point is when that board is counted, int8 [H, W]: 0 nobody's, 1, 2."""
    margin: Callable[[State], float]
    """The points of player 0 less those of player 1 if the game were counted as it is."""
    first_info: Callable[[float], NDArray[np.int64]]
    """The ``info`` of the first state under another komi."""
    text: Callable[[int, int, float], str]
    """The game on a board of so many rows and columns under a komi, as ``load_game`` takes it."""
