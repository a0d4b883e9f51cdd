"""A match between two nets in a thread beside the window, in rounds of a few games."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gui.jobs.job import Job
from gui.jobs.newest import Report, Stale

if TYPE_CHECKING:
    from core.games import GameSpec


class NetMatch(Job):
    """One match at a time; ``score`` has the wins, draws and losses of the first net in the rounds finished so far."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.score = (0, 0, 0)
        self._matches = 0  # begun so far; each has other openings

    def start(self, game: GameSpec, nets: tuple[Path, Path], games: int, simulations: int) -> None:
        """Play ``games`` games, an even number, with so many simulations a move."""
        self.score = (0, 0, 0)
        self._matches += 1
        self.run(partial(_play, game, nets, games, simulations, self._matches))

    def take(self, score: tuple[int, int, int]) -> None:
        self.score = score
        self.changed.emit()


def _play(
    game: GameSpec, nets: tuple[Path, Path], games: int, simulations: int, seed: int, stale: Stale, report: Report
) -> None:
    """Play the match in the thread."""
    import numpy as np

    from models.netfiles.evaluator import OnnxEvaluator
    from models.play.openings import new_opening, opening_plies
    from models.strength.match import ROUND, NetSide, play_in_rounds

    rng = np.random.default_rng(seed)
    plies, used = opening_plies(game), set[tuple[int, ...]]()
    openings = (new_opening(game, plies, rng, used) for _ in range(games // 2))
    a, b = (NetSide(game, OnnxEvaluator(net, game, threads=1), 2 * ROUND, simulations) for net in nets)
    for score in play_in_rounds(a, b, openings, stale):
        report(score)
