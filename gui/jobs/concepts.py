"""Finds out in a thread which concepts the net of the board knows, and keeps what it found of each net."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from gui.jobs.inside import OpenNet
from gui.jobs.job import Job

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.games import GameSpec
    from core.games.spec import Concept
    from gui.jobs.newest import Report, Stale
    from gui.model.sources import NetSource
    from models.inside.knowledge import NetReport
    from models.inside.uses import Use

SEED = 0


class Examined(NamedTuple):
    """What was found of a net."""

    concepts: Mapping[str, Concept]
    """By name."""
    report: NetReport
    uses: Mapping[str, Use]


class ConceptsJob(Job):
    """One examination at a time; those that came to an end are kept as long as the program runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.part = 0.0  # of the work that is done
        self.about: tuple[NetSource, GameSpec] | None = None  # of the work, or of the last one
        self._kept: dict[tuple[NetSource, GameSpec], Examined] = {}

    def examined(self, source: NetSource | None, game: GameSpec | None) -> Examined | None:
        """What was found of a net for a game; None where it was not examined."""
        return None if source is None or game is None else self._kept.get((source, game))

    def examine(self, source: NetSource, game: GameSpec) -> None:
        """Begin with this net."""
        self.part, self.about = 0.0, (source, game)
        self.run(partial(_examined, source, game))

    def take(self, value: float) -> None:
        self.part = value

    def finish(self, result: Examined | None) -> None:
        if result is not None and self.about is not None:
            self._kept[self.about] = result


def _examined(source: NetSource, game: GameSpec, stale: Stale, report: Report) -> Examined | None:
    from models.inside.concepts import concepts_of
    from models.inside.knowledge import examine, positions_at_most
    from models.inside.sample import play_sample
    from models.inside.uses import uses_of
    from models.netfiles.evaluator import OnnxEvaluator

    net, concepts = OpenNet(source, game).tapped, concepts_of(game)
    sample = play_sample(net, positions_at_most(net), SEED, stale)
    if stale():
        return None
    found = examine(net, sample, concepts, SEED, stale, lambda part: report(0.9 * part))
    if found is None:
        return None
    evaluator = OnnxEvaluator(source.path, game, recipe=net.recipe, device="cpu", threads=1)
    uses = uses_of(net, evaluator, found, concepts, stale)
    return None if stale() else Examined({concept.name: concept for concept in concepts}, found, uses)
