"""Finds out in a thread which concepts the net of the board knows, or the nets of its run, and keeps what it found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject

from gui.jobs.inside import Chosen, OpenNet
from gui.jobs.job import Job

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from core.games import GameSpec
    from core.text import Words
    from gui.jobs.newest import Question, Report, Stale
    from gui.model.sources import NetSource
    from models.inside.examined import Examined
    from models.inside.history import History, KeptNet


class Subject(NamedTuple):
    """What an examination is about."""

    source: NetSource
    game: GameSpec
    chosen: Chosen
    """The positions in which the net is examined."""


class Examination(Job):
    """Reports the part of the work that is done, and keeps why it failed until it is begun again."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.part = 0.0  # of the work that is done
        self.error: Words = ""

    def run(self, work: Question, done: Callable[[Any], object] | None = None) -> None:
        self.part, self.error = 0.0, ""
        super().run(work, done)

    def give_up(self, sentence: str) -> None:
        self.error = sentence


class ConceptsJob(Examination):
    """One examination at a time; those that came to an end are kept as long as the program runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words: Words = ""  # what is being read before it; "" for nothing
        self.about: Subject | None = None  # of the work, or of the last one
        self.selections: dict[GameSpec, Sequence[Path]] = {}  # of what was found last
        self._asked: Sequence[Path] = ()
        self._kept: dict[Subject, Examined] = {}

    def examined(self, subject: Subject | None) -> Examined | None:
        """What was found of a net for a game in the positions chosen; None where it was not examined."""
        return None if subject is None else self._kept.get(subject)

    def examine(self, subject: Subject, selections: Sequence[Path] = ()) -> None:
        """Begin with this one; ``selections``: files of positions that are concepts, too."""
        self.words, self.about, self._asked = "", subject, selections
        self.run(partial(_examined, subject, selections))

    def keep(self, subject: Subject, found: Examined) -> None:
        """Take what was found of a net before."""
        self._kept[subject] = found

    def take(self, value: float | Words) -> None:
        if isinstance(value, float):
            self.part, self.words = value, ""
        else:
            self.words = value

    def finish(self, result: Examined | None) -> None:
        if result is not None and self.about is not None:
            self._kept[self.about] = result
            self.selections[self.about.game] = self._asked


class HistoryJob(Examination):
    """Asks the nets of one run after the other; what was found of a run is kept as long as the program runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder: Path | None = None  # of the run whose nets were asked last
        self._kept: dict[Path, History] = {}

    def history(self, folder: Path) -> History | None:
        """What was found of the nets of a run so far; None where nothing was."""
        return self._kept.get(folder)

    def examine(self, folder: Path, nets: Sequence[KeptNet], game: GameSpec) -> None:
        """Begin with the nets of a run, or go on with them."""
        self.folder = folder
        self.run(partial(_history, nets, game))

    def take(self, value: float | History) -> None:
        if isinstance(value, float):
            self.part = value
        elif self.folder is not None:
            self._kept[self.folder] = value


def _history(nets: Sequence[KeptNet], game: GameSpec, stale: Stale, report: Report) -> None:
    from models.inside.concepts import concepts_of
    from models.inside.history import history_of

    history_of(nets, game, concepts_of(game), stale, report, report)


def _examined(subject: Subject, selections: Sequence[Path], stale: Stale, report: Report) -> Examined | None:
    from models.inside.concepts import concepts_of
    from models.inside.examined import examined_for
    from models.inside.knowledge import positions_at_most
    from models.inside.selections import read_selection

    opened = OpenNet(subject.source, subject.game)
    net, sample = opened.tapped, None
    if subject.chosen.place is not None:
        sample = opened.sample(subject.chosen, positions_at_most(net), stale, report)
        if sample is None:
            return None
    added = [read_selection(place, net) for place in selections]
    return examined_for(net, concepts_of(subject.game), sample, added, stale, report)
