"""Forms: rows of titles and fields, the values of fields, and how errors are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import QEvent, QPointF, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from core.text import Text, Words
from gui.widgets.keys import ENTER, keeps_key
from gui.widgets.labels import repolish
from gui.widgets.texts import TextSource, name_of, set_choices, set_texts

STEPS: Final = 200  # of a slider


class Form(QFormLayout):
    """Rows of a title and a field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(7)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    def add(self, title: Words, field: QWidget | QLayout) -> QLabel:
        """Add a row by its English title, whose label is returned."""
        label = set_texts(QLabel(), text=title)
        label.setContentsMargins(0, 2, 0, 2)  # so high that Qt centres it beside a field of one line
        self.addRow(label, field)
        if isinstance(field, QWidget):
            label.setBuddy(field)
        return label


class ComboBox(QComboBox):
    """A choice that the mouse wheel changes only while it has the focus; else the wheel scrolls what it stands in."""

    def __init__(self, parent: QWidget | None = None, letters: int = 0) -> None:
        """``letters``: for so many there is room, though the longest title needs more; 0: for the longest."""
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt's default takes the focus at a turn of the wheel
        if letters:
            self.setMinimumContentsLength(letters)
            self.setIconSize(QSize(self.iconSize().width(), 0))  # else Qt makes it higher than others
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class AddressBox(ComboBox):
    """A field for the address of a machine, with the addresses used before in its list."""

    def __init__(self, parent: QWidget, known: Iterable[str]) -> None:
        super().__init__(parent)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.addItems(list(known))


class SpinBox(QSpinBox):
    """A whole number that the mouse wheel changes only while it has the focus; else the wheel scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class JumpSlider(QSlider):
    """A slider that goes to where it is pressed."""

    def _part(self, part: QStyle.SubControl) -> QRect:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)

    @property
    def track(self) -> tuple[float, float]:
        """The abscissas of the handle's middle at both ends."""
        groove, half = self._part(QStyle.SubControl.SC_SliderGroove), self.handle.width() / 2
        return groove.left() + half, groove.left() + groove.width() - half

    @property
    def handle(self) -> QRect:
        """Where the handle is, in the slider's px."""
        return self._part(QStyle.SubControl.SC_SliderHandle)

    def place(self, value: float) -> float:
        """Return the abscissa of the handle's middle at a value."""
        (left, right), low, high = self.track, self.minimum(), self.maximum()
        return left + (right - left) * (value - low) / max(1, high - low)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self.handle.contains(event.position().toPoint()):
            left, right = self.track
            place, span = round(event.position().x() - left), round(right - left)
            self.setValue(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, span))
            # beyond the ends it is not under the pointer, but is dragged on from there
            at, to = QPointF(self.handle.center()), event.globalPosition()
            event = QMouseEvent(event.type(), at, to, event.button(), event.buttons(), event.modifiers())
        super().mousePressEvent(event)


class RangeSlider(QSlider):
    """A number between two ends; evenly spaced in its logarithm unless it begins at 0.  The wheel as of a ComboBox."""

    moved = Signal(float)  # by the user

    def __init__(self, low: float, high: float, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._low, self._high = low, high
        self.setRange(0, STEPS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(lambda _: self.moved.emit(self.number))

    @property
    def number(self) -> float:
        """The number where the slider is, to three digits."""
        share = self.value() / STEPS
        if not self._low:
            return round(share * self._high, 3)
        return float(f"{self._low * (self._high / self._low) ** share:.3g}")

    def show_value(self, number: float) -> None:
        """Move to a number, or to the nearer end."""
        share = number / self._high
        if self._low:
            share = math.log(max(self._low, number) / self._low) / math.log(self._high / self._low)
        if not self.isSliderDown():
            with QSignalBlocker(self):
                self.setValue(round(STEPS * min(1.0, max(0.0, share))))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class NumberEdit(QLineEdit):
    """A number; keeps Return to itself, which elsewhere in the window plays a move."""

    def __init__(
        self, parent: QWidget | None = None, name: Words = "", entered: Callable[[], object] | None = None
    ) -> None:
        """``name``: for screen readers and for what is said of a wrong entry; ``entered`` runs at the end of typing."""
        super().__init__(parent)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        if entered is not None:
            self.editingFinished.connect(entered)
        if name:
            set_texts(self, accessibleName=name)

    def whole(self, low: int, high: int) -> int:
        """Return the whole number entered; ``ValueError``, and a frame, without one of this range."""
        number = number_of(self.text())
        good = isinstance(number, int) and low <= number <= high
        words: Words = "{name} is {value!r}; it must be a whole number from {low} to {high}"
        self._check(good, words, low, high)
        return int(number)

    def number(self, low: float, high: float) -> float:
        """Return the number entered, as ``whole``."""
        number = number_of(self.text())
        good = isinstance(number, int | float) and low <= number <= high
        self._check(good, "{name} is {value!r}; it must be a number from {low:g} to {high:g}", low, high)
        return float(number)

    def _check(self, good: bool, words: Words, low: float, high: float) -> None:
        mark_bad(self, not good)
        if not good:
            raise ValueError(Text(words, name=name_of(self), value=self.text(), low=low, high=high))

    def event(self, event: QEvent) -> bool:
        return keeps_key(event, ENTER) or super().event(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.selectAll()  # Qt selects the digits on one side of the point


class ErrorLine(QLabel):
    """What is wrong in a form; without it there is no line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("error")
        self.setWordWrap(True)
        self.hide()

    def say(self, sentence: TextSource) -> None:
        """Show one sentence in this and every later language; "" when nothing is wrong."""
        set_texts(self, text=sentence)
        self.setVisible(bool(sentence))


def choice_box(
    parent: QWidget,
    choices: Sequence[tuple[str, Words]],
    chosen: Callable[[], object],
    name: Words = "",
    letters: int = 0,
) -> QComboBox:
    """A choice of values, each with its title; ``chosen`` is called when the user has chosen.

    ``name``: for screen readers; ``letters`` as of a ``ComboBox``."""
    box = ComboBox(parent, letters)
    if name:
        set_texts(box, accessibleName=name)
    set_choices(box, choices)
    box.activated.connect(lambda _: chosen())
    return box


def value_of(field: QWidget) -> Any:
    """What is entered: the value of a choice, whether a box is ticked, the text of a line."""
    if isinstance(field, QComboBox):
        return field.currentData()
    if isinstance(field, QCheckBox):
        return field.isChecked()
    assert isinstance(field, QLineEdit)
    return field.text()


def show_value(field: QWidget, value: Any) -> None:
    """Enter it; a choice that knows it not stays as it is."""
    if isinstance(field, QComboBox):
        place = field.findData(value)
        if place >= 0:
            field.setCurrentIndex(place)
    elif isinstance(field, QCheckBox):
        field.setChecked(bool(value))
    elif isinstance(field, QLineEdit) and field.text() != number_text(value):
        field.setText(number_text(value))


def compact(text: str) -> str:
    """A number as Python reads it: without spaces, with a point."""
    return "".join(text.split()).replace(",", ".")


def number_of(text: str) -> Any:
    """The number in a text, an int where it is written as one; the text itself when it is none."""
    for kind in (int, float):
        try:
            return kind(compact(text))
        except ValueError:
            continue
    return text


def number_text(value: object) -> str:
    """In full: what is read back is the same number."""
    return f"{value:.12g}" if isinstance(value, float) and not math.isinf(value) else str(value)


def mark_bad(field: QWidget, bad: bool) -> None:
    """Frame a line whose text is wrong."""
    if isinstance(field, QLineEdit) and bool(field.property("bad")) != bad:
        field.setProperty("bad", bad)
        repolish(field)
