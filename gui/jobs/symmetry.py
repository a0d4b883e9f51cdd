"""Evaluates a position under all symmetries with a net, in a thread.

The net is loaded once and kept while the source stays the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.text import Words
from gui.jobs.newest import Newest
from gui.language.language import tr
from gui.model.sources import UniformSource, source_title

if TYPE_CHECKING:
    from core.engine import Evaluator, EvaluatorSource
    from core.engine.symmetry import SymmetryAnswer
    from core.games import Position

NO_NET: Words = "Leaves are evaluated by random rollouts: no net is used."
SAME_FOR_ALL: Words = "The uniform prior ignores the board: it is the same under every symmetry."
OVER: Words = "The game is over: a net evaluates only positions with legal moves."


def refusal(source: EvaluatorSource | None, position: Position | None) -> str:
    """Return why the position cannot be evaluated, in one sentence; "" when it can."""
    if source is None:
        return tr(NO_NET)
    if isinstance(source, UniformSource):
        return tr(SAME_FOR_ALL)
    return tr(OVER) if position is not None and position.is_over else ""


class SymmetryReader(Newest):
    """Evaluates the newest position in a thread; ``answered`` emits a ``core.engine.symmetry.SymmetryAnswer``."""

    phase_changed = Signal(str)  # what is being done

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loaded: tuple[object, Evaluator] | None = None  # (game and label, evaluator); touched by the task alone

    def ask(self, source: EvaluatorSource, position: Position) -> None:
        """Evaluate a position; replaces an earlier one."""
        known = self._loaded is not None and self._loaded[0] == (position.game.text, source.label)
        asking, loading = tr("evaluating with {net} under {symmetries} symmetries…"), tr("loading {net}…")
        symmetries = len(position.game.symmetries)
        words = (asking if known else loading).format(net=source_title(source), symmetries=symmetries)
        self.phase_changed.emit(words)
        self.put(lambda stale, report: self._work(source, position))

    def _work(self, source: EvaluatorSource, position: Position) -> SymmetryAnswer:
        from core.engine.symmetry import under_symmetries

        key = (position.game.text, source.label)
        if self._loaded is None or self._loaded[0] != key:
            self._loaded = None
            self._loaded = (key, source.load(position.game))
        return under_symmetries(self._loaded[1], position)
