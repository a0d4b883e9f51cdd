"""Two narrow strips: the record's moves, clickable, and the banner for messages."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from core.files.reading import in_short
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.labels import repolish
from gui.widgets.texts import TextSource, set_texts, source_text
from gui.widgets.theme import current_theme, figure_font, set_icon

log = logging.getLogger(__name__)


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
            hint = metrics.elidedText(tr("no move yet: click the board"), Qt.TextElideMode.ElideRight, self.width() - 8)
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


class Banner(QFrame):
    """A message in the place of the status line, so that it covers nothing that is looked at.

    A notice leaves by itself, unless the pointer is on it.  An error stays until it is closed, or until something else
    is done and there was time to read it.
    """

    BASE_MS = 4000  # time to read a message, and for each byte of it: a Chinese character has three
    BYTE_MS = 50
    OFFER_MS = 8000  # more for one with a button

    def __init__(self, instead_of: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._instead_of = instead_of
        self._label = QLabel(self)
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton(self)
        self._close.setObjectName("small")
        self._close.setIconSize(QSize(14, 14))
        set_icon(self._close, "close", "dim")
        set_texts(self._close, toolTip="Close this message", accessibleName="Close this message")
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.clicked.connect(self.hide)
        self._leaving = make_timer(self, self.BASE_MS, self.hide, once=True)
        self._shown = QElapsedTimer()  # not valid while the pointer keeps a message that would have left
        self._error = False
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 4, 0)
        row.addWidget(self._label, 1)
        self.offer_button = QPushButton(self)
        self.offer_button.clicked.connect(self._take_offer)
        self._offered: Callable[[], object] | None = None
        self.other_button = QPushButton(self)
        self.other_button.clicked.connect(self._take_other)
        self._other: Callable[[], object] | None = None
        row.addWidget(self.offer_button)
        row.addWidget(self.other_button)
        row.addWidget(self._close)
        self.hide()

    @property
    def text(self) -> str:
        """The message shown; "" when none is."""
        return self._label.text() if not self.isHidden() else ""

    @property
    def reading_ms(self) -> int:
        """The time that a message stays, by its length."""
        time = self.BASE_MS + self.BYTE_MS * len(self._label.text().encode())
        return time if self._offered is None else time + self.OFFER_MS

    def show_error(self, sentence: TextSource) -> None:
        """Show an error."""
        log.error("%s", sentence if isinstance(sentence, str) else sentence())
        self._show(sentence, "error")

    def show_notice(self, sentence: TextSource) -> None:
        """Show a notice for a moment."""
        log.info("%s", sentence if isinstance(sentence, str) else sentence())
        self._show(sentence, "note")

    def show_offer(
        self,
        sentence: TextSource,
        title: str,
        run: Callable[[], object],
        other: tuple[str, Callable[[], object]] | None = None,
    ) -> None:
        """Show a message with a button that runs ``run``, and optionally a second button ``other``."""
        self._show(sentence, "note", run, None if other is None else other[1])
        set_texts(self.offer_button, text=title)
        if other is not None:
            set_texts(self.other_button, text=other[0])

    def moved_on(self) -> None:
        """Another position is shown: a notice leaves, an error once there was time to read it."""
        if self._error:
            self.cured()
        else:
            self.hide()

    def cured(self) -> None:
        """Something was done since: an error leaves once there was time to read it."""
        if self._error and not self.isHidden() and self._shown.isValid():
            self._leaving.start(max(0, self.reading_ms - self._shown.elapsed()))

    def _take_offer(self) -> None:
        self._take(self._offered)

    def _take_other(self) -> None:
        self._take(self._other)

    def _take(self, run: Callable[[], object] | None) -> None:
        self.hide()
        if run is not None:
            run()

    def _show(
        self,
        sentence: TextSource,
        tone: str,
        run: Callable[[], object] | None = None,
        other: Callable[[], object] | None = None,
    ) -> None:
        self._error, self._offered, self._other = tone == "error", run, other
        self.offer_button.setVisible(run is not None)
        self.other_button.setVisible(other is not None)
        self.setProperty("tone", tone)
        for widget in (self, self._label):
            repolish(widget)
        set_texts(self._label, text=lambda: in_short(source_text(sentence)))
        self._shown.start()
        self._leaving.stop()
        if not self._error and self.underMouse():
            self._shown.invalidate()
        elif not self._error:
            self._leaving.start(self.reading_ms)
        self.show()

    def setVisible(self, visible: bool) -> None:
        """Show or hide it, with the status line in its place when it is hidden."""
        if visible:
            self.setMinimumHeight(self._instead_of.sizeHint().height())
        else:
            self._leaving.stop()
        super().setVisible(visible)
        self._instead_of.setVisible(not visible)

    def enterEvent(self, event: QEnterEvent) -> None:
        if self._leaving.isActive():
            self._leaving.stop()
            self._shown.invalidate()

    def leaveEvent(self, event: QEvent) -> None:
        if not self._shown.isValid():
            self._shown.start()
            self._leaving.start(self.reading_ms)
