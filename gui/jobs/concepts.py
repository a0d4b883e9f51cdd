"""Finds out in a thread which concepts the net of the board knows, or the nets of its run, and keeps what it found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gui.jobs.inside import OpenNet
from gui.jobs.job import Job

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from core.games import GameSpec
    from gui.jobs.newest import Report, Stale
    from gui.model.sources import NetSource
    from models.inside.examined import Examined
    from models.inside.history import History, KeptNet


class ConceptsJob(Job):
    """One examination at a time; those that came to an end are kept as long as the program runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.part = 0.0  # of the work that is done
        self.about: tuple[NetSource, GameSpec] | None = None  # of the work, or of the last one
        self.selections: dict[GameSpec, Sequence[Path]] = {}  # of what was found last
        self._asked: Sequence[Path] = ()
        self._kept: dict[tuple[NetSource, GameSpec], Examined] = {}

    def examined(self, source: NetSource | None, game: GameSpec | None) -> Examined | None:
        """What was found of a net for a game; None where it was not examined."""
        return None if source is None or game is None else self._kept.get((source, game))

    def examine(self, source: NetSource, game: GameSpec, selections: Sequence[Path] = ()) -> None:
        """Begin with this net; ``selections``: files of positions that are concepts, too."""
        self.part, self.about, self._asked = 0.0, (source, game), selections
        self.run(partial(_examined, source, game, selections))

    def keep(self, source: NetSource, game: GameSpec, found: Examined) -> None:
        """Take what was found of a net before."""
        self._kept[source, game] = found

    def take(self, value: float) -> None:
        self.part = value

    def finish(self, result: Examined | None) -> None:
        if result is not None and self.about is not None:
            self._kept[self.about] = result
            self.selections[self.about[1]] = self._asked


class HistoryJob(Job):
    """Asks the nets of one run after the other; what was found of a run is kept as long as the program runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.part = 0.0  # of the work that is done
        self._folder: Path | None = None
        self._kept: dict[Path, History] = {}

    def history(self, folder: Path) -> History | None:
        """What was found of the nets of a run so far; None where nothing was."""
        return self._kept.get(folder)

    def examine(self, folder: Path, nets: Sequence[KeptNet], game: GameSpec) -> None:
        """Begin with the nets of a run, or go on with them."""
        self.part, self._folder = 0.0, folder
        self.run(partial(_history, nets, game))

    def take(self, value: float | History) -> None:
        if isinstance(value, float):
            self.part = value
        elif self._folder is not None:
            self._kept[self._folder] = value


def _history(nets: Sequence[KeptNet], game: GameSpec, stale: Stale, report: Report) -> None:
    from models.inside.concepts import concepts_of
    from models.inside.history import history_of

    history_of(nets, game, concepts_of(game), stale, report, report)


def _examined(
    source: NetSource, game: GameSpec, selections: Sequence[Path], stale: Stale, report: Report
) -> Examined | None:
    from models.inside.concepts import concepts_of
    from models.inside.examined import examined_for
    from models.inside.selections import read_selection

    net = OpenNet(source, game).tapped
    chosen = [read_selection(place, net) for place in selections]
    return examined_for(net, concepts_of(game), None, chosen, stale, report)
