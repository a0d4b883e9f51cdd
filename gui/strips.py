"""Two narrow strips: the moves of the record, to be clicked, and the banner for what went wrong.  Know no search."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from gui.theme import DARK, Theme, figure_font, icon


class RecordStrip(QWidget):
    """The moves in a line, scrolled so that the cursor is in sight; a click goes to that ply."""

    chosen = Signal(int)  # ply: the number of moves played

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = DARK
        self._names: tuple[str, ...] = ()
        self._cursor = 0
        self._boxes: list[tuple[QRectF, int]] = []
        self.setFont(figure_font(self.font()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Moves played")

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + 12)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_record(self, names: tuple[str, ...], cursor: int) -> None:
        self._names, self._cursor = names, cursor
        self.setAccessibleDescription(" ".join(names))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = painter.fontMetrics()
        height = self.height()
        if not self._names:
            painter.setPen(self._theme.color("faint"))
            painter.drawText(
                self.rect().adjusted(8, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, "no move yet: click the board"
            )
            self._boxes = []
            return
        texts = [f"{ply // 2 + 1}. {name}" if ply % 2 == 0 else name for ply, name in enumerate(self._names)]
        boxes, x = [], 0.0
        for ply, text in enumerate(texts):
            width = metrics.horizontalAdvance(text) + 12
            boxes.append((QRectF(x, 2, width, height - 4), ply + 1))
            x += width + (2 if ply % 2 == 0 else 6)
        at = boxes[max(0, self._cursor - 1)][0]
        shift = max(0.0, min(at.center().x() - self.width() / 2, x - self.width()))
        self._boxes = [(box.translated(-shift, 0), ply) for box, ply in boxes]
        for (box, ply), text in zip(self._boxes, texts, strict=True):
            if box.right() < 0 or box.left() > self.width():
                continue
            if ply == self._cursor:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.color("selection"))
                painter.drawRoundedRect(box, 5, 5)
            token = "text" if ply == self._cursor else "dim" if ply < self._cursor else "faint"
            painter.setPen(self._theme.color(token))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for box, ply in self._boxes:
            if box.contains(event.position()):
                self.chosen.emit(ply)
                return


class Banner(QFrame):
    """One sentence above everything else until it is closed or replaced."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._label = QLabel(self)
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton(self)
        self._close.setToolTip("Close this message")
        self._close.setAccessibleName("Close this message")
        self._close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 5, 8, 5)
        row.addWidget(self._label, 1)
        row.addWidget(self._close)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown; "" when none is."""
        return self._label.text() if not self.isHidden() else ""

    def set_theme(self, theme: Theme) -> None:
        self._close.setIcon(icon("close", theme, "dim"))

    def say(self, sentence: str, error: bool = True) -> None:
        self.setProperty("tone", "error" if error else "note")
        for widget in (self, self._label):
            widget.style().unpolish(widget)
            widget.style().polish(widget)
        self._label.setText(sentence)
        self.show()
