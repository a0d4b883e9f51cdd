"""The choice of overlay, as buttons and a menu or as one menu."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from gui.language.language import mark, tr
from gui.widgets.board.overlays import BY_NAME, TABLE
from gui.widgets.labels import ShortButton, repolish
from gui.widgets.texts import set_texts

MORE = mark("More")


class MoreButton(ShortButton):
    """A menu button as wide as its widest title, so that a choice shifts no widget; it shrinks in a narrow window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def _with_room_for(self, width: int) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() - self.fontMetrics().horizontalAdvance(self.text()) + width, hint.height())

    def sizeHint(self) -> QSize:
        width_of = self.fontMetrics().horizontalAdvance
        return self._with_room_for(max(width_of(tr(entry.title)) for entry in TABLE if not entry.button))

    def minimumSizeHint(self) -> QSize:
        """Return the width at which its own title and the present one are not cut."""
        width_of = self.fontMetrics().horizontalAdvance
        return self._with_room_for(max(width_of(tr(MORE)), width_of(self.text())))


class OverlayButtons(QWidget):
    """The row of overlay buttons.  ``buttons`` by overlay; all overlays in the menu share one button."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        self.more = self._dress(MoreButton(self), MORE, "last")
        self.more.setProperty("opens", "menu")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self._folded = False
        self._hidden: frozenset[str] = frozenset()
        self._overlay = TABLE[0].name
        choices = QActionGroup(self)
        self.menu_actions: dict[str, QAction] = {}
        for entry in TABLE:
            action = self.more.menu().addAction(entry.words)
            action.setCheckable(True)
            action.setVisible(not entry.button)
            action.triggered.connect(lambda _=False, name=entry.name: self.chosen.emit(name))
            choices.addAction(action)
            self.menu_actions[entry.name] = action
            self.buttons[entry.name] = self.more
            if entry.button:
                button = self._dress(QToolButton(self), entry.title, "first" if not row.count() else "")
                button.clicked.connect(lambda _=False, name=entry.name: self.chosen.emit(name))
                self.buttons[entry.name] = button
                row.addWidget(button)
        row.addWidget(self.more)

    def _dress(self, button: QToolButton, text: str, place: str) -> QToolButton:
        button.setObjectName("segment")
        set_texts(button, text=text)
        button.setCheckable(True)
        button.setProperty("tight", True)
        button.setProperty("place", place)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._group.addButton(button)
        return button

    def set_overlay(self, name: str) -> None:
        self._overlay = name
        self._name_more()
        self.buttons[name].setChecked(True)
        for other, action in self.menu_actions.items():
            action.setChecked(other == name)

    def set_hidden(self, names: frozenset[str]) -> None:
        """Leave these overlays, which have no buttons of their own, out of the menu."""
        self._hidden = names
        for entry in TABLE:
            if not entry.button:
                self.menu_actions[entry.name].setVisible(entry.name not in names)
        self._name_all()

    def _name_more(self) -> None:
        entry = BY_NAME[self._overlay]
        set_texts(self.more, text=MORE if entry.button and not self._folded else entry.title)

    # narrow windows

    def least_width(self, folded: bool) -> int:
        """Return the minimum width as a row of buttons or, if ``folded``, as one menu."""
        more = self.more.minimumSizeHint().width()
        if folded:
            return more
        widths = [button.sizeHint().width() for button in self._row_buttons()]
        return sum(widths) + more + len(widths)

    def _row_buttons(self) -> list[QToolButton]:
        return [self.buttons[entry.name] for entry in TABLE if entry.button]

    def fold(self, folded: bool) -> None:
        """Switch between one menu of all overlays and buttons with a menu for the rest."""
        if folded == self._folded:
            return
        self._folded = folded
        for entry in TABLE:
            if entry.button:
                self.buttons[entry.name].setVisible(not folded)
                self.menu_actions[entry.name].setVisible(folded)
        self.more.setProperty("place", "only" if folded else "last")
        repolish(self.more)
        self._name_more()

    def set_key(self, name: str, key: str) -> None:
        """Show an overlay's key; "" for none."""
        entry = BY_NAME[name]
        if entry.button:
            self.buttons[name].setToolTip(f"{tr(entry.tip)} ({key or tr('no key')})")
        self.menu_actions[name].setText(f"{entry.words}\t{key}" if key else entry.words)
        self.menu_actions[name].setToolTip(tr(entry.tip))
        self._name_all()

    def _name_all(self) -> None:
        names = (tr(entry.title) for entry in TABLE if not entry.button and entry.name not in self._hidden)
        self.more.setToolTip(tr("More overlays: ") + ", ".join(names))
