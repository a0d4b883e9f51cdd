"""The search settings and the limit as a panel: checked as they are typed, in the settings' own words."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from core.search.settings import SearchSettings, with_preset
from core.text import Text, Words, text_of
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.sources import source_title
from gui.widgets.folding_row import FoldingRow
from gui.widgets.form import ErrorLine, number_of, number_text
from gui.widgets.labels import MenuButton, ShortLabel
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.settings.setting_fields import FACTS, FIELDS, GROUPS, PRESET_TITLES, facts_of
from gui.widgets.settings.settings_form import SettingsForm, Values, without_effect
from gui.widgets.texts import set_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.engine import EvaluatorSource
    from core.games import GameSpec

PRESET_MEANING: Final[Words] = (
    "Search by KataGo's rules and figures: c that grows and follows the spread of the values, moves chosen by their "
    "lower bound, the root under all symmetries. Memory, batches and the like stay."
)


class SettingsPanel(QFrame):
    """Emits complete, checked settings; keeps what is wrong to itself, in words, until it is mended.

    What a slider is moved to is ``tried``, and taken when the user keeps it.
    """

    changed = Signal(object)  # SearchSettings
    limit_changed = Signal(int)
    tried = Signal(object, object)  # SearchSettings, and the change in words
    dropped = Signal()  # what was tried is not kept

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings: SearchSettings | None = None
        self._limit = 0
        self._facts = facts_of(None, None)
        self.form = SettingsForm(GROUPS, self._problems, self, wide=False)
        self.inputs = self.form.inputs
        self.error = ErrorLine(self)
        self.net = MenuButton(self, "What evaluates the positions of the search")
        self.buttons = FoldingRow(self, 6)
        self.buttons.left.addWidget(self.net, 1)
        self.buttons.right.addStretch(1)
        for name, title in PRESET_TITLES.items():
            button = set_texts(QPushButton(self), text=title, toolTip=PRESET_MEANING)
            button.clicked.connect(lambda _=False, name=name: self.take_preset(name))
            self.buttons.right.addWidget(button)
        self.defaults = set_texts(QPushButton(self), text="Defaults", toolTip="Put every setting back")
        self.defaults.clicked.connect(self.reset)
        self.buttons.right.addWidget(self.defaults)
        above = lay_row(self.buttons, margins=(12, 4, 12, 0))
        note = lay_row(self.error, margins=(14, 0, 14, 0))
        self._make_trial()
        self._column = lay_column(above, self.trial, note, (self.form, 1), of=self, margins=0)
        self.form.changed.connect(self._take)
        self.form.slid.connect(self._try)

    def sizeHint(self) -> QSize:
        return QSize(self.minimumSizeHint().width(), 560)

    @property
    def whole_height(self) -> int:
        """The px in which everything that applies is in sight."""
        return self._column.sizeHint().height() - self.form.sizeHint().height() + self.form.body.sizeHint().height()

    def _make_trial(self) -> None:
        """Make the line that asks whether what is tried shall be kept."""
        self.trial = QWidget(self)
        self.change = ShortLabel(self.trial, "changed")
        self.keep = set_texts(
            QPushButton(self.trial), text="Keep", toolTip="Search with it from now on; Undo goes back"
        )
        discard = set_texts(QPushButton(self.trial), text="Discard", toolTip="Leave the setting as it was (Esc)")
        self.keep.clicked.connect(self.take)
        discard.clicked.connect(self.dropped)
        lay_row((self.change, 1), self.keep, discard, of=self.trial, margins=(14, 0, 12, 0))
        self.trial.hide()

    @property
    def shown(self) -> tuple[SearchSettings | None, int]:
        """The settings and the limit as they were last sound."""
        return self._settings, self._limit

    def show_settings(
        self, settings: SearchSettings, limit: int, game: GameSpec | None = None, source: EvaluatorSource | None = None
    ) -> None:
        """Fill every field; what is being typed or tried is replaced.  Shown is what applies to a game and a source."""
        self._settings, self._limit, self._facts = settings, limit, facts_of(game, source)
        self.trial.hide()
        set_texts(self.net, text=partial(source_title, source))
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
        self.trial.hide()
        values = self.form.values()
        limit = values.pop("limit")
        settings = SearchSettings(**values)
        if settings != self._settings:
            self._settings = settings
            self.changed.emit(settings)
        if limit != self._limit:
            self._limit = limit
            self.limit_changed.emit(limit)

    def _try(self, name: str) -> None:
        """Announce the settings with what a slider was moved to."""
        if self._settings is None:
            return
        before, value = getattr(self._settings, name), number_of(self.inputs[name].text())
        words = Text(
            "{title} {before} → {value}",
            title=Text(FIELDS[name].title),
            before=number_text(before),
            value=number_text(value),
        )
        self.change.setText(core_text(words))
        self.trial.show()
        self.tried.emit(replace(self._settings, **{name: value}), words)

    def _problems(self, values: Values) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """What is wrong with the limit and the settings, and which of these have no effect."""
        from core.search import Limit

        fields = FIELDS | FACTS
        unused = without_effect(fields, {**values, **self._facts})
        values, problems = dict(values), dict[str, str]()
        try:
            Limit(simulations=values.pop("limit"))
        except ValueError as error:
            problems["limit"] = text_of(error)
        try:
            SearchSettings(**values)
        except ValueError as error:
            message = text_of(error)
            problems[message.values["name"] if isinstance(message, Text) else "limit"] = message
        return problems, unused
