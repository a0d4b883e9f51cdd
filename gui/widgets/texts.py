"""Texts of widgets that follow the language of the window, and messages to its user.

Qt sends a ``LanguageChange`` event to every widget and its children when a translator is installed or removed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from PySide6.QtCore import QAbstractItemModel, QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from shiboken6 import isValid

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import chosen, language_of, set_language
from gui.widgets.text_size import measure_all, measure_anew
from gui.widgets.tips import wrap_tip

# An English text, translated here, or a function that returns the text in the current language.
TextSource = Words | Callable[[], str]
Thing = TypeVar("Thing", bound=QObject)


class Messages(Protocol):
    """Shows one message at a time in the place of the status line.

    Sentences and titles are English or make their translated text.
    """

    @property
    def text(self) -> str:
        """The message shown; "" when none is."""

    def show_error(self, sentence: TextSource) -> None:
        """Show an error; it stays until it is closed or something else is done."""

    def show_notice(self, sentence: TextSource) -> None:
        """Show a notice while it can be read."""

    def hide(self) -> None:
        """Take the message away."""

    def show_offer(
        self,
        sentence: TextSource,
        title: Words,
        run: Callable[[], object],
        other: tuple[Words, Callable[[], object]] | None = None,
    ) -> None:
        """Show a message with a button that runs ``run``, and optionally a second button."""


class _OnLanguage(QObject):
    """A child of a widget that runs something whenever the language changes."""

    def __init__(self, owner: QObject, run: Callable[[], object]) -> None:
        super().__init__(owner)
        self._run = run

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LanguageChange:
            self._run()
        return super().event(event)


class _Texts(QObject):
    """A child of a widget that renews the widget's texts."""

    def __init__(self, owner: QObject, thing: QObject) -> None:
        super().__init__(owner)
        self._action = thing if isinstance(thing, QAction) else None
        if self._action is not None:  # a menu that is cleared deletes its actions
            self._action.destroyed.connect(self.deleteLater)
        self.sources: dict[str, TextSource] = {}
        self._shown: dict[str, str] = {}

    def give(self, texts: dict[str, TextSource]) -> None:
        self.sources.update(texts)
        for name in texts:
            self._write(name)

    def _write(self, name: str) -> None:
        thing = self._action or self.parent()
        text = source_text(self.sources[name])
        getattr(thing, f"set{name[0].upper()}{name[1:]}")(wrap_tip(text) if name == "toolTip" else text)
        self._shown[name] = getattr(thing, name)()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LanguageChange and (self._action is None or isValid(self._action)):
            for name, shown in self._shown.items():
                if getattr(self._action or self.parent(), name)() == shown:  # else it shows something else by now
                    self._write(name)
        return super().event(event)


def source_text(source: TextSource) -> str:
    """Return the text in the language in force."""
    return core_text(source) if isinstance(source, str) else source()


def switch_language(choice: str) -> None:
    """Show all windows in one of ``gui.language.language.LANGUAGES``: Qt sends each widget a LanguageChange event."""
    before = language_of(chosen())
    set_language(choice)
    if language_of(choice) != before:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LanguageChange)
        measure_all()
        for widget in QApplication.allWidgets():
            widget.update()


def on_language(owner: QObject, run: Callable[[], object]) -> None:
    """Run something whenever the language changes, as long as its owner, a widget, lives."""
    _OnLanguage(owner, run)


def set_texts(thing: Thing, **texts: TextSource) -> Thing:
    """Give a widget or an action its texts by the names of Qt's properties, in this and every later language.

    Each is an English text, perhaps a ``core.text.Text`` with values, or a function that makes the translated text.
    The thing itself is returned.
    """
    if isinstance(thing, QAction):
        owner = thing.parent()
        assert owner is not None
        _Texts(owner, thing).give(texts)
        return thing
    holder = thing.findChild(_Texts, options=Qt.FindChildOption.FindDirectChildrenOnly)
    (holder or _Texts(thing, thing)).give(texts)
    if "text" in texts and isinstance(thing, QWidget):
        measure_anew(thing)
    return thing


def name_of(widget: QWidget) -> Text:
    """Return the accessible name that ``set_texts`` gave a widget, for a sentence in any language."""
    holder = widget.findChild(_Texts, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert holder is not None
    name = holder.sources["accessibleName"]
    assert isinstance(name, str)
    return name if isinstance(name, Text) else Text(name)


def renew_headers(view: QWidget, model: QAbstractItemModel) -> None:
    """Have a view read its column titles again whenever the language changes."""
    last = model.columnCount() - 1
    on_language(view, lambda: model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last))


def set_choices(box: QComboBox, choices: Sequence[tuple[object, Words]]) -> None:
    """Fill a box with values and their English titles."""
    for value, _ in choices:
        box.addItem("", value)

    def write() -> None:
        for place, (_, title) in enumerate(choices):
            box.setItemText(place, core_text(title))

    write()
    on_language(box, write)
