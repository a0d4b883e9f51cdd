"""Finds visible faults of a window: clipped texts, widgets that overlap or lie outside their parent, missing names.

Knows only Qt: every function takes a widget, checks all that is visible in it and returns sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QFont, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenuBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTabBar,
    QToolButton,
    QWidget,
)

from gui.shell.toolbar import SimulationsLabel
from gui.widgets.labels import ShortButton, ShortLabel

SLACK = 2  # px of tolerance
FLOATING = ("banner", "hover_card", "palette")  # these float above others intentionally


def in_sight(top: QWidget) -> Iterator[QWidget]:
    """Yield every visible widget of a window, itself first, none of other windows."""
    yield top
    for child in top.children():
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            yield from in_sight(child)


def called(widget: QWidget) -> str:
    """Return a description by which a person can find the widget."""
    text = getattr(widget, "currentText" if isinstance(widget, QComboBox) else "text", None)
    words = text() if callable(text) else ""
    owners, at = [], widget.parentWidget()
    while at is not None:
        name = type(at).__name__
        if not name.startswith("Q"):
            owners.append(name)
        at = at.parentWidget()
    where = f"{type(widget).__name__} {widget.objectName()!r} {words!r}"
    return f"{where} {widget.width()}x{widget.height()} in {' < '.join(owners[:3])}"


def clipped(seen: Sequence[QWidget]) -> list[str]:
    """Return texts wider or higher than their room that do not end in an ellipsis."""
    return [f"clipped by {lack} px: {called(widget)}" for widget in seen if (lack := _lacking(widget)) > SLACK]


def _lacking(widget: QWidget) -> int:
    """Return the number of pixels by which a text exceeds its widget."""
    if isinstance(widget, ShortLabel | ShortButton | SimulationsLabel):
        return 0
    if isinstance(widget, QLabel):
        return _label_lacks(widget)
    if isinstance(widget, QComboBox):
        edit = widget.fontMetrics().horizontalAdvance(widget.currentText()) + 27
        return edit - widget.width() if widget.currentText() else 0
    if isinstance(widget, QLineEdit):
        if isinstance(widget.parentWidget(), QAbstractSpinBox):
            return widget.fontMetrics().horizontalAdvance(widget.text()) - widget.width()
        words = widget.placeholderText() if not widget.text() else ""
        return widget.fontMetrics().horizontalAdvance(words) + 12 - widget.width() if words else 0
    if isinstance(widget, QPushButton | QToolButton | QCheckBox) and widget.text():
        return _button_lacks(widget)
    if isinstance(widget, QHeaderView) and widget.orientation() == Qt.Orientation.Horizontal:
        return _header_lacks(widget)
    return 0


def _label_lacks(label: QLabel) -> int:
    if not label.text() or label.text().endswith("…"):
        return 0
    if label.wordWrap():
        return label.heightForWidth(label.width()) - label.height()
    wanted = label.sizeHint()
    return max(wanted.width() - label.width(), label.fontMetrics().height() - label.height())


def _button_lacks(button: QAbstractButton) -> int:
    bold = QFont(button.font())
    if isinstance(button, QPushButton) and button.isDefault():
        bold.setWeight(QFont.Weight.DemiBold)
    icon = button.iconSize().width() + 4 if not button.icon().isNull() else 0
    if isinstance(button, QToolButton) and button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly and icon:
        return 0
    text = QFontMetrics(bold).size(Qt.TextFlag.TextShowMnemonic.value, button.text()).width()
    frame = button.sizeHint().width() - button.fontMetrics().horizontalAdvance(button.text()) - icon
    return text + icon + min(max(frame, 0), 6) - button.width()


def _header_lacks(header: QHeaderView) -> int:
    model, worst = header.model(), 0
    if model is None or header.textElideMode() != Qt.TextElideMode.ElideNone:
        return 0
    for section in range(header.count()):
        words = model.headerData(section, header.orientation(), Qt.ItemDataRole.DisplayRole)
        if words and not header.isSectionHidden(section):
            lacking = header.fontMetrics().horizontalAdvance(str(words)) + 6 - header.sectionSize(section)
            worst = max(worst, lacking)
    return worst


def overlapping(seen: Sequence[QWidget]) -> list[str]:
    """Return siblings that overlap."""
    found = []
    inside_of: dict[QWidget, list[QWidget]] = {}
    for widget in seen[1:]:
        inside_of.setdefault(widget.parentWidget(), []).append(widget)
    for widget, children in inside_of.items():
        if isinstance(widget, QAbstractScrollArea | QHeaderView | QAbstractSpinBox | QComboBox | QTabBar | QMenuBar):
            continue
        inside = [
            (child, child.geometry())
            for child in children
            if child.objectName() not in FLOATING
            and not child.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            and not isinstance(child, QTabBar)
            and type(child).__name__ not in ("QSplitterHandle", "QSizeGrip", "QRubberBand")
        ]
        for (one, place), (other, other_place) in combinations(inside, 2):
            if not place.intersects(other_place):
                continue
            both = place.intersected(other_place)
            if both.width() > SLACK and both.height() > SLACK:
                found.append(f"{both.width()}x{both.height()} px of {called(one)} and {called(other)} overlap")
    return found


def outside(seen: Sequence[QWidget]) -> list[str]:
    """Return widgets that exceed their parent; scrollable ones may."""
    found = []
    for widget in seen:
        if isinstance(widget, QScrollArea) and widget.widget() is not None:
            across = widget.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            lacking = widget.widget().width() - widget.viewport().width()
            if across and lacking > SLACK:
                found.append(f"{called(widget)} lacks {lacking} px and cannot be scrolled across")
        parent = widget.parentWidget()
        if widget is seen[0] or parent is None or isinstance(parent.parentWidget(), QAbstractScrollArea):
            continue
        if isinstance(parent, QAbstractScrollArea | QHeaderView | QTabBar | QMenuBar | QLineEdit):
            continue
        room = parent.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK)
        if not room.contains(QRect(widget.geometry())) and widget.objectName() not in FLOATING:
            found.append(f"{widget.geometry().getRect()} of {called(widget)} is outside {parent.rect().getRect()}")
    return found


def unnamed(seen: Sequence[QWidget]) -> list[str]:
    """Return widgets that take the keyboard focus but have no name for a screen reader."""
    found = []
    for widget in seen:
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.focusProxy() is not None:
            continue
        if isinstance(widget, QMainWindow | QSplitter) or type(widget) in (QWidget, QFrame):
            continue
        known = QAccessible.queryAccessibleInterface(widget)
        if known is None or not known.text(QAccessible.Text.Name):
            found.append(f"no name: {called(widget)}")
    return found


def faults(top: QWidget) -> list[str]:
    """Return all faults of what is in sight, found by measuring, and what lacks a name."""
    seen = list(in_sight(top))
    return clipped(seen) + overlapping(seen) + outside(seen) + unnamed(seen)
