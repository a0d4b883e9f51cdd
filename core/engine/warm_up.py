"""Compiles the kernels of a search before its time starts."""

import time
from dataclasses import replace
from typing import Final

from core._kernel_files import KernelFiles
from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import GAMES, GameSpec, load_game
from core.games.encoding import OWN_ENCODING
from core.glass.icicle import IcicleView, lay_out
from core.search.settings import Limit, SearchSettings
from core.solve.solver import Solver, quick_empties
from core.text import Text, Words

_MEMORY_MB: Final = 64  # at most: the search made here is small
_FUNCTIONS: Final = 150  # compiled for a search with a net and its snapshots when none are on disk


def kernels_of(game: GameSpec, evaluator: Evaluator | None, settings: SearchSettings) -> tuple[object, ...]:
    """A key of the kernels that a search runs: searches with equal keys share their kernels."""
    encoding = OWN_ENCODING if evaluator is None else evaluator.encoding
    several = (settings.threads if evaluator is None else settings.collectors) != 1
    kinds = evaluator is None, settings.wants_threats, several, settings.exact_empties > 0
    return type(game.new_state()), encoding.name, *kinds


def warm_up(game: GameSpec, evaluator: Evaluator | None, settings: SearchSettings) -> None:
    """Compile (once on a machine) or load the kernels of such a search, by running a small one."""
    settings = replace(settings, memory_mb=min(settings.memory_mb, _MEMORY_MB))
    search = Search(game.initial(), evaluator, settings)
    search.run(Limit(simulations=2))
    search.snapshot()
    lay_out(search.tree, search.root, IcicleView())
    if settings.exact_empties and quick_empties(game):
        small = load_game(GAMES[game.name].small)
        Solver(small).solve(small.initial(), seconds=0.0)


class Preparation:
    """Progress of the compilation for a game's search, counted from when this was made."""

    def __init__(self, game: GameSpec) -> None:
        self._title = game.title
        self._before = KernelFiles.ready
        self._began = time.monotonic()

    def text(self) -> Text:
        """The progress, in words."""
        ready = KernelFiles.ready - self._before
        words: Words = (
            "preparing the search for {title}: {ready} of about {all} functions compiled in {seconds}\u202fs, once on "
            "this machine"
            if ready < _FUNCTIONS
            else "preparing the search for {title}: {ready} functions compiled in {seconds}\u202fs, once on this "
            "machine"
        )
        return Text(
            words,
            title=self._title,
            ready=ready,
            all=_FUNCTIONS,
            seconds=f"{time.monotonic() - self._began:.0f}",
        )
