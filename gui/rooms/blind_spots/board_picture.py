"""A small picture of a position with the net's move and the search's ringed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_position
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from collections.abc import Collection

    from core.games import Position

NET: Final = QColor("#ef8a2b")  # a dashed ring
SEARCH: Final = QColor("#3f9bf0")  # a ring within it
RIGHT: Final = QColor("#2aa05a")  # a dot
_DRAWN: Final = 320.0  # px at which the board is drawn before it is made small


def board_picture(
    position: Position, net: int, search: int, right: Collection[int], side: int, ratio: float
) -> QPixmap:
    """The position in a square of ``side`` px; ``net`` and ``search`` are actions, -1 for none."""
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(side / _DRAWN, side / _DRAWN)
    theme, kind = current_theme(), paint.kind_of(position.game.name)
    g = paint.fit(*position.game.shape, _DRAWN, _DRAWN, False, slant=kind.slant)
    kind.ground(painter, g, theme)
    paint_position(painter, g, kind, position, theme)
    for action, colour, radius, style in (
        (search, SEARCH, 0.25, Qt.PenStyle.SolidLine),
        (net, NET, 0.42, Qt.PenStyle.DashLine),
    ):
        for cell in kind.places.cells_of(position, action)[:1] if action >= 0 else ():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour, 0.17 * g.step, style))
            painter.drawEllipse(g.center(cell), radius * g.step, radius * g.step)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(RIGHT)
    for action in right:
        for cell in kind.places.cells_of(position, action)[:1]:
            painter.drawEllipse(g.center(cell), 0.15 * g.step, 0.15 * g.step)
    painter.end()
    return picture
