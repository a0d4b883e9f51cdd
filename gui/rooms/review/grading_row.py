"""The choice of what the classes of a game's report go by: points lost, with their limits, or the expected score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.form import ComboBox, NumberEdit
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.glass.review import Grading


class GradingRow(QWidget):
    """A menu and a line of five numbers; hidden where no net gives points."""

    changed = Signal(bool, str)  # by points; the numbers as written

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.by = ComboBox(self)
        self.by.addItems(["", ""])
        self.steps = NumberEdit(self)
        self.steps.setFixedWidth(116)
        set_texts(self.by, accessibleName="Classes of mistakes", toolTip="What the classes of mistakes go by")
        set_texts(
            self.steps,
            accessibleName="Limits of the classes in points",
            toolTip="Points lost, five numbers: from the second on a blunder, a mistake, an inaccuracy; "
            "the others divide the moves further.",
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.by)
        row.addWidget(self.steps)
        row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        on_language(self, self._name_items)
        self._name_items()
        self.by.activated.connect(lambda _: self._send())
        self.steps.editingFinished.connect(self._send)
        self.hide()

    def _name_items(self) -> None:
        for i, text in enumerate((tr("by points lost"), tr("by expected score"))):
            self.by.setItemText(i, text)

    def show_grading(self, grading: Grading) -> None:
        """Show what is in force."""
        self.by.setCurrentIndex(0 if grading.by_points else 1)
        self.steps.setText(grading.words)
        self.steps.setEnabled(grading.by_points)

    def _send(self) -> None:
        by_points = self.by.currentIndex() == 0
        self.steps.setEnabled(by_points)
        self.changed.emit(by_points, self.steps.text())
