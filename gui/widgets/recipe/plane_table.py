"""The planes of one input as a table: what each holds, how many moves ago, and its sign."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QPushButton,
    QSpinBox,
    QTableWidget,
    QWidget,
)

from core.games.past_boards import MOST_BOARDS
from gui.language.language import tr
from gui.widgets.board.plane_titles import PLANES
from gui.widgets.form import ComboBox, SpinBox
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.text_size import give_room
from gui.widgets.texts import set_texts
from models.netfiles.recipe import MOST_PLANES, PAST, Plane, past_word, plane_of

KIND, AGO, MINUS = range(3)  # columns


class PlaneTable(QWidget):
    """A row for each plane, in the order of the net."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = QTableWidget(0, 3, self)
        set_texts(self.table, accessibleName="Planes of the input")
        self.table.setHorizontalHeaderLabels([tr("What it holds"), tr("Moves ago"), tr("Minus")])
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        self.table.verticalHeader().setSectionsClickable(False)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.setMinimumSize(260, 190)
        self.add = set_texts(QPushButton(self), text="Add")
        self.remove = set_texts(QPushButton(self), text="Remove")
        self.up = set_texts(QPushButton(self), text="Up")
        self.down = set_texts(QPushButton(self), text="Down")
        for button in (self.add, self.remove, self.up, self.down):
            give_room(button)
            button.setAutoDefault(False)
        buttons = lay_row(self.add, self.remove, self.up, self.down, 1)
        lay_column((self.table, 1), buttons, of=self, margins=0)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.table.currentCellChanged.connect(self._enable)
        self._enable()

    @property
    def words(self) -> tuple[str, ...]:
        """The planes as a recipe names them."""
        return tuple(self._word(row) for row in range(self.table.rowCount()))

    def show_words(self, words: Sequence[str]) -> None:
        """Show these planes; ``changed`` is not emitted."""
        row = self.table.currentRow()
        self.table.setRowCount(0)
        self.table.setRowCount(len(words))
        for place, word in enumerate(words):
            self._fill(place, plane_of(word) or Plane("zeros", 0, False))
        self.table.setCurrentCell(min(max(row, 0), len(words) - 1), KIND)
        self._enable()

    def _fill(self, row: int, plane: Plane) -> None:
        kind, ago, minus = ComboBox(), SpinBox(), QCheckBox()
        for name, title in PLANES.items():
            kind.addItem(tr(title), name)
        kind.setCurrentIndex(kind.findData(plane.name))
        kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        ago.setRange(0, MOST_BOARDS - 1)
        ago.setValue(plane.ago)
        ago.setEnabled(plane.name in PAST)
        minus.setChecked(plane.negative)
        number = row + 1
        kind.setAccessibleName(tr("Plane {number}").format(number=number))
        ago.setAccessibleName(tr("Plane {number}: moves ago").format(number=number))
        minus.setAccessibleName(tr("Plane {number}: negative").format(number=number))

        def kind_chosen() -> None:
            ago.setEnabled(kind.currentData() in PAST)
            self.changed.emit()

        kind.activated.connect(kind_chosen)
        ago.valueChanged.connect(self.changed)
        minus.toggled.connect(self.changed)
        self.table.setCellWidget(row, KIND, kind)
        self.table.setCellWidget(row, AGO, ago)
        self.table.setCellWidget(row, MINUS, minus)

    def _word(self, row: int) -> str:
        kind, ago, minus = (self.table.cellWidget(row, column) for column in (KIND, AGO, MINUS))
        assert isinstance(kind, QComboBox)
        assert isinstance(ago, QSpinBox)
        assert isinstance(minus, QCheckBox)
        name = str(kind.currentData())
        word = past_word(name, ago.value()) if name in PAST else name
        return f"-{word}" if minus.isChecked() else word

    def _enable(self) -> None:
        row, count = self.table.currentRow(), self.table.rowCount()
        self.add.setEnabled(count < MOST_PLANES)
        self.remove.setEnabled(row >= 0 and count > 1)
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)

    def _change(self, words: Sequence[str], row: int) -> None:
        self.show_words(words)
        self.table.setCurrentCell(row, KIND)
        self.changed.emit()

    def _add(self) -> None:
        words, row = list(self.words), self.table.currentRow()
        words.insert(row + 1, "zeros")
        self._change(words, row + 1)

    def _remove(self) -> None:
        words, row = list(self.words), self.table.currentRow()
        del words[row]
        self._change(words, min(row, len(words) - 1))

    def _move(self, step: int) -> None:
        words, row = list(self.words), self.table.currentRow()
        words[row], words[row + step] = words[row + step], words[row]
        self._change(words, row + step)
