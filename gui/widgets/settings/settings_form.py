"""A form of declared settings: for each a title, a field of its kind, unit and meaning, checked as it is typed.

A table of settings becomes a form by its groups of :class:`Field` and a check, which says of all values what is wrong
and what has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QScrollArea, QWidget

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.form import (
    ComboBox,
    NumberEdit,
    choice_box,
    mark_bad,
    number_of,
    number_text,
    show_value,
    value_of,
)
from gui.widgets.labels import make_label, rename, repolish
from gui.widgets.room import hold
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font

TYPING_MS = 250  # delay of the check after the last key
Values = dict[str, Any]  # by name; what cannot be read as a number is its text
Check = Callable[[Values], tuple[Mapping[str, str], Mapping[str, str]]]


NONZERO: Final = ("nonzero",)


@dataclass(frozen=True)
class Need:
    """Another setting has one of these values, or with NONZERO is not 0."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """One setting in a form; all texts are English.

    ``choices`` are values with titles; those of ``words`` are shown as commands and files write them.
    """

    name: str
    title: str
    kind: str  # of core.search.settings
    unit: str
    meaning: str
    default: Any
    choices: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    check: str = ""  # beside the box of a truth value
    needs: tuple[Need, ...] = ()  # without these it has no effect


@dataclass(frozen=True)
class FieldGroup:
    """The settings below one heading."""

    title: Words
    fields: Sequence[Field]


def without_effect(fields: Mapping[str, Field], values: Mapping[str, Any]) -> dict[str, str]:
    """The settings that lack what they need among values, which may be bad ones, each with the reason."""
    found: dict[str, str] = {}
    for name, field in fields.items():
        for need in field.needs:
            value, other = values[need.name], fields[need.name]
            if need.values == NONZERO:
                if value == 0:
                    found[name] = Text("It has no effect while {title} is 0.", title=Text(other.title))
            elif value not in need.values:
                titles = " / ".join(dict(other.choices)[one] for one in need.values)
                found[name] = Text("Used only where {title} is {choice}.", title=Text(other.title), choice=Text(titles))
    return found


def value_words(value: object) -> str:
    """Format a value as in its field."""
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    return number_text(value)


class SettingsForm(QScrollArea):
    """The form: one value for every setting, valid or not; ``problems`` has the errors by name.

    A wide form has unit and meaning, or error, beside each field; a narrow one has them in tool tips.
    """

    changed = Signal()  # a value or its error

    def __init__(
        self, groups: Sequence[FieldGroup], check: Check, parent: QWidget | None = None, wide: bool = True
    ) -> None:
        super().__init__(parent)
        self.fields = {field.name: field for group in groups for field in group.fields}
        self._check, self._wide = check, wide
        self._filling = self._read_only = False
        self.touched: set[str] = set()  # set by hand since they were filled in
        self.problems: dict[str, str] = {}  # setting -> sentence
        self.inputs: dict[str, Any] = {}
        self.headings: dict[str, QLabel] = {}
        self.titles: dict[str, QLabel] = {}
        self.meanings: dict[str, QLabel] = {}  # of a wide form
        self.units: dict[str, QWidget] = {}  # the same
        self._typing = make_timer(self, TYPING_MS, self.check, once=True)
        self.body = QWidget(self.viewport())
        set_texts(self, accessibleName="Settings")
        self._lay_out(groups)
        hold(self, self.body)
        on_language(self, self.check)

    def _lay_out(self, groups: Sequence[FieldGroup]) -> None:
        # One for all groups, so that their columns are aligned, and in no other layout: there it would keep its heights
        # when the texts change while it is hidden.
        grid = QGridLayout(self.body)
        grid.setContentsMargins(*((18, 4, 18, 18) if self._wide else (12, 4, 8, 14)))
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        if self._wide:
            grid.setColumnMinimumWidth(0, 150)
            grid.setColumnMinimumWidth(1, 112)
        grid.setColumnStretch(3 if self._wide else 1, 1)
        row = 0
        for group in groups:
            heading = self.headings[group.title] = make_label(self.body, "heading", group.title)
            heading.setContentsMargins(0, 12 if row else 0, 0, 2)
            grid.addWidget(heading, row, 0, 1, 4 if self._wide else 2)
            row += 1
            for field in group.fields:
                grid.setRowMinimumHeight(row, 29 if self._wide else 0)
                for column, widget in enumerate(self._row(field)):
                    grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignVCenter)
                row += 1
        grid.setRowStretch(row, 1)
        if not self._wide:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            bar = self.verticalScrollBar()
            by_font(
                self,
                lambda: self.setMinimumWidth(  # the margins grow with the text, but later
                    self.body.minimumSizeHint().width() + bar.sizeHint().width() + px(20) - 20
                ),
            )

    def _row(self, field: Field) -> list[QWidget]:
        """Make the widgets of a setting."""
        title = self.titles[field.name] = make_label(self.body, "", field.title)
        entry = self.inputs[field.name] = self._entry(field)
        set_texts(entry, accessibleName=field.title or field.check, accessibleDescription=field.meaning)
        title.setBuddy(entry)
        if not self._wide:
            if field.unit:
                set_texts(title, text=Text("{title}  ({unit})", title=Text(field.title), unit=Text(field.unit)))
            return [title, entry]
        unit = self.units[field.name] = self.make_unit(field)
        meaning = self.meanings[field.name] = make_label(self.body, "dim", wrap=True)
        return [title, entry, unit, meaning]

    def make_unit(self, field: Field) -> QWidget:
        """Make what stands beside a field of a wide form."""
        return make_label(self.body, "dim", field.unit)

    def _entry(self, field: Field) -> QWidget:
        """Make the field of a setting."""
        name = field.name
        if field.kind == "bool":
            check = QCheckBox(self.body)
            if field.check:
                set_texts(check, text=field.check)
            check.clicked.connect(lambda _=False: self._touch(name))
            return check
        if field.choices:
            return choice_box(self.body, field.choices, lambda: self._touch(name))
        if field.words:
            box = ComboBox(self.body)
            for choice in field.words:
                box.addItem(choice, choice)
            box.activated.connect(lambda _: self._touch(name))
            return box
        is_words = field.kind in ("path", "text")
        line = QLineEdit(self.body) if is_words else NumberEdit(self.body)
        if not is_words:
            line.setFont(figure_font(line.font()))
        line.textEdited.connect(lambda _="": self._touch(name))
        line.editingFinished.connect(self._end_typing)
        return line

    # values

    def values(self) -> Values:
        """Return every setting by name."""
        return {name: self._value(field) for name, field in self.fields.items()}

    def _value(self, field: Field) -> Any:
        value = value_of(self.inputs[field.name])
        if field.kind in ("path", "text"):
            return value.strip()
        return number_of(value) if field.kind in ("int", "float") else value

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Fill in these values; what is being typed is replaced."""
        self._filling = True
        for name, value in values.items():
            if name in self.inputs:
                show_value(self.inputs[name], value)
        self._filling = False
        self.check()

    def set_read_only(self, read_only: bool) -> None:
        """Make the form read-only."""
        self._read_only = read_only
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

    def _end_typing(self) -> None:
        if self._typing.isActive():
            self.check()

    # what is wrong, and what has no effect

    def check(self) -> None:
        """Check all values; show what is wrong with each, and disable what has no effect, with the reason."""
        self._typing.stop()
        wrong, unused = self._check(self.values())
        self.problems = {name: core_text(sentence) for name, sentence in wrong.items()}
        for name, field in self.fields.items():
            problem = self.problems.get(name, "")
            mark_bad(self.inputs[name], bool(problem))
            if name in self.meanings:
                self.meanings[name].setText(problem or self._meaning(field))
                rename(self.meanings[name], "error" if problem else "dim")
            self._set_used(name, "" if problem or self._read_only else core_text(unused.get(name, "")))
        self.changed.emit()

    def _meaning(self, field: Field) -> str:
        default, meaning = value_words(field.default), tr(field.meaning)
        return tr("{meaning} · default {default}").format(meaning=meaning, default=default) if default else meaning

    def _set_used(self, name: str, why: str) -> None:
        """Disable a setting that has no effect, with the reason as tooltip; "" enables it."""
        entry, tip = self.inputs[name], why if self._wide or why else self._meaning(self.fields[name])
        for widget in (entry, self.titles[name], self.meanings.get(name), self.units.get(name)):
            if widget is not None:
                widget.setToolTip(tip)
                if not self._read_only or widget is not entry or isinstance(entry, QLineEdit):
                    widget.setEnabled(not why)

    def show_setting(self, name: str) -> None:
        """Scroll to a setting and focus its field."""
        field = self.inputs.get(name)
        if field is not None:
            self.ensureWidgetVisible(field, 0, 80)
            field.setFocus()

    def show_group(self, group: str) -> None:
        """Scroll a group to the top."""
        top = self.headings[group].mapTo(self.body, QPoint(0, 0)).y()
        self.verticalScrollBar().setValue(top)
