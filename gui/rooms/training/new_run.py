"""The page that starts a run: game, preset, name, and every setting."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from core.text import Text, Words, text_of
from gui.language.core_words import core_text, game_title
from gui.language.language import tr
from gui.model.keymap import plain_title
from gui.model.state import QUICK_GAMES
from gui.rooms.training.expected import Expected
from gui.rooms.training.known_runs import name_problem
from gui.rooms.training.run_model import RunModel
from gui.rooms.training.settings_form import RunForm, title_of
from gui.widgets.dialogs import GameDialog
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ComboBox
from gui.widgets.labels import main_button, make_frame, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.segments import Segments
from gui.widgets.texts import on_language, set_texts
from models.runs.config import GROUPS, TrainConfig
from models.runs.presets import PRESETS, preset_values

if TYPE_CHECKING:
    from core.games import GameSpec

PRESET_TIPS: tuple[Words, ...] = ("For about an hour on a small machine", "For a night", "For days and a GPU")


def _button_text(group: str) -> str:
    """An ampersand in a button's text is written twice."""
    return tr(group).replace("&", "&&")


class GameBox(ComboBox):
    """A choice of a game by its title: one of the usual ones, or any other by a dialog."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.game = QUICK_GAMES[0]  # as text for load_game
        for text in QUICK_GAMES:
            self.addItem("", text)
        self.addItem("", None)
        set_texts(self, accessibleName="Game to learn")
        self.activated.connect(self._take)
        on_language(self, self._show_titles)
        self._show_titles()

    def _show_titles(self) -> None:
        for place in range(self.count()):
            text = self.itemData(place)
            self.setItemText(place, tr("Another game…") if text is None else _game_title(text))

    def set_game(self, text: str) -> None:
        """Choose a game by its text, which need not be one of a game that can be loaded."""
        if self.findData(text) < 0:
            self.insertItem(self.count() - 1, _game_title(text), text)
        self.setCurrentIndex(self.findData(text))
        if text != self.game:
            self.game = text
            self.changed.emit()

    def _take(self, place: int) -> None:
        text = self.itemData(place)
        if text is not None:
            self.set_game(text)
            return
        self.setCurrentIndex(self.findData(self.game))
        dialog = GameDialog(_loaded(self.game), self.window(), tr("Game to learn"))
        dialog.accepted.connect(lambda: self.set_game(dialog.game.text) if dialog.game is not None else None)
        dialog.open()


def _loaded(text: str) -> GameSpec | None:
    """Return the game of a text; None where it is not installed, or there is none."""
    from core.games import load_game

    try:
        return load_game(text)
    except ValueError:
        return None


def _game_title(text: str) -> str:
    game = _loaded(text)
    return text if game is None else game_title(game)


class NewRunPage(QFrame):
    """The page; it keeps its entries, shows problems beside the fields, and emits ``start_requested``."""

    start_requested = Signal(object, str, object)  # folder, game, settings by name
    cancelled = Signal()

    def __init__(
        self, home: Path, parent: QWidget | None = None, runs: Callable[[], Sequence[RunModel]] = lambda: ()
    ) -> None:
        """``runs`` gives earlier runs on this machine, by which durations are estimated."""
        super().__init__(parent)
        self.setObjectName("card")
        self._home = home
        self._preset = PRESETS[0]
        self._named = False  # the name was typed by the user
        self._suggested = ""  # the suggested name
        self._game_problem = ""
        self.game = GameBox(self)
        self.name = QLineEdit(self)
        self.name.setMinimumWidth(140)
        set_texts(self.name, accessibleName="Name of the run")
        self.form = RunForm(self)
        self.expected = Expected(runs, self)
        self.error = make_label(self, "error", wrap=True)
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self.error.linkActivated.connect(self.form.show_setting)
        self.start = main_button("Start training", self)
        self.back = set_texts(QPushButton(self), text="Back")
        self.reset = set_texts(QPushButton(self), text="Back to the preset")
        self._lay_out()
        self.game.changed.connect(self._take_game)
        self.name.textEdited.connect(lambda _: self._take_name())
        self.name.editingFinished.connect(self._finish_name)
        self.form.changed.connect(self._show_state)
        self.start.clicked.connect(self._request_start)
        self.back.clicked.connect(self.cancelled)
        self.reset.clicked.connect(lambda: self._fill(keep_touched=False))
        self._take_game()

    def _lay_out(self) -> None:
        heading = set_texts(make_label(self, "title"), text=lambda: plain_title(tr("New run…")))
        top = FoldingRow(self, apart=10)
        for part in (top.left, top.right):
            part.setSpacing(10)
        top.left.addWidget(heading)
        top.left.addSpacing(14)
        self.presets = Segments(PRESETS, PRESET_TIPS, self)
        self.presets.chosen.connect(self._choose_preset)
        for label, part, widget in (
            (Text("Game to learn"), top.left, self.game),
            (Text("Name"), top.right, self.name),
            (Text("Preset"), top.right, self.presets),
        ):
            part.addWidget(make_label(self, "dim", label))
            part.addWidget(widget)
        for part in (top.left, top.right):
            part.addStretch(1)
        top.set_stretch(0, 1)
        self._groups: dict[str, QToolButton] = {}
        for group in GROUPS:
            button = self._groups[group] = QToolButton(self)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, g=group: self.form.show_group(g))
            set_texts(button, text=partial(_button_text, group))
        groups = lay_row(*self._groups.values(), 1, spacing=2)
        bottom = lay_row((self.error, 1), self.reset, self.back, self.start, spacing=10)
        top.setContentsMargins(18, 0, 18, 0)
        bottom.setContentsMargins(18, 0, 18, 0)
        groups.setContentsMargins(10, 0, 18, 0)
        column = lay_column(
            top,
            groups,
            make_frame(self, "flat_rule"),
            (self.form, 1),
            make_frame(self, "flat_rule"),
            of=self,
            margins=(0, 5, 0, 5),
            spacing=3,
        )
        below = lay_row(self.expected, margins=(18, 0, 18, 0))
        column.addLayout(below)
        column.addLayout(bottom)

    # entries

    def open_for(self, game: str) -> None:
        """Set this game unless something was entered already."""
        if not self.form.touched and not self._named and game:
            self.game.set_game(game)
        self._take_name()

    def open_with(self, settings: dict[str, Any]) -> None:
        """Fill in the settings of another run."""
        self.game.set_game(str(settings.get("game", "")))
        self.form.show_changed(settings)
        self._take_name()

    def _choose_preset(self, name: str) -> None:
        self._preset = name
        self._fill(keep_touched=True)

    def _take_game(self) -> None:
        self._fill(keep_touched=True)
        if not self._named:
            self._suggest()
        self._show_state()

    def _fill(self, keep_touched: bool) -> None:
        try:
            values = preset_values(self._preset, self.game.game)
        except ValueError as error:
            self._game_problem = text_of(error)
            self._show_state()
            return
        self._game_problem = ""
        self.form.set_game(str(values["game"]))
        self.form.fill(values, keep_touched)

    def _take_name(self) -> None:
        """Read the name; one that was not typed stays the next free name, also after the field was emptied and left."""
        typed = self.name.text().strip()
        self._named = bool(typed) and typed != self._suggested
        if not self._named and not self.name.hasFocus():
            self._suggest()
        self._show_state()

    def _finish_name(self) -> None:
        if not self.name.text().strip():
            self._suggest()
            self._show_state()

    def _suggest(self) -> None:
        self._suggested = self._free_name()
        self.name.setText(self._suggested)

    def _free_name(self) -> str:
        """Return the game's name with the first number that is not used by a folder."""
        stem = re.sub(r"[^a-z0-9]+", "-", self.game.game.lower()).strip("-") or "run"
        number = 1
        while (self._home / f"{stem}-{number}").exists():
            number += 1
        return f"{stem}-{number}"

    def folder(self) -> Path:
        return self._home / self.name.text().strip()

    def _show_state(self) -> None:
        """Whether it can start, and if not where to look."""
        sentences = [
            text for text in (core_text(self._game_problem), name_problem(self._home, self.name.text().strip())) if text
        ]
        names = list(self.form.problems)
        if names:
            links = ", ".join(f'<a href="{name}">{title_of(name)}</a>' for name in names)
            sentences.append(tr("to correct: {links}").format(links=links))
        self.error.setText("; ".join(sentences))
        self.start.setEnabled(not sentences)
        self.expected.show_settings(self._config())

    def _config(self) -> TrainConfig | None:
        """The settings as they are entered; None while they are not valid."""
        if self._game_problem or self.form.problems:
            return None
        try:
            return TrainConfig.from_dict(self.form.values())
        except ValueError:
            return None

    def _request_start(self) -> None:
        self.form.check()
        if self.start.isEnabled():
            values: dict[str, Any] = self.form.values()
            self.start_requested.emit(self.folder(), self.form.game, values)

    def started(self) -> None:
        """Reset to the preset and a new name, after a run was started."""
        self._named = False
        self._fill(keep_touched=False)
        self._suggest()
        self._show_state()
