"""The cached picture of the board below the marks: empty, and with a position's stones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from gui.widgets.board import board_paint as paint
from gui.widgets.board.board_layers import paint_position
from gui.widgets.board.board_signs import draw_legal, draw_passed
from gui.widgets.board.words_paint import draw_words
from gui.widgets.theme import Theme, figure_font

if TYPE_CHECKING:
    from core.games import Position


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
                cells = [paint.anchor(position, action) for action in position.legal_actions()]
                draw_legal(painter, g, [cell for cell in cells if cell >= 0], theme)
            painter.end()
        self.late = False
