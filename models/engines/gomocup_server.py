"""Plays under a Gomocup manager such as Piskvork: what ``plyscope gomocup`` answers.

Protocol: see :mod:`models.engines.gomocup_client`.  The rule may change until the first move.
"""

import contextlib
import time
from collections.abc import Callable
from typing import Final, TextIO

import numpy as np

from core.checks import short
from core.engine.evaluator import Evaluator
from core.files.reading import in_short
from core.games import GameSpec, IllegalMove, Position
from core.games.catalog import GAMES
from core.search.settings import Limit
from models.engines.gomocup_client import point, read_point, rule_number
from models.engines.gtp_board import Refused, with_params
from models.engines.our_engine import Dialogue, Options, Thinker
from models.engines.process import EngineError

SLACK_S: Final = 0.08  # of a turn's time: for the way to the manager, on a busy machine
SHARE: Final = 0.9  # of a turn's time that is used
LEAST_S: Final = 0.01
TURNS_LEFT: Final = 15  # of a side that the time of the game must suffice for, at least
LONGEST_MS: Final = 10**10
_END: Final = "END"


class GomocupServer:
    """Reads commands and writes answers until END or the end of the input.

    ``load`` gives the evaluator for a game, None for random games; it raises ValueError when a board cannot be had.
    """

    def __init__(
        self, game: GameSpec, load: Callable[[GameSpec], Evaluator | None], options: Options, output: TextIO
    ) -> None:
        """``game``: of five in a row, whose size and rule the manager may change; EngineError for others."""
        rule_number(game)
        self._game, self._load, self._options = game, load, options
        self._dialogue = Dialogue(output, lambda line: line.upper() == _END)
        self._thinker: Thinker | None = None  # made anew for each game
        self._position: Position | None = None
        self._turn_ms: int | None = None
        self._left_ms: int | None = None
        self._commands: dict[str, Callable[[str], str]] = {
            "START": self._start,
            "RECTSTART": self._rectangle,
            "RESTART": lambda _: self._begin(self._game),
            "BEGIN": lambda _: self._move(self._needed()),
            "TURN": self._turn,
            "PLAY": self._play,
            "TAKEBACK": self._take_back,
            "BOARD": lambda _: self._board(),
            "INFO": self._info,
            "ABOUT": lambda _: f'name="Plyscope", version="{options.version}", author="Plyscope"',
        }

    def run(self, source: TextIO) -> None:
        """Carry out the commands of ``source``."""
        with contextlib.suppress(OSError):  # of the output: the manager is gone
            for line in self._dialogue.lines(source):
                word, _, rest = line.partition(" ")
                if word.upper() == _END:
                    return
                if line:
                    self._carry_out(word.upper(), rest.strip())

    def _carry_out(self, word: str, rest: str) -> None:
        carry = self._commands.get(word)
        try:
            answer = f"UNKNOWN {short(word)}" if carry is None else carry(rest)
        except ValueError as error:
            answer = f"ERROR {in_short(str(error))}"
        if answer:
            self._dialogue.write(f"{answer}\n")

    # The game.

    def _start(self, rest: str) -> str:
        if not rest.isascii() or not rest.isdigit() or len(rest) > 3:
            raise Refused(f"{short(rest)} is no size of a board")
        return self._begin(with_params(self._game, size=int(rest)))

    def _rectangle(self, rest: str) -> str:
        width, _, height = rest.partition(",")
        if width.strip() != height.strip():
            raise Refused("only square boards are played")
        return self._start(width.strip())

    def _begin(self, game: GameSpec) -> str:
        if self._thinker is None or game != self._game:
            evaluator = self._load(game)
            self._game, self._thinker = game, Thinker(evaluator, self._options)
        self._thinker.forget()
        self._position = game.initial()
        return "OK"

    def _info(self, rest: str) -> str:
        key, _, value = rest.partition(" ")
        key, value = key.lower(), value.strip()
        if not value.lstrip("-").isdigit() or not value.isascii() or len(value) > 19:
            return ""  # a folder, a point, or a word of an extension
        number = max(0, min(int(value), LONGEST_MS))
        if key == "timeout_turn":
            self._turn_ms = number
        elif key == "time_left":
            self._left_ms = None if number >= (1 << 31) - 1 else number
        elif key == "rule":
            self._take_rule(number)
        return ""

    def _take_rule(self, number: int) -> None:
        game = next((game for game in _rules(self._game) if rule_number(game) == number), None)
        if game is None:
            numbers = ", ".join(str(rule_number(rule)) for rule in _rules(self._game))
            raise Refused(f"rule {number} is not played; the rules are {numbers}")
        if game == self._game:
            return
        if self._position is not None and self._position.ply:
            raise Refused("the rule cannot change during a game")
        self._begin(game)

    def _needed(self) -> Position:
        if self._position is None:
            raise Refused("no game has begun; START or RESTART comes first")
        return self._position

    # Moves.

    def _turn(self, rest: str) -> str:
        self._played(rest)
        return self._move(self._needed())

    def _play(self, rest: str) -> str:
        self._played(rest)
        return rest

    def _played(self, rest: str) -> None:
        position = self._needed()
        action = read_point(self._game, rest)
        if action is None:
            raise Refused(f"{short(rest)} is no point of the board")
        try:
            self._position = position.play(action)
        except IllegalMove as error:
            raise Refused(str(error)) from None

    def _take_back(self, rest: str) -> str:
        position = self._needed()
        if not position.moves or read_point(self._game, rest) != position.moves[-1]:
            raise Refused(f"{short(rest)} is not the last move")
        self._position = _replayed(position.start, position.moves[:-1])
        return "OK"

    def _board(self) -> str:
        stones: list[tuple[int, int]] = []
        fault = ""
        while (line := self._dialogue.next_line()).upper() not in ("DONE", ""):
            place, _, owner = line.rpartition(",")
            cell = read_point(self._game, place)
            if cell is None or owner.strip() not in ("1", "2"):
                fault = fault or f"{short(line)} is no stone; it must be x,y,1 or x,y,2"
            else:
                stones.append((cell, int(owner)))
            if len(stones) > self._game.num_cells:
                fault = fault or "there are more stones than points"
                stones.clear()
        if fault:
            raise Refused(fault)
        self._begin(self._game)
        self._position = _set_up(self._game, stones)
        return self._move(self._position)

    def _move(self, position: Position) -> str:
        if position.is_over:
            raise Refused("the game is over")
        assert self._thinker is not None
        began = time.monotonic()
        search = self._thinker.at(position)
        action = self._thinker.think(search, self._limit(began, position), lambda: self._dialogue.ended)
        self._position = position.play(action)
        return point(self._game, action)

    def _limit(self, began: float, position: Position) -> Limit:
        limit = self._options.limit
        if self._turn_ms is None and self._left_ms is None:
            return limit
        seconds = LONGEST_MS / 1000 if self._turn_ms is None else SHARE * (self._turn_ms / 1000 - SLACK_S)
        if self._left_ms is not None:
            turns = max(TURNS_LEFT, (self._game.num_cells - position.ply) // 8)
            seconds = min(seconds, (self._left_ms / 1000 - SLACK_S) / turns)
        seconds = max(LEAST_S, seconds - (time.monotonic() - began))
        return Limit(limit.simulations, min(seconds, limit.seconds or seconds))


def _rules(game: GameSpec) -> list[GameSpec]:
    """The game with each of its rules that the protocol has a number for."""
    games = []
    for parameter in GAMES[game.name].parameters:
        for choice in getattr(parameter, "choices", ()):
            with contextlib.suppress(EngineError):
                other = with_params(game, **{parameter.name: choice})
                rule_number(other)
                games.append(other)
    return games or [game]


def _replayed(start: Position, moves: tuple[int, ...]) -> Position:
    for action in moves:
        start = start.play(action)
    return start


def _set_up(game: GameSpec, stones: list[tuple[int, int]]) -> Position:
    """The position of BOARD: the game, where the stones came by turns; else the stones without their order."""
    mine, theirs = (sum(owner == whose for _, owner in stones) for whose in (1, 2))
    if len({cell for cell, _ in stones}) < len(stones):
        raise Refused("a point is named twice")
    if theirs - mine not in (0, 1):
        raise Refused(f"there are {mine} stones of the side to move and {theirs} of the other side")
    first = 1 if mine == theirs else 2
    if [owner for _, owner in stones] == [first if ply % 2 == 0 else 3 - first for ply in range(len(stones))]:
        with contextlib.suppress(IllegalMove):
            return _replayed(game.initial(), tuple(cell for cell, _ in stones))
    cells = np.zeros(game.shape, np.int8)
    for cell, owner in stones:
        cells.flat[cell] = 1 if owner == first else 2
    return Position(game, game.board.from_cells(cells, 0 if first == 1 else 1, -1))
