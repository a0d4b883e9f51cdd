"""What is done with the record on the board: marks, comments, deletion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QLineF, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QApplication, QComboBox, QWidget

from core.text import Text
from gui.model.keymap import key_of
from gui.widgets.board import board_paint as paint
from gui.widgets.board.board import BoardSheet, BoardView
from gui.widgets.keys import KEYPAD, keeps_key
from gui.widgets.theme import Theme, current_theme, figure_font, ink, round_pen, with_alpha

if TYPE_CHECKING:
    from core.files.record import Mark, RecordNode
    from core.games import Position
    from gui.context import Context
    from gui.model.state import AppState

ARROW, LINE = "AR", "LN"  # SGF properties that a record keeps unchanged
RADIUS: Final = 0.3  # of a shape, as a multiple of a cell's step
CORNER: Final = QPointF(-0.29, -0.29)  # of a letter beside a figure, from the centre of its cell


class Link(NamedTuple):
    """An arrow or a line between two cells."""

    start: int
    end: int
    is_arrow: bool


def links_of(node: RecordNode, shape: tuple[int, int]) -> list[Link]:
    """Return the arrows and lines of a node; invalid ones are skipped."""
    from core.files.sgf_meaning import BadPoint, read_point

    links = []
    for ident, values in node.extra:
        for value in values if ident in (ARROW, LINE) else ():
            start, _, end = value.partition(":")
            try:
                links.append(Link(read_point(start, shape), read_point(end, shape), ident == ARROW))
            except BadPoint:
                continue
    return links


class MarkSheet(BoardSheet):
    """Shows the marks of the node at the cursor while its position is on the board."""

    def __init__(self, state: AppState, board: BoardView) -> None:
        super().__init__(board)
        self._state = state
        self.marks: tuple[Mark, ...] = ()
        self.links: list[Link] = []
        self._state.position_changed.connect(self.renew)
        self._state.record_changed.connect(self.renew)
        self._state.selection_changed.connect(self.renew)
        board.laid_out.connect(lambda *_: self.update())

    def renew(self, *_: object) -> None:
        """Show the marks of the node at the cursor."""
        record = self._state.record
        self.marks, self.links = (), []
        if record is not None and not self._state.selected:
            node = record.node(self._state.node)
            self.marks, self.links = node.marks, links_of(node, record.game.shape)
        self.update()
        self.setVisible(bool(self.marks or self.links))

    def paintEvent(self, event: QPaintEvent) -> None:
        position = self._state.shown.preview
        if position is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        g, theme = self._board.geometry_of_board(), current_theme()
        for link in self.links:
            _paint_link(painter, g, link, theme)
        beside = self._state.overlay != "none"
        for mark in self.marks:
            _paint_mark(painter, g, mark, _ground(position, mark.cell, theme), beside)


def _ground(position: Position, cell: int, theme: Theme) -> tuple[QColor, bool]:
    """Return the colour under a mark, and whether a piece is there."""
    kind = paint.kind_of(position.game.name)
    owner = int(position.cells().flat[cell])
    if owner and not kind.takes:
        return paint.stone_color(kind, owner - 1, theme), True
    return theme.color(kind.under), bool(owner)


def _paint_mark(
    painter: QPainter, g: paint.Geometry, mark: Mark, ground: tuple[QColor, bool], beside_figures: bool
) -> None:
    """Paint a mark twice, first as an outline in the colour below it, so that it stays readable on any figure."""
    under, on_piece = ground
    center, width = g.center(mark.cell), max(1.6, 0.045 * g.step)
    if mark.kind == "label":
        if beside_figures and not on_piece:
            center += CORNER * g.step
        _paint_label(painter, center, g.step, mark.text, under, small=beside_figures and not on_piece)
        return
    for colour, pen_width in ((with_alpha(under, 0.8), width + 3), (ink(under), width)):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(round_pen(colour, pen_width))
        _paint_shape(painter, center, RADIUS * g.step, mark.kind)


def _paint_shape(painter: QPainter, center: QPointF, radius: float, kind: str) -> None:
    if kind == "circle":
        painter.drawEllipse(center, radius, radius)
    elif kind == "square":
        side = 0.86 * radius
        painter.drawRect(QRectF(center.x() - side, center.y() - side, 2 * side, 2 * side))
    elif kind == "triangle":
        corners = [center + _towards(angle) * (1.12 * radius) for angle in (-90, 30, 150)]
        painter.drawPolygon(QPolygonF(corners))
    else:
        for angle in (45, 135):
            painter.drawLine(center - _towards(angle) * radius, center + _towards(angle) * radius)


def _towards(degrees: float) -> QPointF:
    return QPointF(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))


def _paint_label(painter: QPainter, center: QPointF, step: float, text: str, under: QColor, small: bool) -> None:
    font = figure_font(painter.font(), bold=True)
    font.setPixelSize(max(9, round((0.24 if small else 0.4) * step)))
    painter.setFont(font)
    metrics = painter.fontMetrics()
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(0.9 * step))
    box = QRectF(0, 0, max(metrics.height(), metrics.horizontalAdvance(shown) + 0.12 * step), metrics.height())
    box.moveCenter(center)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(with_alpha(under, 0.85))
    painter.drawRoundedRect(box, 0.5 * box.height(), 0.5 * box.height())
    painter.setPen(ink(under))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)


def _paint_link(painter: QPainter, g: paint.Geometry, link: Link, theme: Theme) -> None:
    """Paint a line from near the centre of one cell to near that of another, with a head if it is an arrow."""
    line = QLineF(g.center(link.start), g.center(link.end))
    if line.length() == 0:
        return
    unit = QPointF(line.dx(), line.dy()) / line.length()
    start, end = line.p1() + unit * 0.2 * g.step, line.p2() - unit * 0.2 * g.step
    side = QPointF(-unit.y(), unit.x())
    head = 0.22 * g.step
    for colour, width in ((theme.color("panel"), 0.1), (theme.color("accent"), 0.06)):
        painter.setPen(round_pen(with_alpha(colour, 0.85), width * g.step))
        painter.drawLine(start, end)
        if link.is_arrow:
            for direction in (1, -1):
                painter.drawLine(end, end - unit * head + side * 0.6 * head * direction)


WITH_ARROWS = (QAbstractItemView, QAbstractSpinBox, QComboBox, QAbstractSlider)
ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down)


class KeepArrowKeys(QObject):
    """Keeps up and down for a list, a field or a slider while it has the focus, whatever their shortcuts elsewhere."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._turn)

    def _turn(self, before: QWidget | None, now: QWidget | None) -> None:
        if isinstance(before, WITH_ARROWS):
            before.removeEventFilter(self)
        if isinstance(now, WITH_ARROWS):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return keeps_key(event, ARROWS, KEYPAD) or super().eventFilter(watched, event)


def connect_record_actions(context: Context, board: BoardView) -> None:
    """Connect the record to its actions' enabled state, and show the marks of its node on the board."""
    state, actions = context.state, context.actions
    KeepArrowKeys(context.window)
    MarkSheet(state, board)

    def enable() -> None:
        record = state.record
        aside = record is not None and state.node not in record.main_line()
        for name, enabled in (
            ("variation_above", state.neighbour(-1) is not None),
            ("variation_below", state.neighbour(1) is not None),
            ("promote", aside),
            ("make_main", aside),
            ("start", state.cursor > 0),
            ("back", state.cursor > 0),
            ("forward", state.cursor < len(state.moves)),
            ("back_ten", state.cursor > 0),
            ("forward_ten", state.cursor < len(state.moves)),
            ("pass", state.game is not None and state.game.passing >= 0),
            ("end", state.cursor < len(state.moves)),
            ("delete", state.cursor > 0),
            ("take_back", state.cursor > 0),
            ("undo", state.can_undo),
            ("redo", state.can_redo),
            ("comment", record is not None),
            ("edit_position", record is not None),
            ("about_game", record is not None),
        ):
            actions[name].setEnabled(enabled)

    state.comment_changed.connect(enable)
    state.position_changed.connect(enable)
    state.search_changed.connect(enable)
    enable()


def delete_move(context: Context, node: int) -> None:
    """Delete a move and all that follow it; a message appears if that is more than one move."""
    state = context.state
    if state.record is None or node not in state.record or state.record.node(node).parent < 0:
        return
    size = len(state.record)
    state.delete(node)
    count = size - len(state.record)
    if count > 1:
        key = key_of(context.actions["undo"])
        context.messages.show_notice(
            Text("{count} moves were deleted. Undo{key} brings them back.", count=count, key=f" ({key})" if key else "")
        )


def write_comment(context: Context) -> None:
    """Show the record and focus the comment on the move at the cursor."""
    from gui.rooms.game.record_panel import RecordPanel

    context.docks.show_dock("game")
    panel = context.docks["game"].fill()
    assert isinstance(panel, RecordPanel)
    panel.comment.setFocus()
