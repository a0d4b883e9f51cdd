"""Rows and columns of widgets, each laid out by one call."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Margins = int | tuple[int, int, int, int]  # px on every side, or left, top, right, bottom
Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int]
Box = TypeVar("Box", bound=QBoxLayout)


def lay_row(
    *parts: Part, of: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Lay parts out side by side, in ``of`` where it is given.

    A part is a widget or a layout, perhaps with its stretch, or a number: room that stretches so much.
    """
    return _fill(QHBoxLayout(*_given(of)), parts, margins, spacing)


def lay_column(
    *parts: Part, of: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Lay parts out below each other, as ``lay_row``."""
    return _fill(QVBoxLayout(*_given(of)), parts, margins, spacing)


def _given(widget: QWidget | None) -> tuple[QWidget, ...]:
    return () if widget is None else (widget,)


def _fill(box: Box, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None) -> Box:
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        thing, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(thing, int):
            box.addStretch(thing)
        elif isinstance(thing, QLayout):
            box.addLayout(thing, stretch)
        else:
            box.addWidget(thing, stretch)
    return box
