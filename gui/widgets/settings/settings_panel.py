"""The search settings as a panel: every field with its unit, default and meaning, checked as it is typed.

The check is the settings' own: what they refuse is shown in their words.  Knows no search.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.search.settings import SETTING
from gui.language.language import tr
from gui.widgets.settings.setting_fields import FIELDS, GROUPS, Field
from gui.widgets.text_size import by_font, px

if TYPE_CHECKING:
    from core.search import SearchSettings

TYPING_MS = 350  # a value is taken so long after the last key


class NumberEdit(QLineEdit):
    """Keeps Return to itself, which elsewhere in the window plays a move."""

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            event.accept()
            return True
        return super().event(event)


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
        self.error = QLabel(self)
        self.error.setObjectName("error")
        self.error.setWordWrap(True)
        self.error.hide()
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self.take)
        self._lay_out()

    def _lay_out(self) -> None:
        reset = QPushButton(tr("Defaults"), self)
        reset.clicked.connect(self.reset)
        top = QHBoxLayout()
        top.addWidget(self._heading(tr("Limit")), 1)
        top.addWidget(reset)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 4, 8, 14)
        column.setSpacing(8)
        column.addLayout(top)
        form = self._form()
        meaning = tr("Simulations for each new position; Space continues without limit.")
        self._add(form, self._line("limit"), "limit", tr("Simulations"), "", meaning)
        column.addLayout(form)
        for group in GROUPS:
            column.addSpacing(6)
            column.addWidget(self._heading(tr(group.title)))
            form = self._form()
            for field in group.fields:
                if field.choices:
                    widget: QWidget = self._choice(field)
                elif field.check:
                    widget = self._check(field)
                else:
                    widget = self._line(field.name)
                self._add(form, widget, field.name, tr(field.title), tr(field.unit), tr(field.meaning))
            column.addLayout(form)
        column.addStretch(1)
        for label in self._labels.values():
            by_font(label, partial(self._hold, label))
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        scroll.setAccessibleName(tr("Search settings"))
        scroll.viewport().setAutoFillBackground(False)
        body.setAutoFillBackground(False)
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
        width_of = label.fontMetrics().horizontalAdvance
        label.setMinimumWidth(max(width_of(other.text()) for other in self._labels.values()))

    def _heading(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setObjectName("heading")
        return label

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(8)
        form.setVerticalSpacing(7)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        return form

    def _line(self, name: str) -> QLineEdit:
        line = NumberEdit(self)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        line.textEdited.connect(lambda _: self._typing.start())
        line.editingFinished.connect(self.take)
        self.inputs[name] = line
        return line

    def _choice(self, field: Field) -> QComboBox:
        box = QComboBox(self)
        for value, title in field.choices:
            box.addItem(tr(title), value)
        box.activated.connect(lambda _: self.take())
        self.inputs[field.name] = box
        return box

    def _check(self, field: Field) -> QCheckBox:
        box = QCheckBox(tr(field.check), self)
        box.clicked.connect(lambda _: self.take())
        self.inputs[field.name] = box
        return box

    def _add(self, form: QFormLayout, widget: QWidget, name: str, title: str, unit: str, meaning: str) -> None:
        label = QLabel(tr("{title}  ({unit})").format(title=title, unit=unit) if unit else title, self)
        self._labels[name] = label
        for part in (label, widget):
            part.setToolTip(meaning)
        widget.setAccessibleName(title)
        widget.setAccessibleDescription(meaning)
        form.addRow(label, widget)

    def _show_use(self) -> None:
        """Grey out what the chosen rule does not use."""
        rule = self.inputs["selection"].currentData()
        puct, ucb, gumbel = rule == "puct", rule in ("ucb1", "ucb1_tuned"), rule == "gumbel"
        uses = {
            "c_puct": puct,
            "c_base": puct,
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
            "noise_alpha": _number(self.inputs["noise_epsilon"].text()) != 0,
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
        self._show_number("limit", limit, None)
        for name in FIELDS:
            self._show(name, getattr(settings, name), SETTING[name].default)
        self._filling = False
        self._show_use()
        self._say("", "")

    def _show(self, name: str, value: Any, default: Any) -> None:
        widget = self.inputs[name]
        if isinstance(widget, QComboBox):
            widget.setCurrentIndex(max(0, widget.findData(value)))
            return
        if isinstance(widget, QCheckBox):
            widget.setChecked(bool(value))
            return
        self._show_number(name, value, default)

    def _show_number(self, name: str, value: float, default: float | None) -> None:
        line: QLineEdit = self.inputs[name]
        text = _number_text(value)
        if line.text() != text:
            line.setText(text)
        meaning = tr(FIELDS[name].meaning) if name in FIELDS else line.toolTip()
        if default is not None:
            line.setToolTip(tr("{meaning} Default: {default}.").format(meaning=meaning, default=_number_text(default)))

    def reset(self) -> None:
        """Every search setting back to its default."""
        if self._settings is not None:
            self.show_settings(type(self._settings)(), self._limit)
            self.take()

    def take(self) -> None:
        """Check what is entered; emit it when it is sound and new, else say what is wrong with it."""
        self._typing.stop()
        if self._filling or self._settings is None:
            return
        self._show_use()
        from core.search import Limit

        try:
            limit = Limit(simulations=_number(self.inputs["limit"].text())).simulations
        except ValueError as error:
            self._say("limit", str(error))
            return
        values = {name: self._value(name) for name in FIELDS}
        try:
            settings = type(self._settings)(**values)
        except ValueError as error:
            self._say(str(error).split(" ", 1)[0], str(error))
            return
        self._say("", "")
        if settings != self._settings:
            self._settings = settings
            self.changed.emit(settings)
        if limit is not None and limit != self._limit:
            self._limit = limit
            self.limit_changed.emit(limit)

    def _value(self, name: str) -> Any:
        widget = self.inputs[name]
        if isinstance(widget, QComboBox):
            return widget.currentData()
        if isinstance(widget, QCheckBox):
            return widget.isChecked()
        return _number(widget.text())

    def _say(self, name: str, sentence: str) -> None:
        for key, widget in self.inputs.items():
            if isinstance(widget, QLineEdit) and widget.property("bad") != (key == name):
                widget.setProperty("bad", key == name)
                widget.style().unpolish(widget)
                widget.style().polish(widget)
        title = tr(FIELDS[name].title) if name in FIELDS else tr("Simulations")
        self.error.setText(f"{title}: {sentence}" if sentence else "")
        self.error.setVisible(bool(sentence))


def _number(text: str) -> Any:
    """The number in a text, an int where it is written as one; the text itself when it is none."""
    compact = "".join(text.split()).replace(",", ".")
    try:
        return int(compact)
    except ValueError:
        try:
            return float(compact)
        except ValueError:
            return text


def _number_text(value: float) -> str:
    """In full: what is read back is the same number."""
    return f"{value:.12g}" if isinstance(value, float) and not math.isinf(value) else str(value)
