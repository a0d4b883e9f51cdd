"""A search that follows a game, for engines that play under other programs.  Knows no protocol."""

from collections.abc import Callable, Iterable

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import Position
from core.search.settings import Limit
from models.engines.gtp_params import Options


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
