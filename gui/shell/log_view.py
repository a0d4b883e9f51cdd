"""The log: keeps and shows the last lines written through ``logging``."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from core.text import Text, Words
from gui.widgets.form import ComboBox
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.log_text import LogText
from gui.widgets.text_size import px
from gui.widgets.texts import set_choices, set_texts

KEPT = 2000  # lines
SIZE: Final = (760, 360)  # px of its window
PARTS = ("core", "models", "gui")  # packages logged from INFO on; other libraries from WARNING on
LEVELS: dict[int, Words] = {
    logging.DEBUG: "Everything",
    logging.INFO: "Notes",
    logging.WARNING: "Warnings",
    logging.ERROR: "Errors",
}


@dataclass(frozen=True)
class LogLine:
    level: int
    text: str


class Log(logging.Handler):
    """Keeps the last ``KEPT`` log lines of the whole program while it is open; any thread may write."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[LogLine] = deque(maxlen=KEPT)
        self.count = 0  # lines written in total
        self.opened = False

    def open(self) -> None:
        """Start receiving log records."""
        if not self.opened:
            self.opened = True
            logging.getLogger().addHandler(self)
            for name in PARTS:
                logging.getLogger(name).setLevel(logging.INFO)

    def emit(self, record: logging.LogRecord) -> None:
        time = datetime.fromtimestamp(record.created).strftime("%H:%M:%S.%f")[:-3]
        text = record.getMessage()
        if record.exc_info:
            text += "\n" + logging.Formatter().formatException(record.exc_info)
        for part in text.splitlines() or [""]:
            self.lines.append(LogLine(record.levelno, f"{time}  {record.levelname.lower():<8} {record.name}  {part}"))
            self.count += 1

    def kept(self) -> tuple[int, tuple[LogLine, ...]]:
        """Return the total number of lines written, and the last of them."""
        self.acquire()
        try:
            return self.count, tuple(self.lines)
        finally:
            self.release()

    def close(self) -> None:
        """Stop receiving log records; the lines are kept."""
        logging.getLogger().removeHandler(self)
        self.opened = False
        super().close()


def show_log(window: QWidget, log: Log) -> LogView:
    """Show the log in a window of its own."""
    view = window.findChild(LogView)
    if view is None:
        view = LogView(log, window)
        view.setObjectName("central")
        view.setWindowFlags(Qt.WindowType.Tool)
        view.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_texts(view, windowTitle="Log")
        view.resize(px(SIZE[0]), px(SIZE[1]))
    view.show()
    view.raise_()
    return view


class LogView(QWidget):
    """The last lines from a chosen level on, with a copy button."""

    def __init__(self, log: Log, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._log = log
        self._shown = -1  # the log's line count when last shown
        self.level = ComboBox(self)
        set_choices(self.level, tuple(LEVELS.items()))
        self.level.setCurrentIndex(list(LEVELS).index(logging.INFO))
        set_texts(self.level, accessibleName="Lowest level shown")
        self.level.currentIndexChanged.connect(lambda _: self._show_anew())
        self.state = make_label(self, "faint")
        self.copy = set_texts(QPushButton(self), text="Copy")
        self.copy.clicked.connect(self._copy)
        self.text = LogText(KEPT, self)
        self.text.lines_due.connect(self.look)
        set_texts(self.text, accessibleName="Log", placeholderText="The log is empty.")
        top = lay_row(self.level, (self.state, 1), self.copy, margins=(10, 2, 8, 4))
        lay_column(top, (self.text, 1), of=self, margins=0, spacing=2)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def _show_anew(self) -> None:
        self._shown = -1
        self.look()

    def look(self) -> None:
        """Append the lines written since the last call."""
        count, lines = self._log.kept()
        if count == self._shown:
            return
        fresh = lines if self._shown < 0 else lines[max(0, len(lines) - (count - self._shown)) :]
        least = self.level.currentData()
        if self._shown < 0:
            self.text.clear()
        text = "\n".join(line.text for line in fresh if line.level >= least)
        if text:
            self.text.appendPlainText(text)
        self._shown = count
        dropped = count - len(lines)
        words = Text("the last {lines} of {count} lines", lines=len(lines), count=count)
        set_texts(self.state, text=words if dropped else "")
