"""The engine behind a GTP dialogue: its board, clock, evaluator and search."""

import time
from collections.abc import Callable, Iterator
from typing import Final

from core.engine.evaluator import Evaluator
from core.engine.ownership import Ownership, OwnershipReader, dead_stones, most_visited
from core.engine.search import Search
from core.games import GameSpec
from core.games.spec import PASS
from core.glass.snapshot import FULL, OVER, PROVED, Snapshot
from core.search.settings import Limit
from models.engines.gtp_board import GtpBoard, Refused
from models.engines.gtp_client import RESIGN, vertex
from models.engines.gtp_words import AnalysisRequest, info_line
from models.engines.our_engine import Clock, Options, Thinker

LONGEST_S: Final = 24 * 3600.0  # of an analysis
SLICE_S: Final = 0.02  # of a search, between two looks for the next command

_TRUSTED: Final = 50  # visits of a root, from which its value may make the engine resign
_ENDED: Final = (FULL, OVER, PROVED)  # reasons for which a search does not go on


class GtpEngine:
    """A board, and what searches its position.

    ``load`` gives the evaluator for a game, None for random games; it raises ValueError when a board cannot be had.
    """

    def __init__(self, game: GameSpec, load: Callable[[GameSpec], Evaluator | None], options: Options) -> None:
        self._load = load
        self.board, self.clock = GtpBoard(game), Clock()
        self._thinker = Thinker(load(game), options)
        self._lost = [0, 0]  # consecutive moves of each colour at which its game looked lost
        self._owners: OwnershipReader | None = None

    @property
    def evaluator(self) -> Evaluator | None:
        return self._thinker.evaluator

    @property
    def options(self) -> Options:
        return self._thinker.options

    def take(self, game: GameSpec) -> None:
        """Begin with a game of another size."""
        try:
            evaluator = self._load(game)
        except ValueError as error:
            raise Refused(f"unacceptable size: {error}") from None
        self._thinker = Thinker(evaluator, self.options)
        self.board.begin(game.initial())

    def change(self, **params: object) -> None:
        """Set parameters of the game; the moves played stay."""
        game = self.board.changed(**params)
        if game != self.board.game:
            evaluator = self._load(game)
            self.board.retake(game)
            self._thinker = Thinker(evaluator, self.options)

    def choose(self, options: Options) -> None:
        """Play by other options from now on."""
        self._thinker.choose(options)

    def clear(self) -> None:
        """Begin at the game's first position."""
        self.board.begin(self.board.game.initial())
        self.clock.remaining, self._lost = {}, [0, 0]

    def forget(self) -> None:
        """Drop the tree."""
        self._thinker.forget()

    # Moves.

    def genmove(self, colour: int, *, play: bool = True, cleanup: bool = False) -> str:
        """The vertex of the best move after a search, played on the board if ``play``; or resign.

        ``cleanup``: no pass while there are dead stones.
        """
        position = self.board.turn(colour)
        if position.is_over:
            return PASS
        only: list[int] = []
        if cleanup and dead_stones(self.board.position, self.evaluator):
            only = [action for action in position.legal_actions() if self.board.game.action_name(action) != PASS]
        search = self._thinker.at(position, only)
        self._thinker.think(search, self._limit(colour))
        return self.chosen(search.snapshot(), colour, play)

    def chosen(self, snapshot: Snapshot, colour: int, play: bool = True) -> str:
        """The move that a search found, played on the board if ``play``; or resign."""
        rule = self.options.resign
        lost = snapshot.root.visits >= _TRUSTED and rule.is_lost(snapshot.value, snapshot.root.lead)
        self._lost[colour] = self._lost[colour] + 1 if lost else 0
        if lost and self._lost[colour] >= rule.turns:
            return RESIGN
        if play:
            self.board.play(colour, snapshot.best)
        return vertex(self.board.game, snapshot.best)

    def _limit(self, colour: int) -> Limit:
        moves_left = (len(self.board.position.cells().ravel()) - self.board.position.ply) // 3
        seconds = self.clock.seconds(colour, moves_left)
        limit = self.options.limit
        if seconds is None:
            return limit
        return Limit(limit.simulations, min(seconds, limit.seconds or seconds))

    # Analysis.

    def begin(self, request: AnalysisRequest) -> Search:
        """The search that an analysis asks for; Refused where there is nothing to search."""
        position = self.board.turn(request.colour)
        if position.is_over:
            raise Refused("the game is over")
        legal = position.legal_actions()
        only = [action for action in request.only if action in legal]
        if request.without:
            only = [action for action in only or legal if action not in request.without]
            if not only:
                raise Refused("no move is left to search")
        return self._thinker.at(position, only)

    def analysis(self, search: Search, request: AnalysisRequest, should_stop: Callable[[], bool]) -> Iterator[str]:
        """Search until ``should_stop``; a line of figures at every interval."""
        until = time.monotonic() + LONGEST_S
        due = time.monotonic()
        while not should_stop() and time.monotonic() < until:
            ended = search.run(Limit(seconds=SLICE_S), should_stop) in _ENDED
            if time.monotonic() >= due:
                yield self._figures(search, request)
                due = time.monotonic() + request.interval_s
            while ended and not should_stop() and time.monotonic() < due:
                time.sleep(SLICE_S)

    def limited(self, search: Search, request: AnalysisRequest) -> Iterator[str]:
        """Search to the limit of a move; a line of figures at every interval and at the end."""
        limit = self._limit(request.colour)
        began = due = time.monotonic()
        going = True
        while going:
            seconds = SLICE_S if limit.seconds is None else limit.seconds - (time.monotonic() - began)
            reason = search.run(Limit(limit.simulations, max(0.0, min(SLICE_S, seconds))))
            reached = limit.simulations is not None and search.simulations >= limit.simulations
            going = (reason not in _ENDED and not reached and seconds > 0) or search.best_action() < 0
            if not going or time.monotonic() >= due:
                yield self._figures(search, request)
                due = time.monotonic() + request.interval_s

    def _figures(self, search: Search, request: AnalysisRequest) -> str:
        ownership = self._ownership(search, request) if search.simulations > 1 else None
        return info_line(search.snapshot(), request, ownership)

    def _ownership(self, search: Search, request: AnalysisRequest) -> Ownership | None:
        """The mean ownership of the search, where it is asked for and the net gives it."""
        if not request.ownership or self.evaluator is None or not self.evaluator.gives_ownership:
            return None
        if self._owners is None or self._owners.evaluator is not self.evaluator:
            self._owners = OwnershipReader(self.evaluator)
        return self._owners.mean(search.position, most_visited(search))
