"""What the exact results say of the search that is shown: when its best move was wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.jobs.explainer import GROWTH
from gui.jobs.newest import Newest
from gui.jobs.truth import TruthReader

if TYPE_CHECKING:
    from core.games import Position
    from core.glass.curves import Curves
    from core.glass.snapshot import Snapshot
    from core.glass.truth import Truth
    from core.solve import Solution
    from gui.model.session import Session
    from gui.model.state import AppState


class RootTruth(QObject):
    """Compares the search with the exact results of its position.

    Positions that are solved at once are solved unasked; others while somebody insists, or as ``state.solutions`` has
    them from elsewhere.
    """

    changed = Signal()

    def __init__(self, state: AppState, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._session = state, session
        self._reader = TruthReader(self, self._state.solutions)
        self._insisted = False
        self._asked: tuple[Position | None, bool] = (None, False)  # the position asked for last, and whether insisted
        self._compared: tuple[Position, int] | None = None  # the position compared last, and its simulations
        self._comparison = Newest(self)
        self._comparison.answered.connect(self._take)
        self.truth: Truth | None = None
        self._asking: set[str] = set()
        self._reader.changed.connect(self._state.solved)
        self._reader.changed.connect(self.changed)
        for signal in (
            self._state.position_changed,
            self._state.solved,
            self._session.snapshot_for_text,
            self._session.concealed_changed,
        ):
            signal.connect(self._renew)

    @property
    def note(self) -> str:
        """What is being done, or why there are no exact results, in English."""
        return self._reader.note

    @property
    def solution(self) -> Solution | None:
        """The exact results of the position searched; None while they are unknown or hidden."""
        snapshot = self._session.snapshot
        return None if snapshot is None else self._state.solutions.get(snapshot.position)

    @property
    def solvable(self) -> bool:
        """Whether the position searched is small enough to be solved."""
        snapshot = self._session.snapshot
        if snapshot is None or snapshot.position.is_over:
            return False
        from core.solve import refusal  # when there is a search, the engine is loaded

        return refusal(snapshot.position) is None

    @property
    def withheld(self) -> bool:
        """Whether the window tells no exact result by itself, because a lesson or a prediction asks for it."""
        return bool(self._asking)

    def withhold(self, who: str, on: bool) -> None:
        """Set whether ``who`` asks the person what the exact results would tell."""
        if on != (who in self._asking):
            self._asking ^= {who}
            self.changed.emit()

    def insist(self, on: bool) -> None:
        """Set whether the position is solved however long it takes."""
        if on != self._insisted:
            self._insisted = on
            self._renew()

    def stop(self) -> None:
        """Stop solving, until the next position."""
        self._ask(None)

    def _ask(self, position: Position | None) -> None:
        before, self._asked = self._asked, (position, self._insisted)
        if before != self._asked:  # the reader's answer, also that there is none, comes back here
            self._reader.ask(position, quick=not self._insisted)
        self._session.extras.request_curves(position in self._state.solutions, "truth")

    def _renew(self, *_: object) -> None:
        present = self._session.present
        self._ask(None if present is None or present.position.is_over else present.position)
        if present is None or present.position not in self._state.solutions:
            self._forget()
            return
        position, simulations = present.position, present.simulations
        if self._compared is None or self._compared[0] != position or simulations < self._compared[1]:
            self._forget()
        elif simulations == self._compared[1] or (not present.reason and simulations < GROWTH * self._compared[1]):
            return
        curves, values = present.curves, exact_values(self._state.solutions[position])
        if not values or curves is None or curves.behind or not curves.exact or not curves.simulations.size:
            return
        self._compared = position, simulations
        self._comparison.put(lambda stale, report: compared(present, curves, values))

    def _forget(self) -> None:
        self._comparison.forget()
        self._compared = None
        self._take(None)

    def _take(self, truth: Truth | None) -> None:
        if truth is not self.truth:
            self.truth = truth
            self.changed.emit()


def exact_values(solution: Solution) -> dict[int, int]:
    """Return the exact value of each move; {} where one is not known."""
    values = {move.action: move.value for move in solution.moves if move.value is not None}
    return values if len(values) == len(solution.moves) else {}


def compared(snapshot: Snapshot, curves: Curves, values: dict[int, int]) -> Truth | None:
    """Compare a search with exact results; runs in a thread."""
    from core.glass.truth import find_truth, net_priors

    return find_truth(curves, values, net_priors(snapshot.root), snapshot.position.game.action_names)
