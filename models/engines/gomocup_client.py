"""An outside engine that speaks the Gomocup protocol, as a player of five in a row.

Protocol: P. Laštovička, M. Petříček, *Gomoku AI protocol* (plastovicka.github.io/protocl2en.htm), with the rule 4 for
Renju.  A point is ``x,y``: column and row from 0, the row at the top first.
"""

import re
import time
from collections.abc import Callable, Iterator
from typing import Final

from core.checks import short
from core.games import GameSpec, Position
from core.text import Text
from models.engines.engine import EngineClient, legal_move, not_offered
from models.engines.opinion import InfoReader, Opinion
from models.engines.process import LOOK_S, EngineError, not_spoken, unplayable

START_S: Final = 60.0  # nets may have to be loaded
ANSWER_S: Final = 20.0  # to anything but a search
RULES: Final = {(): 0, (1, 2): 1, (1,): 4}
"""Stones with which only exactly five win -> the protocol's number of the rule: any five, exactly five, Renju."""
PAUSE_S: Final = 0.05  # after a move: Rapfi loses a command that comes while it still ends its search
ROWS: Final = 10  # of an analysis
_ASIDE: Final = ("MESSAGE", "DEBUG", "INFO", "SUGGEST")  # words of lines that answer nothing
_POINT: Final = re.compile(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", re.ASCII)
_ABOUT: Final = re.compile(r'name\s*=\s*"([^"]{1,80})"', re.IGNORECASE)


def rule_number(game: GameSpec) -> int:
    """The protocol's number of the game's rule; EngineError for a game that it does not know."""
    lines = game.lines
    number = RULES.get(lines.exact) if lines is not None and lines.k == 5 and not game.gravity else None
    if number is None or game.has_fouls != (number == RULES[(1,)]):
        raise unplayable(game.text, "the Gomocup protocol", "five in a row")
    return number


def point(game: GameSpec, action: int) -> str:
    """A move as the protocol writes it: ``x,y``."""
    row, col = divmod(action, game.shape[1])
    return f"{col},{row}"


def read_point(game: GameSpec, text: str) -> int | None:
    """The action of ``x,y``; None for a text that is no point of the board."""
    match = _POINT.fullmatch(text.strip())
    if match is None:
        return None
    col, row = int(match[1]), int(match[2])
    return row * game.shape[1] + col if row < game.shape[0] and col < game.shape[1] else None


class GomocupClient(EngineClient):
    """An engine in a process of its own, which follows one game at a time.

    ``move(position)`` tells it what was played since the last call and asks for its move."""

    farewell = "END"
    _position: Position | None = None  # what the engine has on its board; None: nothing is known
    _moved = 0.0  # when, by time.monotonic()

    def _check(self, game: GameSpec) -> None:
        rule_number(game)

    def _begin(self) -> None:
        rows, cols = self._game.shape
        self._ask(f"START {rows}" if rows == cols else f"RECTSTART {cols},{rows}", START_S)
        self._process.send("ABOUT")
        about = _ABOUT.search(self._answer("ABOUT", ANSWER_S))
        self.name = about[1] if about is not None else self.name
        for key, value in self._settings():
            self._process.send(f"INFO {key} {value}")

    def _settings(self) -> list[tuple[str, int]]:
        """What ``INFO`` says before the first game."""
        settings = [("game_type", 1), ("rule", rule_number(self._game)), ("timeout_match", 0)]
        if self._options.memory_mb is not None:
            settings.append(("max_memory", self._options.memory_mb << 20))
        if self._options.depth is not None:
            settings.append(("max_depth", self._options.depth))
        if self._options.seconds is not None:
            settings.append(("timeout_turn", max(1, round(1000 * self._options.seconds))))
        return settings

    def _answer(self, command: str, seconds: float) -> str:
        """The next line that answers something; EngineError for a refusal or silence."""
        began = time.monotonic()
        while True:
            line = self._process.read(seconds, began).strip()
            word = line.partition(" ")[0].upper()
            if not line or word in _ASIDE:
                continue
            if word in ("ERROR", "UNKNOWN"):
                raise EngineError(
                    Text(
                        "the engine {name} refuses {command}: {reason}",
                        name=self.name,
                        command=short(command),
                        reason=short(line),
                    )
                )
            return line

    def _ask(self, command: str, seconds: float = ANSWER_S) -> None:
        """Send a command that OK answers; EngineError for anything else."""
        self._process.send(command)
        answer = self._answer(command, seconds)
        if not answer.upper().startswith("OK"):
            raise not_spoken(self.name, answer, command, "the Gomocup protocol")

    def move(self, position: Position) -> int:
        """The engine's move at ``position``, which is not over.

        EngineError for a move that is none or not legal: then the engine is not used any more.
        """
        last, self._position = self._position, None
        time.sleep(max(0.0, self._moved + PAUSE_S - time.monotonic()))
        if last is None and not position.moves and not position.cells().any():
            command = "BEGIN"
            self._process.send(command)
        elif last is not None and _follows(position, last):
            command = f"TURN {point(self._game, position.moves[-1])}"
            self._process.send(command)
        else:
            self._ask("RESTART")
            command = "BOARD" if position.cells().any() else "BEGIN"
            self._send_board(position) if command == "BOARD" else self._process.send(command)
        answer = self._answer(command, self._options.patience)
        self._moved = time.monotonic()
        action = legal_move(self.name, position, read_point(self._game, answer), answer)
        self._position = position.play(action)
        return action

    def _send_board(self, position: Position, command: str = "BOARD") -> None:
        for line in (command, *_stones(position), "DONE"):
            self._process.send(line)

    def analysis(
        self, position: Position, seconds: float, should_stop: Callable[[], bool] = lambda: False
    ) -> Iterator[Opinion]:
        """Yield the engine's opinions of ``position`` as they grow, by the commands of Yixin that Rapfi knows, too.

        EngineError when it has none or fails."""
        self._position = None
        time.sleep(max(0.0, self._moved + PAUSE_S - time.monotonic()))
        self._ask("RESTART")
        for line in (f"INFO timeout_turn {round(1000 * seconds)}", "INFO show_detail 2"):
            self._process.send(line)
        self._send_board(position, "YXBOARD")
        self._process.send(f"YXNBEST {ROWS}")
        reader, began = InfoReader(position, read_point), time.monotonic()
        moved = False
        try:
            while not moved and not should_stop() and time.monotonic() - began < seconds:
                answer = self._process.read_if_any(LOOK_S)
                if answer is not None:
                    if answer.partition(" ")[0].upper() in ("ERROR", "UNKNOWN"):
                        moved = True
                        raise not_offered(self.name)
                    moved = read_point(self._game, answer) is not None
                    if opinion := reader.take(answer):
                        yield opinion
        finally:
            if not moved:
                self._process.send("YXSTOP")
                self._wait_for_move()
            self._moved = time.monotonic()
            for key, value in [*self._settings(), ("show_detail", 0)]:
                self._process.send(f"INFO {key} {value}")

    def _wait_for_move(self) -> None:
        began = time.monotonic()
        while read_point(self._game, self._process.read(ANSWER_S, began)) is None:
            pass


def _follows(position: Position, before: Position) -> bool:
    """Whether one move leads from ``before`` to ``position``."""
    moves = position.moves
    return bool(moves) and position.start == before.start and moves[:-1] == before.moves


def _stones(position: Position) -> list[str]:
    """The lines of ``BOARD``: those set up by turns, the first player's first, then the moves as they were played."""
    start, game = position.start, position.game
    cells = start.cells().ravel()
    sets = [[cell for cell, stone in enumerate(cells.tolist()) if stone == 1 + player] for player in (0, 1)]
    placed = [
        (player, sets[player][i]) for i in range(max(map(len, sets))) for player in (0, 1) if i < len(sets[player])
    ]
    placed += [((start.to_move + ply) % 2, action) for ply, action in enumerate(position.moves)]
    return [f"{point(game, cell)},{1 if player == position.to_move else 2}" for player, cell in placed]
