"""The form of the settings of a run, and the page that shows those of one, read-only."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from core.text import Text, Words
from gui.jobs.newest import Newest
from gui.language.language import tr
from gui.rooms.training.run_model import RunModel
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.saving import Kind, ask_open_name
from gui.widgets.settings.settings_form import Field, FieldGroup, SettingsForm
from gui.widgets.texts import set_texts
from models.runs.config import GROUPS, SETTING, SETTINGS, TrainSetting, problems
from models.runs.folder import RUN_TOML
from models.runs.unused import unused

NOT_HERE = ("game",)  # chosen elsewhere
# Titles that do not follow from the names.
TITLES = {
    "self_play.c_puct": "c_puct",
    "net.init": "Initial net",
    "self_play.sizes": "Board sizes",
    "self_play.exact_empties": "Exact endings",
    "learning.rate": "Learning rate",
}
# What can be chosen, by the words of files: proper names, and what is translated.
_NAMES = {"puct": "PUCT", "gumbel": "Gumbel", "torch": "PyTorch", "openvino": "OpenVINO", "cpu": "CPU", "cuda": "GPU"}
_CHOICES: dict[str, Words] = {
    "auto": "auto",
    "dense": "Dense layers",
    "pooled": "Pooling",
    "board": "Board",
    "points": "Points",
    "server": "Processes of their own",
    "int8": "onnxruntime in 8 bits",
    "openvino-bf16": "OpenVINO in 16 bits",
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


class RunForm(SettingsForm):
    """The form of a run; what differs from the initial values is marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._game = str(SETTING["game"].default)
        self._init: tuple[object, str] = None, ""  # the net asked about, with blocks and channels, and what is wrong
        self.browsers: dict[str, QToolButton] = {}
        groups = [
            FieldGroup(group, [_field(setting) for setting in SETTINGS if _belongs_to(setting, group)])
            for group in GROUPS
        ]
        super().__init__(groups, self._find_problems, parent)
        self._reading = Newest(self)
        self._reading.answered.connect(self._take_init_problem)
        self._reading.failed.connect(self._take_init_problem)
        self.fill({})

    def make_unit(self, field: Field) -> QWidget:
        """Make a button that asks for the file of a path; else the unit."""
        if field.kind != "path":
            return super().make_unit(field)
        button = QToolButton(self.body)
        set_texts(button, text="Browse…", accessibleName=Text("Browse for {setting}", setting=Text(field.title)))
        button.clicked.connect(lambda: self._browse(field.name))
        self.browsers[field.name] = button
        return button

    def _browse(self, name: str) -> None:
        kinds: dict[str, tuple[Kind, str]] = {"net.init": ("nets", tr("Nets (*.onnx);;All files (*)"))}
        kind, filters = kinds.get(name, ("games", tr("Openings (*.txt);;All files (*)")))
        path = ask_open_name(self, title_of(name), kind, filters, self.inputs[name].text())
        if path is not None:
            self.inputs[name].setText(str(path))
            self.touched.add(name)
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
        self.base = {setting.name: values.get(setting.name, setting.default) for setting in SETTINGS}
        if not keep_touched:
            self.touched.clear()
        self.show_values({name: value for name, value in self.base.items() if name not in self.touched})

    def show_changed(self, values: dict[str, Any]) -> None:
        """Show these values, marking each that is not the default as changed."""
        self.base = {setting.name: setting.default for setting in SETTINGS}
        self.touched = {name for name in values if name in self.inputs}
        self._game = str(values.get("game", self._game))
        self.show_values({**self.base, **values})

    def values(self) -> dict[str, Any]:
        numbers = {"game": self._game, **super().values()}
        floats = {name for name, value in numbers.items() if SETTING[name].kind == "float" and isinstance(value, int)}
        return {name: float(value) if name in floats else value for name, value in numbers.items()}

    def set_read_only(self, read_only: bool) -> None:
        for button in self.browsers.values():
            button.setVisible(not read_only)
        super().set_read_only(read_only)

    def _find_problems(self, values: dict[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
        wrong_init = self._init_problem(values)
        wrong = problems(values) | ({"net.init": wrong_init} if wrong_init else {})
        return wrong, unused(values, _has_exams(self._game))

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


def _belongs_to(setting: TrainSetting, group: str) -> bool:
    return setting.group == group and setting.name not in NOT_HERE


def _field(setting: TrainSetting) -> Field:
    return Field(
        setting.name,
        english_title(setting.name),
        setting.kind,
        setting.unit,
        setting.meaning,
        setting.default,
        tuple((choice, ({**_NAMES, **_CHOICES}).get(choice, choice)) for choice in setting.choices),
    )


@lru_cache(maxsize=8)
def _has_exams(game: str) -> bool:
    from core.games import load_game
    from models.strength.exams import has_exams

    try:
        return has_exams(load_game(game))
    except ValueError:  # which is reported where it is entered
        return True


def _init_problem(values: dict[str, Any]) -> str:
    from models.runs.conflicts import init_problem  # loads onnxruntime

    return init_problem(values)


class SettingsPage(QFrame):
    """The page's widget."""

    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._shown: dict[str, Any] = {}
        self.form = RunForm(self)
        self.form.set_read_only(True)
        copy = set_texts(QPushButton(self), text="New run with these settings…")
        copy.clicked.connect(self.copied)
        foot = lay_row(1, copy, margins=(18, 0, 18, 0))
        self.empty = set_texts(
            QLabel(self),
            text=Text("The settings of this run are not known: its folder holds no {run_toml}.", run_toml=RUN_TOML),
        )
        self.empty.setObjectName("dim")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._copy = copy
        lay_column((self.empty, 1), (self.form, 1), foot, of=self, margins=(0, 8, 0, 12))

    def show_run(self, run: RunModel) -> None:
        for widget, shown in (
            (self.empty, not run.config),
            (self.form, bool(run.config)),
            (self._copy, bool(run.config)),
        ):
            widget.setVisible(shown)
        if run.config != self._shown:
            self._shown = dict(run.config)
            self.form.show_changed(self._shown)
