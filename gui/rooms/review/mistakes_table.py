"""The table of a game's mistakes, one row each.  Knows a GameReport."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QTableView, QWidget

from gui.language.language import tr
from gui.rooms.review.game_report import MARKS, GameReport, JudgedMove, class_colour
from gui.widgets.columns import share_room
from gui.widgets.figures import plain
from gui.widgets.tables.row_delegate import row_height
from gui.widgets.theme import figure_font

Index = QModelIndex | QPersistentModelIndex
COLUMNS: Final = (
    ("Ply", "Which move of the game it is."),
    ("Player", "Who made it."),
    ("Played", "The move that was made."),
    ("Best", "The move the search would play there."),
    (
        "Loss",
        "Expected score given away: 0 a loss, 0.5 a draw, 1 a win. From the searched values for the mover.",
    ),
    ("Class", "Inaccuracy from 0.05, mistake from 0.10, blunder from 0.20 of the expected score."),
    ("Proved", "Whether the values of both moves are proved: then the loss is exact."),
)
NUMBERS: Final = {0, 4}
CLASS: Final = 5


class MistakesModel(QAbstractTableModel):
    """The table's model, one row for each mistake of a report."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.moves: tuple[JudgedMove, ...] = ()
        self._report: GameReport | None = None
        self._dark = True

    def show(self, report: GameReport | None, dark: bool) -> None:
        self.beginResetModel()
        self._report, self._dark = report, dark
        self.moves = report.mistakes if report is not None else ()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.moves)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        title, meaning = COLUMNS[section]
        answers = {
            Qt.ItemDataRole.DisplayRole: tr(title),
            Qt.ItemDataRole.ToolTipRole: tr(meaning),
            Qt.ItemDataRole.TextAlignmentRole: int(_side(section)),
        }
        return answers.get(Qt.ItemDataRole(role))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._report is None:
            return None
        move = self.moves[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _row_texts(self._report, move)[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_side(index.column()))
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == CLASS:
            return QColor(class_colour(move.kind, self._dark))
        return None


class MistakesTable(QTableView):
    """The table's view; a click or Enter on a row emits ``chosen``; without rows it shows the reason."""

    chosen = Signal(object)  # JudgedMove

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mistakes = MistakesModel(self)
        self.setFont(figure_font(self.font()))
        self.setModel(self.mistakes)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(tr("Mistakes of the game"))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(row_height(self.font()))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setMinimumSectionSize(30)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        self.nothing = QLabel(self)
        self.nothing.setObjectName("faint")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setWordWrap(True)

    def show_report(self, report: GameReport | None, dark: bool) -> None:
        """Show all mistakes known so far."""
        self.mistakes.show(report, dark)
        self.nothing.setVisible(not self.mistakes.moves)
        self.fit_columns()

    def show_cursor(self, ply: int) -> None:
        """Select the mistake made at a ply, if one was."""
        row = next((i for i, move in enumerate(self.mistakes.moves) if move.ply == ply), -1)
        if row >= 0:
            self.selectRow(row)
        else:
            self.clearSelection()

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(self.mistakes.moves[index.row()])

    def least_widths(self) -> list[int]:
        """Return the width of the widest text in every column."""
        header = self.horizontalHeader()
        return [max(header.sectionSizeHint(c), self.sizeHintForColumn(c)) for c in range(len(COLUMNS))]

    def fit_columns(self) -> None:
        share_room(self.horizontalHeader(), self.least_widths(), self.viewport().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()
        self.nothing.setGeometry(self.viewport().geometry().adjusted(16, 0, -16, 0))


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _row_texts(report: GameReport, move: JudgedMove) -> tuple[str, ...]:
    return (
        str(move.ply + 1),
        report.players[move.mover],
        move.name,
        move.best,
        plain(move.loss, 2),
        f"{MARKS[move.kind]} {tr(move.kind)}",
        tr("proved") if move.exact else "",
    )
