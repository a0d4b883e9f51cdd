"""The dialog that edits the list of outside engines and tries one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from core.games.catalog import GAMES
from core.text import Text, text_of
from gui.jobs.task import run_task
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.dialogs import CLOSE, Dialog
from gui.widgets.form import AddressBox, ComboBox, ErrorLine, Form
from gui.widgets.labels import MenuButton, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.saving import ask_folder, ask_open_name
from gui.widgets.text_size import fixed_font, give_room, px
from gui.widgets.texts import set_texts
from models.engines.engine_list import PROTOCOLS, EngineEntry, read_engines, write_engines
from models.engines.process import line_text

if TYPE_CHECKING:
    from models.engines.opening import EngineTrial


class GamesChoice(MenuButton):
    """The games that an engine may play, ticked in a menu; none: all that its protocol allows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "None ticked: all that the protocol allows.")
        self._actions = {name: self.menu().addAction(tr(family.title)) for name, family in GAMES.items()}
        for action in self._actions.values():
            action.setCheckable(True)
            action.toggled.connect(self._write)
        self._write()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of the games."""
        return tuple(name for name, action in self._actions.items() if action.isChecked())

    def choose(self, names: Collection[str]) -> None:
        """Tick these games and no others."""
        for name, action in self._actions.items():
            action.setChecked(name in names)

    def _write(self, _: bool = False) -> None:
        self.setText(", ".join(self._actions[name].text() for name in self.chosen) or tr("all games of the protocol"))


class EnginesDialog(Dialog):
    """The list on the left, the engine chosen in it on the right.  What was entered is saved on leaving it, too."""

    def __init__(self, parent: QWidget | None = None, machines: Sequence[str] = ()) -> None:
        """``machines``: addresses used before, for searches, too; those reached by ssh are offered."""
        from models.cluster.pipe import machine_of

        super().__init__(tr("Outside engines"), parent)
        self._engines: list[EngineEntry] = []
        self._filling = False
        self._row = -1  # of the engine in the fields; -1: a new one
        self._shown: tuple[str, ...] = ()  # the fields as they were filled
        self.names = set_texts(QListWidget(self), accessibleName="Engines")
        self.name, self.command, self.folder = QLineEdit(self), QLineEdit(self), QLineEdit(self)
        self.options, self.games = QLineEdit(self), GamesChoice(self)
        self.host = AddressBox(self, dict.fromkeys(filter(None, map(machine_of, machines))))
        self.protocol = ComboBox(self)
        for name, protocol in PROTOCOLS.items():
            self.protocol.addItem(core_text(protocol.title), name)
        self.name.setPlaceholderText(tr("such as KataGo"))
        self.command.setPlaceholderText("katago gtp -model kata.bin.gz -config gtp.cfg")
        self.folder.setPlaceholderText(tr("where the program is started; may be empty"))
        self.options.setPlaceholderText("1s, depth=6, memory=256")
        line = self.host.lineEdit()
        assert line is not None
        line.setPlaceholderText(tr("this one; or user@host, which ssh reaches without a password"))
        self.add, self.remove = set_texts(QPushButton(self), text="Add"), set_texts(QPushButton(self), text="Remove")
        self.save, self.test = set_texts(QPushButton(self), text="Save"), set_texts(QPushButton(self), text="Test")
        for button in (self.add, self.remove, self.save, self.test, self.buttons.button(CLOSE)):
            give_room(button)
            button.setAutoDefault(False)
        self.save.setDefault(True)  # Return in a field saves
        self.error = ErrorLine(self)
        self.outcome = make_label(self, "dim", wrap=True)
        self.dialogue = QPlainTextEdit(self)
        self.dialogue.setReadOnly(True)
        self.dialogue.setFont(fixed_font())
        self.dialogue.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        set_texts(self.dialogue, accessibleName="Dialogue with the engine")
        self.dialogue.setPlaceholderText(tr("“Test” starts the engine, asks for a move and shows here what was said."))
        self._lay_out_parts()
        self.names.currentRowChanged.connect(self._show)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.save.clicked.connect(self._save)
        self.test.clicked.connect(self._test)
        self.buttons.rejected.disconnect(self.reject)
        self.buttons.rejected.connect(self._leave)
        self._read()
        self.resize_in_screen(860, 560)

    def _lay_out_parts(self) -> None:
        form = Form()
        form.add("Name", self.name)
        form.add("Protocol", self.protocol)
        form.add("Command", _with_button(self.command, self._choose_program))
        form.add("Folder", _with_button(self.folder, self._choose_folder))
        form.add("Machine", self.host)
        form.add("Options", self.options)
        form.add("Plays", self.games)
        left = lay_column((self.names, 1), lay_row(self.add, self.remove))
        buttons = lay_row(self.save, self.test, 1)
        right = lay_column(form, self.error, buttons, self.outcome, (self.dialogue, 1))
        self.names.setMinimumWidth(px(170))
        self.names.setMaximumWidth(px(240))
        both = lay_row(left, (right, 1), spacing=14)
        self.lay_out(both)

    # the list

    def _read(self) -> None:
        try:
            self._engines = list(read_engines())
        except (ValueError, OSError) as error:
            self.error.say(text_of(error))
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
        refused = self._keep()
        self._row = row
        engine = self._engines[row] if 0 <= row < len(self._engines) else None
        self.name.setText(engine.name if engine else "")
        self.protocol.setCurrentIndex(self.protocol.findData(engine.protocol) if engine else 0)
        self.command.setText(engine.command if engine else "")
        self.folder.setText(engine.folder if engine else "")
        self.options.setText(engine.options if engine else "")
        self.host.setEditText(engine.host if engine else "")
        self.games.choose(engine.games if engine else ())
        self._shown = self._fields()
        self.remove.setEnabled(engine is not None)
        self.error.say(refused)
        self.outcome.setText("")
        self.dialogue.clear()

    def _fields(self) -> tuple[str, ...]:
        return (self.protocol.currentData(), *self._texts(), " ".join(self.games.chosen))

    def _texts(self) -> list[str]:
        """Name, command, folder, options and machine."""
        texts = [field.text() for field in (self.name, self.command, self.folder, self.options)]
        return [text.strip() for text in (*texts, self.host.currentText())]

    def _keep(self) -> str:
        """Save what was entered and not saved; returns why it could not be, "" when there is nothing left to save."""
        if not self._shown or self._fields() == self._shown or not any(self._fields()[1:]):
            return ""
        try:
            self._write(self._row)
        except (ValueError, OSError) as error:
            name = self.name.text().strip() or Text("The new engine")
            return Text("{name} was not saved: {reason}", name=name, reason=text_of(error))
        return ""

    def _leave(self) -> None:
        """Close, unless what was entered cannot be saved; Escape closes without saving it."""
        refused = self._keep()
        if refused:
            self.error.say(refused)
            self.outcome.setText(tr("Esc closes the list without it."))
        else:
            self.accept()

    def _entry(self) -> EngineEntry:
        """The engine that is entered; ValueError for one that cannot be."""
        name, command, folder, options, host = self._texts()
        return EngineEntry(name, self.protocol.currentData(), command, folder, self.games.chosen, options, host)

    def _add(self) -> None:
        if self.names.currentRow() < 0:
            self._show(-1)
        else:
            self.names.setCurrentRow(-1)  # which shows the empty fields
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _save(self) -> None:
        """Put the engine that is entered into the list and show it there."""
        try:
            row = self._write(self._row)
        except (ValueError, OSError) as error:
            self.error.say(text_of(error))
        else:
            self._fill(row)

    def _write(self, row: int) -> int:
        """Write the list with the engine that is entered, a new one with ``row`` -1; returns its row."""
        entry, engines = self._entry(), list(self._engines)
        if row < 0:
            engines.append(entry)
        else:
            engines[row] = entry
        write_engines(engines)
        self._engines, self._shown = engines, self._fields()
        self._filling = True
        if row < 0:
            self.names.addItem(entry.name)
        else:
            self.names.item(row).setText(entry.name)
        self._filling = False
        return row if row >= 0 else len(engines) - 1

    def _remove(self) -> None:
        row = self._row
        if not 0 <= row < len(self._engines):
            return
        engines = self._engines[:row] + self._engines[row + 1 :]
        try:
            write_engines(engines)
        except (ValueError, OSError) as error:
            self.error.say(text_of(error))
            return
        self._engines, self._shown = engines, ()
        self._fill(max(0, row - 1))

    # trying one

    def _test(self) -> None:
        try:
            entry = self._entry()
        except ValueError as error:
            self.error.say(text_of(error))
            return
        self.error.say("")
        self.test.setEnabled(False)
        self.dialogue.clear()
        self.outcome.setText(tr("{name} is started and asked for a move…").format(name=entry.name))
        run_task(self, partial(_try, entry), self._show_trial, self._fail)

    def _show_trial(self, trial: EngineTrial) -> None:
        self.test.setEnabled(True)
        self.outcome.setText(core_text(trial.sentence) if trial.passed else "")
        self.error.say("" if trial.passed else trial.sentence)
        self.dialogue.setPlainText("\n".join(map(line_text, trial.dialogue)))
        self.dialogue.moveCursor(QTextCursor.MoveOperation.End)  # the move it was asked for

    def _fail(self, sentence: str) -> None:
        self.test.setEnabled(True)
        self.outcome.setText("")
        self.error.say(sentence)

    def _choose_program(self) -> None:
        path = ask_open_name(self, tr("The engine's program"), "engines")
        if path is not None:
            self.command.setText(f'"{path}"' if " " in str(path) else str(path))

    def _choose_folder(self) -> None:
        path = ask_folder(self, tr("The folder where it is started"), "engines", self.folder.text())
        if path is not None:
            self.folder.setText(str(path))


def _try(entry: EngineEntry) -> EngineTrial:
    from models.engines.opening import try_engine

    return try_engine(entry)


def _with_button(field: QLineEdit, choose: object) -> QHBoxLayout:
    """A field with a button beside it that opens a dialog of files."""
    button = set_texts(QPushButton(field.parentWidget()), text="Choose…")
    button.setAutoDefault(False)
    button.clicked.connect(choose)
    give_room(button)
    return lay_row((field, 1), button, margins=0, spacing=8)
