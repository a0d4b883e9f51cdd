"""A widget that says whether it can be seen, so that nothing is drawn or requested for it meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget


class SeenWidget(QWidget):
    """Emits ``in_sight`` when it is shown or hidden.

    ``returned``: the person is back at it, perhaps from a dialog or another program that has changed something.
    """

    in_sight = Signal(bool)
    returned = Signal()
    _in_sight = False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.set_in_sight(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.set_in_sight(False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self.isVisible():
            self.returned.emit()

    def set_in_sight(self, in_sight: bool) -> None:
        """Set whether the widget is visible."""
        self._in_sight = in_sight
        self.in_sight.emit(in_sight)
