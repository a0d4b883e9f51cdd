"""Labels and buttons that shorten themselves, a button in bold, and looks by name."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPushButton, QSizePolicy, QStyleOption, QToolButton, QWidget

from core.text import Words
from gui.widgets.text_size import give_room, px
from gui.widgets.texts import set_texts
from gui.widgets.theme import set_icon
from gui.widgets.tips import set_tip

_ANYWHERE = QRect(0, 0, 1 << 16, 1 << 16)


def make_label(parent: QWidget, look: str, text: Words = "", wrap: bool = False) -> QLabel:
    """A label by its look in the style sheet (dim, heading, title, ...) and its English text."""
    made = set_texts(QLabel(parent), text=text) if text else QLabel(parent)
    made.setObjectName(look)
    if wrap:  # False would change the size policy
        made.setWordWrap(True)
    return made


def make_frame(parent: QWidget, look: str) -> QFrame:
    """A frame by its look in the style sheet: a card, or a line between parts."""
    frame = QFrame(parent)
    frame.setObjectName(look)
    return frame


def main_button(text: Words, parent: QWidget) -> QPushButton:
    """The button one is most likely to press, by its English text, wide enough for it in bold."""
    button = set_texts(QPushButton(parent), text=text)
    button.setDefault(True)
    give_room(button)
    return button


def icon_button(
    parent: QWidget, drawing: str, tip: Words = "", look: str = "", size: int = 18, colour: str = "text"
) -> QToolButton:
    """A button with an icon of so many px, by its look in the style sheet; its tip is what a screen reader says."""
    button = QToolButton(parent)
    button.setObjectName(look)
    button.setIconSize(QSize(size, size))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    set_icon(button, drawing, colour)
    if tip:
        set_texts(button, toolTip=tip, accessibleName=tip)
    return button


def repolish(widget: QWidget) -> None:
    """Let the style sheet see its properties and name anew."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def rename(widget: QWidget, name: str) -> None:
    """Change a widget's object name, which the style sheet uses."""
    if widget.objectName() != name:
        widget.setObjectName(name)
        repolish(widget)


class FigureLabel(QLabel):
    """A line of plain text that changes often: another text of the same size does not lay out the window anew.

    ``QLabel`` asks for a new layout at each text, even where its size cannot change, and layouts tell the whole window.
    """

    def __init__(self, parent: QWidget | None = None, look: str = "") -> None:
        """``look``: in the style sheet."""
        super().__init__(parent)
        self.setObjectName(look)
        self._text = ""
        self._told = QSize()  # the size that the layout was told, for the text before

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        before = self._text
        if text == before:
            return
        self._text = text
        if self.accessibleName() == before:  # it has no name of its own
            self.setAccessibleName(text)
        if not self._as_told():
            self.updateGeometry()
        self.update()

    def _as_told(self) -> bool:
        """Return whether the layout would do the same with the size that the text needs now."""
        now, told = (size.expandedTo(self.minimumSize()) for size in (self._measure(), self._told))
        ignored = self.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored
        return now.height() == told.height() and (ignored or now.width() == told.width())

    def _measure(self) -> QSize:
        return self.fontMetrics().boundingRect(_ANYWHERE, 0, self._text).size() + _around(self)

    def sizeHint(self) -> QSize:
        self._told = self._measure()
        return self._told

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def shown_text(self, width: int) -> str:
        """Return what is painted in so many px."""
        return self._text

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option, box = QPainter(self), QStyleOption(), self.contentsRect()
        option.initFrom(self)
        painter.setPen(option.palette.color(self.foregroundRole()))
        painter.drawText(box, self.alignment(), self.shown_text(box.width()))


def _around(widget: QWidget) -> QSize:
    margins = widget.contentsMargins()
    return QSize(margins.left() + margins.right(), margins.top() + margins.bottom())


BETWEEN = " · "  # of the parts of a text


class ShortLabel(FigureLabel):
    """A label with an ellipsis and the whole text as tooltip when it does not fit."""

    def __init__(
        self,
        parent: QWidget | None = None,
        look: str = "",
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        whole_parts: bool = False,
    ) -> None:
        """``look``: in the style sheet.  ``whole_parts``: of parts with " · " between them the last ones are left out,
        so that no figure is cut."""
        super().__init__(parent, look)
        self._elide, self._whole_parts = elide, whole_parts
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def shown_text(self, width: int) -> str:
        metrics, shown = self.fontMetrics(), self.text()
        while self._whole_parts and BETWEEN in shown and metrics.horizontalAdvance(shown) > width:
            shown = shown.rpartition(BETWEEN)[0]
        shown = metrics.elidedText(shown, self._elide, width)
        set_tip(self, self.text() if shown != self.text() else "")
        return shown


class NameLabel(ShortLabel):
    """A name as wide as its text where there is room, and shortened in its middle where there is none."""

    def __init__(self, parent: QWidget | None = None, look: str = "", narrowest: int = 120) -> None:
        """``narrowest``: px, at 100 %."""
        super().__init__(parent, look, Qt.TextElideMode.ElideMiddle)
        self._narrowest = narrowest
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        whole = self.sizeHint()
        return QSize(min(whole.width(), px(self._narrowest)), whole.height())


class ShortButton(QToolButton):
    """A button that becomes narrower before the window does; ``text`` returns the whole text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self._endings: tuple[str, ...] = ()
        self.narrowest = 76  # px, at 100 %
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        return self._whole

    def setText(self, text: str) -> None:
        if text != self._whole:
            self._whole = text
            super().setText(text)
            self._shorten()

    def spare_endings(self, endings: tuple[str, ...]) -> None:
        """Leave out these ends of texts first, such as ".onnx", where there is no room for the whole."""
        self._endings = endings

    @property
    def brief(self) -> str:
        """The text without the end that can be spared."""
        ending = next((ending for ending in self._endings if self._whole.endswith(ending)), "")
        return self._whole.removesuffix(ending)

    def sizeHint(self) -> QSize:
        """Return the size with the whole text."""
        hint = super().sizeHint()
        hidden = self.width_of(self._whole) - self.width_of(super().text())
        return QSize(hint.width() + hidden, hint.height())

    def width_of(self, text: str) -> int:
        """The px of a text, rounded as Qt does where it asks for a button's size."""
        return self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, text).width()

    def minimumSizeHint(self) -> QSize:
        whole = self.sizeHint()
        return QSize(min(whole.width(), px(self.narrowest)), whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        lacking = max(0, ShortButton.sizeHint(self).width() - self.width())  # a subclass may return a larger hint
        metrics = self.fontMetrics()
        room = max(0, metrics.horizontalAdvance(self._whole) - lacking)
        shown = metrics.elidedText(self.brief, Qt.TextElideMode.ElideRight, room) if lacking else self._whole
        if shown != super().text():
            super().setText(shown)


class MenuButton(ShortButton):
    """A button with a menu, such as that of a choice."""

    def __init__(self, parent: QWidget, tip: Words = "") -> None:
        super().__init__(parent)
        self.setObjectName("choice")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMenu(QMenu(self))
        if tip:
            set_texts(self, toolTip=tip)
