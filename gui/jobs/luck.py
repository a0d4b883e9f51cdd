"""Runs two searches of a position under many seeds, in turn, in a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gui.jobs.job import Job
from gui.jobs.preview import alone

if TYPE_CHECKING:
    from core.engine import EvaluatorSource
    from core.engine.luck import Run
    from core.games import Position
    from core.search import SearchSettings
    from gui.jobs.newest import Report, Stale
    from gui.model.state import PathOf

SEEDS: Final = 20
MOST: Final = 20_000  # simulations of each run


class Side(NamedTuple):
    """One of the two searches."""

    source: EvaluatorSource | None
    settings: SearchSettings
    simulations: int


class LuckJob(Job):
    """The runs of both searches; ``runs`` grows one by one."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.runs: tuple[list[Run], list[Run]] = ([], [])

    def forget(self) -> None:
        """Stop, and forget what was found."""
        self.stop()
        if any(self.runs):
            self.runs = ([], [])
            self.changed.emit()

    def start(self, position: Position, only: PathOf, sides: tuple[Side, Side]) -> None:
        """Search ``position`` with both sides under ``SEEDS`` seeds; ``only``: these moves, () for all."""
        self.runs = ([], [])

        def work(stopped: Stale, report: Report) -> None:
            from core.engine.luck import run_with_seed

            evaluators: dict[str | None, Any] = {None: None}
            for side in sides:
                if side.source is not None and side.source.label not in evaluators:
                    evaluators[side.source.label] = side.source.load(position.game)
            for seed in range(1, SEEDS + 1):
                for place, (source, settings, simulations) in enumerate(sides):
                    evaluator = evaluators[None if source is None else source.label]
                    most = min(MOST, simulations)
                    run = run_with_seed(position, evaluator, alone(settings), most, seed, only, stopped)
                    if run is None:
                        return
                    report((place, run))

        self.run(work)

    def take(self, value: Any) -> None:
        place, run = value
        self.runs[place].append(run)
