"""A form of declared settings: for each a title, a field of its kind, unit and meaning, checked as it is typed.

A table of settings becomes a form by its groups of :class:`Field` and a check, which says of all values what is wrong
and what has no effect.  What differs from its initial value is marked and can be put back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QScrollArea,
    QToolButton,
    QWidget,
)

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.timers import make_timer
from gui.widgets.form import (
    NumberEdit,
    RangeSlider,
    choice_box,
    mark_bad,
    number_of,
    number_text,
    show_value,
    value_of,
)
from gui.widgets.labels import icon_button, make_label, rename, repolish
from gui.widgets.layouts import lay_row
from gui.widgets.room import hold
from gui.widgets.sections import Fold
from gui.widgets.text_size import by_font, fit, measure_anew, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import figure_font
from gui.widgets.tips import set_tip, show_tip

TYPING_MS = 250  # delay of the check after the last key
UNDO_COLUMN: Final = 2
FIGURE, SLIDER, UNDO = 56, 60, 22  # px of a number beside its slider, of that at least, of a button
STACKED: Final = 700  # px of the window below which titles stand above their fields
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
    """One setting in a form; ``choices`` are values with titles."""

    name: str
    title: Words
    kind: str  # of core.search.settings
    unit: Words
    meaning: Words
    default: Any
    choices: tuple[tuple[str, Words], ...] = ()
    check: Words = ""  # beside the box of a truth value
    needs: tuple[Need, ...] = ()  # without these it has no effect
    slide: tuple[float, float] | None = None  # the ends of its slider, which is logarithmic unless it begins at 0
    also: str = ""  # other words by which it is searched for
    zero: Words = ""  # what 0 means; its field is then empty and shows this


@dataclass(frozen=True)
class FieldGroup:
    """The settings below one heading; those of ``folded`` groups are shown on demand."""

    title: Words
    fields: Sequence[Field]
    folded: bool = False


def without_effect(fields: Mapping[str, Field], values: Mapping[str, Any]) -> dict[str, str]:
    """The settings that lack what they need among values, which may be bad ones, each with the reason."""
    reasons: dict[str, str] = {}
    for name, field in fields.items():
        for need in field.needs:
            value, other = values[need.name], fields[need.name]
            if need.values == NONZERO:
                if value == 0:
                    reasons[name] = Text("It has no effect while {title} is 0.", title=Text(other.title))
            elif value not in need.values:
                titles = " / ".join(dict(other.choices)[allowed] for allowed in need.values)
                reasons[name] = Text(
                    "Used only where {title} is {choice}.", title=Text(other.title), choice=Text(titles)
                )
    return reasons


def setting_words(field: Field, value: object) -> Words:
    """Return a value of a setting as its field shows it, to be translated."""
    if field.choices:
        return dict(field.choices).get(str(value), str(value))
    if isinstance(value, bool):
        return "on" if value else "off"
    return field.zero if field.zero and value == 0 else number_text(value)


class SettingsForm(QScrollArea):
    """The form: one value for every setting, valid or not; ``problems`` has the errors by name.

    A wide form has unit and meaning, or error, beside each field; a narrow one has them in tool tips, and leaves out
    what has no effect: the row of a setting is made when it is first shown.  In a window with little room for the size
    of its text the titles of a narrow one stand above their fields.
    """

    changed = Signal()  # a value or its error
    slid = Signal(str)  # the user moves the slider of a setting; ``check`` is for the caller

    def __init__(
        self, groups: Sequence[FieldGroup], check: Check, parent: QWidget | None = None, wide: bool = True
    ) -> None:
        super().__init__(parent)
        self.fields = {field.name: field for group in groups for field in group.fields}
        self.base: Values = {name: field.default for name, field in self.fields.items()}  # what is put back
        self._check, self._wide, self._stacked = check, wide, False
        self._filling = self._read_only = False
        self.touched: set[str] = set()  # set by hand since they were filled in
        self.problems: dict[str, str] = {}  # setting -> sentence
        self.inputs: dict[str, Any] = {}
        self._unmade: Values = dict(self.base)  # the values of the settings without a row
        self.headings: dict[str, QLabel] = {}
        self.titles: dict[str, QLabel] = {}
        self._parts: dict[str, dict[int, QWidget | QLayout]] = {}  # what stands in the columns of a setting
        self.sliders: dict[str, RangeSlider] = {}
        self.undos: dict[str, QToolButton] = {}  # of the settings that differed at some time
        self._places: dict[str, int] = {}  # the row of each setting
        self.meanings: dict[str, QLabel] = {}  # of a wide form
        self.units: dict[str, QWidget] = {}  # the same
        self._folded = {field.name for group in groups if group.folded for field in group.fields}
        self._asked_for: set[str] = set()  # shown although they have no effect
        self._typing = make_timer(self, TYPING_MS, self.check, once=True)
        self.body = QWidget(self.viewport())
        self.fold = Fold("All settings", self.body)
        self.fold.setVisible(bool(self._folded))
        self.fold.toggled.connect(lambda _: self.check())
        set_texts(self, accessibleName="Settings")
        self._lay_out(groups)
        hold(self, self.body)
        on_language(self, self.check)

    def _lay_out(self, groups: Sequence[FieldGroup]) -> None:
        # One for all groups, so that their columns are aligned, and in no other layout: there it would keep its heights
        # when the texts change while it is hidden.
        grid = self._grid = QGridLayout(self.body)
        grid.setContentsMargins(*((18, 4, 18, 18) if self._wide else (12, 4, 8, 14)))
        grid.setHorizontalSpacing(12 if self._wide else 8)
        grid.setVerticalSpacing(6)
        if self._wide:
            grid.setColumnMinimumWidth(0, 150)
            grid.setColumnMinimumWidth(1, 112)
        by_font(self, self._measure)
        columns = 5 if self._wide else 3
        grid.setColumnStretch(columns - 1 if self._wide else 1, 1)
        row = 0
        for group in groups:
            if group.folded and grid.indexOf(self.fold) < 0:
                grid.addWidget(self.fold, row, 0, 1, columns)
                row += 1
            if group.title:
                heading = self.headings[group.title] = make_label(self.body, "heading", group.title)
                heading.setContentsMargins(0, 12 if row else 0, 0, 2)
                grid.addWidget(heading, row, 0, 1, columns)
                row += 1
            for field in group.fields:
                self._places[field.name] = row
                grid.setRowMinimumHeight(row, 29 if self._wide else 0)
                if self._wide:
                    self._make_row(field)
                row += 1 if self._wide else 2
        self._groups = groups
        grid.setRowStretch(row, 1)
        if not self._wide:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _measure(self) -> None:
        self._grid.setColumnMinimumWidth(UNDO_COLUMN, px(UNDO))  # free where there is nothing to put back
        if not self._wide and self.inputs:
            self.setMinimumWidth(self._least_width())

    def _least_width(self) -> int:
        """The px that a narrow form needs, whichever of its settings are in sight."""
        plain = self.body.fontMetrics()
        marked = (title.sizeHint().width() for title in self.titles.values() if title.objectName())  # in bold
        words = (plain.horizontalAdvance(core_text(self._title(field))) for field in self.fields.values())
        titles = max(*words, *marked)
        entries = max(self.inputs[name].minimumSizeHint().width() for name in self.inputs if name not in self.sliders)
        bar, fields = self.verticalScrollBar().sizeHint().width(), max(entries, px(FIGURE + SLIDER))
        return int((max(titles, fields) if self._stacked else titles + fields) + px(UNDO + 36) + bar)

    def _make_row(self, field: Field) -> None:
        """Put the widgets of a setting into their places."""
        self._parts[field.name] = self._row(field)
        self._place(field.name)
        self._fill(field.name, self._unmade.pop(field.name))

    def _place(self, name: str) -> None:
        """Put what a setting has into its row, or the title above the rest."""
        grid, middle = self._grid, Qt.AlignmentFlag.AlignVCenter
        for column, part in self._parts[name].items():
            below = int(self._stacked and column > 0)
            place = (self._places[name] + below, 0 if self._stacked and column <= 1 else column)
            across = 2 if self._stacked and column <= 1 else 1
            if isinstance(part, QLayout):
                grid.removeItem(part)
                grid.addLayout(part, *place, 1, across)
                continue
            grid.removeWidget(part)
            if self._stacked and column == 1:
                grid.addWidget(part, *place, 1, across)
            else:
                grid.addWidget(part, *place, 1, across, middle)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        stacked = not self._wide and self.window().width() < px(STACKED)
        if stacked != self._stacked:
            self._stacked = stacked
            for name in self._parts:
                self._place(name)
            measure_anew(self)

    def _make_rows(self, shown: set[str]) -> None:
        """Make the rows of these settings that are not there yet."""
        unmade = [field for name, field in self.fields.items() if name in shown and name in self._unmade]
        if not unmade:
            return
        for field in unmade:
            self._make_row(field)
        fit(self.body)
        measure_anew(self)
        chain: list[QWidget] = []
        for group in self._groups:
            if group.folded and self.fold not in chain:
                chain.append(self.fold)
            for field in group.fields:
                parts = (widgets.get(field.name) for widgets in (self.inputs, self.sliders, self.undos))
                chain += [part for part in parts if part is not None]
        for before, after in pairwise(chain):
            self.setTabOrder(before, after)

    def _title(self, field: Field) -> Words:
        """What stands before the field of a setting."""
        if self._wide or not field.unit:
            return field.title
        return Text("{title}  ({unit})", title=Text(field.title), unit=Text(field.unit))

    def _row(self, field: Field) -> dict[int, QWidget | QLayout]:
        """Make the widgets of a setting, by their columns."""
        title = self.titles[field.name] = make_label(self.body, "", self._title(field))
        entry = self.inputs[field.name] = self._entry(field)
        set_texts(entry, accessibleName=field.title or field.check, accessibleDescription=field.meaning)
        title.setBuddy(entry)
        place: QWidget | QLayout = entry if field.slide is None else self._with_slider(field, *field.slide)
        if not self._wide:
            return {0: title, 1: place}
        unit = self.units[field.name] = self.make_unit(field)
        meaning = self.meanings[field.name] = make_label(self.body, "dim", wrap=True)
        return {0: title, 1: place, 3: unit, 4: meaning}

    def _show_undo(self, field: Field, shown: bool) -> None:
        """Show the button that puts a setting back, which is made when it is first shown, or hide it."""
        button = self.undos.get(field.name)
        if button is None and shown:
            button = self.undos[field.name] = icon_button(self.body, "undo", size=12, colour="dim")
            set_texts(button, accessibleName=Text("Put {setting} back", setting=Text(field.title or field.check)))
            button.clicked.connect(lambda: self.put_back(field.name))
            self._parts[field.name][UNDO_COLUMN] = button
            self._place(field.name)
            fit(button)
            self.setTabOrder(self.sliders.get(field.name, self.inputs[field.name]), button)
        if button is not None:
            set_tip(button, tr("Back to {value}").format(value=self._words(field, self.base[field.name])))
            button.setVisible(shown)

    def _with_slider(self, field: Field, low: float, high: float) -> QLayout:
        """Put a slider beside the field of a number."""
        slider = self.sliders[field.name] = RangeSlider(low, high, self.body)
        set_texts(slider, accessibleName=field.title, toolTip="Drag: the icicle shows what the search would become")
        slider.moved.connect(lambda value: self._slide(field.name, value))
        by_font(self.inputs[field.name], lambda: self.inputs[field.name].setFixedWidth(px(FIGURE)))
        return lay_row(self.inputs[field.name], (slider, 1), spacing=6)

    def _slide(self, name: str, value: float) -> None:
        show_value(self.inputs[name], value)
        self.slid.emit(name)

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
            check.clicked.connect(lambda _=False: self.touch(name))
            return check
        if field.choices:
            letters = 0 if self._wide else 7
            return choice_box(self.body, field.choices, lambda: self.touch(name), letters=letters)
        is_words = field.kind in ("path", "text")
        line = QLineEdit(self.body) if is_words else NumberEdit(self.body)
        if not is_words:
            line.setFont(figure_font(line.font()))
        if field.zero:
            set_texts(line, placeholderText=field.zero)
        line.textEdited.connect(lambda _="": self.touch(name))
        line.editingFinished.connect(self._end_typing)
        return line

    # values

    def values(self) -> Values:
        """Return every setting by name."""
        return {
            name: self._unmade[name] if name in self._unmade else self._value(field)
            for name, field in self.fields.items()
        }

    def _value(self, field: Field) -> Any:
        value = value_of(self.inputs[field.name])
        if field.kind in ("path", "text"):
            return value.strip()
        if field.zero and not value.strip():
            return 0
        return number_of(value) if field.kind in ("int", "float") else value

    def show_values(self, values: Mapping[str, Any]) -> None:
        """Fill in these values; what is being typed is replaced."""
        for name, value in values.items():
            if name in self._unmade:
                self._unmade[name] = value
            elif name in self.inputs:
                self._fill(name, value)
        self.check()

    def _fill(self, name: str, value: Any) -> None:
        """Show a value in the field of a setting."""
        self._filling = True
        show_value(self.inputs[name], "" if self.fields[name].zero and value == 0 else value)
        self._filling = False

    def put_back(self, name: str) -> None:
        """Give a setting its initial value again."""
        self.touched.discard(name)
        self.show_values({name: self.base[name]})

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

    def touch(self, name: str) -> None:
        """Check soon what was entered for a setting."""
        if not self._filling:
            self.touched.add(name)
            self._typing.start()

    def _end_typing(self) -> None:
        if self._typing.isActive():
            self.check()

    # what is wrong, and what has no effect

    def check(self) -> None:
        """Check all values; show what is wrong with each, mark what is changed, and disable or leave out what has no
        effect."""
        self._typing.stop()
        values = self.values()
        wrong, unused = self._check(values)
        self.problems = {name: core_text(sentence) for name, sentence in wrong.items()}
        folded, shown, differing = 0, set[str](), {name for name in values if values[name] != self.base[name]}
        for name in self.fields:
            applies = self._wide or name not in unused or name in self.problems or name in self._asked_for
            folded += name in self._folded and name in differing and applies
            if applies and (self.fold.isChecked() or name not in self._folded):
                shown.add(name)
        self._make_rows(shown)
        marked = {name for name, title in self.titles.items() if title.objectName()}
        for name in self.inputs:
            field, problem, differs = self.fields[name], self.problems.get(name, ""), name in differing
            mark_bad(self.inputs[name], bool(problem))
            if name in self.meanings:
                self.meanings[name].setText(problem or self._meaning(field))
                rename(self.meanings[name], "error" if problem else "dim")
            self._set_used(name, "" if problem or self._read_only else core_text(unused.get(name, "")))
            rename(self.titles[name], "changed" if differs else "")
            self._show_undo(field, differs and not self._read_only)
            if name in self.sliders and not isinstance(values[name], str):
                self.sliders[name].show_value(values[name])
        self.fold.set_summary(tr("{n} changed").format(n=folded) if folded else "")
        if not self._wide:
            self._show_rows(shown)
        if marked != differing & self.titles.keys():
            measure_anew(self)  # marked titles are wider
        self.changed.emit()

    def _show_rows(self, shown: set[str]) -> None:
        """Show the rows of these settings, and the headings above them."""
        for group in self._groups:
            if group.title:
                self.headings[group.title].setVisible(any(field.name in shown for field in group.fields))
        for name in self.inputs:
            for widget in (self.titles[name], self.inputs[name], self.sliders.get(name)):
                if widget is not None:
                    widget.setVisible(name in shown)
            if name not in shown and name in self.undos:
                self.undos[name].hide()

    def _words(self, field: Field, value: object) -> str:
        """A value as its field shows it, in the language in force."""
        return core_text(setting_words(field, value))

    def _meaning(self, field: Field) -> str:
        default, meaning = self._words(field, field.default), tr(field.meaning)
        return tr("{meaning} · default {default}").format(meaning=meaning, default=default) if default else meaning

    def _set_used(self, name: str, why: str) -> None:
        """Disable a setting that has no effect, with the reason as tooltip; "" enables it."""
        entry, tip = self.inputs[name], why if self._wide or why else self._meaning(self.fields[name])
        others = self.meanings.get(name), self.units.get(name), self.sliders.get(name)
        for widget in (entry, self.titles[name], *others):
            if widget is not None:
                set_tip(widget, tip)
                if not self._read_only or widget is not entry or isinstance(entry, QLineEdit):
                    widget.setEnabled(not why)

    def show_setting(self, name: str) -> None:
        """Scroll to a setting and focus its field; one without effect is shown with the reason."""
        if name in self.fields:
            self._asked_for.add(name)
            self.fold.setChecked(self.fold.isChecked() or name in self._folded)
            self.check()
            field = self.inputs[name]
            self.body.adjustSize()
            self.ensureWidgetVisible(field, 0, 80)
            field.setFocus()
            if not field.isEnabled():
                show_tip(field.mapToGlobal(QPoint(0, field.height())), field.toolTip(), field)

    def show_group(self, group: str) -> None:
        """Scroll a group to the top."""
        top = self.headings[group].mapTo(self.body, QPoint(0, 0)).y()
        self.verticalScrollBar().setValue(top)
