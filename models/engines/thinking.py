"""A search that follows a game, for engines that play under other programs."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import Position
from core.glass.snapshot import FULL, OVER, PROVED
from core.search.settings import Limit
from models.engines.gtp_params import Options

SLICE_S: Final = 0.05
ENDED: Final = (FULL, OVER, PROVED)
"""Why a search cannot go on."""


def in_slices(search: Search, limit: Limit, should_stop: Callable[[], bool]) -> Iterator[None]:
    """Run ``search`` to ``limit`` in slices of a short time; yield between two of them."""
    began = time.monotonic()
    while not should_stop():
        left = math.inf if limit.seconds is None else limit.seconds - (time.monotonic() - began)
        reason = search.run(Limit(limit.simulations, max(0.0, min(SLICE_S, left))), should_stop)
        reached = limit.simulations is not None and search.simulations >= limit.simulations
        if reason in ENDED or reached or left <= SLICE_S:
            return
        yield


class Thinker:
    """Keeps the tree from one position to the next where that leads on from it."""

    def __init__(self, evaluator: Evaluator | None, options: Options) -> None:
        self.evaluator, self.options = evaluator, options
        self._search: Search | None = None

    def forget(self) -> None:
        """Drop the tree."""
        self._search = None

    def choose(self, options: Options) -> None:
        """Search by other options from now on."""
        if options.settings != self.options.settings:
            self._search = None
        self.options = options

    def at(self, position: Position, only: Iterable[int] = ()) -> Search:
        """The search, at ``position``, among the moves ``only`` if there are any."""
        only = list(only)
        if self._search is None or not self._search.is_at(position, only):
            options = self.options
            self._search = Search(position, self.evaluator, options.settings, options.seed, only)
        self._search.go_to(position)
        return self._search

    def think(self, search: Search, limit: Limit, should_stop: Callable[[], bool] = lambda: False) -> int:
        """Run ``search`` to ``limit``; its best move, for which it is run on if need be."""
        search.run(limit, should_stop)
        if search.best_action() < 0:
            search.run(Limit(simulations=2))
        return search.best_action()
