"""A grid of charts below a row of controls, with export: pictures and figures, saved or copied."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget

from core.text import Text, Words
from gui.language.language import tr
from gui.widgets.charts.chart import Chart
from gui.widgets.charts.grid import COPY_CSV, COPY_PNG, EXPORTS, SAVE_CSV, SAVE_PNG, ChartGrid, ChartTools
from gui.widgets.charts.lines import View
from gui.widgets.folding_row import FoldingRow
from gui.widgets.layouts import lay_column
from gui.widgets.saving import ask_save_name, png
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme

SHARPNESS: Final = 2  # resolution of a picture
MARGIN: Final = 8


class ChartPage(QWidget):
    """The page; a room adds its own controls to ``row`` and says what the charts show."""

    chosen = Signal(object, bytes)  # Path of a file, and what is to be written there
    failed = Signal(object)
    notified = Signal(object)

    def __init__(self, grid: ChartGrid, parent: QWidget | None = None, each: Sequence[str] = ()) -> None:
        """``each``: the ids of charts whose figures are files of their own; (): all figures are rows of one table."""
        super().__init__(parent)
        self.grid = grid
        self.whole = self._text_button("Whole range", "The whole x axis (double-click, 0)")
        self.back = self._text_button("All charts", "Back to all charts (Esc)")
        self.export = self._text_button("Export…", "Save or copy the charts as a picture or as figures")
        self.export.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._each = each
        menu = QMenu(self.export)
        self.add_exports(menu)
        self.export.setMenu(menu)
        self.whole.clicked.connect(lambda: grid.set_zoom(None))
        self.back.clicked.connect(lambda: grid.enlarge(None))
        grid.viewed.connect(self._show_view)
        grid.enlarged.connect(self.back.setVisible)
        grid.asked.connect(self.carry_out)
        self.row = FoldingRow(self)
        for part in (self.back, self.whole, self.export):
            self.row.right.addWidget(part)
        self.row.right.setSpacing(8)
        self.row.set_stretch(1, 0)
        lay_column(self.row, (grid, 1), of=self, margins=0, spacing=6)
        self.back.hide()
        self.whole.hide()

    def _text_button(self, text: Words, tip: Words) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("plain")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_texts(button, text=text, toolTip=tip)
        return button

    def _show_view(self, view: View) -> None:
        self.whole.setVisible(view.zoom is not None)

    # for the room

    def name(self) -> str:
        """Return what a file of the charts is called."""
        return "charts"

    def heads(self) -> list[QWidget]:
        """Return what stands above the charts in a picture."""
        return []

    # export

    def add_exports(self, menu: QMenu) -> None:
        """Add what saves and copies the charts to a menu."""
        for what, text in EXPORTS.items():
            if what in (SAVE_PNG, COPY_PNG) or not self._each:
                set_texts(menu.addAction("", partial(self.carry_out, None, what)), text=text)
        for name in self._each:
            words = Text("{chart} as CSV…", chart=Text(self.grid.specs[name].title))
            set_texts(menu.addAction("", partial(self._save_figures, name)), text=words)

    def _save_figures(self, chart: str) -> None:
        self.carry_out(self.grid.chart(chart), SAVE_CSV)

    def carry_out(self, chart: Chart | None, what: str) -> None:
        """Save or copy a chart, None for all shown; ``what``: one of ``EXPORTS``."""
        name = self.name() + (f"-{chart.id}" if chart is not None else "")
        if what in (SAVE_CSV, COPY_CSV):
            figures = self.figures(chart)
            if figures.count(b"\n") < 2:
                self.failed.emit(Text("There are no figures to save."))
            elif what == SAVE_CSV:
                self._ask(f"{name}.csv", figures)
            else:
                QGuiApplication.clipboard().setText(figures.decode())
                self.notified.emit(Text("The figures are on the clipboard."))
            return
        picture = self.picture(chart)
        if what == SAVE_PNG:
            self._ask(f"{name}.png", png(picture))
        else:
            QGuiApplication.clipboard().setImage(picture)
            self.notified.emit(Text("The picture is on the clipboard."))

    def figures(self, chart: Chart | None) -> bytes:
        """Return the figures of a chart, None for all shown, as CSV."""
        shown = [entry for entry in self.grid.charts.values() if not entry.isHidden()] if chart is None else [chart]
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        for place, entry in enumerate(shown if self.grid.model is not None else []):
            head, rows = self.grid.specs[entry.id].table(self.grid.model, self.grid.view)
            writer.writerows(rows if place else [head, *rows])
        return stream.getvalue().encode()

    def picture(self, chart: Chart | None) -> QImage:
        """Return a picture of a chart, None for all shown, twice as sharp as on the screen."""
        self.grid.draw_all()
        for tools in self.findChildren(ChartTools):
            tools.hide()
        focused = QApplication.focusWidget()
        self.grid.setFocus()  # so that no frame is marked
        footed = chart is None or chart.plot.footed
        try:
            if chart is not None:
                chart.set_footed(True)
            return _picture_of([*self.heads(), self.grid.body if chart is None else chart])
        finally:
            if chart is not None:
                chart.set_footed(footed)
            if focused is not None:
                focused.setFocus()

    def _ask(self, name: str, content: bytes) -> None:
        path = ask_save_name(self, tr("Save the charts"), "pictures", name)
        if path is not None:
            self.chosen.emit(path, content)


def _picture_of(parts: Sequence[QWidget]) -> QImage:
    """Return a picture of widgets below each other."""
    width = max(part.width() for part in parts) + 2 * MARGIN
    height = sum(part.height() for part in parts) + (len(parts) + 1) * MARGIN
    image = QImage(SHARPNESS * width, SHARPNESS * height, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(SHARPNESS)
    image.fill(current_theme().color("window"))
    painter = QPainter(image)
    top = MARGIN
    for part in parts:
        part.render(painter, QPoint(MARGIN, top), QRect(QPoint(), part.size()))
        top += part.height() + MARGIN
    painter.end()
    return image
