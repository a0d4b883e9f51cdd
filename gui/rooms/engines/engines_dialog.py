"""The dialog that edits the list of outside engines and tries one.  Knows no window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.text import text_of
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import mark, tr
from gui.widgets.dialogs import Dialog
from gui.widgets.form import ErrorLine, Form
from gui.widgets.labels import make_label
from gui.widgets.text_size import fixed_font, give_room, px
from gui.widgets.texts import set_texts
from models.engines.known import PROTOCOLS, EngineEntry, read_engines, write_engines
from models.engines.process import line_text

if TYPE_CHECKING:
    from models.engines.opening import Trial

TITLES = {
    "gtp": mark("GTP: Go and other boards of points (KataGo, GNU Go, Leela Zero)"),
    "katago": mark("KataGo's analysis engine: Go (katago analysis)"),
    "gomocup": mark("Gomocup: five in a row (Rapfi, Yixin, Piskvork's engines)"),
    "nboard": mark("NBoard: Othello (NTest, edax)"),
}


class EnginesDialog(Dialog):
    """The list on the left, the engine chosen in it on the right.  Every change is written at once when it is valid."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Outside engines"), parent)
        self._engines: list[EngineEntry] = []
        self._filling = False
        self.names = set_texts(QListWidget(self), accessibleName="Engines")
        self.name, self.command, self.folder = QLineEdit(self), QLineEdit(self), QLineEdit(self)
        self.options, self.games = QLineEdit(self), QLineEdit(self)
        self.protocol = QComboBox(self)
        for protocol in PROTOCOLS:
            self.protocol.addItem(core_text(TITLES[protocol]), protocol)
        self.name.setPlaceholderText(tr("such as KataGo"))
        self.command.setPlaceholderText("katago gtp -model kata.bin.gz -config gtp.cfg")
        self.folder.setPlaceholderText(tr("where the program is started; may be empty"))
        self.options.setPlaceholderText("1s, depth=6, memory=256")
        self.games.setPlaceholderText(tr("names such as go, gomoku; empty: all that the protocol allows"))
        self.add, self.remove = (set_texts(QPushButton(self), text=text) for text in ("Add", "Remove"))
        self.save, self.test = (set_texts(QPushButton(self), text=text) for text in ("Save", "Test"))
        for button in (self.add, self.remove, self.save, self.test):
            give_room(button)
            button.setAutoDefault(False)
        self.error = ErrorLine(self)
        self.error.setWordWrap(True)
        self.outcome = make_label(self, "dim", wrap=True)
        self.said = QPlainTextEdit(self)
        self.said.setReadOnly(True)
        self.said.setFont(fixed_font())
        self.said.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        set_texts(self.said, accessibleName="Dialogue with the engine")
        self.said.setPlaceholderText(tr("“Test” starts the engine, asks for a move and shows here what was said."))
        self._lay_out_parts()
        self.names.currentRowChanged.connect(self._show)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.save.clicked.connect(self._save)
        self.test.clicked.connect(self._test)
        self._read()
        self.resize_in_screen(860, 560)

    def _lay_out_parts(self) -> None:
        form = Form()
        form.add("Name", self.name)
        form.add("Protocol", self.protocol)
        form.add("Command", _with_button(self.command, self._choose_program))
        form.add("Folder", _with_button(self.folder, self._choose_folder))
        form.add("Options", self.options)
        form.add("Games", self.games)
        left, right, buttons, below = QVBoxLayout(), QVBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for button in (self.add, self.remove):
            below.addWidget(button)
        left.addWidget(self.names, 1)
        left.addLayout(below)
        for button in (self.save, self.test):
            buttons.addWidget(button)
        buttons.addStretch(1)
        right.addLayout(form)
        right.addWidget(self.error)
        right.addLayout(buttons)
        right.addWidget(self.outcome)
        right.addWidget(self.said, 1)
        self.names.setMinimumWidth(px(170))
        self.names.setMaximumWidth(px(240))
        both = QHBoxLayout()
        both.setSpacing(14)
        both.addLayout(left)
        both.addLayout(right, 1)
        self.lay_out(both)

    # the list

    def _read(self) -> None:
        try:
            self._engines = list(read_engines())
        except (ValueError, OSError) as error:
            self.error.say(core_text(text_of(error)))
            for widget in (self.add, self.remove, self.save, self.test):
                widget.setEnabled(False)  # a file that cannot be read must not be replaced
            return
        self._fill(0)

    def _fill(self, row: int) -> None:
        self._filling = True
        self.names.clear()
        self.names.addItems([engine.name for engine in self._engines])
        self._filling = False
        self.names.setCurrentRow(min(row, len(self._engines) - 1))
        if not self._engines:
            self._show(-1)

    def _show(self, row: int) -> None:
        if self._filling:
            return
        engine = self._engines[row] if 0 <= row < len(self._engines) else None
        self.name.setText(engine.name if engine else "")
        self.protocol.setCurrentIndex(PROTOCOLS.index(engine.protocol) if engine else 0)
        self.command.setText(engine.command if engine else "")
        self.folder.setText(engine.folder if engine else "")
        self.options.setText(engine.options if engine else "")
        self.games.setText(", ".join(engine.games) if engine else "")
        self.remove.setEnabled(engine is not None)
        self.error.say("")
        self.outcome.setText("")
        self.said.clear()

    def _entry(self) -> EngineEntry:
        """The engine that is entered; ValueError for one that cannot be."""
        games = tuple(word.strip() for word in self.games.text().split(",") if word.strip())
        texts = (field.text().strip() for field in (self.name, self.command, self.folder, self.options))
        name, command, folder, options = texts
        return EngineEntry(name, self.protocol.currentData(), command, folder, games, options)

    def _add(self) -> None:
        self.names.setCurrentRow(-1)
        self._show(-1)
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _save(self) -> bool:
        """Put the engine that is entered into the list; False when it cannot be."""
        row = self.names.currentRow()
        try:
            entry = self._entry()
            engines = list(self._engines)
            if 0 <= row < len(engines):
                engines[row] = entry
            else:
                engines.append(entry)
                row = len(engines) - 1
            write_engines(engines)
        except (ValueError, OSError) as error:
            self.error.say(core_text(text_of(error)))
            return False
        self._engines = engines
        self._fill(row)
        return True

    def _remove(self) -> None:
        row = self.names.currentRow()
        if not 0 <= row < len(self._engines):
            return
        engines = self._engines[:row] + self._engines[row + 1 :]
        try:
            write_engines(engines)
        except (ValueError, OSError) as error:
            self.error.say(core_text(text_of(error)))
            return
        self._engines = engines
        self._fill(max(0, row - 1))

    # trying one

    def _test(self) -> None:
        try:
            entry = self._entry()
        except ValueError as error:
            self.error.say(core_text(text_of(error)))
            return
        self.error.say("")
        self.test.setEnabled(False)
        self.said.clear()
        self.outcome.setText(tr("{name} is started and asked for a move…").format(name=entry.name))
        run_task(self, partial(_try, entry), self._show_trial, self._fail)

    def _show_trial(self, trial: Trial) -> None:
        self.test.setEnabled(True)
        self.outcome.setText(core_text(trial.sentence))
        self.said.setPlainText("\n".join(map(line_text, trial.dialogue)))

    def _fail(self, sentence: str) -> None:
        self.test.setEnabled(True)
        self.outcome.setText("")
        self.error.say(core_text(sentence))

    def _choose_program(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("The engine's program"))
        if path:
            self.command.setText(f'"{path}"' if " " in path else path)

    def _choose_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, tr("The folder where it is started"), self.folder.text())
        if path:
            self.folder.setText(path)


def _try(entry: EngineEntry) -> Trial:
    from models.engines.opening import try_engine

    return try_engine(entry)


def _with_button(field: QLineEdit, choose: object) -> QHBoxLayout:
    """A field with a button beside it that opens a dialog of files."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    button = set_texts(QPushButton(field.parentWidget()), text="Choose…")
    button.setAutoDefault(False)
    button.clicked.connect(choose)
    give_room(button)
    row.addWidget(field, 1)
    row.addWidget(button)
    return row
