"""An outside engine that speaks GTP 2, the Go Text Protocol, as a player.

Protocol: G. Farnebäck, Specification of the Go Text Protocol, version 2 draft 2 (2002).
"""

import re
import time
from collections.abc import Callable, Iterator
from typing import Final

from core.checks import short
from core.games import GameSpec, Position
from core.games.spec import PASS
from core.text import Text, text_of
from models.engines.engine import THINK_S, EngineClient, legal_move, not_offered
from models.engines.opinion import Opinion, read_gtp_line
from models.engines.process import LOOK_S, EngineError, not_spoken, unplayable

START_S: Final = 120.0  # a net may have to be loaded and a GPU tuned
ANSWER_S: Final = 30.0  # to anything but a search
INTERVAL: Final = 20  # hundredths of a second between two lines of an analysis
ANALYSES: Final = {"kata-analyze": 1.0, "lz-analyze": 10_000.0}
"""The commands of an analysis, the better first -> the win rate of a won game."""
RESIGN: Final = "resign"
COLOURS: Final = ("b", "w")
_ANSWER: Final = re.compile(r"([=?])(\d*)(?:[ \t](.*))?", re.DOTALL)


def vertex(game: GameSpec, action: int) -> str:
    """A move as GTP writes it: a letter without I and a row, or ``pass``."""
    name = game.action_name(action)
    return name if name == PASS else name.upper()


def read_vertex(game: GameSpec, word: str) -> int | None:
    """The action of a vertex; None for a word that is none."""
    try:
        return game.parse_action(word) if word[:1].isalpha() else None
    except ValueError:
        return None


class GtpError(EngineError):
    """An engine answers a command by an error."""


class GtpClient(EngineClient):
    """An engine in a process of its own, which follows one game at a time.

    ``move(position)`` tells it what was played since the last call and asks for its move."""

    _number = 0  # of commands
    _played: list[int] | None = None  # what the engine has on its board; None: nothing is known
    _start: Position | None = None
    commands: frozenset[str]  # that it lists

    def _check(self, game: GameSpec) -> None:
        if game.shape[0] != game.shape[1] or not game.moves_are_cells:
            raise unplayable(game.text, "GTP", "a square board of points")

    def _begin(self) -> None:
        self.name = self.ask("name", START_S) or self._process.name
        self.commands = frozenset(self.ask("list_commands").split())
        missing = sorted({"boardsize", "clear_board", "play", "genmove"} - self.commands)
        if missing:
            raise EngineError(
                Text("the engine {name} lacks the GTP command {command}", name=self.name, command=missing[0])
            )
        self.ask(f"boardsize {self._game.shape[0]}")
        for name in ("rules", "komi"):
            self._set(name)
        seconds = self._options.seconds
        if seconds is not None and "time_settings" in self.commands:
            self.ask(f"time_settings 0 {max(1, round(seconds))} 1")

    def _set(self, name: str) -> None:
        value = self._game.params.get(name)
        if value is None:
            return
        if name == "komi":
            self.ask(f"komi {value}")
        elif "kata-set-rules" in self.commands:
            self.ask(f"kata-set-rules {value}")

    def ask(self, command: str, seconds: float = ANSWER_S) -> str:
        """The answer to one command, its lines joined; EngineError for a refusal, silence or anything else."""
        self._number += 1
        self._process.send(f"{self._number} {command}")
        began = time.monotonic()
        lines: list[str] = []
        while True:
            line = self._process.read(seconds, began)
            if not lines and not line.strip():
                continue
            if lines and not line.strip():
                break
            lines.append(line.replace("\t", " "))
        answer = _ANSWER.fullmatch("\n".join(lines))
        if answer is None or answer[2] not in ("", str(self._number)):
            raise not_spoken(self._process.name, lines[0], command, "GTP")
        text = (answer[3] or "").strip()
        if not answer[2]:  # Edax writes a space before the number
            text = text.removeprefix(str(self._number)).lstrip()
        if answer[1] == "?":
            raise self._refused(command, text)
        return text

    def follow(self, position: Position) -> None:
        """Bring the engine's board to ``position``, by the moves that it lacks where that suffices."""
        moves = list(position.moves)
        if self._played is None or position.start != self._start:
            self._set_up(position)
        assert self._played is not None
        common = 0
        while common < min(len(self._played), len(moves)) and self._played[common] == moves[common]:
            common += 1
        if common < len(self._played) and "undo" not in self.commands:
            self._set_up(position)
            common = 0
        while len(self._played) > common:
            self.ask("undo")
            self._played.pop()
        first = position.start.to_move
        for ply in range(common, len(moves)):
            try:
                self.ask(f"play {COLOURS[(first + ply) % 2]} {vertex(self._game, moves[ply])}")
            except GtpError as error:
                sentence = Text(
                    "{reason}; its rules may not be those of {game}", reason=text_of(error), game=self._game.text
                )
                raise EngineError(sentence) from None
            self._played.append(moves[ply])

    def _set_up(self, position: Position) -> None:
        self._played = None
        self.ask("clear_board")
        cells, first = position.start.cells(), self._game.initial().cells()
        if first.any() and (cells != first).any():
            raise EngineError(
                Text(
                    "GTP cannot set up a position of {game} for the engine {name}; it begins as the game does",
                    game=self._game.text,
                    name=self.name,
                )
            )
        for cell, stone in enumerate(cells.ravel().tolist()):
            if stone and not first.any():
                self.ask(f"play {COLOURS[stone - 1]} {vertex(self._game, cell)}")
        self._start, self._played = position.start, []

    def move(self, position: Position) -> int | None:
        """The engine's move at ``position``, which is not over; None when it resigns.

        EngineError for a move that is none or not legal: then the engine is not used any more.
        """
        self.follow(position)
        text = self.ask(f"genmove {COLOURS[position.to_move]}", self._options.patience).lower()
        if text == RESIGN:
            return None
        action = legal_move(self.name, position, read_vertex(self._game, text), text)
        assert self._played is not None
        self._played.append(action)
        return action

    def analysis(
        self, position: Position, seconds: float, should_stop: Callable[[], bool] = lambda: False
    ) -> Iterator[Opinion]:
        """Yield the engine's opinions of ``position`` as they grow; EngineError when it cannot analyse or fails."""
        command = next((name for name in ANALYSES if name in self.commands), None)
        if command is None:
            raise not_offered(self.name)
        self.follow(position)
        self._number += 1
        self._process.send(f"{self._number} {command} {COLOURS[position.to_move]} {INTERVAL}")
        flip = self._options.flips(position.to_move)
        began, stopped = time.monotonic(), False
        try:
            while not stopped:
                line = self._process.read_if_any(LOOK_S)
                if line is not None:
                    if line.startswith("?"):
                        raise self._refused(command, line[1:].strip())
                    opinion = read_gtp_line(position, line, read_vertex, ANALYSES[command], flip)
                    if opinion is not None:
                        yield opinion
                stopped = should_stop() or time.monotonic() - began >= seconds
        finally:
            self._end_analysis()

    def _end_analysis(self) -> None:
        """End an analysis by another command, and wait for its answer."""
        self._number += 1
        self._process.send(f"{self._number} protocol_version")
        began = time.monotonic()
        while not self._process.read(ANSWER_S, began).startswith(f"={self._number}"):
            pass
        self._process.read(ANSWER_S, began)  # the line that ends it

    def _refused(self, command: str, reason: str) -> GtpError:
        return GtpError(
            Text(
                "the engine {name} refuses {command}: {reason}",
                name=self._process.name,
                command=command,
                reason=short(reason),
            )
        )

    def score(self, position: Position) -> str:
        """The engine's own count of a game that was played to its end, such as B+3.5; "" when it has no such command.

        It may take off stones that it holds for dead."""
        if "final_score" not in self.commands:
            return ""
        self.follow(position)
        return self.ask("final_score", THINK_S)
