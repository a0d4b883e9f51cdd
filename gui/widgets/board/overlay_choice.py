"""The choice of an overlay: a button for each family and a menu of those in it, or one menu of all."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from gui.language.language import tr
from gui.widgets.board.overlay import FAMILIES
from gui.widgets.board.overlays import BY_NAME, NAMES, TABLE
from gui.widgets.labels import MenuButton
from gui.widgets.layouts import lay_row
from gui.widgets.texts import set_texts


class SecondChoice(MenuButton):
    """The button of a menu, as wide as the widest of its titles, so that a choice shifts no widget."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.titles: tuple[str, ...] = ()  # in English
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        hint, width_of = super().sizeHint(), self.fontMetrics().horizontalAdvance
        widest = max((width_of(tr(title)) for title in self.titles), default=0)
        return QSize(hint.width() - width_of(self.text()) + widest, hint.height())

    def minimumSizeHint(self) -> QSize:
        return super().sizeHint()


class OverlayChoice(QWidget):
    """The row of families; ``actions_of`` are the entries of the menu, by overlay."""

    chosen = Signal(str)  # an overlay
    width_changed = Signal()  # of the widget, because other overlays are offered

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = lay_row(of=self, margins=0, spacing=1)
        self._folded = False
        self._overlay = TABLE[0]
        self._offered = frozenset(NAMES)
        self._of_family = {entry.family: entry.name for entry in reversed(TABLE)}  # the one chosen last
        self._keys: dict[str, str] = {}
        self._group = QButtonGroup(self)
        self.families: dict[str, QToolButton] = {}
        for family, title in FAMILIES.items():
            button = self.families[family] = QToolButton(self)
            button.setObjectName("segment")
            button.setProperty("tight", True)
            button.setProperty("place", {"visits": "first", "none": "last"}.get(family, ""))
            set_texts(button, text=title)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, family=family: self._choose(family))
            self._group.addButton(button)
            row.addWidget(button)
        row.addSpacing(5)
        self.second = SecondChoice(self)
        row.addWidget(self.second)
        menu, group = self.second.menu(), QActionGroup(self)
        self.actions_of: dict[str, QAction] = {}
        for entry, before in zip(TABLE, (TABLE[0], *TABLE), strict=False):
            if entry.family != before.family:
                menu.addSeparator()
            action = self.actions_of[entry.name] = menu.addAction(entry.words)
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, name=entry.name: self.chosen.emit(name))
            group.addAction(action)
        self._renew()

    def set_overlay(self, name: str) -> None:
        """Show which overlay is chosen."""
        self._overlay = BY_NAME[name]
        self._of_family[self._overlay.family] = name
        self._renew()

    def set_offered(self, names: frozenset[str]) -> None:
        """Offer these overlays, and the one chosen."""
        if names != self._offered:
            self._offered = names
            self._renew()
            self.width_changed.emit()

    def set_key(self, name: str, key: str) -> None:
        """Show an overlay's key; "" for none."""
        entry, action = BY_NAME[name], self.actions_of[name]
        self._keys[name] = key
        action.setText(f"{entry.words}\t{key}" if key else entry.words)
        action.setToolTip(tr(entry.tip))
        self._describe(entry.family)

    def _offers(self, family: str) -> list[str]:
        """The names of the overlays of a family that are offered, or chosen."""
        shown = {*self._offered, self._overlay.name}
        return [entry.name for entry in TABLE if entry.family == family and entry.name in shown]

    def _choose(self, family: str) -> None:
        names, last = self._offers(family), self._of_family[family]
        self.chosen.emit(last if last in names else names[0])

    def _renew(self) -> None:
        chosen = self._overlay.family
        for family, button in self.families.items():
            names = self._offers(family)
            button.setVisible(bool(names) and not self._folded)
            button.setChecked(family == chosen)
            for entry in TABLE:
                if entry.family == family:
                    shown = entry.name in names and (self._folded or family == chosen)
                    self.actions_of[entry.name].setVisible(shown)
            self._describe(family)
        self.actions_of[self._overlay.name].setChecked(True)
        self.second.titles = tuple(entry.title for entry in TABLE if entry.name in self._offers(entry.family))
        set_texts(self.second, text=self._overlay.title, toolTip=self._overlay.tip)
        self.second.setVisible(self._folded or len(self._offers(chosen)) > 1)
        self.second.updateGeometry()

    def _describe(self, family: str) -> None:
        """Let the button of a family name its overlays with their keys."""
        lines = [f"{tr(BY_NAME[name].tip)} ({self._keys.get(name) or tr('no key')})" for name in self._offers(family)]
        self.families[family].setToolTip("\n".join(lines))

    # narrow windows

    def least_width(self, folded: bool) -> int:
        """Return the minimum width as a row of buttons or, if ``folded``, as one menu."""
        if folded:
            return self.second.minimumSizeHint().width()
        widths = [button.sizeHint().width() + 1 for family, button in self.families.items() if self._offers(family)]
        return sum(widths) + 6 + self.second.sizeHint().width()

    def fold(self, folded: bool) -> None:
        """Switch between one menu of all overlays and buttons with a menu for those of a family."""
        if folded != self._folded:
            self._folded = folded
            self._renew()
