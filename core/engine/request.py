"""A request to the analysis, and the source of its evaluator."""

from dataclasses import dataclass
from typing import Protocol

from core.engine.evaluator import Evaluator
from core.games import GameSpec, Position
from core.search.settings import Limit, SearchSettings


class EvaluatorSource(Protocol):
    """Loads an evaluator, in the analysis thread; it is kept while ``label`` stays the same."""

    @property
    def label(self) -> str: ...

    def load(self, game: GameSpec) -> Evaluator:
        """May take long; raises ValueError in one sentence."""
        ...


@dataclass(frozen=True)
class Request:
    """A position to be analysed, and how."""

    id: int
    position: Position
    source: EvaluatorSource | None  # None: random rollouts
    settings: SearchSettings
    limit: Limit
    seed: int
    only: tuple[int, ...]  # the moves to be searched; (): all
