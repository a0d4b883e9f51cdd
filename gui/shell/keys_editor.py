"""The dialog for changing keys: search, record, reassign, restore defaults.  Knows a KeyMap."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.language.language import tr
from gui.model.keymap import KeyMap, KeyTaken, shown_keys, title_of
from gui.widgets.screen import room_on_screen

COMMAND, PLACE, KEYS = range(3)


class KeysEditor(QDialog):
    """The dialog for changing keys; every change takes effect at once."""

    def __init__(self, keymap: KeyMap, places: Mapping[str, str], parent: QWidget | None = None) -> None:
        """``places``: the menu of each command."""
        super().__init__(parent)
        self.setWindowTitle(tr("Change the keys"))
        self._keymap = keymap
        self._pending = ""  # a key in use by another command
        self._items: dict[str, QTreeWidgetItem] = {}  # by command name
        self.search = QLineEdit(self)
        self.search.setAccessibleName(tr("Find a command"))
        self.search.setPlaceholderText(tr("Search a command or a key"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = self._make_list(places)
        self.recorder = QKeySequenceEdit(self)
        self.recorder.setMaximumSequenceLength(1)
        self.recorder.setAccessibleName(tr("Press the new key here"))
        self.recorder.setMinimumWidth(190)
        self.recorder.keySequenceChanged.connect(self._recorded)
        line = self.recorder.findChild(QLineEdit)
        assert isinstance(line, QLineEdit)
        line.setPlaceholderText(tr("press the new key here"))
        self.chosen = QLabel(self)
        self.chosen.setObjectName("heading")
        self.sentence = QLabel(self)
        self.sentence.setObjectName("error")
        self.sentence.setWordWrap(True)
        self.sentence.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.take_over = self._button(tr("Reassign"), self._take_over)
        self.none = self._button(tr("No key"), lambda: self._give(""))
        self.first = self._button(tr("Default key"), self._reset_one)
        all_first = self._button(tr("Restore default keys"), self._keymap.reset_all)
        self._lay_out(all_first)
        keymap.changed.connect(self.show_keys)
        self.choose(next(iter(self._items)))
        self.show_keys()
        self.resize(QSize(620, 620).boundedTo(room_on_screen(self)))
        self.search.setFocus()

    def _make_list(self, places: Mapping[str, str]) -> QTreeWidget:
        tree = QTreeWidget(self)
        tree.setHeaderLabels([tr("Command"), tr("Menu"), tr("Keys")])
        tree.setRootIsDecorated(False)
        tree.setUniformRowHeights(True)
        tree.setAccessibleName(tr("Commands"))
        for name, action in self._keymap.actions.items():
            item = QTreeWidgetItem(tree, [title_of(action), places.get(name, ""), ""])
            item.setData(COMMAND, Qt.ItemDataRole.UserRole, name)
            self._items[name] = item
        header = tree.header()
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setSectionResizeMode(COMMAND, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(PLACE, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(KEYS, QHeaderView.ResizeMode.ResizeToContents)
        tree.currentItemChanged.connect(lambda *_: self._choose())
        tree.itemActivated.connect(lambda *_: self.recorder.setFocus())
        return tree

    def _button(self, text: str, run: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _=False: run())  # type: ignore[operator]
        return button

    def _lay_out(self, all_first: QPushButton) -> None:
        row = QHBoxLayout()
        row.addWidget(self.recorder, 1)
        for button in (self.take_over, self.none, self.first):
            row.addWidget(button)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        close.rejected.connect(self.reject)
        below = QHBoxLayout()
        below.addWidget(all_first)
        below.addWidget(close, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(10)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(self.chosen)
        column.addLayout(row)
        column.addWidget(self.sentence)
        column.addLayout(below)

    # display

    @property
    def name(self) -> str:
        """The selected command; "" for none."""
        item = self.list.currentItem()
        return str(item.data(COMMAND, Qt.ItemDataRole.UserRole)) if item is not None else ""

    def choose(self, name: str) -> None:
        """Select a command by its name."""
        self.list.setCurrentItem(self._items[name])

    def shown(self) -> list[str]:
        """The names of the commands that match the search."""
        return [name for name, item in self._items.items() if not item.isHidden()]

    def show_keys(self) -> None:
        for name, item in self._items.items():
            item.setText(KEYS, shown_keys(self._keymap.keys(name)))
            font = item.font(KEYS)
            font.setBold(not self._keymap.is_first(name))
            item.setFont(KEYS, font)
        self._choose()

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        for item in self._items.values():
            found = " ".join(item.text(column) for column in (COMMAND, PLACE, KEYS)).casefold()
            item.setHidden(not all(word in found for word in words))
        first = next(iter(self.shown()), "")
        if self.name not in self.shown() and first:
            self.choose(first)

    def _choose(self) -> None:
        name = self.name
        self._show_sentence("")
        self.chosen.setText(
            tr("Key for “{actions}”").format(actions=title_of(self._keymap.actions[name])) if name else ""
        )
        self.none.setEnabled(bool(name) and bool(self._keymap.keys(name)))
        self.first.setEnabled(bool(name) and not self._keymap.is_first(name))

    def _show_sentence(self, sentence: str, pending: str = "") -> None:
        self._pending = pending
        self.sentence.setText(sentence)
        self.take_over.setEnabled(bool(pending))

    # input

    def _recorded(self, sequence: QKeySequence) -> None:
        key = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        if key:
            self.recorder.clear()
            self._give(key)

    def _give(self, key: str, take_over: bool = False) -> None:
        if not self.name:
            return
        try:
            self._keymap.give(self.name, key, take_over)
        except KeyTaken as error:
            self._show_sentence(str(error), key if error.owner else "")

    def _take_over(self) -> None:
        self._give(self._pending, take_over=True)

    def _reset_one(self) -> None:
        try:
            self._keymap.reset(self.name)
        except KeyTaken as error:
            self._show_sentence(str(error))
