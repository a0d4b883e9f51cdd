"""The table of two searches' moves, a row for each move, with differences marked.  Knows pairs, no search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gui.language.language import mark, tr
from gui.widgets.columns import share_room
from gui.widgets.figures import NONE, count, firmness, percent, signed
from gui.widgets.tables.row_delegate import PAD, row_height
from gui.widgets.text_size import by_font
from gui.widgets.theme import DARK, Theme, figure_font, mix

if TYPE_CHECKING:
    from core.glass import MoveRow
    from gui.rooms.compare.comparison import Pair

Index = QModelIndex | QPersistentModelIndex


def _end(row: MoveRow) -> str:
    """Return "left out" or the proved result of a move, "" for neither."""
    return tr("left out") if row.left_out else tr(row.proof)


PairRole: Final = Qt.ItemDataRole.UserRole + 1
BEST = "●"


@dataclass(frozen=True)
class Head:
    """A column: ``side`` 0 or 1 for one search, -1 for neither; ``figure`` is the one of Pair that it shows."""

    side: int
    figure: str
    title: str
    meaning: str
    widest: str


OF: Final = {
    "first": (
        mark("Place of the move by visits in the first search; ● it would play it."),
        mark("Share of the visits of the first search."),
        mark("Mean value in the first search, for the side that plays the move."),
        mark("Prior as the first search uses it."),
    ),
    "second": (
        mark("Place of the move by visits in the second search; ● it would play it."),
        mark("Share of the visits of the second search."),
        mark("Mean value in the second search, for the side that plays the move."),
        mark("Prior as the second search uses it."),
    ),
}


def _of(side: int, who: str) -> tuple[Head, ...]:
    return (
        Head(side, "rank", "#", OF[who][0], "● 88"),
        Head(side, "share", mark("Share"), OF[who][1], "100.0 %"),
        Head(side, "q", "Q", OF[who][2], "+0.000"),
        Head(side, "prior", "P", OF[who][3], "100.0 %"),
    )


HEADS: Final = (
    Head(-1, "name", mark("Move"), mark("The move, as players of the game write it."), "m00 = m00"),
    *_of(0, "first"),
    *_of(1, "second"),
    Head(
        -1,
        "change",
        mark("Δ share"),
        mark("Share of the visits in the second search minus that in the first."),
        "+100.0 %",
    ),
)


class ComparisonModel(QAbstractTableModel):
    """The table's model: rows are moves, sorted by any column, those without a figure last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pairs: list[Pair] = []
        self._best = (-1, -1)
        self._column, self._descending = 1, False

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._pairs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        head = HEADS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            arrow = "" if section != self._column else "▾" if self._descending else "▴"
            return f"{arrow} {tr(head.title)}".strip()
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(head.meaning)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == 0 else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        pair, head = self._pairs[index.row()], HEADS[index.column()]
        if role == PairRole:
            return pair
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text(pair, head)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(
                f"{who}: N {count(row.visits)}" + f", {_end(row)}" * bool(_end(row))
                for who, row in zip((tr("First search"), tr("Second search")), pair.rows, strict=True)
                if row is not None
            )
        return None

    def text(self, pair: Pair, head: Head) -> str:
        """Return the text of a cell."""
        if head.figure == "name":
            return pair.name
        if head.figure == "change":
            return points(pair.change("share"))
        if head.figure == "rank":
            rank = str(pair.ranks[head.side]) if pair.ranks[head.side] else pair.notes[head.side] or NONE
            return f"{BEST} {rank}" if pair.action == self._best[head.side] else rank
        figure = pair.figure(head.side, head.figure)
        return signed(figure) if head.figure == "q" else percent(figure)

    def pair(self, number: int) -> Pair:
        return self._pairs[number]

    def show(self, pairs: list[Pair], best: tuple[int, int]) -> None:
        """Update the rows and their order."""
        self._best = best
        arranged = self._arranged(pairs)
        if [pair.action for pair in arranged] != [pair.action for pair in self._pairs]:
            self.beginResetModel()
            self._pairs = arranged
            self.endResetModel()
        elif arranged:
            self._pairs = arranged
            self.dataChanged.emit(self.index(0, 0), self.index(len(arranged) - 1, len(HEADS) - 1))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self.beginResetModel()
        self._pairs = self._arranged(self._pairs)
        self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(HEADS) - 1)

    def _arranged(self, pairs: list[Pair]) -> list[Pair]:
        head = HEADS[self._column]

        def key(pair: Pair) -> float:
            if head.figure == "name":
                return float(pair.action)
            if head.figure == "change":
                return pair.change("share")
            if head.figure == "rank":
                return float(pair.ranks[head.side]) or math.nan
            return pair.figure(head.side, head.figure)

        known = [pair for pair in pairs if not math.isnan(key(pair))]
        known.sort(key=key, reverse=self._descending)
        return known + [pair for pair in pairs if math.isnan(key(pair))]


def points(change: float) -> str:
    """Return a difference of shares: +12.3 %."""
    if math.isnan(change):
        return NONE
    return signed(100 * change, 1) + "\u2009%"


class ComparisonDelegate(QStyledItemDelegate):
    """Paints figures right-aligned; where the second differs markedly, its cell is filled and its text bold."""

    theme: Theme = DARK

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40, row_height(option.font))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        pair: Pair | None = index.data(PairRole)
        if pair is None:
            return
        head, theme, rect = HEADS[index.column()], self.theme, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selection"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("raised"))
        marked = (head.side == 1 and pair.stands_out(head.figure)) or (
            head.figure == "change" and pair.stands_out("share")
        )
        text = str(index.data())
        row = pair.rows[max(0, head.side)]
        colour = theme.color("text")
        if head.side >= 0 and head.figure != "prior":
            colour = mix(theme.color("panel"), colour, firmness(row.visits if row is not None else 0))
        painter.save()
        if marked:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("warn_panel"))
            painter.drawRoundedRect(QRectF(rect).adjusted(2, 2, -2, -2), 4, 4)
            colour = theme.color("warn")
        elif text.startswith(BEST):
            colour = theme.color("accent")
        font = QFont(option.font)
        if marked or text.startswith(BEST) or head.figure == "name":
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(colour)
        side = Qt.AlignmentFlag.AlignLeft if head.figure == "name" else Qt.AlignmentFlag.AlignRight
        painter.drawText(rect.adjusted(PAD, 0, -PAD, 0), side | Qt.AlignmentFlag.AlignVCenter, text)
        if head.figure == "rank":
            painter.setPen(theme.color("line"))
            painter.drawLine(rect.topLeft(), rect.bottomLeft())
        painter.restore()


class Groups(QWidget):
    """The names of the two searches above their columns."""

    def __init__(self, header: QHeaderView, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = DARK
        self.titles = (tr("First search"), tr("Second search"))
        self._header = header
        by_font(self, lambda: self.setFixedHeight(self.fontMetrics().height() + 8))
        for signal in (header.sectionResized, header.geometriesChanged):
            signal.connect(self.update)

    def set_titles(self, first: str, second: str) -> None:
        if (first, second) != self.titles:
            self.titles = (first, second)
            self.setAccessibleName(f"{first}; {second}")
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(figure_font(self.font(), bold=True))
        for side, title in enumerate(self.titles):
            own = [i for i, head in enumerate(HEADS) if head.side == side]
            left = self._header.sectionViewportPosition(own[0])
            right = self._header.sectionViewportPosition(own[-1]) + self._header.sectionSize(own[-1])
            colour = QColor(self.theme.series[side])
            painter.fillRect(QRectF(left + 4, self.height() - 2, right - left - 8, 2), colour)
            room = right - left - 2 * PAD
            text = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(room))
            painter.setPen(self.theme.color("text"))
            box = QRectF(left + PAD, 0, room, self.height() - 2)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class ComparisonView(QTableView):
    """The table's view: shares its width among the columns, and scrolls if they do not fit."""

    def least_widths(self) -> list[int]:
        """Return the width of the widest text in every column, in bold as for marked differences."""
        bold, usual = QFontMetrics(figure_font(self.font(), bold=True)), self.horizontalHeader().fontMetrics()
        return [
            max(bold.horizontalAdvance(head.widest), usual.horizontalAdvance(f"▾ {tr(head.title)}")) + 2 * PAD + 2
            for head in HEADS
        ]

    def fit_columns(self) -> None:
        share_room(self.horizontalHeader(), self.least_widths(), self.viewport().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()


class ComparisonTable(QWidget):
    """The table below the names of the searches; a click on a row emits ``selected``."""

    selected = Signal(int)  # action

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = ComparisonView(self)
        self.model = ComparisonModel(self)
        self._delegate = ComparisonDelegate(self)
        view, header = self.view, self.view.horizontalHeader()
        view.setFont(figure_font(view.font()))
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setModel(self.model)
        view.setItemDelegate(self._delegate)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setShowGrid(False)
        view.setMouseTracking(True)
        view.setTabKeyNavigation(False)
        view.setAccessibleName(tr("Moves of both searches"))
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(row_height(view.font()))
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSortIndicator(1, Qt.SortOrder.AscendingOrder)
        by_font(view, view.fit_columns)
        view.setSortingEnabled(True)
        self.groups = Groups(header, self)
        view.horizontalScrollBar().valueChanged.connect(self.groups.update)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.groups)
        column.addWidget(view, 1)
        view.clicked.connect(lambda index: self.selected.emit(self.model.pair(index.row()).action))

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = self.groups.theme = theme
        self.groups.update()
        self.view.viewport().update()
