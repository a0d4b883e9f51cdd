"""Exams and bouts of kept nets, played in this process."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.games import GameSpec
from models.netfiles.evaluator import OnnxEvaluator
from models.runs.config import TrainConfig
from models.runs.folder import net_path
from models.strength.exams import ExamResult, run_exams
from models.strength.ladder import BoutResult, Ladder


class Judge(Protocol):
    """Examines nets and plays their bouts, here or elsewhere with the same results; one call at a time."""

    ladder: Ladder
    """That of the run, whose file the bouts are written to."""

    def bout(self, pair: tuple[str, str], games: int, step: int, should_stop: Callable[[], bool]) -> BoutResult | None:
        """Play and record a bout; None when stopped."""
        ...

    def exam(self, step: int, should_stop: Callable[[], bool]) -> dict[str, ExamResult]:
        """The results of the net kept at ``step``, those that were finished when stopped."""
        ...

    def close(self) -> None: ...


class LocalJudge:
    """Exams and bouts of the run in ``folder``, with one thread."""

    def __init__(self, folder: Path, game: GameSpec, config: TrainConfig) -> None:
        self.ladder = Ladder(
            folder, game, config.strength.ladder_simulations, config.run.seed, device=config.run.device, threads=1
        )
        self._config = config

    def bout(self, pair: tuple[str, str], games: int, step: int, should_stop: Callable[[], bool]) -> BoutResult | None:
        return self.ladder.bout(pair, games, step, should_stop)

    def exam(self, step: int, should_stop: Callable[[], bool]) -> dict[str, ExamResult]:
        path, game = self.ladder.folder / net_path(step), self.ladder.game
        evaluator = OnnxEvaluator(path, game, device=self._config.run.device, threads=1)
        return run_exams(game, evaluator, self._config.strength.exam_positions, should_stop=should_stop)

    def close(self) -> None:
        pass
