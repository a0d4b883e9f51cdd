"""A net's input for a position: its planes as small boards with names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.plane_titles import plane_title
from gui.widgets.board.small_board import paint_plane, plane_step
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font
from gui.widgets.tips import show_tip

if TYPE_CHECKING:
    from core.games import Position

GAP = 10
BOARD_WIDTH = 140  # px, at least, where more than two planes are in a row


def plane_names(position: Position) -> tuple[str, ...]:
    """Return what each plane holds and for whom (order: core.games.spec.NUM_PLANES)."""
    kind = kind_of(position.game.name)
    players = kind.players
    mover = players[position.to_move]
    first, second = tr("{mover} (to move)").format(mover=mover), players[1 - position.to_move]
    if kind.takes:  # the chips are nobody's
        first, second = tr("chips left"), tr("chips taken")
    side = tr("ones: {mover} moves") if position.to_move == 0 else tr("zeros: {mover} moves")
    return first, second, tr("last move"), side.format(mover=mover)


class PlaneBoards(QWidget):
    """The planes as small boards: two in a row, more of an encoding with many where the width allows."""

    def __init__(self, parent: QWidget | None = None, largest_cell: int = 12) -> None:
        """``largest_cell`` in px."""
        super().__init__(parent)
        self._largest_cell = largest_cell
        self._position: Position | None = None
        self.planes: list[list[list[float]]] = []
        self._named: tuple[str, ...] | None = None  # the names of other planes than the game's own
        self.names: tuple[str, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        set_texts(self, accessibleName="Input planes")
        on_language(self, self._name_planes)

    def show_position(
        self,
        position: Position | None,
        planes: list[list[list[float]]] | None = None,
        names: tuple[str, ...] | None = None,
    ) -> None:
        """Show the planes of a position; ``planes`` [C][H][W]: the input of a net, if it differs, and their names."""
        before = self._position, self.names
        self._position, self._named = position, names
        self._name_planes()
        if (position, self.names) == before and planes is None:
            return
        self.planes = planes or (position.planes().tolist() if position is not None else [])
        self.updateGeometry()
        self.update()

    def _name_planes(self) -> None:
        if self._named is not None:
            self.names = tuple(map(plane_title, self._named))
        else:
            self.names = plane_names(self._position) if self._position is not None else ()
        self.setAccessibleDescription("; ".join(self.names))

    def _in_row(self, width: int) -> int:
        return max(2, (width + GAP) // (BOARD_WIDTH + GAP)) if self._named is not None else 2

    def _column(self, width: int) -> int:
        """The distance from one board to that on its right."""
        return (width + GAP) // self._in_row(width)

    def _step(self, width: int) -> int:
        if not self.planes:
            return self._largest_cell
        rows, cols = len(self.planes[0]), len(self.planes[0][0])
        return min(self._largest_cell, plane_step(rows, cols, self._column(width) - GAP, 1e6))

    def _line(self) -> int:
        return self.fontMetrics().height()

    def _box(self, place: int) -> QRect:
        """The rectangle of a plane: its name and below it its board."""
        width = self.width()
        line, column = divmod(place, self._in_row(width))
        step, height = self._column(width), self._line() + 4 + len(self.planes[0]) * self._step(width)
        return QRect(column * step, line * (height + GAP), step - GAP, height)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if not self.planes:
            return 0
        board = len(self.planes[0]) * self._step(width)
        lines = -(-len(self.planes) // self._in_row(width))
        return lines * (board + self._line() + 4) + (lines - 1) * GAP

    def sizeHint(self) -> QSize:
        return QSize(280, self.heightForWidth(self.width() or 280))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(120, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.updateGeometry()

    def name_at(self, point: QPoint) -> str:
        """Return the name of the plane at a point, in full; "" where there is none."""
        return next((name for place, name in enumerate(self.names) if self._box(place).contains(point)), "")

    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        show_tip(event.globalPos(), self.name_at(event.pos()), self)
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.planes:
            return
        painter = QPainter(self)
        painter.setFont(figure_font(self.font(), 0.92))
        step, line = self._step(self.width()), self._line()
        for place, plane in enumerate(self.planes):
            box = self._box(place)
            painter.setPen(current_theme().color("dim"))
            name = self.names[place] if place < len(self.names) else tr("plane {place}").format(place=place)
            name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(QRect(box.x(), box.y(), box.width(), line), Qt.AlignmentFlag.AlignVCenter, name)
            paint_plane(painter, box.x(), box.y() + line + 4, step, plane, current_theme())
