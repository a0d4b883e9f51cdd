"""A small read-only table of figures, updated row by row without flicker.  Knows no figures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from gui.language.core_words import core_text
from gui.widgets.columns import share_room
from gui.widgets.texts import on_language
from gui.widgets.theme import current_theme, figure_font, on_theme


class FigureTable(QTableWidget):
    """The table: the first column is text, the others are right-aligned figures."""

    def __init__(self, columns: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """Make an empty table; ``columns``: (title, meaning) of each."""
        super().__init__(0, len(columns), parent)
        self.setObjectName("figures")
        self.setFont(figure_font(self.font()))
        self.set_columns(columns)
        on_language(self, lambda: self.set_columns(self._columns))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(30)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._strong = -1
        on_theme(self, self._colour_strong)

    def set_columns(self, columns: Sequence[tuple[str, str]]) -> None:
        """Other titles for the same number of columns, in English."""
        self._columns = tuple(columns)
        for place, (title, meaning) in enumerate(columns):
            item = self.horizontalHeaderItem(place) or QTableWidgetItem()
            self.setHorizontalHeaderItem(place, item)
            item.setText(core_text(title))
            item.setToolTip(core_text(meaning))
            item.setTextAlignment(_side(place))

    def show_rows(self, rows: Sequence[Sequence[str]], strong: int = -1) -> None:
        """Show the texts of every row; the row ``strong`` is in the accent colour."""
        self._strong = strong
        self.setRowCount(len(rows))
        for r, texts in enumerate(rows):
            for c, text in enumerate(texts):
                item = self.item(r, c)
                if item is None:
                    item = QTableWidgetItem()
                    item.setTextAlignment(_side(c))
                    self.setItem(r, c, item)
                if item.text() != text:
                    item.setText(text)
                if r != strong:
                    item.setData(Qt.ItemDataRole.ForegroundRole, None)
        self._colour_strong()
        self.fit_columns()

    def _colour_strong(self) -> None:
        for c in range(self.columnCount()):
            item = self.item(self._strong, c)
            if item is not None:
                item.setData(Qt.ItemDataRole.ForegroundRole, current_theme().color("accent"))

    def least_widths(self) -> list[int]:
        """Return the width of the widest text in every column."""
        header = self.horizontalHeader()
        return [max(header.sectionSizeHint(c), self.sizeHintForColumn(c)) for c in range(self.columnCount())]

    def fit_columns(self) -> None:
        least = self.least_widths()
        share_room(self.horizontalHeader(), least, self.viewport().width())
        around = self.width() - self.viewport().width()
        self.setMinimumWidth(around + sum(w for c, w in enumerate(least) if not self.isColumnHidden(c)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def texts(self) -> list[list[str]]:
        """Return the texts of all cells."""
        rows = [[self.item(r, c) for c in range(self.columnCount())] for r in range(self.rowCount())]
        return [[item.text() for item in row if item is not None] for row in rows]


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
