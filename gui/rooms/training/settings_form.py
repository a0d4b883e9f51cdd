"""The form of a run's settings: a row for each with name, field, unit, and meaning or error.

The settings, their meanings and their validation come from ``models.runs.config``; this knows none of them by name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QToolButton,
    QWidget,
)

from core.text import Text
from gui.jobs.newest import Newest
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.form import ComboBox, NumberEdit, compact, mark_bad, number_text, show_value, value_of
from gui.widgets.labels import make_label, rename, repolish
from gui.widgets.room import hold
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from models.runs.config import GROUPS, SETTING, SETTINGS, TrainSetting, parse_value, problems
from models.runs.unused import unused

TYPING_MS = 250  # delay of the check after the last key
NOT_HERE = ("game",)  # chosen elsewhere
# Titles that do not follow from the names.
TITLES = {
    "self_play.c_puct": "c_puct",
    "net.init": "Initial net",
    "self_play.sizes": "Board sizes",
    "self_play.exact_empties": "Exact endings",
    "learning.rate": "Learning rate",
}
_WRITTEN = (("Ema", "EMA"), ("epsilon", "share ε"))


def title_of(name: str) -> str:
    """Return the title of a setting on screen."""
    return tr(english_title(name))


def english_title(name: str) -> str:
    """Return the English title: "self_play.samples_per_iteration" -> "Samples per iteration"."""
    if name in TITLES:
        return TITLES[name]
    words = name.rpartition(".")[2].replace("_", " ").capitalize()
    for plain, written in _WRITTEN:
        words = words.replace(plain, written)
    return words


def value_words(value: object) -> str:
    """Format a value as in its field."""
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    return number_text(value)


def meaning_words(setting: TrainSetting) -> str:
    """Return the meaning of a setting, with its default if it has one."""
    default, meaning = value_words(setting.default), tr(setting.meaning)
    return tr("{meaning} · default {default}").format(meaning=meaning, default=default) if default else meaning


class SettingsForm(QScrollArea):
    """The form: one value for every setting, valid or not; ``problems`` has the errors by name."""

    changed = Signal()  # a value or its error

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._game = str(SETTING["game"].default)
        set_texts(self, accessibleName="Settings")
        self._filling = False
        self.touched: set[str] = set()  # set by hand since the last reset
        self.problems: dict[str, str] = {}  # setting -> sentence
        self.inputs: dict[str, Any] = {}
        self._titles: dict[str, QLabel] = {}
        self._meanings: dict[str, QLabel] = {}
        self.browsers: dict[str, QToolButton] = {}
        self._read_only = False
        self._init: tuple[object, str] = None, ""  # the net asked about, with blocks and channels, and what is wrong
        self._reading = Newest(self)
        self._reading.answered.connect(self._take_init_problem)
        self._reading.failed.connect(self._take_init_problem)
        self._base: dict[str, Any] = {setting.name: setting.default for setting in SETTINGS}
        self.headings: dict[str, QLabel] = {}
        self._typing = make_timer(self, TYPING_MS, self.check, once=True)
        self._body = QWidget(self.viewport())
        self._lay_out()
        hold(self, self._body)
        self.fill(self._base)
        on_language(self, self.check)

    def _lay_out(self) -> None:
        # One for all groups, so that their columns are aligned, and in no other layout: there it would keep its heights
        # when the texts change while it is hidden.
        grid = QGridLayout(self._body)
        grid.setContentsMargins(18, 4, 18, 18)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnMinimumWidth(0, 150)
        grid.setColumnMinimumWidth(1, 112)
        grid.setColumnStretch(3, 1)
        row = 0
        for group in GROUPS:
            heading = self.headings[group] = set_texts(QLabel(self._body), text=group)
            heading.setObjectName("heading")
            heading.setContentsMargins(0, 12, 0, 2)
            grid.addWidget(heading, row, 0, 1, 4)
            row += 1
            for setting in SETTINGS:
                if setting.group == group and setting.name not in NOT_HERE:
                    grid.setRowMinimumHeight(row, 29)
                    self._add(grid, row, setting)
                    row += 1
        grid.setRowStretch(row, 1)

    def _add(self, grid: QGridLayout, row: int, setting: TrainSetting) -> None:
        name = english_title(setting.name)
        title = set_texts(QLabel(self._body), text=name)
        field = set_texts(self._field(setting), accessibleName=name, accessibleDescription=setting.meaning)
        title.setBuddy(field)
        is_path = setting.kind == "path"
        unit = self._browse_button(setting.name) if is_path else make_label(self._body, "dim", setting.unit)
        meaning = make_label(self._body, "dim", wrap=True)
        for place, widget in enumerate((title, field, unit, meaning)):
            grid.addWidget(widget, row, place, Qt.AlignmentFlag.AlignVCenter)
        self._titles[setting.name], self._meanings[setting.name] = title, meaning

    def _field(self, setting: TrainSetting) -> QWidget:
        name = setting.name
        if setting.kind == "bool":
            check = QCheckBox(self._body)
            check.clicked.connect(lambda _=False: self._touch(name))
            self.inputs[name] = check
            return check
        if setting.kind == "choice":
            box = ComboBox(self._body)
            for choice in setting.choices:  # as commands and files write them, in every language
                box.addItem(choice, choice)
            box.activated.connect(lambda _: self._touch(name))
            self.inputs[name] = box
            return box
        is_words = setting.kind in ("path", "text")
        line = QLineEdit(self._body) if is_words else NumberEdit(self._body)
        if not is_words:
            line.setFont(figure_font(line.font()))
        line.textEdited.connect(lambda _="": self._touch(name))
        self.inputs[name] = line
        return line

    def _browse_button(self, name: str) -> QToolButton:
        """Make a button that asks for a file and puts its path into the setting's field."""
        button = QToolButton(self._body)
        set_texts(
            button, text="Browse…", accessibleName=Text("Browse for {setting}", setting=Text(english_title(name)))
        )
        button.clicked.connect(lambda: self._browse(name))
        self.browsers[name] = button
        return button

    def _browse(self, name: str) -> None:
        kinds = tr("Nets (*.onnx);;All files (*)") if name == "net.init" else tr("Openings (*.txt);;All files (*)")
        path, _ = QFileDialog.getOpenFileName(self, title_of(name), self.inputs[name].text(), kinds)
        if path:
            self.inputs[name].setText(path)
            self._touch(name)
            self.check()

    # values

    @property
    def game(self) -> str:
        return self._game

    def set_game(self, game: str) -> None:
        """Set the game that the settings are checked for."""
        self._game = game
        self.check()

    def fill(self, values: dict[str, Any], keep_touched: bool = False) -> None:
        """Show these values as the initial ones; ``keep_touched`` keeps those set by hand."""
        self._base = {setting.name: values.get(setting.name, setting.default) for setting in SETTINGS}
        if not keep_touched:
            self.touched.clear()
        self._write({name: value for name, value in self._base.items() if name not in self.touched})

    def show_values(self, values: dict[str, Any]) -> None:
        """Show these values, marking each that is not the default as changed."""
        self._base = {setting.name: setting.default for setting in SETTINGS}
        self.touched = {name for name in values if name in self.inputs}
        self._game = str(values.get("game", self._game))
        self._write({**self._base, **values})

    def _write(self, values: dict[str, Any]) -> None:
        self._filling = True
        for name, value in values.items():
            field = self.inputs.get(name)
            if field is not None:
                show_value(field, value)
        self._filling = False
        self.check()

    def values(self) -> dict[str, Any]:
        """Return every setting by name; what cannot be parsed stays text, which ``problems`` reports."""
        found: dict[str, Any] = {"game": self._game}
        for name, field in self.inputs.items():
            found[name] = value_of(field)
            if SETTING[name].kind in ("path", "text"):
                found[name] = found[name].strip()
            elif isinstance(field, QLineEdit):
                text = compact(field.text())
                try:
                    found[name] = parse_value(name, text)
                except ValueError:
                    found[name] = text
        return found

    def set_read_only(self, read_only: bool) -> None:
        """Make the form read-only, for a run that has begun."""
        self._read_only = read_only
        for button in self.browsers.values():
            button.setVisible(not read_only)
        for field in self.inputs.values():
            if isinstance(field, QLineEdit):
                field.setReadOnly(read_only)
            else:
                field.setEnabled(not read_only)
                field.setProperty("readOnly", read_only)
            repolish(field)
        self.check()

    def _touch(self, name: str) -> None:
        if not self._filling:
            self.touched.add(name)
            self._typing.start()

    def check(self) -> None:
        """Check all values, and show beside each field its error or its meaning."""
        self._typing.stop()
        values = self.values()
        wrong_init = self._init_problem(values)
        found = problems(values) | ({"net.init": wrong_init} if wrong_init else {})
        idle = unused(values, _has_exams(self._game))
        self.problems = {name: core_text(sentence) for name, sentence in found.items()}
        for name, meaning in self._meanings.items():
            setting = SETTING[name]
            wrong = self.problems.get(name, "")
            default = value_words(setting.default)
            meaning.setText(wrong or meaning_words(setting))
            rename(meaning, "error" if wrong else "dim")
            mark_bad(self.inputs[name], bool(wrong))
            why = "" if wrong or self._read_only else core_text(idle.get(name, ""))
            self._set_used(name, why)
            rename(self._titles[name], "changed" if values[name] != self._base[name] else "")
            words = tr("Here {base}; default {default}")
            self._titles[name].setToolTip(why or words.format(base=value_words(self._base[name]), default=default))
        self.changed.emit()

    def _set_used(self, name: str, why: str) -> None:
        """Disable a setting that has no effect, with the reason as tooltip; "" enables it."""
        field = self.inputs[name]
        for widget in (field, self._titles[name], self._meanings[name], self.browsers.get(name)):
            if widget is not None:
                widget.setToolTip(why)
                if not self._read_only or widget is not field or isinstance(field, QLineEdit):
                    widget.setEnabled(not why)

    def _init_problem(self, values: dict[str, Any]) -> str:
        """Return the error of the initial net; until its file has been read in the background, it is an error."""
        key = str(values["net.init"]), values["net.blocks"], values["net.channels"]
        if not key[0] or self._read_only:
            return ""
        if key != self._init[0]:
            self._init = key, Text("init: {error}", error=Text("the file is being read…"))
            self._reading.put(lambda stale, report: _init_problem(values))
        return self._init[1]

    def _take_init_problem(self, problem: str) -> None:
        self._init = self._init[0], problem
        self.check()

    def show_setting(self, name: str) -> None:
        """Scroll to a setting and focus its field."""
        field = self.inputs.get(name)
        if field is not None:
            self.ensureWidgetVisible(field, 0, 80)
            field.setFocus()

    def show_group(self, group: str) -> None:
        """Scroll a group to the top."""
        top = self.headings[group].mapTo(self._body, QPoint(0, 0)).y()
        self.verticalScrollBar().setValue(top)


@lru_cache(maxsize=8)
def _has_exams(game: str) -> bool:
    from core.games import load_game
    from models.strength.exams import has_exams

    try:
        return has_exams(load_game(game))
    except ValueError:  # which is reported where it is entered
        return True


def _init_problem(values: dict[str, Any]) -> str:
    from models.runs.init_net import init_problem  # loads onnxruntime

    return init_problem(values)
