"""The two layers over the empty board: the stones of a position and the heatmap.  Know no widget, no search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen

from gui import board_paint as paint
from gui.overlays import BEST, BETTER, Mark
from gui.theme import Theme, figure_font, ink, mix, with_alpha

if TYPE_CHECKING:
    from core.games import Position


def paint_position(painter: QPainter, g: paint.Geometry, kind: paint.Kind, position: Position, theme: Theme) -> None:
    """The pieces, what is forbidden, and the winning line or a mark on the last move."""
    radius = kind.stone_radius * g.step
    owners = position.cells().ravel().tolist()
    for cell, owner in enumerate(owners):
        if owner and kind.takes:
            paint.draw_chip(painter, g.center(cell), 0.85 * radius, theme)
        elif owner:
            kind.stone(painter, g.center(cell), radius, owner - 1, theme)
    paint.draw_forbidden(painter, g, position.forbidden(), theme)
    last = kind.places.last_cells(position)
    won = tuple(position.winning_cells)
    if won:
        strokes = paint.winning_strokes(won, last[0] if last else -1, g.cols)
        paint.draw_strokes(painter, g, kind, strokes, won, theme)
        return
    for cell in last:
        center = g.center(cell)
        if kind.takes:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("dim"), 1.6, Qt.PenStyle.DashLine))
            painter.drawEllipse(center, 0.7 * radius, 0.7 * radius)
        elif kind.plain_last:
            painter.setBrush(theme.color("text", 0.7))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(center + QPointF(0, 0.43 * g.step), 0.025 * g.step, 0.025 * g.step)
        else:
            paint.draw_last_move(painter, center, radius, ink(paint.stone_color(kind, owners[cell] - 1, theme)))


def paint_marks(
    painter: QPainter,
    g: paint.Geometry,
    kind: paint.Kind,
    marks: list[Mark],
    font: QFont,
    theme: Theme,
    faded: bool,
) -> None:
    """The heatmap; ``faded`` while a line is shown over it."""
    main = figure_font(font)
    main.setPixelSize(max(9, min(22, round(0.215 * g.step))))
    small = QFont(main)
    small.setPixelSize(max(8, min(15, round(0.17 * g.step))))
    under = theme.color(kind.under)
    full = kind.mark_radius * g.step
    for mark in marks:
        if mark.cell < 0:
            continue
        center = g.center(mark.cell)
        fill = mix(under, mark.fill, mark.opacity * (0.22 if faded else 1.0))
        size = full
        if kind.under == "wood":  # on intersections small marks leave the lines in sight
            size *= 0.55 + 0.45 * mark.opacity if mark.text else 0.36
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        _shape(painter, g, kind, mark.cell, center, size)
        if mark.ring and not faded:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(_ring_pen(mark.ring, g, theme))
            _shape(painter, g, kind, mark.cell, center, size)
        if mark.text and g.step >= 30:
            painter.setPen(with_alpha(ink(fill), (0.55 + 0.45 * mark.opacity) * (0.3 if faded else 1.0)))
            _paint_text(painter, g, mark, center, main, small)


def _shape(painter: QPainter, g: paint.Geometry, kind: paint.Kind, cell: int, center: QPointF, size: float) -> None:
    if kind.square:
        painter.drawRoundedRect(g.rect(cell).adjusted(5, 5, -5, -5), 8, 8)
    else:
        painter.drawEllipse(center, size, size)


def _ring_pen(ring: str, g: paint.Geometry, theme: Theme) -> QPen:
    width = max(2.0, min(4.0, 0.045 * g.step))
    if ring == BEST:
        return QPen(theme.color("accent"), width * 1.25)
    if ring == BETTER:
        return QPen(theme.color("warn"), width * 0.8, Qt.PenStyle.DotLine)
    return QPen(theme.color("text"), width * 0.7)


def _paint_text(painter: QPainter, g: paint.Geometry, mark: Mark, center: QPointF, main: QFont, small: QFont) -> None:
    box = QRectF(center.x() - g.step / 2, center.y() - g.step / 2, g.step, g.step)
    painter.setFont(main)
    if not mark.sub or g.step < 44:
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.text)
        return
    # the two lines lie close together however large the cell is
    apart = min(0.105 * g.step, 0.62 * main.pixelSize())
    painter.drawText(box.translated(0, -apart), Qt.AlignmentFlag.AlignCenter, mark.text)
    painter.setFont(small)
    painter.drawText(box.translated(0, 1.35 * apart), Qt.AlignmentFlag.AlignCenter, mark.sub)
