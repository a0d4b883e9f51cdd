"""Small signs drawn on and beside the board: last move, winning line, illegal points, passes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPen

from gui.language.language import tr
from gui.widgets.board import board_paint as paint
from gui.widgets.text_size import px
from gui.widgets.theme import Theme, fainter_ink, figure_font, ink, mix, round_pen

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from gui.widgets.board.overlays.overlay import Mark

PASS: Final = "pass"  # core.games.spec.PASS, which a start without a game does not import
PASS_HEIGHT: Final = 19  # px at the usual text size, of the signs above the board
PASS_ROOM: Final = 16.0  # px that they need besides the board's margin


def winning_strokes(cells: tuple[int, ...], last_action_cell: int, cols: int) -> list[tuple[int, int]]:
    """Return the ends of each straight run of winning cells through the last stone."""
    won, strokes = set(cells), []
    if last_action_cell not in won:
        return []
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        ends = []
        for sign in (-1, 1):
            row, col = divmod(last_action_cell, cols)
            while 0 <= col + sign * dc < cols and (row + sign * dr) * cols + col + sign * dc in won:
                row, col = row + sign * dr, col + sign * dc
            ends.append((row, col))
        (r0, c0), (r1, c1) = ends
        if max(abs(r1 - r0), abs(c1 - c0)) >= 2:
            strokes.append((r0 * cols + c0, r1 * cols + c1))
    return strokes


def draw_forbidden(painter: QPainter, g: paint.Geometry, cells: Iterable[int], theme: Theme) -> None:
    """Draw a small cross on each point forbidden to the side to move."""
    painter.setPen(round_pen(QColor("#b3261e"), max(1.5, 0.05 * g.step)))
    arm = 0.13 * g.step
    for cell in cells:
        center = g.center(cell)
        painter.drawLine(center - QPointF(arm, arm), center + QPointF(arm, arm))
        painter.drawLine(center + QPointF(-arm, arm), center + QPointF(arm, -arm))


def draw_legal(painter: QPainter, g: paint.Geometry, cells: Iterable[int], theme: Theme) -> None:
    """Draw a small dot on each legal cell."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink(theme.color("felt")))
    painter.setOpacity(0.55)
    for cell in cells:
        painter.drawEllipse(g.center(cell), 0.08 * g.step, 0.08 * g.step)
    painter.setOpacity(1.0)


def draw_strokes(
    painter: QPainter,
    g: paint.Geometry,
    kind: paint.Kind,
    strokes: list[tuple[int, int]],
    cells: tuple[int, ...],
    theme: Theme,
) -> None:
    """Draw the winning line: a stroke from end to end and, on stones and discs, a ring around each."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    path = QPainterPath()
    if not kind.square or not strokes:
        for cell in cells:
            path.addEllipse(g.center(cell), kind.stone_radius * g.step, kind.stone_radius * g.step)
    for start, end in strokes:
        path.moveTo(g.center(start))
        path.lineTo(g.center(end))
    if kind.square:
        pens = [round_pen(theme.color("accent", 0.85), max(4.0, 0.055 * g.step))]
    else:
        pens = [round_pen(QColor(0, 0, 0, 110), 5.0), round_pen(QColor("#ffffff"), 2.6)]
    for pen in pens:
        painter.setPen(pen)
        painter.drawPath(path)


def draw_last_move(painter: QPainter, center: QPointF, radius: float, color: QColor) -> None:
    """Draw a small ring on the last stone."""
    painter.setBrush(QBrush(Qt.BrushStyle.NoBrush))
    painter.setPen(QPen(color, max(1.6, 0.11 * radius)))
    painter.drawEllipse(center, 0.36 * radius, 0.36 * radius)


def draw_repeating(painter: QPainter, g: paint.Geometry, cells: Iterable[int], theme: Theme) -> None:
    """Draw a small square on each point where an earlier position forbids a move, as a ko does."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(mix(theme.color("wood_line"), QColor("#000000"), 0.35), max(1.6, 0.06 * g.step)))
    half = 0.2 * g.step
    for cell in cells:
        center = g.center(cell)
        painter.drawRect(QRectF(center.x() - half, center.y() - half, 2 * half, 2 * half))


def draw_cursor(painter: QPainter, g: paint.Geometry, cell: int, theme: Theme) -> None:
    """Draw the frame of the keyboard's cell."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("accent"), 2, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(g.rect(cell).adjusted(2, 2, -2, -2), 6, 6)


def pass_action(position: Position) -> int:
    """Return the pass where a player may pass at will, or a move of another name beside the cells, else -1.

    It is the action after the last cell."""
    game = position.game
    named = game.moves_are_cells and game.num_actions > game.num_cells and PASS not in game.action_names
    return game.num_cells if game.has_free_pass or named else -1


def pass_box(g: paint.Geometry) -> QRectF:
    """Return the place of the sign for a pass, above the right end of the board."""
    width = min(float(px(92)), 0.5 * g.frame.width())
    return QRectF(g.frame.right() + 3 - width, g.top - 6 - px(PASS_HEIGHT), width, px(PASS_HEIGHT))


def draw_pass(
    painter: QPainter, g: paint.Geometry, mark: Mark | None, word: str, font: QFont, theme: Theme, hovered: bool
) -> None:
    """Draw the sign of a move, such as a pass, in the colours of its mark and with the mark's text."""
    box, panel = pass_box(g).adjusted(0.5, 0.5, -0.5, -0.5), theme.color("panel")
    fill = theme.color("raised") if mark is None else mix(panel, mark.fill, mark.opacity)
    fill = mix(fill, ink(fill), 0.12) if hovered else fill
    painter.setBrush(fill)
    painter.setPen(QPen(theme.color("accent"), 2.0) if mark is not None and mark.ring else QPen(theme.color("line"), 1))
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    _draw_words(painter, box, f"{word} {mark.text}" if mark is not None and mark.text else word, font, fill)


def pass_word(game: GameSpec) -> str:
    """Return what the sign of the move after the last cell says."""
    name = game.action_names[-1]
    return tr("pass") if name == PASS else name


def draw_passed(
    painter: QPainter, g: paint.Geometry, kind: paint.Kind, position: Position, font: QFont, theme: Theme
) -> None:
    """Draw above the left end of the board who passed, where that was the last move."""
    if position.last_action < 0 or position.last_action != pass_action(position):
        return
    player = 1 - position.to_move
    words, other = tr("{player} passed").format(player=kind.players[player]), pass_box(g)
    if PASS not in position.game.action_names:
        words = f"{kind.players[player]}: {pass_word(position.game)}"
    painter.setFont(figure_font(font, 0.92))
    width = painter.fontMetrics().horizontalAdvance(words) + 2.2 * other.height()
    box = QRectF(g.frame.left() - 3, other.top(), width, other.height()).adjusted(0.5, 0.5, -0.5, -0.5)
    fill = paint.stone_color(kind, player, theme)
    painter.setBrush(fill)
    painter.setPen(QPen(theme.color("faint"), 1))
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    _draw_words(painter, box, words, font, fill)


def _draw_words(painter: QPainter, box: QRectF, words: str, font: QFont, fill: QColor) -> None:
    painter.setFont(figure_font(font, 0.92))
    painter.setPen(fainter_ink(fill, 0.9))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
