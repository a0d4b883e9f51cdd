"""An outside engine in a process of its own."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from core.games import GameSpec, Position
from models.engines.engine import OWN_LIMITS, EngineOptions
from models.engines.process import EngineProcess, split_command


class EngineClient(ABC):
    """A running program that is asked for moves of one game."""

    farewell: ClassVar[str] = "quit"  # the line that asks the program to end

    def __init__(
        self,
        command: str,
        game: GameSpec,
        options: EngineOptions = OWN_LIMITS,
        folder: Path | None = None,
    ) -> None:
        """Start the engine; EngineError when it cannot be started, does not answer or cannot play the game."""
        self._check(game)
        self._game, self._options = game, options
        self._process = EngineProcess(split_command(command), folder)
        self.name = self._process.name
        with self._process.starting():
            self._begin()

    @abstractmethod
    def _check(self, game: GameSpec) -> None:
        """EngineError for a game that the protocol does not know."""

    @abstractmethod
    def _begin(self) -> None:
        """Give the first commands of the dialogue; EngineError when one is refused."""

    @property
    def process(self) -> EngineProcess:
        """The program, with its dialogue."""
        return self._process

    def score(self, position: Position) -> str:
        """No count of its own."""
        return ""

    def close(self) -> None:
        """End the engine; may be called again."""
        self._process.close(self.farewell)
