"""Explains a move of a search and finds its hesitations, in threads, as the search grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from gui.jobs.newest import Newest

if TYPE_CHECKING:
    from core.glass.curves import Curves
    from core.glass.explain import Explanation, Results
    from core.glass.snapshot import Snapshot
    from core.glass.turns import Turn
    from core.solve import Solution

GROWTH: Final = 1.05  # of the simulations before the present is looked at again


class Answer(NamedTuple):
    """An explanation, and the snapshot that it is of."""

    snapshot: Snapshot
    explanation: Explanation


class Explainer(Newest):
    """The newest explanation; ``changed`` is emitted when there is another."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.answer: Answer | None = None
        self._question: tuple[object, ...] = ()
        self._simulations = 0
        self.answered.connect(self._take)

    def ask(self, snapshot: Snapshot | None, present: Snapshot | None, action: int, solution: Solution | None) -> None:
        """Explain a move of a snapshot; ``present`` has the curves, of which an earlier one takes the beginning."""
        if snapshot is None or present is None:
            self.forget()
            self._question = ()
            self._take(None)
            return
        from core.glass.explain import nodes_for

        opened = frozenset(nodes_for(snapshot, action)) & snapshot.opened.keys()
        curves = present.curves
        if curves is not None and (curves.behind or not curves.exact or not curves.simulations.size):
            curves = None
        question = (snapshot.position, action, bool(snapshot.now), len(opened), curves is None, solution is None)
        steady = question == self._question and not snapshot.now and not snapshot.reason
        if steady and snapshot.simulations < GROWTH * self._simulations:
            return
        if (question, snapshot.simulations) == (self._question, self._simulations) or (steady and self.working):
            return
        self._question, self._simulations = question, snapshot.simulations
        self.put(lambda stale, report: explained(snapshot, action, curves, solution))

    def _take(self, answer: Answer | None) -> None:
        if answer is not self.answer:
            self.answer = answer
            self.changed.emit()


def explained(snapshot: Snapshot, action: int, curves: Curves | None, solution: Solution | None) -> Answer:
    """Explain a move; runs in a thread."""
    from core.glass.explain import explain
    from core.glass.turns import until

    results: Results = {}
    if solution is not None:
        results = {move.action: (move.value, move.distance) for move in solution.moves if move.value is not None}
    if curves is not None and snapshot.now:
        curves = until(curves, snapshot.simulations)
    return Answer(snapshot, explain(snapshot, action, curves, results))


class TurnFinder(Newest):
    """The hesitations of the newest search; ``changed`` is emitted when ``turns`` are others."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.turns: tuple[Turn, ...] = ()
        self._of: object = None  # request and position
        self._read = 0  # simulations read
        self.answered.connect(self._take)

    def ask(self, snapshot: Snapshot | None) -> None:
        """Find the hesitations of a search's present, where its curves are complete."""
        of = None if snapshot is None else (snapshot.request, snapshot.position)
        if of != self._of:
            self._of, self._read = of, 0
            self.forget()
            self._take(())
        curves = None if snapshot is None else snapshot.curves
        if snapshot is None or curves is None or curves.behind or not curves.exact or not curves.simulations.size:
            return
        now, resting = int(curves.simulations[-1]), bool(snapshot.reason)
        if now <= self._read or (not resting and now < GROWTH * self._read) or self.working:
            return
        self._read = now
        names = snapshot.position.game.action_names

        def work(stale: object, report: object) -> tuple[Turn, ...]:
            from core.glass.turns import find_turns

            return find_turns(curves, names)

        self.put(work)

    def _take(self, turns: tuple[Turn, ...]) -> None:
        if turns != self.turns:
            self.turns = turns
            self.changed.emit()
