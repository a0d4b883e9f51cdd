"""The board of a GTP dialogue: its game, size, komi and rules, the moves played, handicap and score.

GTP lets a colour move twice in a row and stones be set at any time; here a pass comes between, or the stones begin a
new game.  At the end a line on standard error says what took stones for dead, as the answers have no place for it.
"""

import contextlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from core.checks import short
from core.engine.evaluator import Evaluator
from core.engine.ownership import dead_stones
from core.games import GameSpec, IllegalMove, Position, load_game
from core.games.counting import Count
from core.games.spec import PASS
from models.engines.gtp_client import vertex

MOST_HANDICAP: Final = 9
MOST_PLIES: Final = 4  # of passes to the end of a game


class Refused(ValueError):
    """A command cannot be carried out; the message is what GTP writes after the question mark."""


class GtpBoard:
    """A game and its positions from the first on."""

    def __init__(self, game: GameSpec) -> None:
        self._positions = [game.initial()]

    @property
    def game(self) -> GameSpec:
        return self.position.game

    @property
    def position(self) -> Position:
        return self._positions[-1]

    def begin(self, position: Position) -> None:
        """Begin at ``position``; what was before is forgotten."""
        self._positions = [position]

    def changed(self, **params: Any) -> GameSpec:
        """The game with other parameters; Refused when there is none such."""
        game = self.game
        present: Mapping[str, Any] = game.params
        if "rows" in params and "rows" not in present:  # a square board
            if params["rows"] != params.pop("cols"):
                raise Refused("unacceptable size")
            params["size"] = params.pop("rows")
        if not params.keys() <= present.keys():
            raise Refused(f"{game.name} has no such parameter")
        return with_params(game, **params)

    def retake(self, game: GameSpec) -> None:
        """Play the moves again under the parameters of ``game``, of the same size; Refused when one is not legal."""
        first, moves = self.position.start, self.position.moves
        start = game.initial()
        if first != first.game.initial():
            start = Position(game, game.board.from_cells(first.cells(), first.to_move, first.last_action))
        positions = [start]
        try:
            for action in moves:
                positions.append(positions[-1].play(action))
        except IllegalMove as error:
            raise Refused(str(error)) from None
        self._positions = positions

    def parse(self, word: str) -> int:
        """The action of a vertex; Refused when it is none."""
        try:
            return self.game.parse_action(word)
        except ValueError:
            raise Refused(f"invalid coordinate {short(word)}") from None

    def turn(self, colour: int) -> Position:
        """The position with ``colour`` to move, after a pass if need be, which is not played here.

        Refused when the game has no pass."""
        position = self.position
        if position.to_move == colour or position.is_over:
            return position
        if PASS not in self.game.action_names or len(self._positions) == 1:
            return self._turned(colour)
        try:
            return position.play(self.game.action_names.index(PASS))
        except IllegalMove:
            return self._turned(colour)

    def seen_by(self, colour: int) -> Position:
        """The position with ``colour`` to move; without history where it is the other side's turn."""
        position = self.position
        if position.to_move == colour:
            return position
        return Position(self.game, self.game.board.from_cells(position.cells(), colour, -1))

    def _turned(self, colour: int) -> Position:
        """The first position with the other side to move."""
        if len(self._positions) > 1:
            raise Refused("it is the other side's turn")
        return self.seen_by(colour)

    def play(self, colour: int, action: int) -> None:
        """Play a move; Refused when it is illegal.  After a game that ended by passes, play goes on."""
        position = self.turn(colour)
        if position.is_over and position.last_action >= 0 and self.game.action_names[position.last_action] == PASS:
            position = Position(self.game, self.game.board.from_cells(position.cells(), colour, -1))
        try:
            after = position.play(action)
        except IllegalMove as error:
            raise Refused(f"illegal move: {error.reason}") from None
        if len(self._positions) == 1 and position.start == position:
            self._positions = [position]
        self._positions.append(after)

    def undo(self) -> None:
        """Take the last move back; Refused at the first position."""
        if len(self._positions) == 1:
            raise Refused("cannot undo")
        self._positions.pop()

    def go_to(self, position: Position) -> None:
        """Take over the end of a game; going back by ``undo`` passes through its positions."""
        positions = [position.start]
        for action in position.moves:
            positions.append(positions[-1].play(action))
        self._positions = positions

    def set_stones(self, stones: Iterable[tuple[int, int]], to_move: int) -> None:
        """Begin with (colour, cell) of each of the ``stones``; Refused when the game allows no such position."""
        cells = np.zeros(self.game.shape, np.int8)
        for colour, cell in stones:
            if not 0 <= cell < cells.size:
                raise Refused(f"invalid coordinate {PASS}")
            if cells.flat[cell]:
                raise Refused("a point is named twice")
            cells.flat[cell] = 1 + colour
        try:
            self.begin(Position(self.game, self.game.board.from_cells(cells, to_move, -1)))
        except ValueError as error:
            raise Refused(f"{error}") from None

    def fixed_handicap(self, count: int) -> tuple[int, ...]:
        """The cells of ``count`` handicap stones at their usual places; Refused for a number that has none."""
        usual = self.game.sgf.handicap if self.game.sgf is not None else None
        cells = usual(count) if usual is not None else ()
        if not cells:
            raise Refused("invalid number of stones")
        return cells

    def free_handicap(self, count: int) -> tuple[int, ...]:
        """The cells of ``count`` handicap stones, or of fewer where so many have no usual places."""
        for fewer in range(min(count, MOST_HANDICAP), 1, -1):
            with contextlib.suppress(Refused):
                return self.fixed_handicap(fewer)
        return self.fixed_handicap(count)

    def count(self, dead: Iterable[int] = ()) -> Count:
        """The count as if both passed now, with the stones on the cells ``dead`` taken off.

        Refused when the game has no points to count."""
        position = self.position
        if self.game.counting is None:
            raise Refused(f"cannot score {self.game.name}")
        for _ in range(MOST_PLIES):
            if position.is_over:
                break
            position = position.play(self.game.action_names.index(PASS))
        return self.game.counting.counted(position, frozenset(dead))


def with_params(game: GameSpec, **params: Any) -> GameSpec:
    """The game with other values of some of its parameters; Refused when there is none such."""
    words = ", ".join(f"{name}={_word(value)}" for name, value in {**game.params, **params}.items())
    try:
        return load_game(f"{game.name}({words})")
    except ValueError as error:
        raise Refused(f"{error}") from None


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def final_score(board: GtpBoard, evaluator: Evaluator | None) -> str:
    """The score as if both passed now: ``B+3.5``, ``W+0.5`` or ``0``."""
    margin = board.count(_taken_off(board, evaluator)).margin
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def status_list(board: GtpBoard, evaluator: Evaluator | None, status: str) -> str:
    """The stones of a status, one a line."""
    if status not in ("alive", "dead", "seki"):
        raise Refused("the status is alive, dead or seki")
    count = board.count(_taken_off(board, evaluator))
    stones = frozenset(board.position.cells().ravel().nonzero()[0].tolist())
    marked = {"dead": count.dead, "seki": count.seki, "alive": stones - count.dead - count.seki}
    return "\n".join(vertex(board.game, cell) for cell in sorted(marked[status]))


def _taken_off(board: GtpBoard, evaluator: Evaluator | None) -> frozenset[int]:
    """The stones that are taken off before counting."""
    counting = board.game.counting
    if counting is None:
        raise Refused(f"cannot score {board.game.name}")
    if not counting.marks:
        print("no stone is taken for dead: these rules count all that are on the board", file=sys.stderr)
        return frozenset()
    dead = dead_stones(board.position, evaluator)
    names = " ".join(vertex(board.game, cell) for cell in sorted(dead))
    how = "the net's ownership" if evaluator is not None and evaluator.gives_ownership else "random games"
    print(f"dead stones by {how}: {names or 'none'}", file=sys.stderr)
    return dead
