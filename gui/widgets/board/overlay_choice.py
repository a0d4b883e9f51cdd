"""The choice of an overlay: a button for each family, which opens a menu of those in it, or one menu of all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from gui.language.language import tr
from gui.widgets.board.overlays.overlay import Overlay
from gui.widgets.board.overlays.table import BY_NAME, FAMILIES, NAMES, TABLE
from gui.widgets.labels import MenuButton, repolish
from gui.widgets.layouts import lay_row
from gui.widgets.text_size import px
from gui.widgets.texts import set_texts
from gui.widgets.tips import set_tip

ARROW = 17  # px at the right end of a family's button, where a click opens its menu


class OverlayButton(MenuButton):
    """A button that names one of its overlays, as wide as the widest name, so that a choice shifts no widget."""

    def __init__(self, parent: QWidget, rows: Sequence[Overlay]) -> None:
        super().__init__(parent)
        self._rows = rows
        self.offered: tuple[Overlay, ...] = ()
        self.shown = rows[0]
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.menu().setToolTipsVisible(True)

    def offer(self, names: frozenset[str], chosen: Overlay) -> None:
        """Offer these overlays and the one chosen, which it shows if it is one of its own."""
        self.offered = tuple(row for row in self._rows if row.name in names or row is chosen)
        if chosen in self._rows:
            self.shown = chosen
        elif self.offered and self.shown not in self.offered:
            self.shown = self.offered[0]
        set_texts(self, text=self.shown.title)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        hint, present = super().sizeHint(), self.width_of(self.text())
        widest = max([present, *(self.width_of(tr(row.title)) for row in self.offered)])
        return QSize(hint.width() - present + widest, hint.height())

    def minimumSizeHint(self) -> QSize:
        return super().sizeHint()


class FamilyButton(OverlayButton):
    """A click chooses the overlay that was chosen last in its family; one more, or one at the arrow, opens the menu."""

    def __init__(self, parent: QWidget, rows: Sequence[Overlay]) -> None:
        super().__init__(parent, rows)
        self.setObjectName("segment")
        self.setProperty("tight", True)
        self.setCheckable(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.DelayedPopup)
        self._own_menu = self.menu()

    def offer(self, names: frozenset[str], chosen: Overlay) -> None:
        super().offer(names, chosen)
        several = len(self.offered) > 1
        if several != (self.menu() is not None):
            self.setMenu(self._own_menu if several else None)  # type: ignore[arg-type]
        opens = "menu" if several else ""
        if opens != self.property("opens"):
            self.setProperty("opens", opens)
            repolish(self)
        self.setChecked(chosen in self.offered)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self.menu() is not None and (self.isChecked() or event.position().x() > self.width() - px(ARROW)):
            self.showMenu()
        else:
            super().mousePressEvent(event)


class OverlayChoice(QWidget):
    """The row of families; ``actions_of`` are the entries of the menus, by overlay."""

    chosen = Signal(str)  # an overlay
    width_changed = Signal()  # of the widget, because other overlays are offered

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = lay_row(of=self, margins=0, spacing=1)
        self._folded = False
        self._overlay = TABLE[0]
        self._offered = frozenset(NAMES)
        self._keys: dict[str, str] = {}
        self.all = OverlayButton(self, TABLE)
        self.families: dict[str, FamilyButton] = {}
        self.actions_of: dict[str, QAction] = {}
        buttons, choices = QButtonGroup(self), QActionGroup(self)
        for family, rows in FAMILIES.items():
            button = self.families[family] = FamilyButton(self, rows)
            button.setProperty("place", {"visits": "first", "none": "last"}.get(family, ""))
            button.clicked.connect(lambda _=False, button=button: self.chosen.emit(button.shown.name))
            buttons.addButton(button)
            row.addWidget(button)
            for entry in rows:
                action = self.actions_of[entry.name] = button.menu().addAction("")
                action.setCheckable(True)
                action.triggered.connect(lambda _=False, name=entry.name: self.chosen.emit(name))
                choices.addAction(action)
            self.all.menu().addActions([self.actions_of[entry.name] for entry in rows])
            self.all.menu().addSeparator()
        row.addWidget(self.all)
        self._renew()

    def set_overlay(self, name: str) -> None:
        """Show which overlay is chosen."""
        self._overlay = BY_NAME[name]
        self._renew()

    def set_offered(self, names: frozenset[str]) -> None:
        """Offer these overlays, and the one chosen."""
        if names != self._offered:
            self._offered = names
            self._renew()
            self.width_changed.emit()

    def set_key(self, name: str, key: str) -> None:
        """Show an overlay's key; "" for none."""
        self._keys[name] = key
        title = tr(BY_NAME[name].title)
        self.actions_of[name].setText(f"{title}\t{key}" if key else title)
        set_tip(self.actions_of[name], tr(BY_NAME[name].tip))
        self._describe()

    def _renew(self) -> None:
        for button in (*self.families.values(), self.all):
            button.offer(self._offered, self._overlay)
            button.setVisible(bool(button.offered) and self._folded == (button is self.all))
        for name, action in self.actions_of.items():
            action.setVisible(name in self._offered or name == self._overlay.name)
        self.actions_of[self._overlay.name].setChecked(True)
        self._describe()

    def _describe(self) -> None:
        """Let each button explain the overlay that it shows."""
        for button in (*self.families.values(), self.all):
            key = self._keys.get(button.shown.name) or tr("no key")
            set_tip(button, f"{tr(button.shown.tip)} ({key})")

    # narrow windows

    def least_width(self, folded: bool) -> int:
        """Return the minimum width as a row of buttons or, if ``folded``, as one menu."""
        if folded:
            return self.all.minimumSizeHint().width()
        return sum(button.sizeHint().width() + 1 for button in self.families.values() if button.offered)

    def spare_width(self, folded: bool) -> int:
        """Return by how many px ``least_width`` exceeds what the names shown need."""
        shown = () if folded else [button for button in self.families.values() if button.offered]
        return sum(button.sizeHint().width() - button.minimumSizeHint().width() for button in shown)

    def fold(self, folded: bool) -> None:
        """Switch between one menu of all overlays and a button for each family."""
        if folded != self._folded:
            self._folded = folded
            self._renew()
