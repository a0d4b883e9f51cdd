"""The dialog for changing keys: search, record, reassign, restore defaults.  Uses a KeyMap."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QWidget,
)

from core.text import text_of
from gui.language.language import tr
from gui.model.keymap import KeyMap, KeyTaken, plain_title, shown_keys, title_of
from gui.shell.command_table import CommandRow, CommandTable
from gui.widgets.dialogs import Dialog
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_row
from gui.widgets.texts import set_texts


class KeysEditor(Dialog):
    """The dialog for changing keys; every change takes effect at once."""

    def __init__(self, keymap: KeyMap, places: Mapping[str, str], parent: QWidget | None = None) -> None:
        """``places``: the menu of each command."""
        super().__init__(tr("&Change the keys…"), parent)
        self._keymap = keymap
        self._pending = ""  # a key in use by another command
        self._places = places
        self.search = QLineEdit(self)
        self.search.setAccessibleName(plain_title(tr("&Find a command…")))
        self.search.setPlaceholderText(tr("Search a command or a key"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.show_keys)
        self.list = CommandTable(self)
        self.list.setAccessibleName(tr("Commands"))
        self.recorder = QKeySequenceEdit(self)
        self.recorder.setMaximumSequenceLength(1)
        self.list.activated.connect(lambda _: self.recorder.setFocus())
        self.recorder.setAccessibleName(tr("Press the new key here"))
        self.recorder.setMinimumWidth(190)
        self.recorder.keySequenceChanged.connect(self._recorded)
        line = self.recorder.findChild(QLineEdit)
        assert isinstance(line, QLineEdit)
        line.setPlaceholderText(tr("press the new key here"))
        self.chosen = make_label(self, "heading")
        self.sentence = make_label(self, "error", wrap=True)
        self.sentence.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.take_over = self._button(tr("Reassign"), self._take_over)
        self.none = self._button(tr("No key"), lambda: self._give(""))
        self.first = self._button(tr("Default key"), self._reset_selected)
        restore = self.buttons.addButton(tr("Restore default keys"), QDialogButtonBox.ButtonRole.ResetRole)
        restore.clicked.connect(self._keymap.reset_all)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        row = lay_row((self.recorder, 1), self.take_over, self.none, self.first)
        self.lay_out(self.search, self.list, self.chosen, row, self.sentence)
        keymap.changed.connect(self.show_keys)
        self.show_keys()
        self.list.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.list.choose(0)
        self.resize_in_screen(620, 620)
        self.search.setFocus()

    def _button(self, text: str, run: object) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(lambda _=False: run())  # type: ignore[operator]
        return button

    # display

    @property
    def name(self) -> str:
        """The selected command; "" for none."""
        return self.list.chosen.name if self.list.chosen is not None else ""

    def choose(self, name: str) -> None:
        """Select a command by its name."""
        self.list.choose(self.shown().index(name))

    def shown(self) -> list[str]:
        """The names of the commands that match the search."""
        return [row.name for row in self.list.commands.rows]

    def show_keys(self) -> None:
        """Show the commands that match the search, with their keys; the chosen one stays chosen if it is among them."""
        words, keymap, before = self.search.text().casefold().split(), self._keymap, self.name
        rows = [
            CommandRow(
                name,
                title_of(action),
                self._places.get(name, ""),
                shown_keys(keymap.keys(name)),
                not keymap.is_first(name),
            )
            for name, action in keymap.actions.items()
        ]
        matches = [row for row in rows if all(word in " ".join(row[1:4]).casefold() for word in words)]
        self.list.show_rows(matches)
        if matches:
            names = self.shown()
            self.list.choose(names.index(before) if before in names else 0)
        self._choose()

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
        set_texts(self.sentence, text=sentence)
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
            self._show_sentence(text_of(error), key if error.owner else "")

    def _take_over(self) -> None:
        self._give(self._pending, take_over=True)

    def _reset_selected(self) -> None:
        try:
            self._keymap.reset(self.name)
        except KeyTaken as error:
            self._show_sentence(text_of(error))
