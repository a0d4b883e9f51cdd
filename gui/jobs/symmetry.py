"""Asks the net about a position under all symmetries, beside the window.  Knows no view.

Only the newest question counts; the net is loaded once and kept while the source stays the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.jobs.task import Task, run_task
from gui.language.language import mark, tr
from gui.model.sources import UniformSource, source_title

if TYPE_CHECKING:
    from core.engine import Evaluator, EvaluatorSource
    from core.engine.symmetry import SymmetryAnswer
    from core.games import Position

NO_NET = mark("Leaves are evaluated by random rollouts: no net is used.")
NO_EYES = mark("The uniform prior ignores the board: it is the same under every symmetry.")
OVER = mark("The game is over: a net evaluates only positions with legal moves.")


def refusal(source: EvaluatorSource | None, position: Position | None) -> str:
    """Why there is nothing to ask, in one sentence; "" when there is."""
    if source is None:
        return tr(NO_NET)
    if isinstance(source, UniformSource):
        return tr(NO_EYES)
    return tr(OVER) if position is not None and position.is_over else ""


class SymmetryReader(QObject):
    """One question at a time; answers come in the window's thread."""

    answered = Signal(object)  # core.engine.symmetry.SymmetryAnswer
    failed = Signal(str)
    phase_changed = Signal(str)  # what is being done; "" when nothing

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: tuple[EvaluatorSource, Position] | None = None
        self._asked: tuple[EvaluatorSource, Position] | None = None
        self._task: Task | None = None
        self._loaded: tuple[object, Evaluator] | None = None  # (game and label, evaluator); touched by the task alone

    def ask(self, source: EvaluatorSource, position: Position) -> None:
        """Ask about a position; an earlier question is dropped."""
        self._wanted = (source, position)
        self._next()

    def forget(self) -> None:
        """An answer still to come is not told."""
        self._wanted = self._asked = None

    def _next(self) -> None:
        if self._task is not None or self._wanted is None:
            return
        source, position = self._asked = self._wanted
        self._wanted = None
        symmetries = len(position.game.symmetries)
        known = self._loaded is not None and self._loaded[0] == (position.game.text, source.label)
        asking, loading = tr("evaluating with {net} under {symmetries} symmetries…"), tr("loading {net}…")
        words = (asking if known else loading).format(net=source_title(source), symmetries=symmetries)
        self.phase_changed.emit(words)
        self._task = run_task(self, lambda: self._work(source, position), self._done, self._broke)

    def _work(self, source: EvaluatorSource, position: Position) -> SymmetryAnswer:
        from core.engine.symmetry import under_symmetries

        key = (position.game.text, source.label)
        if self._loaded is None or self._loaded[0] != key:
            self._loaded = None
            self._loaded = (key, source.load(position.game))
        return under_symmetries(self._loaded[1], position)

    def _done(self, answer: SymmetryAnswer) -> None:
        self._end(lambda: self.answered.emit(answer))

    def _broke(self, sentence: str) -> None:
        self._end(lambda: self.failed.emit(sentence))

    def _end(self, tell: Callable[[], object]) -> None:
        self._task = None
        current = self._asked is not None and self._wanted is None
        if self._wanted is None:
            self.phase_changed.emit("")
        if current:
            tell()
        self._next()
