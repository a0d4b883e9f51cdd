"""The window in another language at once.  The search, the docks, the page and every view stay as they are."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from gui.language.language import chosen, language_of, set_language
from gui.widgets.text_size import measure_anew


def switch_language(choice: str) -> None:
    """Show all windows in one of ``gui.language.language.LANGUAGES``: Qt sends each widget a LanguageChange event."""
    before = language_of(chosen())
    set_language(choice)
    if language_of(choice) != before:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LanguageChange)
        for widget in QApplication.allWidgets():
            measure_anew(widget)
            widget.update()
