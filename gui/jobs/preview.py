"""A preview: what the tree of the position shown becomes with other settings, by a small search in a thread."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.text import Text
from gui.jobs.newest import Newest, Report, Stale
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.figures import simulations_words

if TYPE_CHECKING:
    from core.engine import Evaluator, EvaluatorSource
    from core.games import Position
    from core.glass.icicle import Icicle, IcicleView
    from core.search import SearchSettings
    from gui.model.session import Session
    from gui.model.shown import PathOf

SLICE_S: Final = 0.045  # of search between two pictures, so that there are more than ten a second
MOST: Final = 10_000  # simulations, at most as many as the present tree has
MEMORY_MB: Final = 64


class PreviewSearch(NamedTuple):
    """A search to be made: as the present one, with other settings."""

    position: Position
    source: EvaluatorSource | None
    settings: SearchSettings
    seed: int
    only: PathOf
    most: int  # simulations
    view: IcicleView | None  # what is in view of the present tree's icicle
    change: Text  # of the settings, in words


class SettingsPreview(QObject):
    """Searches with the newest settings that are tried; each is searched for long enough to be drawn once."""

    changed = Signal(object, str)  # the tree as an Icicle, and what is said of it; None: the preview has ended
    failed = Signal(object)  # sentence

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._job = Newest(self)
        self._next: PreviewSearch | None = None
        self._drawing = False  # the first picture of what was asked last is to come
        self._evaluator: tuple[object, Evaluator | None] = None, None  # with its key; used by the thread alone
        self.on = False
        self._job.progressed.connect(self._show)
        self._job.failed.connect(self._fail)
        for signal in (session.state.position_changed, session.state.search_changed, session.closed):
            signal.connect(self.end)

    def show(self, settings: SearchSettings, change: Text) -> None:
        """Show what the search of the position would become; ``change``: what differs, in words."""
        session, present = self._session, self._session.present
        if present is None or session.away:
            return
        view = next(iter(session.extras.icicles.values()), None)
        most = max(1, min(MOST, present.simulations))
        self.on = True
        self._next = PreviewSearch(
            present.position, session.source, settings, session.seed, session.only, most, view, change
        )
        if not self._drawing:
            self._put()

    def end(self) -> bool:
        """End the preview; return whether there was one."""
        ended, self.on = self.on, False
        self._job.forget()
        self._next, self._drawing = None, False
        if ended:
            self.changed.emit(None, "")
        return ended

    def _put(self) -> None:
        question, self._next = self._next, None
        if question is not None:
            self._drawing = True
            self._job.put(partial(self._search, question))

    def _show(self, drawn: tuple[Icicle, int, Text]) -> None:
        icicle, simulations, change = drawn
        words = tr("preview, {simulations}, {change}")
        self.changed.emit(icicle, words.format(simulations=simulations_words(simulations), change=core_text(change)))
        self._drawing = False
        self._put()

    def _fail(self, sentence: str) -> None:
        self.end()
        self.failed.emit(sentence)

    # in the thread

    def _search(self, question: PreviewSearch, stale: Stale, report: Report) -> None:
        """Search and report a picture after each slice, until there are newer settings."""
        from core.engine import Search
        from core.glass.icicle import IcicleView, lay_out
        from core.search import Limit

        settings = alone(question.settings)
        search = Search(question.position, self._evaluator_of(question), settings, question.seed, question.only)
        before = -1
        while before < search.simulations < question.most and not stale():
            before = search.simulations
            search.run(Limit(simulations=question.most, seconds=SLICE_S), stale)
            pv, view = search.snapshot().pv, question.view or IcicleView()
            icicle = lay_out(search.tree, search.root, view, pv, search.numbering, settings.rule.priors)
            report((icicle, search.simulations, question.change))

    def _evaluator_of(self, question: PreviewSearch) -> Any:
        """The evaluator, one of the preview's own, which is kept for the next settings."""
        game, source = question.position.game, question.source
        key = None if source is None else (game.text, source.label)
        if key != self._evaluator[0]:
            self._evaluator = key, None if source is None else source.load(game)
        return self._evaluator[1]


def alone(settings: SearchSettings) -> SearchSettings:
    """The settings of a search in one thread and little memory."""
    return replace(settings, threads=1, collectors=1, memory_mb=min(MEMORY_MB, settings.memory_mb))
