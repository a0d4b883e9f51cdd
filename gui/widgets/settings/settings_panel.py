"""The search settings as a panel: every field with its unit, default and meaning, checked as it is typed.

The check is the settings' own: what they refuse is shown in their words.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.search.presets import with_preset
from core.search.settings import SETTING
from core.text import Text, text_of
from gui.language.core_words import core_text, error_text
from gui.language.language import mark, tr
from gui.model.timers import make_timer
from gui.widgets.form import (
    ErrorLine,
    Form,
    NumberEdit,
    choice_box,
    mark_bad,
    number_of,
    number_text,
    show_value,
    value_of,
)
from gui.widgets.labels import make_label
from gui.widgets.room import scroll_down
from gui.widgets.settings.setting_fields import FIELDS, GROUPS, PRESET_TITLES, Field
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts

if TYPE_CHECKING:
    from core.search import SearchSettings

PRESET_MEANING = mark(
    "Search by KataGo's rules and figures: c that grows and follows the spread of the values, moves chosen by their "
    "lower bound, the root under all symmetries. Memory, batches and the like stay."
)
TYPING_MS = 350  # a value is taken so long after the last key


@lru_cache(maxsize=8)
def _widest(font: str, texts: frozenset[str]) -> int:
    written = QFont()
    written.fromString(font)
    return max(map(QFontMetrics(written).horizontalAdvance, texts))


class SettingsPanel(QFrame):
    """Emits complete, checked settings; keeps what is wrong to itself, in words, until it is mended."""

    changed = Signal(object)  # SearchSettings
    limit_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings: SearchSettings | None = None
        self._limit = 0
        self._filling = False
        self.inputs: dict[str, Any] = {}
        self._labels: dict[str, QLabel] = {}
        self.error = ErrorLine(self)
        self.error.setWordWrap(True)
        self._typing = make_timer(self, TYPING_MS, self.take, once=True)
        self._lay_out()
        on_language(self, self._show_again)

    def _lay_out(self) -> None:
        reset = set_texts(QPushButton(self), text="Defaults")
        reset.clicked.connect(self.reset)
        top = QHBoxLayout()
        top.addWidget(make_label(self, "heading", mark("Limit")), 1)
        for name, title in PRESET_TITLES.items():
            button = set_texts(QPushButton(self), text=title, toolTip=PRESET_MEANING)
            button.clicked.connect(lambda _=False, name=name: self.take_preset(name))
            top.addWidget(button)
        top.addWidget(reset)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 4, 8, 14)
        column.setSpacing(8)
        column.addLayout(top)
        form = Form()
        meaning = mark("Simulations for each new position; then Space continues without limit.")
        self._add(form, self._line("limit"), "limit", mark("Simulations"), "", meaning)
        column.addLayout(form)
        for group in GROUPS:
            column.addSpacing(6)
            column.addWidget(make_label(self, "heading", group.title))
            form = Form()
            for field in group.fields:
                if field.choices:
                    widget: QWidget = self._choice(field)
                elif field.check:
                    widget = self._check(field)
                else:
                    widget = self._line(field.name)
                self._add(form, widget, field.name, field.title, field.unit, field.meaning)
            column.addLayout(form)
        column.addStretch(1)
        for label in self._labels.values():
            by_font(label, partial(self._hold, label))
        scroll = scroll_down(body, self, "Search settings")
        bar = scroll.verticalScrollBar()
        by_font(
            self,
            lambda: self.setMinimumWidth(  # the margins grow with the text, but later
                body.minimumSizeHint().width() + bar.sizeHint().width() + px(20) - 20
            ),
        )
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        note = QHBoxLayout()
        note.setContentsMargins(14, 0, 14, 0)
        note.addWidget(self.error)
        outer.addLayout(note)
        outer.addWidget(scroll, 1)

    def _hold(self, label: QLabel) -> None:
        """As wide as the widest of them: the fields of all groups begin at one line."""
        label.setMinimumWidth(_widest(label.font().toString(), frozenset(one.text() for one in self._labels.values())))

    def _line(self, name: str) -> QLineEdit:
        line = NumberEdit(self)
        line.textEdited.connect(lambda _: self._typing.start())
        line.editingFinished.connect(self.take)
        self.inputs[name] = line
        return line

    def _choice(self, field: Field) -> QComboBox:
        box = choice_box(self, field.choices, self.take)
        self.inputs[field.name] = box
        return box

    def _check(self, field: Field) -> QCheckBox:
        box = set_texts(QCheckBox(self), text=field.check)
        box.clicked.connect(lambda _: self.take())
        self.inputs[field.name] = box
        return box

    def _add(self, form: Form, widget: QWidget, name: str, title: str, unit: str, meaning: str) -> None:
        words = Text("{title}  ({unit})", title=Text(title), unit=Text(unit)) if unit else title
        label = self._labels[name] = form.add(words, widget)
        for part in (label, widget):
            set_texts(part, toolTip=meaning)
        set_texts(widget, accessibleName=title, accessibleDescription=meaning)

    def _show_use(self) -> None:
        """Grey out what the chosen rule does not use."""
        rule = self.inputs["selection"].currentData()
        puct, ucb, gumbel = rule == "puct", rule in ("ucb1", "ucb1_tuned"), rule == "gumbel"
        uses = {
            "c_puct": puct,
            "c_base": puct,
            "c_log": puct and number_of(self.inputs["c_base"].text()) != 0,
            "c_spread": puct,
            "score_utility": puct,
            "root_fpu": puct,
            "root_fpu_reduction": puct and self.inputs["root_fpu"].currentData() == "reduction",
            "c_ucb": ucb,
            "c_form": ucb,
            "fpu": puct,
            "fpu_reduction": puct and self.inputs["fpu"].currentData() == "reduction",
            "gumbel_considered": gumbel,
            "gumbel_simulations": gumbel,
            "c_visit": gumbel,
            "c_scale": gumbel,
            "flat_games": rule == "flat",
            "expansion_threshold": rule != "flat",
            "lcb_z": self.inputs["final"].currentData() == "lcb",
            "lcb_share": self.inputs["final"].currentData() == "lcb",
            "noise_alpha": number_of(self.inputs["noise_epsilon"].text()) != 0,
        }
        for name, used in uses.items():
            self.inputs[name].setEnabled(used)
            self._labels[name].setEnabled(used)

    # values

    @property
    def shown(self) -> tuple[SearchSettings | None, int]:
        """The settings and the limit as they were last sound."""
        return self._settings, self._limit

    def show_settings(self, settings: SearchSettings, limit: int) -> None:
        """Fill every field; what is being typed is replaced."""
        self._settings, self._limit = settings, limit
        self._filling = True
        show_value(self.inputs["limit"], limit)
        for name in FIELDS:
            show_value(self.inputs[name], getattr(settings, name))
            self._show_default(name)
        self._filling = False
        self._show_use()
        self._show_error("", "")

    def _show_default(self, name: str) -> None:
        if isinstance(self.inputs[name], QLineEdit):
            meaning, default = Text(FIELDS[name].meaning), number_text(SETTING[name].default)
            set_texts(
                self.inputs[name], toolTip=Text("{meaning} Default: {default}.", meaning=meaning, default=default)
            )

    def reset(self) -> None:
        """Every search setting back to its default."""
        if self._settings is not None:
            self._change(type(self._settings)())

    def take_preset(self, name: str) -> None:
        """Take the values of a preset; the other settings stay."""
        if self._settings is not None:
            self._change(with_preset(self._settings, name))

    def _change(self, settings: SearchSettings) -> None:
        """Show ``settings`` and take them as if they had been entered."""
        before = self._settings
        self.show_settings(settings, self._limit)
        self._settings = before
        self.take()

    def take(self) -> None:
        """Check what is entered; emit it when it is sound and new, else say what is wrong with it."""
        self._typing.stop()
        if self._filling or self._settings is None:
            return
        self._show_use()
        from core.search import Limit

        try:
            limit = Limit(simulations=number_of(self.inputs["limit"].text())).simulations
        except ValueError as error:
            self._show_error("limit", error_text(error))
            return
        values = {name: self._value(name) for name in FIELDS}
        try:
            settings = type(self._settings)(**values)
        except ValueError as error:
            message = text_of(error)
            self._show_error(message.values["name"] if isinstance(message, Text) else "", core_text(message))
            return
        self._show_error("", "")
        if settings != self._settings:
            self._settings = settings
            self.changed.emit(settings)
        if limit is not None and limit != self._limit:
            self._limit = limit
            self.limit_changed.emit(limit)

    def _show_again(self) -> None:
        if self.error.text():
            self.take()

    def _value(self, name: str) -> Any:
        value = value_of(self.inputs[name])
        return number_of(value) if isinstance(self.inputs[name], QLineEdit) else value

    def _show_error(self, name: str, sentence: str) -> None:
        for key, widget in self.inputs.items():
            mark_bad(widget, key == name)
        title = tr(FIELDS[name].title) if name in FIELDS else tr("Simulations")
        self.error.say(f"{title}: {sentence}" if sentence else "")
