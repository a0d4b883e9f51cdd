"""Drawing of each game's board and stones: a table of kinds and their functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen, QRadialGradient

from core.text import Words
from gui.language.language import tr
from gui.widgets.board.geometry import HEXAGONS, draw_goals, draw_hexagons
from gui.widgets.board.geometry import Geometry as Geometry
from gui.widgets.board.geometry import fit as fit
from gui.widgets.board.places import CELLS, COLUMNS, HEAPS, Places
from gui.widgets.theme import Theme, mix, round_pen, with_alpha

if TYPE_CHECKING:
    from core.games import Position
    from core.games.spec import Look


@dataclass(frozen=True)
class Kind:
    """How a game is drawn."""

    look: str  # key of Theme.first and Theme.second
    places: Places
    names: tuple[Words, Words]  # names of the players
    stone_radius: float  # as a share of the cell's step
    mark_radius: float  # the same for marks of the heatmap
    under: str  # theme colour below faint marks
    ground: Callable[[QPainter, Geometry, Theme], None]
    stone: Callable[[QPainter, QPointF, float, int, Theme], None]
    square: bool = False  # marks fill their cell
    takes: bool = False  # moves remove pieces, which belong to no player
    turns: bool = False  # pieces change colour: the count decides, and legal moves are marked
    plain_last: bool = False  # the last move is marked beside its piece
    slant: float = 0.0  # of the geometry

    @property
    def players(self) -> tuple[str, str]:
        """The players' names in the window's language."""
        return tr(self.names[0]), tr(self.names[1])


def stone_color(kind: Kind, player: int, theme: Theme) -> QColor:
    """Return the colour of a player's stones or marks."""
    return QColor((theme.first if player == 0 else theme.second)[kind.look])


# discs in columns


def _discs_ground(painter: QPainter, g: Geometry, theme: Theme) -> None:
    frame = g.frame.adjusted(-6, -6, 6, 6)
    body = QLinearGradient(frame.topLeft(), frame.bottomLeft())
    body.setColorAt(0.0, theme.color("discs_edge"))
    body.setColorAt(1.0, theme.color("discs_body"))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(body)
    painter.drawRoundedRect(frame, 0.16 * g.step, 0.16 * g.step)
    rim = mix(theme.color("discs_body"), QColor("#000000"), 0.32)
    for cell in range(g.rows * g.cols):
        center = g.center(cell)
        painter.setBrush(rim)
        painter.drawEllipse(center, 0.42 * g.step, 0.42 * g.step)
        painter.setBrush(theme.color("discs_hole"))
        painter.drawEllipse(center + QPointF(0, 0.008 * g.step), 0.4 * g.step, 0.4 * g.step)


def _disc(painter: QPainter, center: QPointF, radius: float, player: int, theme: Theme) -> None:
    _paint_disc(painter, center, radius, player, stone_color(KINDS["connect4"], player, theme))


def _hexagon_disc(painter: QPainter, center: QPointF, radius: float, player: int, theme: Theme) -> None:
    _paint_disc(painter, center, radius, player, stone_color(LOOKS["hexagons"], player, theme))


def _paint_disc(painter: QPainter, center: QPointF, radius: float, player: int, base: QColor) -> None:
    """Draw a disc: the first player's with a ring, the second's with a dot, so that they differ without colour."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(base)
    painter.drawEllipse(center, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    shade = mix(base, QColor("#000000"), 0.28)
    painter.setPen(QPen(shade, 0.07 * radius))
    painter.drawEllipse(center, 0.955 * radius, 0.955 * radius)
    if player == 0:
        painter.setPen(QPen(with_alpha(shade, 0.75), 0.09 * radius))
        painter.drawEllipse(center, 0.62 * radius, 0.62 * radius)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(shade, 0.45))
        painter.drawEllipse(center, 0.2 * radius, 0.2 * radius)


# stones on intersections


def _wood(painter: QPainter, g: Geometry, theme: Theme, stars: Iterable[int]) -> None:
    wood = theme.color("wood")
    frame = g.frame.adjusted(-3, -3, 3, 3)
    grain = QLinearGradient(frame.topLeft(), frame.bottomRight())
    grain.setColorAt(0.0, mix(wood, QColor("#ffffff"), 0.07))
    grain.setColorAt(1.0, mix(wood, QColor("#000000"), 0.06))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(grain)
    painter.drawRoundedRect(frame, 6, 6)
    painter.setPen(QPen(theme.color("wood_line"), max(1.0, 0.026 * g.step)))
    half = g.step / 2
    for row in range(g.rows):
        y = g.top + half + row * g.step
        painter.drawLine(QPointF(g.left + half, y), QPointF(g.left + g.cols * g.step - half, y))
    for col in range(g.cols):
        x = g.left + half + col * g.step
        painter.drawLine(QPointF(x, g.top + half), QPointF(x, g.top + g.rows * g.step - half))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("wood_line"))
    for cell in stars:
        painter.drawEllipse(g.center(cell), max(2.0, 0.085 * g.step), max(2.0, 0.085 * g.step))


def _stones_ground(painter: QPainter, g: Geometry, theme: Theme) -> None:
    _wood(painter, g, theme, _star_points(g.rows, g.cols))


def _go_ground(painter: QPainter, g: Geometry, theme: Theme) -> None:
    _wood(painter, g, theme, go_stars(g.rows, g.cols))


def _star_points(rows: int, cols: int) -> list[int]:
    """Return five points: four on the third or fourth line, and the centre if odd, from size 9."""
    if rows != cols or rows < 9:
        return []
    edge = 3 if rows >= 13 else 2
    points = [r * cols + c for r in (edge, rows - 1 - edge) for c in (edge, cols - 1 - edge)]
    return [*points, (rows // 2) * cols + cols // 2] if rows % 2 else points


def go_stars(rows: int, cols: int) -> list[int]:
    """Return a Go board's star points: in the corners from 7 lines, in the centre of odd sides, between from 15."""

    def corner_lines(side: int) -> list[int]:
        edge = 3 if side >= 13 else 2
        return [edge, side - 1 - edge] if side >= 7 else []

    middles = [[side // 2] if side % 2 and side >= 5 else [] for side in (rows, cols)]
    if max(rows, cols) < 15:
        lines = [(corner_lines(rows), corner_lines(cols)), (middles[0], middles[1])]
    else:
        lines = [(corner_lines(rows) + middles[0], corner_lines(cols) + middles[1])]
    return sorted(r * cols + c for down, right in lines for r in down for c in right)


def _stone(painter: QPainter, center: QPointF, radius: float, player: int, theme: Theme) -> None:
    base = stone_color(KINDS["gomoku"], player, theme)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(0, 0, 0, 60))
    painter.drawEllipse(center + QPointF(0.04 * radius, 0.09 * radius), radius, radius)
    shine = QRadialGradient(center - QPointF(0.35 * radius, 0.4 * radius), 1.5 * radius)
    shine.setColorAt(0.0, mix(base, QColor("#ffffff"), 0.30 if player == 0 else 0.9))
    shine.setColorAt(0.55, base)
    shine.setColorAt(1.0, mix(base, QColor("#000000"), 0.15))
    painter.setBrush(shine)
    painter.drawEllipse(center, radius, radius)


# X and O in cells


def _marks_ground(painter: QPainter, g: Geometry, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("cell"))
    painter.drawRoundedRect(g.frame.adjusted(-2, -2, 2, 2), 10, 10)
    painter.setPen(round_pen(theme.color("cell_line"), 2.0))
    inset = 0.08 * g.step
    for row in range(1, g.rows):
        y = g.top + row * g.step
        painter.drawLine(QPointF(g.left + inset, y), QPointF(g.left + g.cols * g.step - inset, y))
    for col in range(1, g.cols):
        x = g.left + col * g.step
        painter.drawLine(QPointF(x, g.top + inset), QPointF(x, g.top + g.rows * g.step - inset))


def _mark(painter: QPainter, center: QPointF, radius: float, player: int, theme: Theme) -> None:
    pen = round_pen(stone_color(KINDS["tictactoe"], player, theme), 0.24 * radius)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if player == 0:
        arm = 0.76 * radius
        painter.drawLine(center - QPointF(arm, arm), center + QPointF(arm, arm))
        painter.drawLine(center + QPointF(-arm, arm), center + QPointF(arm, -arm))
    else:
        painter.drawEllipse(center, 0.84 * radius, 0.84 * radius)


# discs that change colour, on felt


def _felt_ground(painter: QPainter, g: Geometry, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("felt"))
    painter.drawRoundedRect(g.frame.adjusted(-5, -5, 5, 5), 8, 8)
    painter.setPen(QPen(theme.color("felt_line"), 1.4))
    for row in range(g.rows + 1):
        y = g.top + row * g.step
        painter.drawLine(QPointF(g.left, y), QPointF(g.left + g.cols * g.step, y))
    for col in range(g.cols + 1):
        x = g.left + col * g.step
        painter.drawLine(QPointF(x, g.top), QPointF(x, g.top + g.rows * g.step))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("felt_line"))
    if g.rows >= 8:
        for row in (2, g.rows - 2):
            for col in (2, g.cols - 2):
                corner = QPointF(g.left + col * g.step, g.top + row * g.step)
                painter.drawEllipse(corner, 0.055 * g.step, 0.055 * g.step)


# chips in rows; a token in the player's colour shows who took them


def _chips_ground(painter: QPainter, g: Geometry, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for row in range(g.rows):
        box = QRectF(g.left, g.top + row * g.step, g.cols * g.step, g.step).adjusted(-2, 3, 2, -3)
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(box, 0.3 * g.step, 0.3 * g.step)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("cell_line"), 1))
    for cell in range(g.rows * g.cols):
        painter.drawEllipse(g.center(cell), 0.3 * g.step, 0.3 * g.step)


def draw_chip(painter: QPainter, center: QPointF, radius: float, theme: Theme) -> None:
    """Draw a chip, which belongs to no player."""
    base = theme.color("chip")
    painter.setPen(QPen(mix(base, QColor("#000000"), 0.3), 0.08 * radius))
    painter.setBrush(base)
    painter.drawEllipse(center, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(center, 0.62 * radius, 0.62 * radius)


def _token(painter: QPainter, center: QPointF, radius: float, player: int, theme: Theme) -> None:
    painter.setBrush(stone_color(KINDS["nim"], player, theme))
    painter.setPen(QPen(theme.color("faint"), 1))
    painter.drawEllipse(center, radius, radius)


_MARKS: Final = Kind("marks", CELLS, ("X", "O"), 0.33, 0.40, "cell", _marks_ground, _mark, square=True, plain_last=True)
_STONES: Final = Kind("stones", CELLS, ("Black", "White"), 0.46, 0.44, "wood", _stones_ground, _stone)
KINDS: Final = {
    "connect4": Kind("discs", COLUMNS, ("Red", "Yellow"), 0.4, 0.385, "discs_hole", _discs_ground, _disc),
    "gomoku": _STONES,
    "go": replace(_STONES, ground=_go_ground),
    "othello": replace(
        _STONES, stone_radius=0.42, mark_radius=0.38, under="felt_line", ground=_felt_ground, turns=True
    ),
    "nim": Kind(
        "marks", HEAPS, ("First", "Second"), 0.4, 0.38, "raised", _chips_ground, _token, takes=True, plain_last=True
    ),
    "tictactoe": _MARKS,
    "connectn": _MARKS,
}
NO_GAME: Final = "connect4"  # as this one is drawn while no position is shown


LOOKS: Final = {  # what installed games may choose from
    "marks": _MARKS,
    "stones": _STONES,
    "felt": KINDS["othello"],
    "columns": KINDS["connect4"],
    "heaps": KINDS["nim"],
    "hexagons": Kind(HEXAGONS, CELLS, ("Red", "Blue"), 0.4, 0.4, "cell", draw_hexagons, _hexagon_disc, slant=0.5),
}


def _no_ground(painter: QPainter, g: Geometry, theme: Theme) -> None:
    """Nothing: the text is drawn."""


_WORDS: Final = replace(_MARKS, ground=_no_ground)


def kind_of(name: str) -> Kind:
    """Return how a game is drawn; an installed one as it says, or as marks in cells."""
    if name in KINDS:
        return KINDS[name]
    family, _, look_name = name.rpartition(":")
    if family:
        return LOOKS.get(look_name, _WORDS)
    from core.games import GAMES

    look = GAMES[name].look if name in GAMES else None
    return _MARKS if look is None else _look(look)


@lru_cache(maxsize=64)
def _look(look: Look) -> Kind:
    kind = replace(LOOKS[look.kind], names=look.players)
    return replace(kind, ground=draw_goals) if look.goals and kind.slant else kind


def anchor(position: Position, action: int) -> int:
    """Return the cell for a move's numbers; -1 for none, such as a pass."""
    cells = kind_of(position.game.name).places.cells_of(position, action)
    return cells[0] if cells else -1


@lru_cache(maxsize=32)
def anchors(position: Position) -> dict[int, int]:
    """Return the cell for the numbers of each legal move; -1 for none, such as a pass."""
    return {action: anchor(position, action) for action in position.legal_actions()}


def draw_coordinates(
    painter: QPainter, g: Geometry, columns: tuple[str, ...], rows: tuple[str, ...], theme: Theme
) -> None:
    """Draw the labels below the columns and left of the rows; fewer where all would touch."""
    painter.setPen(theme.color("dim"))
    metrics = painter.fontMetrics()
    height = max(18, metrics.height())
    below = g.frame.bottom() + 16 - height / 2
    wide = math.ceil((max(map(metrics.horizontalAdvance, columns), default=0) + 2) / g.step)
    high = math.ceil((metrics.ascent() + 1) / g.step)
    for col, text in enumerate(columns):
        if col % wide == 0:
            middle = g.center((g.rows - 1) * g.cols + col).x()
            painter.drawText(QRectF(middle - 20, below, 40, height), Qt.AlignmentFlag.AlignCenter, text)
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for row, text in enumerate(rows):
        if (len(rows) - 1 - row) % high == 0:
            first = g.rect(row * g.cols)
            painter.drawText(QRectF(first.left() - 34, first.center().y() - 10, 26, 20), right, text)


def draw_token(painter: QPainter, kind: Kind, center: QPointF, radius: float, player: int, theme: Theme) -> None:
    """Draw a player's stone beside text, outlined to contrast with the panel in any colour."""
    kind.stone(painter, center, radius, player, theme)
    if kind.look == "stones":
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("dim"), 1.2))
        painter.drawEllipse(center, radius, radius)
