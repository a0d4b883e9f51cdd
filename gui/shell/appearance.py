"""Theme, colours and size of text of a window, with the actions that choose them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from gui.widgets import text_size
from gui.widgets.dressing import Dressing
from gui.widgets.theme import current_theme, set_current_theme, style_sheet

if TYPE_CHECKING:
    from PySide6.QtCore import QChildEvent

    from gui.context import Context
    from gui.shell.desk import Desk


class Appearance(QObject):
    """How a window looks; its parts get style sheets of their own (``Dressing``)."""

    def __init__(self, context: Context, docks: Desk, theme: str) -> None:
        window = context.window
        super().__init__(window)
        self._context, self._window, self._docks = context, window, docks
        self._dressing = Dressing(window, self)
        self.choice = theme  # the user's: "dark", "light" or "system"
        self.set_theme(theme)
        for dock in docks.docks.values():
            dock.filled.connect(partial(self.dress, dock))
        self.set_text_size(context.preferences.text_size)
        context.actions[f"colours_{context.preferences.colours}"].setChecked(True)
        text_size.fit(window)
        window.installEventFilter(self)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_theme_changed)

    def dress(self, part: QWidget) -> None:
        """Apply the style sheet to a part that was not there, or not shown, when the theme was chosen."""
        self._dressing.dress(part)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Apply style sheet and text size to the window's dialogs just before they are shown."""
        if event.type() == QEvent.Type.ChildPolished:
            child = _child(event)
            if isinstance(child, QWidget) and child.isWindow():
                self.dress(child)
                text_size.fit(child)
        return False

    # theme

    def set_theme(self, choice: str) -> None:
        """Apply a theme: "dark", "light" or the "system"'s."""
        self.choice = choice
        set_current_theme(self._context.preferences.theme(choice))
        self._dressing.set_sheet(style_sheet(current_theme()))
        self._window.update()
        # A plot may have used up the request pending by then (gui/widgets/charts/plot.py); Qt would send no other.
        low = Qt.EventPriority.LowEventPriority.value
        QCoreApplication.postEvent(self._window, QEvent(QEvent.Type.UpdateRequest), low)
        self._context.actions[f"theme_{choice}"].setChecked(True)

    def toggle_theme(self) -> None:
        """Switch between dark and light."""
        self.set_theme("light" if current_theme().dark else "dark")

    def _system_theme_changed(self) -> None:
        if self.choice == "system":
            self.set_theme("system")

    # text size

    def set_text_size(self, size: int) -> None:
        """Set the text size to ``size`` per cent, with everything that depends on it, and save it."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        text_size.resize_text(app, size, lambda: self.set_theme(self.choice))
        if self._window.isVisible():
            for _ in range(2):  # here: Qt comes to it after all has been painted
                QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
                self._docks.fit()
        if size != self._context.preferences.text_size:
            self._context.preferences.text_size = size
        self._context.actions[f"text_{size}"].setChecked(True)

    def larger_text(self) -> None:
        self.set_text_size(text_size.larger(self._context.preferences.text_size))

    def smaller_text(self) -> None:
        self.set_text_size(text_size.smaller(self._context.preferences.text_size))

    # colours

    def set_colours(self, colours: str) -> None:
        """Set the standard colours or those for the colour-blind, and save the choice."""
        self._context.preferences.colours = colours
        self.set_theme(self.choice)
        self._context.actions[f"colours_{colours}"].setChecked(True)


def _child(event: QChildEvent | QEvent) -> QObject | None:
    child = getattr(event, "child", None)
    owner = child() if child is not None else None
    return owner if isinstance(owner, QObject) else None
