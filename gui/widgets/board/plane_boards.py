"""A net's input for a position: its planes as small boards with names.  Knows no net."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.small_board import paint_plane, plane_step
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, figure_font

if TYPE_CHECKING:
    from core.games import Position

GAP = 10


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
    """The planes as small boards, two in a row."""

    def __init__(self, parent: QWidget | None = None, largest_cell: int = 12) -> None:
        """``largest_cell`` in px."""
        super().__init__(parent)
        self._largest_cell = largest_cell
        self._position: Position | None = None
        self._planes: list[list[list[float]]] = []
        self._names: tuple[str, ...] = ()
        self._english: tuple[str, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        set_texts(self, accessibleName="Input planes")
        on_language(self, self._name_planes)

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def planes(self) -> list[list[list[float]]]:
        return self._planes

    def show_position(
        self,
        position: Position | None,
        planes: list[list[list[float]]] | None = None,
        english: tuple[str, ...] = (),
    ) -> None:
        """Show the planes of a position; ``planes`` [C][H][W]: the input of a net, if it differs; ``english``: what
        each of those holds, where they are not the game's own."""
        before, self._english = self._names, english
        if position == self._position and self._names_of(position) == before and planes is None:
            return
        self._position, self._names = position, self._names_of(position)
        self._planes = planes or (position.planes().tolist() if position is not None else [])
        self.setAccessibleDescription("; ".join(self._names))
        self.updateGeometry()
        self.update()

    def _name_planes(self) -> None:
        self._names = self._names_of(self._position)
        self.setAccessibleDescription("; ".join(self._names))

    def _names_of(self, position: Position | None) -> tuple[str, ...]:
        if self._english:
            return tuple(map(tr, self._english))
        return plane_names(position) if position is not None else ()

    def _step(self, width: int) -> int:
        if not self._planes:
            return self._largest_cell
        rows, cols = len(self._planes[0]), len(self._planes[0][0])
        return min(self._largest_cell, plane_step(rows, cols, (width - GAP) / 2, 1e6))

    def _line(self) -> int:
        return self.fontMetrics().height()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if not self._planes:
            return 0
        board = len(self._planes[0]) * self._step(width)
        pairs = (len(self._planes) + 1) // 2
        return pairs * (board + self._line() + 4) + (pairs - 1) * GAP

    def sizeHint(self) -> QSize:
        return QSize(280, self.heightForWidth(self.width() or 280))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(120, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._planes:
            return
        painter = QPainter(self)
        painter.setFont(figure_font(self.font(), 0.92))
        step, line = self._step(self.width()), self._line()
        column = (self.width() - GAP) // 2 + GAP
        height = len(self._planes[0]) * step + line + 4 + GAP
        for place, plane in enumerate(self._planes):
            left, top = (place % 2) * column, (place // 2) * height
            painter.setPen(current_theme().color("dim"))
            name = self._names[place] if place < len(self._names) else tr("plane {place}").format(place=place)
            name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, column - GAP)
            painter.drawText(QRectF(left, top, column - GAP, line), Qt.AlignmentFlag.AlignVCenter, name)
            paint_plane(painter, left, top + line + 4, step, plane, current_theme())
