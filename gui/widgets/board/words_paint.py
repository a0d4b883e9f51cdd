"""Draws a position as text, for games that have no cells to show."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QPainter

from gui.widgets.theme import Theme

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
