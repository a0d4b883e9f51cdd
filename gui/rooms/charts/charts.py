"""The dock of charts, as many side by side as fit, with export to PNG and CSV.

Knows a Snapshot; ``connect_charts`` connects it to a search.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from core.text import Text
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import mark, tr
from gui.model.timers import make_timer
from gui.widgets.figures import simulations_words
from gui.widgets.in_sight import SeenWidget
from gui.widgets.labels import make_label
from gui.widgets.page_switch import Segments
from gui.widgets.saving import ask_save_name, png, write_file
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font, on_theme
from gui.widgets.words import waiting_text

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from core.glass import Snapshot
    from gui.context import Context
    from gui.rooms.charts.chart_cards import CurveCard
    from gui.rooms.charts.chart_points import AnyCard

NAMES = ("value", "visits", "depth", "prior", "worse", "batches")
NARROWEST, LOWEST = 250, 150  # px of a chart's width and height
SQUEEZED = 110  # px of its height where space is short
FRAME_MS = 16
SHARPNESS = 2  # resolution of an exported picture
TABLES = (
    (mark("Curves as CSV…"), "curves", "curves_csv"),
    (mark("Depths as CSV…"), "depths", "depths_csv"),
    (mark("Priors and visits as CSV…"), "priors", "priors_csv"),
    (mark("Batches as CSV…"), "batches", "batches_csv"),
)


class ChartsView(SeenWidget):
    """The widget with the charts of one search."""

    simulation_chosen = Signal(int)  # of the position, from 0
    failed = Signal(object)
    notified = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[AnyCard] = []
        self._makers: list[Callable[[], AnyCard]] = []
        self._snapshot: Snapshot | None = None
        self._earlier: Snapshot | None = None
        self._colours: Any = None
        self._drawn: tuple[Snapshot | None, Snapshot | None, dict[int, int]] = (None, None, {})
        self._of: object = None  # the position that the colours are for
        self._stale: list[AnyCard] = []
        self._waiting = mark("no figures yet")
        # So that the text is painted before the charts are loaded.
        self._loading = make_timer(self, 0, self._load, once=True)
        self._hover = math.nan
        self._places = (0, 0, 0)  # columns, rows, first card
        self.note = make_label(self, "faint")
        self.note.setFont(figure_font(self.note.font()))
        self.segments = Segments(NAMES, parent=self)
        self.segments.chosen.connect(lambda _: self._arrange())
        self.export = QToolButton(self)
        self.export.setObjectName("small")
        set_texts(self.export, text="Export…")
        self.export.setFixedHeight(self.fontMetrics().height() + 8)
        self.export.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        set_texts(self.export, toolTip="Save the charts as a picture or as figures")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.export)
        set_texts(menu.addAction("", self._choose_png), text="Picture as PNG…")
        for text, name, table in TABLES:
            set_texts(menu.addAction("", partial(self._choose_csv, name, table)), text=text)
        self.export.setMenu(menu)
        self.empty = make_label(self, "dim")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_texts(self.empty, text="preparing the charts…")
        self.body = QWidget(self)
        self.body.setMinimumSize(NARROWEST, SQUEEZED + 4 * self.fontMetrics().height())  # fits one chart, not all
        self._grid = QGridLayout(self.body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(4)
        self._grid.addWidget(self.empty, 0, 0)
        self._top = top = QHBoxLayout()
        top.setContentsMargins(10, 0, 8, 2)
        top.setSpacing(8)
        top.addWidget(self.segments)
        top.addWidget(self.note, 1000)
        top.addStretch(1)
        top.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.body, 1)
        self._working = make_timer(self, FRAME_MS, self._work, once=True)  # one chart per event-loop pass
        self._hovering = make_timer(self, FRAME_MS, self._show_hover, once=True)
        set_texts(self, accessibleName="Charts")
        on_language(self, self._renew)
        on_theme(self, self._recolour)

    def sizeHint(self) -> QSize:
        return QSize(900, 270)

    @property
    def ready(self) -> bool:
        return len(self.cards) == len(NAMES)

    def _recolour(self) -> None:
        self._renew()
        while self._stale and self._in_sight:  # at once, so that each is painted only once
            self._work()

    # contents

    def show_snapshot(self, snapshot: Snapshot | None, earlier: Snapshot | None = None) -> None:
        """Draw the charts of a snapshot; kept for later while they are hidden.

        ``earlier``: the earlier moment shown: it is marked on the curves, their legends have its figures, and its
        priors and visits are shown.
        """
        if self._snapshot is snapshot and self._earlier is earlier:
            return
        self._snapshot, self._earlier = snapshot, earlier
        if self.ready and self._in_sight:
            self._renew()

    def set_waiting(self, text: str) -> None:
        """Set the text shown while there are no figures, in English."""
        self._waiting = text
        self._show_note()

    def _renew(self) -> None:
        if not self.ready:
            return
        snapshot = self._snapshot
        data = importlib.import_module("gui.rooms.charts.chart_data")
        if snapshot is not None and snapshot.position != self._of:
            self._of, self._colours = snapshot.position, data.Colours()
        moves = data.shown_moves(snapshot) if snapshot is not None else []
        colours = self._colours.give([row.action for row in moves]) if moves else {}
        self._drawn = snapshot, self._earlier, colours
        self._show_note()
        self._stale = list(self.cards)
        if not self._working.isActive():
            self._working.start()

    def _show_note(self) -> None:
        snapshot = self._snapshot
        over = snapshot is not None and snapshot.position.is_over
        text = tr("The game is over here: there is nothing to search.") if over else core_text(self._waiting)
        for card in self.cards:
            card.plot.empty.setText(text)
        curves = snapshot.curves if snapshot is not None else None
        note = ""
        if curves is not None and curves.behind:
            note = tr("reading the search: {behind} to go").format(behind=simulations_words(curves.behind))
        elif curves is not None and not curves.exact:
            note = tr("Some of these simulations began further down the tree: the curves count them here.")
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _work(self) -> None:
        """Make or draw one chart."""
        if self._makers:
            card = self._makers.pop(0)()
            self.cards.append(card)
            if isinstance(card, _curve_card()):
                card.pointed.connect(self._point)
                card.chosen.connect(self._choose)
            card.hide()
            if self.ready:
                self.empty.hide()
                self._arrange()
        elif self._stale:
            card = self._stale.pop(0)
            if card.isVisible():
                snapshot, earlier, colours = self._drawn  # while hidden there may be a newer one
                card.show_snapshot(snapshot, colours)
                card.set_past(earlier)
        if self._makers or self._stale:
            self._working.start()

    # the crosshair

    def _point(self, simulation: float) -> None:
        self._hover = simulation
        if not self._hovering.isActive():
            self._hovering.start()

    def _show_hover(self) -> None:
        for card in self.cards:
            if isinstance(card, _curve_card()):
                card.set_hover(self._hover)

    def _choose(self, simulation: float) -> None:
        self.simulation_chosen.emit(round(simulation))

    # layout

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Arrange as many charts as fit: all in one row, in full rows, else the chosen one and those after it."""
        scale = max(1.0, self.fontMetrics().height() / 17)
        across = max(1, min(len(NAMES), int(self.body.width() / (NARROWEST * scale))))
        down = max(1, int(self.body.height() / (LOWEST * scale)))
        columns = next(n for n in (len(NAMES), 3, 2, 1) if n <= across)
        if down >= len(NAMES) // columns:
            across, down = columns, len(NAMES) // columns
        places = across * down
        self.segments.setVisible(places < len(NAMES))
        if not self.ready:
            return
        corner = self.cards[across - 1].head
        if places < len(NAMES):
            self._top.addWidget(self.export)
        else:
            corner.addWidget(self.export, 0, 3)
        first = NAMES.index(self.segments.choice) if places < len(NAMES) else 0
        first = min(first, len(NAMES) - places)
        for i, card in enumerate(self.cards):
            inside = first <= i < first + places
            self._grid.removeWidget(card)
            if inside:
                self._grid.addWidget(card, (i - first) // across, (i - first) % across)
            card.setVisible(inside)
        for column in range(len(NAMES)):
            self._grid.setColumnStretch(column, 1 if column < across else 0)
        if (across, down, first) != self._places:
            self._places = (across, down, first)
            self._renew()

    # visibility

    def set_in_sight(self, in_sight: bool) -> None:
        super().set_in_sight(in_sight)
        if in_sight and not self.ready and not self._makers:
            self._loading.start()
        if in_sight:
            self._renew()

    def _load(self) -> None:
        """Load the charts' library, once (about 0.3 s).

        Must stay on the GUI thread: creating Qt types from two threads has crashed.
        """
        from gui.rooms.charts.chart_points import make_cards

        self._makers = make_cards(self.body)
        self._working.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    # files

    def picture(self) -> QImage:
        """Return an image of the visible charts, twice as sharp as on the screen."""
        size = self.body.size()
        image = QImage(size * SHARPNESS, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(SHARPNESS)
        image.fill(current_theme().color("panel"))
        painter = QPainter(image)
        self.body.render(painter, QPoint())
        painter.end()
        return image

    def save_png(self, path: Path) -> None:
        """Write the visible charts as a picture."""
        self._write(path, png(self.picture()))

    def save_csv(self, path: Path, table: str) -> None:
        """Write the figures of ``table``, the name of a function of ``gui.rooms.charts.chart_data``."""
        snapshot = self._snapshot
        if snapshot is None or snapshot.curves is None:
            self.failed.emit(mark("There are no figures to save: this position has not been searched yet."))
            return
        shown = self._earlier if table == "priors_csv" and self._earlier is not None else snapshot
        self._write(path, getattr(importlib.import_module("gui.rooms.charts.chart_data"), table)(shown))

    def _choose_png(self) -> None:
        self._ask("charts", ".png", self.save_png)

    def _choose_csv(self, name: str, table: str) -> None:
        self._ask(name, ".csv", lambda path: self.save_csv(path, table))

    def _ask(self, name: str, suffix: str, save: Callable[[Path], None]) -> None:
        path = ask_save_name(self, tr("Save the charts"), f"{name}{suffix}")
        if path is not None:
            save(path)

    def _write(self, path: Path, content: bytes) -> None:
        def done(_: None) -> None:
            self.notified.emit(Text("{name} is saved.", name=path.name))

        run_task(self, lambda: write_file(path, content), done, self.failed.emit, writes=True)


def _curve_card() -> type[CurveCard]:
    """Return the class of curve cards; call it only after the charts have been loaded."""
    from gui.rooms.charts.chart_cards import CurveCard

    return CurveCard


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
