"""Painting of a tree's picture: colours by value, widths by visits or prior, names where they fit.

Uses a scene and a lens; does not decide what is shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from gui.language.language import tr
from gui.widgets.board.playout_paint import STAGES, stage_color
from gui.widgets.figures import short_count, signed
from gui.widgets.icicle.icicle_colours import RANGES
from gui.widgets.node_card import proof_for
from gui.widgets.theme import Theme, figure_font, ink, line_color, mix, ramp, round_pen
from gui.widgets.words import PROOFS

if TYPE_CHECKING:
    from core.games import GameSpec
    from core.glass.picture import TreePicture
    from gui.rooms.tree.picture_lens import Lens
    from gui.rooms.tree.picture_scene import Scene

STEPS: Final = 100  # steps of the ramp of values
BORDER: Final = STEPS + 1  # index of the first border colour
PLAIN, LINE, EDGE = 2 * BORDER, 2 * BORDER + 1, 2 * BORDER + 2
STAGE: Final = EDGE + 1  # index of the first stage's colour
LEAST_RADIUS: Final = 0.9
NAME_RADIUS: Final = 8.5  # px of radius from which a node shows its move
FIGURE_RADIUS: Final = 14.0  # and from which it shows its figures below
MOST_TEXTS: Final = 400


def palette(theme: Theme) -> NDArray[np.uint32]:
    """Return all colours of the picture, uint32 [C] as 0xFFRRGGBB.

    Values from -1 to +1 in ``STEPS``, the same for borders, then those without a value.  Borders are closer to the
    text's colour, so that a value near 0 stands out from the panel.
    """
    colours = [ramp(theme.value_ramp, i / STEPS) for i in range(STEPS + 1)]
    colours += [mix(colour, theme.color("text"), 0.12 if theme.dark else 0.28) for colour in colours]
    colours += [theme.color("faint"), line_color(theme), mix(theme.color("panel"), theme.color("dim"), 0.75)]
    colours += [stage_color(stage, theme) for stage in range(len(STAGES))]
    return np.array([c.rgb() & 0xFFFFFFFF for c in colours], np.uint32)


def steps_of(values: NDArray[np.float32], first: int = 0) -> NDArray[np.uint8]:
    """Return indices into the palette from ``first`` on; an unknown value gives ``PLAIN``."""
    steps = first + np.rint((np.clip(np.nan_to_num(values), -1, 1) + 1) * (STEPS / 2))
    return np.where(np.isnan(values), PLAIN, steps).astype(np.uint8)


class Marked(NamedTuple):
    """The nodes on the path of a simulation, and its stage."""

    nodes: list[int]
    stage: int


@dataclass(frozen=True, eq=False)
class Tints:
    """What the colours of a picture's nodes stand for, for one player.  Letters: M nodes of the picture."""

    picture: TreePicture
    mode: str
    figures: NDArray[np.float32]  # [M]
    sign: NDArray[np.float32]  # [M] -1 where a node's own values are for the other player

    @property
    def fills(self) -> NDArray[np.float32]:
        """[M] the figures as parts of the greatest shown."""
        return self.figures / np.float32(RANGES[self.mode])

    @property
    def borders(self) -> NDArray[np.float32]:
        """[M] the net's own values where the fill shows the searched ones."""
        return self.sign * self.picture.values if self.mode == "value" else self.fills

    def words(self, place: int) -> str:
        """Return what the colour of a node stands for: a proof, or a signed number."""
        proof = proof_for(int(self.picture.proofs[place]), int(self.sign[place]))
        if self.mode in ("value", "proof") and (words := tr(PROOFS[proof])):
            return words
        figure = float(self.figures[place])
        return "" if self.mode == "proof" or figure != figure else signed(figure, 2)


@dataclass(frozen=True)
class Placed:
    """The nodes of a scene in pixels of the widget."""

    xs: NDArray[np.float32]  # [V]
    ys: NDArray[np.float32]  # [V]
    radii: NDArray[np.float32]  # [V]

    def at(self, x: float, y: float, reach: float = 5.0) -> int:
        """Return the node under a point, or the nearest within ``reach``; -1 if there is none."""
        if not self.xs.size:
            return -1
        away = np.hypot(self.xs - x, self.ys - y) - self.radii
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= reach else -1


def place(scene: Scene, lens: Lens) -> Placed:
    """Return the present positions of the nodes."""
    return Placed(
        (lens.x + lens.column * scene.x).astype(np.float32),
        (lens.y + lens.row * scene.y).astype(np.float32),
        np.maximum(LEAST_RADIUS, scene.radii * lens.scale).astype(np.float32),
    )


def paint_tree(
    pixels: NDArray[np.uint32],
    ratio: float,
    scene: Scene,
    placed: Placed,
    scale: float,
    by_prior: bool,
    tints: Tints,
    colours: NDArray[np.uint32],
    marked: Marked | None = None,
) -> None:
    """Paint edges and nodes into ``pixels``, with ``ratio`` device pixels for each of the widget's."""
    from gui.rooms.tree.picture_raster import Edges, Nodes, paint_edges, paint_nodes

    picture = scene.picture
    if picture is None or not len(scene):
        return
    at, size = scene.places, np.float32(ratio)
    xs, ys, radii = placed.xs * size, placed.ys * size, placed.radii * size
    # A position that was the root before can have more visits than the present root.
    share = np.minimum(1.0, picture.visits[at] / max(1, int(picture.visits[0])))
    weight = np.nan_to_num(picture.priors[at]) if by_prior else share
    near = min(1.3, max(0.35, math.sqrt(scale)))
    widths = (0.7 + 6.5 * np.sqrt(weight)) * near
    widths[scene.on_line] = np.maximum(widths[scene.on_line], 1.8)
    alphas = 0.42 + 0.4 * np.sqrt(np.sqrt(share))
    alphas[scene.on_line] = 0.95
    lines = np.where(scene.on_line, LINE, EDGE).astype(np.uint8)
    last = scene.on_line.astype(np.int8)
    if marked is not None:
        widths[marked.nodes], alphas[marked.nodes], lines[marked.nodes] = 3.2, 1.0, STAGE + marked.stage
        last[marked.nodes] = 2
    order = scene.order[np.argsort(last[scene.order], kind="stable")]
    edges = Edges(scene.parents, xs, ys, (widths * ratio).astype(np.float32), alphas.astype(np.float32), lines)
    paint_edges(pixels, order, edges, colours, np.empty(len(scene), np.float32))
    rims = np.where(radii < 3 * size, 0, np.maximum(1.2 * size, 0.2 * radii)).astype(np.float32)
    fills, borders = steps_of(tints.fills[at]), steps_of(tints.borders[at], BORDER)
    nodes = Nodes(xs, ys, radii, rims, fills, borders, picture.proofs[at] > 0)
    paint_nodes(pixels, order, nodes, colours)


def paint_texts(
    painter: QPainter,
    area: QRectF,
    scene: Scene,
    placed: Placed,
    row: float,
    game: GameSpec,
    font: QFont,
    theme: Theme,
    tints: Tints,
) -> None:
    """Paint the move in each large node, and its visits and value below where plies are far enough apart.

    The moves of the principal variation and of the root are named beside nodes that are small."""
    picture = scene.picture
    assert picture is not None
    large = placed.radii >= NAME_RADIUS
    visible = (placed.xs > area.left() - 40) & (placed.xs < area.right() + 40)
    visible &= (placed.ys > area.top() - 60) & (placed.ys < area.bottom() + 40)
    best = scene.order[::-1]
    names = game.action_names
    centre = Qt.AlignmentFlag.AlignCenter
    small = figure_font(font, 0.8)
    metrics = QFontMetricsF(small)
    height = metrics.height()
    named = visible & ~large & (scene.on_line | (picture.depths[scene.places] == 1))
    _name_small_nodes(painter, scene, placed, best[named[best]][:MOST_TEXTS].tolist(), names, small, theme)
    visible &= large
    for v in best[visible[best]][:MOST_TEXTS].tolist():
        p = int(scene.places[v])
        x, y, r = float(placed.xs[v]), float(placed.ys[v]), float(placed.radii[v])
        action = int(picture.actions[p])
        if action >= 0:
            name = names[action]
            shown = float(tints.fills[p])
            fill = theme.color("faint") if shown != shown else ramp(theme.value_ramp, (shown + 1) / 2)
            inside = figure_font(font, bold=True)
            inside.setPixelSize(max(7, min(15, int(1.9 * r / max(1.6, 0.62 * len(name))))))
            painter.setFont(inside)
            painter.setPen(ink(fill))
            painter.drawText(QRectF(x - 2 * r, y - r, 4 * r, 2 * r), centre, name)
        if r < FIGURE_RADIUS or row < 2.4 * r + 2 * height:
            continue
        painter.setFont(small)
        count = short_count(int(picture.visits[p]))
        value = tints.words(p)
        wide = max(metrics.horizontalAdvance(count), metrics.horizontalAdvance(value)) + 6
        below = QRectF(x - wide / 2, y + r + 2, wide, 2 * metrics.height() - 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("panel", 0.92))
        painter.drawRoundedRect(below, 4, 4)
        painter.setPen(theme.color("text"))
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, count)
        painter.setPen(theme.color("dim"))
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, value)


def _name_small_nodes(
    painter: QPainter,
    scene: Scene,
    placed: Placed,
    nodes: list[int],
    names: Sequence[str],
    font: QFont,
    theme: Theme,
) -> None:
    """Paint the moves of small nodes beside them, the most visited first, where they do not cover each other."""
    assert scene.picture is not None
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    taken: list[QRectF] = []
    for v in sorted(nodes, key=lambda v: not scene.on_line[v]):
        action = int(scene.picture.actions[scene.places[v]])
        if action < 0:
            continue
        wide, high = metrics.horizontalAdvance(names[action]) + 6, metrics.height()
        x, y = float(placed.xs[v] + placed.radii[v]) + 3, float(placed.ys[v])
        box = QRectF(x, y - high / 2, wide, high)
        if any(box.intersects(other) for other in taken):
            continue
        taken.append(box)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("panel", 0.82))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(theme.color("text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, names[action])


def paint_rings(
    painter: QPainter,
    scene: Scene,
    placed: Placed,
    selected: int,
    whole: bool,
    pointed: int,
    matches: Sequence[int],
    theme: Theme,
) -> None:
    """Paint rings around the selected and the pointed node and those found, and a plus below folded ones.

    The ring of a selected node that is hidden is dashed, around its nearest shown ancestor.
    """
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for v in matches:
        for colour, width in ((theme.color("panel"), 5.0), (theme.color("text"), 2.2)):
            painter.setPen(QPen(colour, width))
            radius = max(3.0, float(placed.radii[v])) + 2.0
            painter.drawEllipse(QPointF(float(placed.xs[v]), float(placed.ys[v])), radius, radius)
    for v, colour, away in ((pointed, theme.color("text"), 2.0), (selected, theme.color("accent"), 3.5)):
        if 0 <= v < placed.xs.size:
            pen = QPen(colour, 2.2 if v == selected else 1.4)
            if v == selected and not whole:
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            radius = max(3.0, float(placed.radii[v])) + away
            painter.drawEllipse(QPointF(float(placed.xs[v]), float(placed.ys[v])), radius, radius)
    for v in np.flatnonzero(scene.shut).tolist():
        centre = QPointF(float(placed.xs[v]), float(placed.ys[v] + placed.radii[v]) + 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawEllipse(centre, 5.5, 5.5)
        painter.setPen(round_pen(theme.color("on_accent"), 1.5))
        painter.drawLine(centre - QPointF(2.6, 0), centre + QPointF(2.6, 0))
        painter.drawLine(centre - QPointF(0, 2.6), centre + QPointF(0, 2.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
