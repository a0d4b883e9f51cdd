"""The buttons and the menu of one chart of runs.  Know the chart, not its page."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from gui.language.language import mark
from gui.rooms.training.charts import Chart
from gui.widgets.chart_table import CALIBRATION, ELO
from gui.widgets.text_size import by_font
from gui.widgets.texts import set_texts
from gui.widgets.theme import set_icon

SAVE_PNG, COPY_PNG, SAVE_CSV, COPY_CSV = "save_png", "copy_png", "save_csv", "copy_csv"
EXPORTS: Final = {
    SAVE_PNG: mark("Picture as PNG…"),
    COPY_PNG: mark("Copy a picture"),
    SAVE_CSV: mark("Figures as CSV…"),
    COPY_CSV: mark("Copy the figures"),
}
SHOWING: Final = (QEvent.Type.Enter, QEvent.Type.Leave, QEvent.Type.FocusIn, QEvent.Type.FocusOut)


class ChartTools(QWidget):
    """Two buttons in the head of a chart, seen while the pointer or the focus is in it, and its menu."""

    enlarge_asked = Signal()
    log_asked = Signal()
    whole_asked = Signal()
    asked = Signal(str)  # one of EXPORTS

    def __init__(self, chart: Chart) -> None:
        super().__init__(chart)
        self._chart = chart
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.enlarge, self.more = self._button("enlarge"), self._button("more")
        set_texts(self.enlarge, toolTip="Enlarge, and back (Enter)", accessibleName="Enlarge")
        set_texts(self.more, toolTip="Axis, picture, figures", accessibleName="More")
        for button in (self.enlarge, self.more):
            row.addWidget(button)
        self.enlarge.clicked.connect(self.enlarge_asked)
        self.more.clicked.connect(lambda: self.open_menu(self.more.mapToGlobal(QPoint(0, self.more.height()))))
        chart.head.addWidget(self, 0, 2)
        by_font(self, lambda: chart.head.setRowMinimumHeight(0, self.sizeHint().height()))
        chart.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chart.installEventFilter(self)
        self.hide()

    def _button(self, icon: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("small")
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys of the chart do the same
        set_icon(button, icon)
        return button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in SHOWING:
            self.setVisible(self._chart.underMouse() or self._chart.hasFocus())
        elif isinstance(event, QContextMenuEvent):
            self.open_menu(event.globalPos())
            return True
        return super().eventFilter(watched, event)

    def open_menu(self, at: QPoint) -> None:
        """Open the chart's menu."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_texts(menu.addAction("", self.enlarge_asked.emit), text="All charts" if self._chart.large else "Enlarge")
        if self._chart.spec.kind != CALIBRATION:
            whole = set_texts(menu.addAction("", self.whole_asked.emit), text="Whole run")
            whole.setEnabled(self._chart.look.zoom is not None)
        if self._chart.spec.kind not in (CALIBRATION, ELO):
            log = set_texts(menu.addAction("", self.log_asked.emit), text="Logarithmic axis")
            log.setCheckable(True)
            log.setChecked(self._chart.log)
            log.setEnabled(self._chart.can_be_log)
        menu.addSeparator()
        for what, text in EXPORTS.items():
            set_texts(menu.addAction("", partial(self.asked.emit, what)), text=text)
        menu.popup(at)
