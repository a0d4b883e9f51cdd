"""An outside engine that speaks GTP 2, the Go Text Protocol, as a player.  Knows no search of ours.

Protocol: G. Farnebäck, Specification of the Go Text Protocol, version 2 draft 2 (2002).
"""

import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.files.reading import short
from core.games import GameSpec, IllegalMove, Position
from core.games.spec import PASS
from core.text import Text
from models.engines.process import EngineError, EngineProcess, split_command

START_S: Final = 120.0  # a net may have to be loaded and a GPU tuned
ANSWER_S: Final = 30.0  # to anything but a search
THINK_S: Final = 600.0  # to a search without a limit that is known
RESIGN: Final = "resign"
COLOURS: Final = ("b", "w")
_ANSWER: Final = re.compile(r"([=?])(\d*)(?:[ \t](.*))?", re.DOTALL)


def vertex(game: GameSpec, action: int) -> str:
    """A move as GTP writes it: a letter without I and a row, or ``pass``."""
    name = game.action_name(action)
    return name if name == PASS else name.upper()


class GtpClient:
    """An engine in a process of its own, which follows one game at a time.

    ``move(position)`` tells it what was played since the last call and asks for its move."""

    def __init__(
        self, command: str, game: GameSpec, *, seconds: float | None = None, folder: Path | None = None
    ) -> None:
        """Start the engine and set the board up; ``seconds`` per move, None for the engine's own limit.

        EngineError when it cannot be started, has not the commands needed or refuses the board.
        """
        if game.shape[0] != game.shape[1] or not game.moves_are_cells:
            raise EngineError(Text("{game} cannot be played by GTP; it needs a square board of points", game=game.text))
        self._game, self._seconds = game, seconds
        self._process = EngineProcess(split_command(command), folder)
        self._number = 0
        self._played: list[int] | None = None  # what the engine has on its board; None: nothing is known
        self._start: Position | None = None
        try:
            self.name = self.ask("name", START_S) or self._process.name
            self.commands = frozenset(self.ask("list_commands").split())
            missing = sorted({"boardsize", "clear_board", "play", "genmove"} - self.commands)
            if missing:
                raise EngineError(
                    Text("the engine {name} lacks the GTP command {command}", name=self.name, command=missing[0])
                )
            self.ask(f"boardsize {game.shape[0]}")
            for name in ("rules", "komi"):
                self._set(name)
            if seconds is not None and "time_settings" in self.commands:
                self.ask(f"time_settings 0 {max(1, round(seconds))} 1")
        except BaseException:
            self.close()
            raise

    def _set(self, name: str) -> None:
        value = self._game.params.get(name)
        if value is None:
            return
        if name == "komi":
            self.ask(f"komi {value}")
        elif "kata-set-rules" in self.commands:
            self.ask(f"kata-set-rules {value}")

    @property
    def process(self) -> EngineProcess:
        """The program, with its dialogue."""
        return self._process

    def ask(self, command: str, seconds: float = ANSWER_S) -> str:
        """The answer to one command, its lines joined; EngineError for a refusal, silence or anything else."""
        self._number += 1
        self._process.send(f"{self._number} {command}")
        until = time.monotonic() + seconds
        lines: list[str] = []
        while True:
            line = self._process.read(until - time.monotonic())
            if not lines and not line.strip():
                continue
            if lines and not line.strip():
                break
            lines.append(line.replace("\t", " "))
        answer = _ANSWER.fullmatch("\n".join(lines))
        if answer is None or answer[2] not in ("", str(self._number)):
            raise EngineError(
                Text(
                    "the engine {name} answered {answer} to {command}, which is not GTP",
                    name=self._process.name,
                    answer=short(lines[0]),
                    command=command,
                )
            )
        text = (answer[3] or "").strip()
        if answer[1] == "?":
            raise EngineError(
                Text(
                    "the engine {name} refuses {command}: {reason}",
                    name=self._process.name,
                    command=command,
                    reason=short(text),
                )
            )
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
            except EngineError as error:
                sentence = Text("{reason}; its rules may not be those of {game}", reason=error, game=self._game.text)
                raise EngineError(sentence) from None
            self._played.append(moves[ply])

    def _set_up(self, position: Position) -> None:
        self._played = None
        self.ask("clear_board")
        for cell, stone in enumerate(position.start.cells().ravel().tolist()):
            if stone:
                self.ask(f"play {COLOURS[stone - 1]} {vertex(self._game, cell)}")
        self._start, self._played = position.start, []

    def move(self, position: Position) -> int | None:
        """The engine's move at ``position``, which is not over; None when it resigns.

        EngineError for a move that is none or not legal: then the engine is not used any more.
        """
        self.follow(position)
        most = THINK_S if self._seconds is None else 3.0 * self._seconds + 10.0
        text = self.ask(f"genmove {COLOURS[position.to_move]}", most).lower()
        if text == RESIGN:
            return None
        try:
            action = self._game.parse_action(text)
            position.play(action)
        except (ValueError, IllegalMove) as error:
            raise EngineError(
                Text(
                    "the engine {name} played {move}, which is not legal: {reason}",
                    name=self.name,
                    move=short(text),
                    reason=error,
                )
            ) from None
        assert self._played is not None
        self._played.append(action)
        return action

    def score(self, position: Position) -> str:
        """The engine's own count of a game that was played to its end, such as B+3.5; "" when it has no such command.

        It may take off stones that it holds for dead."""
        if "final_score" not in self.commands:
            return ""
        self.follow(position)
        return self.ask("final_score", THINK_S)

    def close(self) -> None:
        """End the engine.  May be called again."""
        if self._process.running:
            with suppress(EngineError):
                self._process.send("quit")
        self._process.close()
