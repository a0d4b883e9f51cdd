"""What the overlays of chains and areas draw on a board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen

from gui.widgets.board import board_paint as paint
from gui.widgets.theme import Theme, figure_font, ink, mix, round_pen, with_alpha

if TYPE_CHECKING:
    from core.games import Position
    from core.games.spec import Chain

CAUGHT: Final = QColor("#d6322a")
ATARI: Final = QColor("#f28c18")


class Shapes(Protocol):
    """A drawing over the stones, equal to another when both look the same."""

    def draw(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, font: QFont, theme: Theme) -> None: ...


@dataclass(frozen=True)
class ChainShapes:
    """The liberties of each chain, those in atari, and those that a ladder catches."""

    chains: tuple[Chain, ...]
    last: tuple[int, ...] = ()  # the cells of the last move, on which the board draws a ring

    def draw(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, font: QFont, theme: Theme) -> None:
        """Outline chains in atari and in ladders, mark the moves that matter, number the liberties."""
        for chain in self.chains:
            if chain.caught or len(chain.liberties) == 1:
                _outline(painter, g, kind, chain)
        for chain in self.chains:
            colour = CAUGHT if chain.caught else ATARI
            for cell in chain.catches:
                _triangle(painter, g.center(cell), 0.24 * g.step, colour)
            if len(chain.liberties) == 1:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour)
                painter.drawEllipse(g.center(chain.liberties[0]), 0.13 * g.step, 0.13 * g.step)
        number = figure_font(font, bold=True)
        number.setPixelSize(g.figure_px(0.34, 8, 20))
        painter.setFont(number)
        for chain in self.chains:
            stone = paint.stone_color(kind, chain.player, theme)
            cell = self.numbered(chain, g.cols)
            if cell in self.last:  # a wider ring, round the number
                painter.setBrush(stone)
                painter.setPen(QPen(stone, 0.12 * g.step))
                painter.drawEllipse(g.center(cell), 0.2 * g.step, 0.2 * g.step)
                painter.setPen(QPen(ink(stone), max(1.6, 0.045 * g.step)))
                painter.drawEllipse(g.center(cell), 0.33 * g.step, 0.33 * g.step)
            painter.setPen(ink(stone))
            painter.drawText(g.rect(cell), Qt.AlignmentFlag.AlignCenter, str(len(chain.liberties)))

    def numbered(self, chain: Chain, cols: int) -> int:
        """The cell of a chain's number, on the last move where that is the whole chain."""
        return _middle([cell for cell in chain.cells if cell not in self.last] or chain.cells, cols)


@dataclass(frozen=True)
class AreaShapes:
    """Whose each cell is: 0 nobody's, 1 and 2 a player's as counted, 3 and 4 held whatever the other plays."""

    owners: tuple[int, ...]

    def draw(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, font: QFont, theme: Theme) -> None:
        """Draw a square in the owner's colour on each cell, a larger one where it is held."""
        for cell, owner in enumerate(self.owners):
            if owner:
                half = (0.2 if owner > 2 else 0.13) * g.step
                colour = paint.stone_color(kind, (owner - 1) % 2, theme)
                painter.setBrush(colour)
                painter.setPen(QPen(with_alpha(ink(colour), 0.55), max(1.0, 0.035 * g.step)))
                center = g.center(cell)
                painter.drawRect(QRectF(center.x() - half, center.y() - half, 2 * half, 2 * half))


def chain_shapes(position: Position) -> ChainShapes | None:
    """Return the chains on the board; None for a game without."""
    read = position.game.board.chains
    last = paint.kind_of(position.game.name).places.last_cells(position)
    return ChainShapes(read(position.state), tuple(last)) if read is not None else None


def area_shapes(position: Position) -> AreaShapes | None:
    """Return what is held and, when the game is over, whose all the rest is; None for a game without areas."""
    read = position.game.board.area
    if read is None:
        return None
    owners = read(position.state).ravel().tolist()
    return AreaShapes(tuple(owner if owner > 2 or position.is_over else 0 for owner in owners))


def is_bare(shapes: Shapes | None) -> bool:
    """Return whether these are areas that nobody holds yet."""
    return isinstance(shapes, AreaShapes) and not any(shapes.owners)


def _middle(cells: Iterable[int], cols: int) -> int:
    """Return the cell nearest to the middle of several."""
    places = [divmod(cell, cols) for cell in cells]
    row, col = (sum(place[i] for place in places) / len(places) for i in (0, 1))
    nearest = min(places, key=lambda place: (place[0] - row) ** 2 + (place[1] - col) ** 2)
    return nearest[0] * cols + nearest[1]


def _outline(painter: QPainter, g: paint.Geometry, kind: paint.Kind, chain: Chain) -> None:
    """Draw a line round a chain: dashed where only the other side's move would catch it."""
    radius, half, cells = (kind.stone_radius + 0.03) * g.step, 0.4 * g.step, set(chain.cells)
    path = QPainterPath()
    for cell in chain.cells:
        path.addEllipse(g.center(cell), radius, radius)
        for other in (cell + 1, cell + g.cols):
            if other in cells and (other != cell + 1 or other % g.cols):
                wide = other == cell + 1
                box = QRectF(g.center(cell), g.center(other)).normalized()
                path.addRect(box.adjusted(0, -half, 0, half) if wide else box.adjusted(-half, 0, half, 0))
    path.setFillRule(Qt.FillRule.WindingFill)
    pen = round_pen(CAUGHT if chain.caught else ATARI, max(2.0, 0.075 * g.step))
    if len(chain.liberties) > 1:
        pen.setDashPattern([2.0, 2.0])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawPath(path.simplified())


def _triangle(painter: QPainter, center: QPointF, radius: float, colour: QColor) -> None:
    path = QPainterPath(center + QPointF(0, -radius))
    path.lineTo(center + QPointF(0.87 * radius, 0.5 * radius))
    path.lineTo(center + QPointF(-0.87 * radius, 0.5 * radius))
    path.closeSubpath()
    painter.setPen(QPen(mix(colour, QColor("#000000"), 0.4), 1.0))
    painter.setBrush(colour)
    painter.drawPath(path)
