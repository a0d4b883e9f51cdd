"""What lies below the marks of a board: the empty board, stones, a position as text, the points of a counted game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_position
from gui.widgets.board.board_signs import draw_legal, draw_passed
from gui.widgets.theme import Theme, figure_font, ink, with_alpha

if TYPE_CHECKING:
    from core.games import Position
    from core.games.counting import Count

_LARGEST: Final = 26  # px, of the letters
_SMALLEST: Final = 7
_MARGIN: Final = 16.0


def draw_words(painter: QPainter, size: QSize, text: str, theme: Theme) -> None:
    """Draw ``text`` in the middle, its letters of one width and as large as fit."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    room = QRectF(0, 0, size.width(), size.height()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    box = QRectF()
    for pixels in range(_LARGEST, _SMALLEST - 1, -1):
        font.setPixelSize(pixels)
        box = QFontMetricsF(font).boundingRect(QRectF(0, 0, 1e6, 1e6), flags, text)
        if box.width() <= room.width() and box.height() <= room.height():
            break
    painter.setFont(font)
    painter.setPen(theme.color("text"))
    box.moveCenter(room.center())
    painter.drawText(box.adjusted(0, 0, 2, 2), flags, text)


SIDE: Final = 0.15  # of half a square, in steps
FADED: Final = 0.62  # how much of a dead stone its ground covers


def paint_count(
    painter: QPainter, g: paint.Geometry, kind: paint.Kind, position: Position, count: Count, theme: Theme
) -> None:
    """Fade the dead stones, and draw a square in its owner's colour on each point that no living stone is on."""
    owners, cells = count.owners.ravel().tolist(), position.cells().ravel().tolist()
    radius, half = kind.stone_radius * g.step, SIDE * g.step
    for cell in count.dead:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(theme.color(kind.under), FADED))
        painter.drawEllipse(g.center(cell), 1.02 * radius, 1.02 * radius)
    for cell, owner in enumerate(owners):
        if owner and (not cells[cell] or cell in count.dead):
            colour = paint.stone_color(kind, owner - 1, theme)
            center = g.center(cell)
            painter.setPen(QPen(with_alpha(ink(colour), 0.5), 1.0))
            painter.setBrush(colour)
            painter.drawRect(QRectF(center - QPointF(half, half), center + QPointF(half, half)))


def clear_layer(size: QSize, ratio: float) -> QPixmap:
    """Return a transparent picture of ``size`` logical pixels."""
    layer = QPixmap(size * ratio)
    layer.setDevicePixelRatio(ratio)
    layer.fill(Qt.GlobalColor.transparent)
    return layer


class Ground:
    """The picture and its cache.

    ``late``: it must be redrawn.  ``under``: the theme's colour of the background; "" for none.
    """

    def __init__(self, widget: QWidget, under: str) -> None:
        self.picture = QPixmap()
        self.late = True
        self._widget, self._under = widget, under
        self._empty = QPixmap()
        self._style: object = None  # everything the empty board's picture depends on

    def show(
        self,
        position: Position | None,
        g: paint.Geometry,
        kind: paint.Kind,
        theme: Theme,
        coordinates: bool,
        numbers: bool,
    ) -> None:
        """Draw the board with its stones; the empty board is redrawn only when it has changed."""
        labels: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        if coordinates:
            labels = kind.places.labels(position.game) if position is not None else (tuple("abcdefg"), ())
        size, ratio, font = self._widget.size(), self._widget.devicePixelRatioF(), self._widget.font()
        style = (size, ratio, font, g, kind, theme, labels)
        if style != self._style:
            self._style = style
            self._empty = clear_layer(size, ratio)
            if self._under:
                self._empty.fill(theme.color(self._under))
            painter = QPainter(self._empty)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            kind.ground(painter, g, theme)
            painter.setFont(figure_font(font, 0.92))
            paint.draw_coordinates(painter, g, *labels, theme)
            painter.end()
        self.picture = QPixmap(self._empty)
        if position is not None:
            painter = QPainter(self.picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if position.game.board.text is not None:
                draw_words(painter, size, position.diagram(), theme)
            paint_position(painter, g, kind, position, theme, font if numbers else None)
            draw_passed(painter, g, kind, position, font, theme)
            if kind.turns and not position.is_over:
                draw_legal(painter, g, [cell for cell in paint.anchors(position).values() if cell >= 0], theme)
            painter.end()
        self.late = False
