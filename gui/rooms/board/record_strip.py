"""What stands below the board: the record's moves in a line, and the count of an ended game."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.layouts import lay_row
from gui.widgets.texts import set_texts
from gui.widgets.theme import current_theme, figure_font
from gui.widgets.tips import set_tip

LEAST = "00. a0"  # narrower than this the strip stays empty


class RecordStrip(QWidget):
    """The moves in a line, scrolled to the cursor; a click goes to that ply.  No move is cut at an edge.

    Every move has its own number, as usual in the records of these games, unlike the pairs of chess; the header, the
    record and the report count the same way.
    """

    chosen = Signal(int)  # ply: the number of moves played

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._preview: tuple[str, ...] = ()
        self._cursor = 0
        self._marks: dict[int, str] = {}
        self._forks: frozenset[int] = frozenset()
        self._boxes: list[tuple[QRectF, int]] = []
        self.setFont(figure_font(self.font()))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_texts(self, accessibleName="Moves played")

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + 12)

    def set_record(self, names: tuple[str, ...], cursor: int, preview: tuple[str, ...] = ()) -> None:
        """Set the record's moves, the number of those on the board, and the moves of a previewed line after them."""
        self._names, self._cursor, self._preview = names, cursor, preview
        self.setAccessibleDescription(" ".join(names))
        self.update()

    def set_marks(self, marks: dict[int, str]) -> None:
        """Set the annotations such as "??", by move number from 1; they are not shown on a previewed line."""
        if marks != self._marks:
            self._marks = marks
            self.update()

    def set_forks(self, plies: frozenset[int]) -> None:
        """Set the plies that have variations: these moves are underlined."""
        if plies != self._forks:
            self._forks = plies
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = painter.fontMetrics()
        height = self.height()
        if self.width() < metrics.horizontalAdvance(LEAST):
            return  # a partly visible move would be useless
        names = self._names[: self._cursor] + self._preview if self._preview else self._names
        cursor = len(names) if self._preview else self._cursor
        if not names:
            painter.setPen(current_theme().color("faint"))
            hints = tr("no move yet: click the board"), tr("no move yet"), ""  # none is cut
            hint = next(words for words in hints if metrics.horizontalAdvance(words) <= self.width() - 8)
            painter.drawText(self.rect().adjusted(8, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, hint)
            self._boxes = []
            return
        texts = [f"{ply}. {name}" for ply, name in enumerate(names, 1)]
        last = self._cursor if self._preview else len(texts)
        texts = [text + self._marks.get(ply, "") if ply <= last else text for ply, text in enumerate(texts, 1)]
        boxes, x = [], 0.0
        for ply, text in enumerate(texts):
            width = metrics.horizontalAdvance(text) + 12
            boxes.append((QRectF(x, 2, width, height - 4), ply + 1))
            x += width + 2
        at = boxes[max(0, cursor - 1)][0]
        shift = max(0.0, min(at.center().x() - self.width() / 2, x - self.width()))
        shift = min(at.left(), next((box.left() for box, _ in boxes if box.left() >= shift), shift))
        self._boxes = [
            (box.translated(-shift, 0), ply)
            for box, ply in boxes
            if ply == cursor or (box.left() >= shift and box.right() - shift <= self.width() + 1)
        ]
        for box, ply in self._boxes:
            text = texts[ply - 1]
            if ply == cursor:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(current_theme().color("selection"))
                painter.drawRoundedRect(box, 5, 5)
            token = "text" if ply == cursor else "dim" if ply < cursor else "faint"
            if self._preview and ply > self._cursor:
                token = "accent"
            painter.setPen(current_theme().color(token))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            if ply in self._forks and (not self._preview or ply <= self._cursor):
                line = QRectF(box.left() + 7, box.bottom() - 3, box.width() - 14, 1.5)
                painter.fillRect(line, current_theme().color("accent"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for box, ply in self._boxes:
            if box.contains(event.position()):
                self.chosen.emit(min(ply, len(self._names)))
                return


class CountStrip(QWidget):
    """What each player's points are made of; ``recorded`` is emitted when the count shall be the game's result."""

    recorded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_texts(self, accessibleName="Count")
        self.label = QLabel(self)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.button = QPushButton(self)
        set_texts(
            self.button,
            text="Record result",
            toolTip="Write the result and whose points are whose to the game's record; files get RE, TB and TW",
        )
        self.button.clicked.connect(self.recorded)
        lay_row((self.label, 1), self.button, of=self, margins=(8, 0, 0, 0))
        self.hide()

    def show_count(self, words: str, recordable: bool) -> None:
        """Show a count in words; "" hides the strip.  ``recordable``: the record does not have it yet."""
        self.setVisible(bool(words))
        self.label.setText(words)
        set_tip(self.label, words)
        self.setAccessibleDescription(words)
        self.button.setEnabled(recordable)
