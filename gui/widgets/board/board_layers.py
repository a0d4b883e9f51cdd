"""Draws what is on the empty board: stones, overlay marks, a line of moves."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from gui.widgets.board import board_paint as paint
from gui.widgets.board import board_signs as signs
from gui.widgets.board.board_line import ShownLine
from gui.widgets.board.overlays.overlay import BEST, BETTER, INTERVAL, Chip, Mark, Stroke
from gui.widgets.board.places import COLUMNS, stone_numbers
from gui.widgets.figures import MINUS, THIN
from gui.widgets.text_size import px
from gui.widgets.theme import Theme, fainter_ink, figure_font, ink, mix, ramp, round_pen, with_alpha

if TYPE_CHECKING:
    from core.games import Position

SMALLEST: Final = 16.0  # px, of cells whose marks have texts
TWO_LINES: Final = 44  # px at the usual text size, of cells whose marks have two lines of text
RED = QColor("#d6322a")  # number of the last move, dot of a stale line


def paint_position(
    painter: QPainter,
    g: paint.Geometry,
    kind: paint.Kind,
    position: Position,
    theme: Theme,
    numbers: QFont | None = None,
) -> None:
    """Draw the pieces, forbidden points, and the winning line or a mark on the last move.

    ``numbers``: the font for move numbers on the stones; the last move is then marked by its number's colour.
    """
    radius = kind.stone_radius * g.step
    owners = position.cells().ravel().tolist()
    for cell, owner in enumerate(owners):
        if owner and kind.takes:
            paint.draw_chip(painter, g.center(cell), 0.85 * radius, theme)
        elif owner:
            kind.stone(painter, g.center(cell), radius, owner - 1, theme)
    signs.draw_forbidden(painter, g, position.forbidden(), theme)
    signs.draw_repeating(painter, g, position.repeating(), theme)
    last = kind.places.last_cells(position)
    won = tuple(position.winning_cells)
    if won:
        strokes = signs.winning_strokes(won, last[0] if last else -1, g.cols)
        signs.draw_strokes(painter, g, kind, strokes, won, theme)
    if numbers is not None:
        paint_numbers(painter, g, kind, position, numbers, theme)
    if won or (numbers is not None and not kind.plain_last):
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
        elif owners[cell]:  # in Go it may have taken itself
            signs.draw_last_move(painter, center, radius, ink(paint.stone_color(kind, owners[cell] - 1, theme)))


def paint_marks(
    painter: QPainter,
    g: paint.Geometry,
    kind: paint.Kind,
    marks: list[Mark],
    font: QFont,
    theme: Theme,
    faded: bool,
) -> None:
    """Draw the heatmap, ``faded`` while a line is shown over it."""
    main = figure_font(font)
    main.setPixelSize(g.figure_px(0.215, 9, 22))
    small = QFont(main)
    small.setPixelSize(g.figure_px(0.17, 8, 15))
    metrics = QFontMetrics(main)
    under = theme.color(kind.under)
    full = kind.mark_radius * g.step
    for mark in marks:
        if mark.cell < 0:
            continue
        center = g.center(mark.cell)
        if mark.chips:
            _paint_chips(painter, g, kind, mark, font, theme, faded)
            continue
        if mark.side:
            _paint_square(painter, g, mark, center, faded)
        if mark.side or (mark.rings and not mark.opacity):
            _paint_rings(painter, g, mark, center, faded)
            continue
        fill = mix(under, mark.fill, mark.opacity * (0.22 if faded else 1.0))
        size = full
        if kind.under == "wood":  # small marks keep the lines visible
            size *= 0.55 + 0.45 * mark.opacity if mark.text else 0.36
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        _shape(painter, g, kind, mark.cell, center, size)
        if mark.ring and not faded:
            _paint_ring(painter, g, kind, mark, center, size, theme)
        _paint_rings(painter, g, mark, center, faded)
        if mark.whisker is not None and not faded:
            _paint_whisker(painter, center, full, mark.whisker, ink(fill))
        if mark.shares and not faded:
            _paint_shares(painter, center, full, mark.shares, ink(fill), theme)
        if mark.text and g.step >= SMALLEST:
            painter.setPen(with_alpha(fainter_ink(fill, 0.55 + 0.45 * mark.opacity), 0.3 if faded else 1.0))
            room = max(0.6 * g.step, 2 * size) if kind.under == "wood" else g.step if kind.square else 2 * size
            _paint_text(painter, g, mark, center, main, small, metrics, room)


def _paint_square(painter: QPainter, g: paint.Geometry, mark: Mark, center: QPointF, faded: bool) -> None:
    """Draw a square with an edge that sets it off from a stone or ground of its colour."""
    half = 0.5 * mark.side * g.step
    painter.setOpacity(0.25 if faded else 1.0)
    painter.setBrush(mark.fill if mark.opacity else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(with_alpha(ink(mark.fill), 0.6), max(1.0, 0.025 * g.step)))
    painter.drawRect(QRectF(center.x() - half, center.y() - half, 2 * half, 2 * half))
    painter.setOpacity(1.0)


def _paint_rings(painter: QPainter, g: paint.Geometry, mark: Mark, center: QPointF, faded: bool) -> None:
    """Draw the rings of a mark: a dark circle each, and over it the share in its colour."""
    painter.setOpacity(0.25 if faded else 1.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    wide = max(2.4, 0.075 * g.step)
    for colour, radius, share in mark.rings:
        box = QRectF(center.x() - radius * g.step, center.y() - radius * g.step, *(2 * (2 * radius * g.step,)))
        painter.setPen(QPen(QColor(0, 0, 0, 150), wide * 1.35))
        painter.drawEllipse(box)
        painter.setPen(QPen(colour, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawArc(box, 90 * 16, round(-360 * 16 * share))
    painter.setOpacity(1.0)


def _paint_whisker(
    painter: QPainter, center: QPointF, radius: float, ends: tuple[float, float], colour: QColor
) -> None:
    """Draw an interval of values below the numbers, from -1 on the left to +1 on the right, with a tick at 0."""
    half, y = 0.62 * radius, center.y() + 0.72 * radius
    painter.setPen(QPen(with_alpha(colour, 0.35), 1.0))
    painter.drawLine(QPointF(center.x() - half, y), QPointF(center.x() + half, y))
    painter.drawLine(QPointF(center.x(), y - 2.5), QPointF(center.x(), y + 2.5))
    painter.setPen(QPen(with_alpha(colour, 0.9), 2.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    low, high = (center.x() + half * end for end in ends)
    painter.drawLine(QPointF(min(low, high - 1), y), QPointF(max(high, low + 1), y))


def _paint_shares(
    painter: QPainter, center: QPointF, radius: float, shares: tuple[float, ...], colour: QColor, theme: Theme
) -> None:
    """Draw win, draw and loss below the numbers, as parts of a bar in the colours of their results."""
    whole = QRectF(center.x() - 0.6 * radius, center.y() + 0.6 * radius, 1.2 * radius, max(3.0, 0.15 * radius))
    left = whole.left()
    for share, place in zip(shares, (1.0, 0.5, 0.0), strict=True):
        painter.fillRect(
            QRectF(left, whole.top(), share * whole.width(), whole.height()), ramp(theme.value_ramp, place)
        )
        left += share * whole.width()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(with_alpha(colour, 0.7), 1.0))
    painter.drawRect(whole)


def paint_strokes(
    painter: QPainter, g: paint.Geometry, kind: paint.Kind, strokes: tuple[Stroke, ...], theme: Theme, faded: bool
) -> None:
    """Draw lines of threats in their side's colour with a contrasting edge; dashed if they can be stopped."""
    painter.setOpacity(0.25 if faded else 0.9)
    for stroke in strokes:
        colour = paint.stone_color(kind, stroke.player, theme)
        for pen in (round_pen(with_alpha(ink(colour), 0.45), 0.15 * g.step), round_pen(colour, 0.09 * g.step)):
            if not stroke.solid:
                pen.setDashPattern([0.22 * g.step / pen.widthF(), 0.22 * g.step / pen.widthF()])
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawLine(g.center(stroke.start), g.center(stroke.end))
    painter.setOpacity(1.0)


def _paint_chips(
    painter: QPainter, g: paint.Geometry, kind: paint.Kind, mark: Mark, font: QFont, theme: Theme, faded: bool
) -> None:
    """Draw one threat in the centre of the cell, or those of both sides side by side."""
    center = g.center(mark.cell)
    radius = (0.3 if len(mark.chips) == 1 else 0.225) * g.step
    painter.setOpacity(0.25 if faded else 1.0)
    for i, chip in enumerate(mark.chips):
        shift = (i - (len(mark.chips) - 1) / 2) * 2.1 * radius
        paint_chip(painter, center + QPointF(shift, 0), radius, chip, kind, font, theme)
    painter.setOpacity(1.0)


def paint_chip(
    painter: QPainter,
    center: QPointF,
    radius: float,
    chip: Chip,
    kind: paint.Kind,
    font: QFont,
    theme: Theme,
    plain: bool = False,
) -> None:
    """Draw a threat: its number in a row in its side's colour, outlined if stoppable; ``plain``: for a legend."""
    painter.save()
    base = theme.color("dim") if plain else paint.stone_color(kind, chip.player, theme)
    fill = base if chip.solid else mix(theme.color("panel" if plain else kind.under), base, 0.3)
    painter.setBrush(fill)
    painter.setPen(QPen(base, max(1.4, 0.13 * radius)))
    painter.drawEllipse(center, radius, radius)
    if chip.wins:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), max(1.8, 0.18 * radius)))
        painter.drawEllipse(center, 1.06 * radius, 1.06 * radius)
    text_font = figure_font(font, bold=True)
    text_font.setPixelSize(max(9, min(22, round(1.15 * radius))))
    painter.setFont(text_font)
    painter.setPen(ink(fill))
    box = QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, chip.text)
    painter.restore()


def paint_numbers(
    painter: QPainter, g: paint.Geometry, kind: paint.Kind, position: Position, font: QFont, theme: Theme
) -> None:
    """Draw the move number on each stone; beside the mark in games drawn with marks."""
    owners, last = position.cells().ravel().tolist(), kind.places.last_cells(position)
    text_font = figure_font(font, bold=True)
    text_font.setPixelSize(g.figure_px(0.2 if kind.square else 0.32, 8, 20))
    painter.setFont(text_font)
    for cell, number in stone_numbers(position, kind.places).items():
        if not owners[cell]:
            continue
        if kind.square:
            _paint_corner(painter, g, cell, number, theme)
        else:
            stone = paint.stone_color(kind, owners[cell] - 1, theme)
            painter.setPen(mix(ink(stone), RED, 0.8) if cell in last else ink(stone))
            painter.drawText(g.rect(cell), Qt.AlignmentFlag.AlignCenter, str(number))


def _paint_corner(painter: QPainter, g: paint.Geometry, cell: int, number: int, theme: Theme) -> None:
    painter.setPen(theme.color("text"))
    corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
    painter.drawText(g.rect(cell).adjusted(0, 4, -8, -4), corner, str(number))


def paint_ghost(
    painter: QPainter,
    g: paint.Geometry,
    kind: paint.Kind,
    position: Position,
    action: int,
    theme: Theme,
    written: Collection[int],
) -> None:
    """Draw a preview of the move under the pointer; a ring round the cells that are ``written`` on."""
    radius = kind.stone_radius * g.step
    cells = kind.places.cells_of(position, action)
    if kind.places is COLUMNS:
        column = QRectF(g.left + action * g.step, g.top, g.step, g.rows * g.step)
        painter.fillRect(column.adjusted(2, 2, -2, -2), QColor(255, 255, 255, 22))
    if kind.takes:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), max(2.0, 0.07 * g.step)))
        for cell in cells:
            painter.drawEllipse(g.center(cell), radius, radius)
        return
    colour, wide = paint.stone_color(kind, position.to_move, theme), (0.03 if kind.square else 0.07) * g.step
    for cell in cells:
        if cell in written:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for pen in (QPen(with_alpha(ink(colour), 0.5), 1.4 * wide), QPen(colour, wide)):
                painter.setPen(pen)
                _shape(painter, g, kind, cell, g.center(cell), 0.45 * g.step)
        else:
            painter.setOpacity(0.55)
            kind.stone(painter, g.center(cell), radius, position.to_move, theme)
            painter.setOpacity(1.0)


def paint_line(
    painter: QPainter, g: paint.Geometry, kind: paint.Kind, line: ShownLine, font: QFont, theme: Theme
) -> None:
    """Draw a line as numbered stones that fade with depth, with a red dot on the first when the line is stale."""
    radius = kind.stone_radius * g.step
    text_font = figure_font(font, bold=True)
    text_font.setPixelSize(g.figure_px(0.3, 9, 24))
    painter.setFont(text_font)
    for number, (cells, player) in enumerate(line.drawn, 1):
        for cell in cells:
            painter.setOpacity(max(0.5, 0.92 - 0.045 * number))
            kind.stone(painter, g.center(cell), radius, player, theme)
            painter.setOpacity(1.0)
            if kind.square:
                _paint_corner(painter, g, cell, number, theme)
            else:
                painter.setPen(ink(paint.stone_color(kind, player, theme)))
                painter.drawText(g.rect(cell), Qt.AlignmentFlag.AlignCenter, str(number))
    if line.stale and line.stones[0][0]:
        at = g.center(line.stones[0][0][0]) + QPointF(-0.34 * g.step, -0.34 * g.step)
        painter.setPen(QPen(QColor("#ffffff"), 1.5))
        painter.setBrush(RED)
        painter.drawEllipse(at, max(3.5, 0.075 * g.step), max(3.5, 0.075 * g.step))


def _shape(painter: QPainter, g: paint.Geometry, kind: paint.Kind, cell: int, center: QPointF, size: float) -> None:
    if kind.square:
        painter.drawRoundedRect(g.rect(cell).adjusted(5, 5, -5, -5), 8, 8)
    else:
        painter.drawEllipse(center, size, size)


def _paint_ring(
    painter: QPainter, g: paint.Geometry, kind: paint.Kind, mark: Mark, center: QPointF, size: float, theme: Theme
) -> None:
    """Draw a ring with an outline, light around a dark ring, that sets it off from a board of any colour."""
    pen = _ring_pen(mark.ring, max(2.0, min(4.0, 0.045 * g.step)), theme)
    wide = pen.widthF() + max(1.6, min(3.0, 0.045 * g.step))
    size = min(size, (min(g.step, g.down) - wide) / 2)  # within the cell
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for each in (QPen(ink(pen.color()), wide), pen):
        painter.setPen(each)
        _shape(painter, g, kind, mark.cell, center, size)


def paint_sign(painter: QPainter, center: QPointF, radius: float, sign: str, square: bool, theme: Theme) -> None:
    """Draw a sign of marks for a legend: a ring, ``square`` as round such cells, or the bar of an interval."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if sign == INTERVAL:
        _paint_whisker(painter, center - QPointF(0, 0.72 * radius), radius / 0.62, (-0.2, 0.7), theme.color("text"))
        return
    painter.setPen(_ring_pen(sign, 2.0, theme))
    if square:
        painter.drawRoundedRect(QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius), 2, 2)
    else:
        painter.drawEllipse(center, radius, radius)


def _ring_pen(ring: str, width: float, theme: Theme) -> QPen:
    if ring == BEST:
        return QPen(theme.color("accent"), width * 1.25)
    if ring == BETTER:
        return QPen(theme.color("warn"), width * 0.8, Qt.PenStyle.DotLine)
    return QPen(theme.color("text"), width * 0.7)


def _paint_text(
    painter: QPainter,
    g: paint.Geometry,
    mark: Mark,
    center: QPointF,
    main: QFont,
    small: QFont,
    metrics: QFontMetrics,
    room: float,
) -> None:
    """Write the texts of a mark; ``metrics``: of the font ``main``."""
    box = QRectF(center.x() - g.step / 2, center.y() - g.step / 2, g.step, g.step)
    if mark.shares:
        box.translate(0, -0.08 * g.step)  # their bar stands below the text
    painter.setFont(main)
    if not mark.sub or g.step < px(TWO_LINES):
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, fitting(mark.text, metrics, room))
        return
    # keep the two lines of text close together in cells of any size
    apart = min(0.105 * g.step, 0.62 * main.pixelSize())
    painter.drawText(box.translated(0, -apart), Qt.AlignmentFlag.AlignCenter, mark.text)
    painter.setFont(small)
    painter.drawText(box.translated(0, 1.35 * apart), Qt.AlignmentFlag.AlignCenter, mark.sub)


def fitting(text: str, metrics: QFontMetrics, width: float) -> str:
    """Return as much of a figure as fits: all, else without its per cent sign, or its 0 before the point; else ""."""
    short = text.rstrip(f"{THIN}%")
    sign, figure = (short[0], short[1:]) if short[:1] in ("+", MINUS) else ("", short)
    shortest = sign + figure[1:] if figure.startswith("0.") else short
    return next((part for part in (text, short, shortest) if metrics.horizontalAdvance(part) <= width), "")
