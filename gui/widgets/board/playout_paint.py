"""Draws one simulation over the board, in the colours of its stages; depends only on its inputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from core.text import Words
from gui.model.shown import positions_along
from gui.widgets.board import board_paint as paint
from gui.widgets.board.places import COLUMNS
from gui.widgets.text_size import px
from gui.widgets.theme import Theme, figure_font, ink, mix

if TYPE_CHECKING:
    from core.games import Position

SELECTION, EXPANSION, EVALUATION, BACKUP = range(4)
TWO_LINES: Final = 16  # px at the usual text size, radius of a stone that has room for them
STAGES: Final[Sequence[Words]] = ("Selection", "Expansion", "Evaluation", "Backup")
_DARK: Final = ("#f0776a", "#6cc77f", "#2fc4bb", "#6ea8ff")
_LIGHT: Final = ("#b8321f", "#2b7d3c", "#0a7a74", "#2559c4")
_LINES: Final = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)


def stage_color(stage: int, theme: Theme) -> QColor:
    """Return the stage's colour: red, green, teal or blue."""
    return QColor((_DARK if theme.dark else _LIGHT)[stage])


Stone = tuple[tuple[int, ...], int]  # the cells of a move, and the player


class Simulation(NamedTuple):
    """The path of one simulation below the search's root, and the stage shown."""

    root: Position
    path: tuple[int, ...]
    stage: int
    value: float = math.nan  # of the leaf for the side to move at the root, once it is known


class Guess(NamedTuple):
    """A wrong guess of the move chosen next: the cells and the score of both moves."""

    guessed: tuple[tuple[int, ...], str]
    chosen: tuple[tuple[int, ...], str]


@dataclass(frozen=True)
class Highlight:
    """The moves of a path with rings in the stage's colour, and the random game as smaller stones."""

    path: tuple[Stone, ...]
    game: tuple[Stone, ...]
    stage: int
    figures: tuple[tuple[str, str], ...] = ()  # N and Q of each move of the path, instead of its number
    value: str = ""  # what the leaf is worth, beside the last stone
    lit: int = -1  # the move of the path whose figures have changed last
    fall: float = 1.0  # how far the last move of the path has fallen into its place
    guess: Guess | None = None

    def draw(self, painter: QPainter, g: paint.Geometry, kind: paint.Kind, base: QFont, theme: Theme) -> None:
        font = figure_font(base, bold=True)
        radius = kind.stone_radius * g.step
        colour = stage_color(self.stage, theme)
        for number, (cells, player) in enumerate(self.game, 1):
            font.setPixelSize(g.figure_px(0.22, 8, 18))
            painter.setFont(font)
            for cell in cells:
                self._stone(painter, g, kind, g.center(cell), 0.72 * radius, player, str(number), 0.75, theme)
        font.setPixelSize(g.figure_px(0.3, 9, 24))
        painter.setFont(font)
        for number, (cells, player) in enumerate(self.path, 1):
            last = number == len(self.path) and self.stage > SELECTION  # the leaf
            if self.stage == BACKUP and self.lit >= 0:
                last = number == self.lit + 1
            text = str(number)
            if number <= len(self.figures):
                text = "\n".join(self.figures[number - 1][: 1 + (radius > px(TWO_LINES))])
                font.setPixelSize(g.figure_px(0.42 * kind.stone_radius, 9, 17))
                painter.setFont(font)
            for cell in cells:
                center = g.center(cell)
                if number == len(self.path) and self.fall < 1:
                    center = self._falling(center, g, kind)
                self._stone(painter, g, kind, center, radius, player, text, 0.92, theme)
                self._ring(painter, center, 1.04 * radius, colour, last, theme, 0.05 * g.step)
        end = next((cells for cells, _ in reversed((*self.path, *self.game)) if cells), None)
        if self.value and end:
            at = g.center(end[0]) + QPointF(0.8, -1.0) * radius
            self._plate(painter, at, self.value, font, theme, stage_color(EVALUATION, theme))
        if self.guess is not None:
            self._draw_guess(self.guess, painter, g, radius, font, theme)

    def _draw_guess(
        self, guess: Guess, painter: QPainter, g: paint.Geometry, radius: float, font: QFont, theme: Theme
    ) -> None:
        """Put rings on the guess and on the move chosen, and their scores beside them with what was wrong and right."""
        font.setPixelSize(max(px(11), min(px(14), font.pixelSize())))
        for (cells, score), mark, colour in zip(guess, "✗✓", (theme.color("warn"), theme.color("good")), strict=True):
            for cell in cells:
                self._ring(painter, g.center(cell), 1.04 * radius, colour, False, theme, 0.05 * g.step)
            if cells:
                self._plate(painter, g.center(cells[0]) + QPointF(0, radius), f"{mark} {score}", font, theme, colour)

    def _falling(self, center: QPointF, g: paint.Geometry, kind: paint.Kind) -> QPointF:
        """Return where a stone is that falls to its place: through its column, or a little from above."""
        height = center.y() - g.top if kind.places is COLUMNS else 0.5 * g.step
        return center - QPointF(0, height * (1 - self.fall * self.fall))

    def _plate(self, painter: QPainter, at: QPointF, text: str, font: QFont, theme: Theme, colour: QColor) -> None:
        """Write a figure on a coloured plate."""
        font.setPixelSize(max(px(11), font.pixelSize()))
        painter.setFont(font)
        metrics = painter.fontMetrics()
        box = QRectF(0, 0, metrics.horizontalAdvance(text) + 10, metrics.height() + 4)
        box.moveCenter(at)
        box.moveRight(min(box.right(), painter.window().right()))
        painter.setPen(QPen(theme.color("window"), 1.5))
        painter.setBrush(colour)
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(ink(colour))
        painter.drawText(box, CENTRE, text)

    def _ring(
        self, painter: QPainter, center: QPointF, radius: float, colour: QColor, last: bool, theme: Theme, width: float
    ) -> None:
        """Draw a ring: solid for selection, another line style for each later stage; double around the leaf."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen, wide in ((theme.color("window"), 2.0), (colour, 0.0)):
            line = QPen(pen, max(2.5, width) + wide)
            if not wide:
                line.setStyle(_LINES[self.stage])
            painter.setPen(line)
            painter.drawEllipse(center, radius, radius)
            if last:
                painter.setPen(QPen(pen, max(1.5, 0.5 * width) + wide))
                painter.drawEllipse(center, 1.18 * radius, 1.18 * radius)

    def _stone(
        self,
        painter: QPainter,
        g: paint.Geometry,
        kind: paint.Kind,
        center: QPointF,
        radius: float,
        player: int,
        text: str,
        opacity: float,
        theme: Theme,
    ) -> None:
        if kind.square:  # marks need a plate below the number
            fill = mix(theme.color("panel"), paint.stone_color(kind, player, theme), 0.82)
            painter.setOpacity(opacity)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawEllipse(center, radius, radius)
            text = f"{kind.players[player][:1]}{text}" if "\n" not in text else text
        else:
            fill = paint.stone_color(kind, player, theme)
            painter.setOpacity(opacity)
            kind.stone(painter, center, radius, player, theme)
        painter.setOpacity(1.0)
        painter.setPen(ink(fill))
        painter.drawText(QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius), CENTRE, text)


CENTRE: Final = Qt.AlignmentFlag.AlignCenter


def stones(position: Position, actions: tuple[int, ...]) -> tuple[Stone, ...]:
    """Return the cells and player of each move of a line from ``position``; a pass has no cells."""
    places = paint.kind_of(position.game.name).places
    before = zip(positions_along(position, actions[:-1]), actions, strict=False)  # () without moves
    return tuple((tuple(places.cells_of(at, action)), at.to_move) for at, action in before)
