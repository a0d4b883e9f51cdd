"""The dock of the charts of a search; ``connect_charts`` connects it to one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.jobs.task import save_file
from gui.language.core_words import core_text
from gui.language.language import mark, tr
from gui.model.timers import make_timer
from gui.widgets.figures import simulations_words
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import make_label
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.words import waiting_text

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from core.glass import Snapshot
    from gui.context import Context
    from gui.widgets.charts.page import ChartPage

NARROWEST, HEIGHT = 240, 96  # px of a chart's width and of its plot's height


class ChartsView(SeenWidget):
    """The widget with the charts of one search."""

    simulation_chosen = Signal(int)  # of the position, from 0
    failed = Signal(object)
    notified = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page: ChartPage | None = None  # until its library is loaded
        self._snapshot: Snapshot | None = None
        self._earlier: Snapshot | None = None
        self._colours: Any = None
        self._of: object = None  # the position that the colours are for
        self._waiting = mark("no figures yet")
        # So that the text is painted before the charts are loaded.
        self._loading = make_timer(self, 0, self._load, once=True)
        self.note = make_label(self, "faint")
        self.note.setFont(figure_font(self.note.font()))
        self._preparing = make_label(self, "dim", "preparing the charts…")
        self._preparing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 0, 4, 4)
        self._column.addWidget(self._preparing)
        self.note.hide()
        set_texts(self, accessibleName="Charts")
        on_language(self, self._renew)

    def sizeHint(self) -> QSize:
        return QSize(900, 270)

    @property
    def ready(self) -> bool:
        """Whether the charts in sight are made and drawn."""
        return self.page is not None and self.page.grid.ready

    def _load(self) -> None:
        """Load the charts' library, once (about 0.3 s).

        Must stay on the GUI thread: creating Qt types from two threads has crashed.
        """
        from gui.rooms.charts.search_charts import CHARTS
        from gui.widgets.charts.grid import ChartGrid
        from gui.widgets.charts.page import ChartPage

        tables = {spec.table: spec.id for spec in reversed(CHARTS)}  # charts of the same figures share a file
        page = self.page = ChartPage(ChartGrid(CHARTS, None, NARROWEST, HEIGHT), self, tuple(tables.values())[::-1])
        page.row.left.addWidget(self.note, 1)
        page.row.left.addStretch()
        page.grid.pressed.connect(self._press)
        page.chosen.connect(
            lambda path, data: save_file(self, path, lambda: data, self.notified.emit, self.failed.emit)
        )
        page.failed.connect(self.failed)
        page.notified.connect(self.notified)
        self._preparing.hide()
        self._column.addWidget(page, 1)
        self._renew()

    def _press(self, chart: str, x: float) -> None:
        if (
            self.page is not None
            and self.page.grid.specs[chart].presses
            and not self.page.grid.charts[chart].plot.is_empty
        ):
            self.simulation_chosen.emit(round(max(0.0, min(self.page.grid.whole[1], x))))

    # contents

    def show_snapshot(self, snapshot: Snapshot | None, earlier: Snapshot | None = None) -> None:
        """Draw the charts of a snapshot; kept for later while they are hidden.

        ``earlier``: the earlier moment shown: it is marked on the curves, their legends have its figures, and its
        priors and visits are shown.
        """
        if self._snapshot is snapshot and self._earlier is earlier:
            return
        self._snapshot, self._earlier = snapshot, earlier
        if self._in_sight:
            self._renew()

    def set_waiting(self, text: str) -> None:
        """Set the text shown while there are no figures, in English."""
        self._waiting = text
        self._show_note()

    def _renew(self) -> None:
        if self.page is None:
            return
        from gui.rooms.charts.search_charts import Colours, SearchedTree, shown_moves, whole_of

        snapshot = self._snapshot
        self._show_note()
        if snapshot is None:
            self.page.grid.show_model(None, (0.0, 1.0))
            self.page.grid.set_marker(math.nan)
            return
        if snapshot.position != self._of:
            self._of, self._colours = snapshot.position, Colours()
        colours = self._colours.give([row.action for row in shown_moves(snapshot)])
        searched = SearchedTree(snapshot, self._earlier, colours)
        self.page.grid.show_model(searched, whole_of(searched))
        self.page.grid.set_marker(math.nan if self._earlier is None else float(self._earlier.simulations))

    def _show_note(self) -> None:
        snapshot = self._snapshot
        over = snapshot is not None and snapshot.position.is_over
        text = tr("The game is over here: there is nothing to search.") if over else core_text(self._waiting)
        if self.page is not None:
            self.page.grid.set_nothing(text)
        curves = snapshot.curves if snapshot is not None else None
        note = ""
        if curves is not None and curves.behind:
            note = tr("reading the search: {behind} to go").format(behind=simulations_words(curves.behind))
        elif curves is not None and not curves.exact:
            note = tr("Some of these simulations began further down the tree: the curves count them here.")
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def set_in_sight(self, in_sight: bool) -> None:
        super().set_in_sight(in_sight)
        if in_sight and self.page is None:
            self._loading.start()
        if in_sight:
            self._renew()


def connect_charts(
    context: Context, view: QWidget, count_changed: SignalInstance, look_back: Callable[[int], None]
) -> None:
    """Connect the charts to the search and show its present state.

    ``count_changed`` is emitted when the search has grown while an earlier moment is shown; ``look_back(simulation)``
    shows an earlier moment.
    """
    assert isinstance(view, ChartsView)
    session = context.session

    def wait() -> None:
        view.set_waiting(waiting_text(session.phase))

    def show(snapshot: Snapshot | None) -> None:
        present = session.present
        view.show_snapshot(present, snapshot if present is not snapshot else None)

    session.state_changed.connect(wait)
    wait()
    view.in_sight.connect(session.extras.request_curves)
    view.failed.connect(context.messages.show_error)
    view.notified.connect(context.messages.show_notice)
    session.snapshot_for_text.connect(show)
    count_changed.connect(lambda: show(session.snapshot))  # the search goes on while an earlier moment is shown
    view.simulation_chosen.connect(look_back)
    show(session.snapshot)
    view.watch(context.docks.dock_of(view))
