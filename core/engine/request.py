"""What an analysis is asked for, and where its evaluator comes from.  Knows no thread."""

from dataclasses import dataclass
from typing import Protocol

from core.engine.evaluator import Evaluator
from core.games import GameSpec, Position
from core.search.settings import Limit, SearchSettings


class EvaluatorSource(Protocol):
    """Where an evaluator comes from: loaded in the analysis thread, kept while ``label`` stays the same."""

    @property
    def label(self) -> str: ...

    def load(self, game: GameSpec) -> Evaluator:
        """May take long; raises ValueError in one sentence."""
        ...


@dataclass(frozen=True)
class Request:
    """What is to be analysed."""

    id: int
    position: Position
    source: EvaluatorSource | None  # None: random rollouts
    settings: SearchSettings
    limit: Limit
    seed: int
    only: tuple[int, ...]  # the moves to be searched; (): all
