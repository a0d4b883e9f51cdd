"""The search settings and the limit as a panel: checked as they are typed, in the settings' own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.search.presets import with_preset
from core.search.settings import SearchSettings
from core.text import Text, text_of
from gui.language.language import mark, tr
from gui.widgets.form import ErrorLine
from gui.widgets.settings.setting_fields import FIELDS, GROUPS, PRESET_TITLES
from gui.widgets.settings.settings_form import Field, FieldGroup, SettingsForm, Values, without_effect
from gui.widgets.texts import set_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESET_MEANING = mark(
    "Search by KataGo's rules and figures: c that grows and follows the spread of the values, moves chosen by their "
    "lower bound, the root under all symmetries. Memory, batches and the like stay."
)
LIMIT = Field(
    "limit",
    mark("Simulations"),
    "int",
    "",
    mark("Simulations for each new position; then Space continues without limit."),
    "",
)


class SettingsPanel(QFrame):
    """Emits complete, checked settings; keeps what is wrong to itself, in words, until it is mended."""

    changed = Signal(object)  # SearchSettings
    limit_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings: SearchSettings | None = None
        self._limit = 0
        self.form = SettingsForm([FieldGroup(mark("Limit"), [LIMIT]), *GROUPS], _check, self, wide=False)
        self.inputs = self.form.inputs
        self.error = ErrorLine(self)
        self.error.setWordWrap(True)
        reset = set_texts(QPushButton(self), text="Defaults")
        reset.clicked.connect(self.reset)
        top = QHBoxLayout()
        top.setContentsMargins(12, 4, 12, 0)
        top.addStretch(1)
        for name, title in PRESET_TITLES.items():
            button = set_texts(QPushButton(self), text=title, toolTip=PRESET_MEANING)
            button.clicked.connect(lambda _=False, name=name: self.take_preset(name))
            top.addWidget(button)
        top.addWidget(reset)
        note = QHBoxLayout()
        note.setContentsMargins(14, 0, 14, 0)
        note.addWidget(self.error)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addLayout(top)
        outer.addLayout(note)
        outer.addWidget(self.form, 1)
        self.form.changed.connect(self._take)

    @property
    def shown(self) -> tuple[SearchSettings | None, int]:
        """The settings and the limit as they were last sound."""
        return self._settings, self._limit

    def show_settings(self, settings: SearchSettings, limit: int) -> None:
        """Fill every field; what is being typed is replaced."""
        self._settings, self._limit = settings, limit
        self.form.show_values({"limit": limit, **{name: getattr(settings, name) for name in FIELDS}})

    def reset(self) -> None:
        """Every search setting back to its default."""
        self.form.show_values({name: getattr(SearchSettings(), name) for name in FIELDS})

    def take_preset(self, name: str) -> None:
        """Take the values of a preset; the other settings stay."""
        if self._settings is not None:
            settings = with_preset(self._settings, name)
            self.form.show_values({name: getattr(settings, name) for name in FIELDS})

    def take(self) -> None:
        """Check what is entered; emit it when it is sound and new, else say what is wrong with it."""
        self.form.check()

    def _take(self) -> None:
        name, sentence = next(iter(self.form.problems.items()), ("", ""))
        title = tr(self.form.fields[name].title) if name else ""
        self.error.say((lambda: f"{title}: {sentence}") if name else "")
        if self._settings is None or name:
            return
        values = self.form.values()
        limit = values.pop("limit")
        settings = SearchSettings(**values)
        if settings != self._settings:
            self._settings = settings
            self.changed.emit(settings)
        if limit != self._limit:
            self._limit = limit
            self.limit_changed.emit(limit)


def _check(values: Values) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """What is wrong with the limit and the settings, and which of these have no effect."""
    from core.search import Limit

    values, found = dict(values), dict[str, str]()
    try:
        Limit(simulations=values.pop("limit"))
    except ValueError as error:
        found["limit"] = text_of(error)
    try:
        SearchSettings(**values)
    except ValueError as error:
        message = text_of(error)
        found[message.values["name"] if isinstance(message, Text) else "limit"] = message
    return found, without_effect(FIELDS, values)
