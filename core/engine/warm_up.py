"""Has the kernels of a search compiled before its clock starts.  Knows no thread."""

from dataclasses import replace
from typing import Final

from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import GameSpec
from core.search.settings import Limit, SearchSettings

_MEMORY_MB: Final = 64  # at most: the search made here is small


def kernels_of(game: GameSpec, evaluator: Evaluator | None, settings: SearchSettings) -> tuple[object, ...]:
    """What decides which kernels a search runs: equal for two searches when the one warms up the other, too."""
    return type(game.new_state()), evaluator is None, settings.wants_threats, settings.threads == 1


def warm_up(game: GameSpec, evaluator: Evaluator | None, settings: SearchSettings) -> None:
    """Compile, once on a machine, or load what such a search runs, by a search of its own that is thrown away."""
    settings = replace(settings, memory_mb=min(settings.memory_mb, _MEMORY_MB))
    search = Search(game.initial(), evaluator, settings)
    search.run(Limit(simulations=2))
    search.snapshot()
