"""The banner for messages, in the place of the status line."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QWidget,
)

from core.files.reading import in_short
from core.text import Words
from gui.model.timers import make_timer
from gui.widgets.labels import icon_button, repolish
from gui.widgets.layouts import lay_row
from gui.widgets.texts import TextSource, set_texts, source_text

log = logging.getLogger(__name__)


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
        self._close = icon_button(self, "close", "Close this message", "small", 14, "dim")
        self._close.clicked.connect(self.hide)
        self._leaving = make_timer(self, self.BASE_MS, self.hide, once=True)
        self._shown = QElapsedTimer()  # not valid while the pointer keeps a message that would have left
        self._error = False
        row = lay_row((self._label, 1), of=self, margins=(12, 0, 4, 0))
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
        title: Words,
        run: Callable[[], object],
        other: tuple[Words, Callable[[], object]] | None = None,
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
