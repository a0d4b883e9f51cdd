"""Painting of an icicle: rows of pixels, texts where they fit, outlines.  Uses a scene, a camera and figures.

Does not decide what is shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QStaticText,
    QTransform,
)

from gui.language.language import tr
from gui.widgets.figures import count, signed
from gui.widgets.icicle import icicle_colours as colours
from gui.widgets.icicle.icicle_raster import Pieces, cover, fill_rows, mixed, paint_lines
from gui.widgets.theme import DARK_INK, LIGHT_INK, Theme, line_color
from gui.widgets.words import PROOFS

if TYPE_CHECKING:
    from core.games import GameSpec
    from core.glass.icicle import Icicle
    from gui.widgets.icicle.icicle_camera import IcicleCamera
    from gui.widgets.icicle.icicle_scene import IcicleScene

MARGIN: Final = 5.0  # px before and after a text
MOST_TEXTS: Final = 900
LEAST_NAMED: Final = 14.0  # px
FADE: Final = 22.0  # px over which rows that are cut off fade
GHOST: Final = 12.0  # px of a node that is outlined as a ghost
NARROW: Final = 3.0  # px to which an outline is widened
MOST_KEPT: Final = 4000  # texts that are kept as they are laid out


class Texts:
    """Texts in one font, each measured once, and laid out once if there is room for it."""

    def __init__(self, font: QFont) -> None:
        self.font, self.metrics = font, QFontMetricsF(font)
        self._widths: dict[str, float] = {}
        self._drawn: dict[str, tuple[QStaticText, float]] = {}

    def width(self, text: str) -> float:
        """Return the width in px."""
        width = self._widths.get(text)
        if width is None:
            if len(self._widths) >= MOST_KEPT:
                self._widths.clear()
                self._drawn.clear()
            width = self._widths[text] = self.metrics.horizontalAdvance(text)
        return width

    def __getitem__(self, text: str) -> tuple[QStaticText, float]:
        """Return the text as Qt draws it, and by how much its base line lies lower than usual, in px.

        Chinese letters are of another font, which makes its line higher."""
        entry = self._drawn.get(text)
        if entry is None:
            drawn = QStaticText(text)
            drawn.setTextFormat(Qt.TextFormat.PlainText)
            drawn.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            drawn.prepare(QTransform(), self.font)
            lower = max(0.0, drawn.size().height() - math.ceil(self.metrics.height()))
            entry = self._drawn[text] = drawn, lower
        return entry


@dataclass
class Dress:
    """What the nodes of one icicle look like, apart from where they are."""

    figures: colours.Figures
    sign: NDArray[np.float32]  # [M] -1 where values are for the other player
    nodes: NDArray[np.uint8]  # [M] places in the palette
    strips: NDArray[np.uint8]  # [S]
    hatched: NDArray[np.bool_]  # [M] proved
    on_line: NDArray[np.bool_]  # [M] on the principal variation
    lit: NDArray[np.bool_] | None = None  # [M] found by the search box; None: nothing is looked for
    mode: str = "value"
    labels: dict[int, tuple[str, ...]] = field(default_factory=dict)  # node -> its texts, the longest first


def make_dress(icicle: Icicle, figures: colours.Figures, mode: str, sign: NDArray[np.float32]) -> Dress:
    """Return the look of an icicle's nodes by figures of a mode; ``sign``: as in ``Dress``."""
    most = colours.RANGES[mode]
    shown = figures
    if mode == "share":
        shown = colours.Figures(*(np.sign(part) * np.sqrt(np.abs(part)) for part in figures))
    on_line = np.zeros(len(icicle), np.bool_)
    on_line[icicle.pv] = True
    return Dress(
        figures,
        sign,
        colours.places_of(shown.nodes, most),
        colours.places_of(shown.strips, most),
        icicle.proofs > 0,
        on_line,
        mode=mode,
    )


class IciclePalette:
    """The colours of a theme."""

    def __init__(self, theme: Theme) -> None:
        self.colours = colours.palette(theme)
        self.behind = theme.color("panel").rgb() & 0xFFFFFFFF
        self.dimmed = mixed(self.colours, self.behind, 0.72)
        self.striped = self.colours, mixed(self.colours, self.behind, 0.55)
        self.dimmed_striped = self.dimmed, mixed(self.dimmed, self.behind, 0.55)
        self.dark_inks = colours.dark_inks(self.colours)


def paint_rows(
    pixels: NDArray[np.uint32],
    ratio: float,
    scene: IcicleScene,
    camera: IcicleCamera,
    row: float,
    dress: Dress,
    palette: IciclePalette,
) -> None:
    """Paint all rows in view into ``pixels``, with ``ratio`` device pixels for each of the widget's."""
    icicle = scene.icicle
    assert icicle is not None
    height, width = pixels.shape
    unit = max(1, round(ratio))
    scale, low, top = width / camera.now.width, camera.now.low, camera.now.top
    first = int(top / row)
    last = max(first, min(scene.rows.size, first + int(height / (row * ratio)) + 2))  # strips are below the last nodes
    nodes = slice(*scene.rows[[min(first, scene.rows.size - 1), min(last, scene.rows.size - 1)]].tolist())
    tints = palette.colours[dress.nodes[nodes]]
    if dress.lit is not None:
        tints = np.where(dress.lit[nodes], tints, palette.dimmed[dress.nodes[nodes]])
    strip_rows = icicle.depths[icicle.strips.parents].astype(np.int64) + 1 - first
    strips = np.flatnonzero((strip_rows >= 0) & (strip_rows < last - first))
    strip_tints, between = palette.striped if dress.lit is None else palette.dimmed_striped
    pieces = Pieces(
        np.concatenate([icicle.depths[nodes].astype(np.int64) - first, strip_rows[strips]]),
        (np.concatenate([scene.lefts[nodes], scene.strip_lefts[strips]]) - low) * scale,
        np.concatenate([scene.widths[nodes], scene.strip_widths[strips]]) * scale,
        np.concatenate([tints, strip_tints[dress.strips[strips]]]),
        np.concatenate([tints, between[dress.strips[strips]]]),
    )
    at = cover(pieces, last - first, width)
    lines, hatched = paint_lines(pieces, at, palette.behind, unit), None
    if dress.hatched[nodes].any():
        hatched = at.spread(np.append(dress.hatched[nodes], np.zeros(strips.size, np.bool_)), False)
    edges = np.rint((np.arange(first, last + 1) * row - top) * ratio).astype(np.int64)
    fill_rows(pixels, lines, edges, hatched, palette.behind, unit)


def spot_of(scene: IcicleScene, camera: IcicleCamera, row: float, place: int) -> QRectF:
    """Return where a node is, in pixels of the widget."""
    assert scene.icicle is not None
    left = camera.x_of(float(scene.lefts[place]))
    right = camera.x_of(float(scene.lefts[place] + scene.widths[place]))
    left, right = max(-8.0, left), min(camera.pixels + 8.0, right)
    y = int(scene.icicle.depths[place]) * row - camera.now.top
    return QRectF(left, y, max(0.0, right - left), row)


def text_of(icicle: Icicle, place: int, dress: Dress) -> str:
    """Return the figure of the colour in words: a signed number or a proof."""
    if dress.mode in ("value", "proof") and icicle.proofs[place]:
        proof = int(icicle.proofs[place])
        return tr(PROOFS[proof if dress.sign[place] > 0 or proof == 2 else 4 - proof])
    if dress.mode == "proof":
        return ""
    figure = float(dress.figures.nodes[place])
    if dress.mode == "share":
        return f"{signed(100 * figure, 1)} %"
    return "" if figure != figure else signed(figure, 2)


def paint_texts(
    painter: QPainter,
    scene: IcicleScene,
    camera: IcicleCamera,
    row: float,
    dress: Dress,
    palette: IciclePalette,
    texts: Texts,
    game: GameSpec,
    root_text: str,
    high: float,
) -> None:
    """Paint move, visits and figure of the nodes in view that have room for them; ``high``: px in view."""
    icicle = scene.icicle
    assert icicle is not None
    scale, now = camera.pixels / camera.now.width, camera.now
    lefts = np.maximum(0.0, (scene.lefts - now.low) * scale)
    rights = np.minimum(camera.pixels, (scene.lefts + scene.widths - now.low) * scale)
    ys = icicle.depths * row - now.top
    visible = np.flatnonzero((rights - lefts >= LEAST_NAMED) & (ys > -row) & (ys < high))
    if dress.lit is not None:
        visible = visible[dress.lit[visible]]
    if visible.size > MOST_TEXTS:
        visible = np.sort(visible[np.argsort(lefts[visible] - rights[visible])[:MOST_TEXTS]])
    painter.setFont(texts.font)
    top = (row - texts.metrics.ascent() - texts.metrics.descent()) / 2 - 0.5
    names = game.action_names
    dark = palette.dark_inks[dress.nodes[visible]]
    for pen, places in ((QColor(LIGHT_INK), visible[~dark]), (QColor(DARK_INK), visible[dark])):
        painter.setPen(pen)
        rooms = rights[places] - lefts[places] - 2 * MARGIN + 2
        columns = places, lefts[places] + MARGIN, ys[places] + top, rooms
        for place, x, y, room in zip(*(column.tolist() for column in columns), strict=True):
            labels = dress.labels.get(place)
            if labels is None:
                visits, figure = count(int(icicle.visits[place])), text_of(icicle, place, dress)
                name = names[icicle.actions[place]] if place else root_text
                labels = dress.labels[place] = (f"{name}  {visits}  {figure}", f"{name}  {figure}", name)
            for label in labels:
                if texts.width(label) <= room:
                    drawn, lower = texts[label]
                    painter.drawStaticText(QPointF(x, y - lower), drawn)
                    break


def paint_outlines(
    painter: QPainter,
    scene: IcicleScene,
    camera: IcicleCamera,
    row: float,
    theme: Theme,
    selected: tuple[int, bool],
    pointed: QRectF | None,
    faint: bool,
    high: float,
) -> None:
    """Outline the principal variation, the selected node and the one under the pointer; ``high``: px in view.

    ``selected``: its place or that of its nearest ancestor, and whether it is itself laid out; ``faint``: the principal
    variation is less important than something else."""
    icicle = scene.icicle
    assert icicle is not None
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setOpacity(0.4 if faint else 1.0)
    painter.setPen(QPen(line_color(theme), 1.8, j=Qt.PenJoinStyle.MiterJoin))
    first, last = max(1, int(camera.now.top / row) - 1), int((camera.now.top + high) / row) + 2  # depths
    painter.drawPath(_around(scene, camera, row, icicle.pv[first:last]))
    painter.setOpacity(1.0)
    if pointed is not None:
        painter.setPen(QPen(theme.color("text"), 1.5, j=Qt.PenJoinStyle.MiterJoin))
        _outline(painter, pointed, camera)
    place, whole = selected
    if place > 0 or (place == 0 and not whole):
        style = Qt.PenStyle.SolidLine if whole else Qt.PenStyle.DashLine
        for colour, width in ((theme.color("panel"), 4.5), (theme.color("accent"), 2.4)):
            painter.setPen(QPen(colour, width, style, j=Qt.PenJoinStyle.MiterJoin))
            _outline(painter, spot_of(scene, camera, row, place), camera)


def paint_fades(painter: QPainter, area: QRectF, above: float, below: float, theme: Theme) -> None:
    """Let the picture fade where it goes on: ``above`` and ``below`` it by so many px."""
    panel, clear = theme.color("panel"), theme.color("panel", 0.0)
    for more, edge, inner in ((above, area.top(), FADE), (below, area.bottom(), -FADE)):
        if more > 1:
            fade = QLinearGradient(0, edge, 0, edge + inner)
            fade.setColorAt(0, panel)
            fade.setColorAt(1, clear)
            painter.fillRect(QRectF(QPointF(area.left(), edge), QPointF(area.right(), edge + inner)).normalized(), fade)


def paint_ghost(painter: QPainter, ghost: Icicle, camera: IcicleCamera, row: float, theme: Theme, high: float) -> None:
    """Outline the nodes of another tree; ``high``: px in view."""
    scale, now = camera.pixels / camera.now.width, camera.now
    lefts, wides = (ghost.lefts - now.low) * scale, ghost.widths * scale
    ys = ghost.depths * row - now.top
    visible = np.flatnonzero(
        (wides >= GHOST) & (lefts < camera.pixels) & (lefts + wides > 0) & (ys > -row) & (ys < high)
    )
    boxes = [QRectF(lefts[at] + 1, ys[at] + 1, wides[at] - 2, row - 3) for at in visible[:MOST_TEXTS].tolist()]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width, opacity in ((theme.color("panel"), 3.0, 0.5), (theme.color("text"), 1.2, 0.6)):
        painter.setOpacity(opacity)
        painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawRects(boxes)
    painter.setOpacity(1.0)


def paint_preview(painter: QPainter, words: str, wide: float, high: float, theme: Theme) -> None:
    """Paint what is said of a preview at the lower left."""
    metrics = QFontMetricsF(painter.font())
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, wide - 4 * MARGIN - 8)
    spot = QRectF(8, high - metrics.height() - 16, metrics.horizontalAdvance(shown) + 4 * MARGIN, metrics.height() + 8)
    painter.setBrush(theme.color("panel"))
    painter.setPen(QPen(theme.color("accent"), 1.4))
    painter.drawRoundedRect(spot, 4, 4)
    painter.setPen(theme.color("text"))
    painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, shown)


def paint_path(
    painter: QPainter,
    scene: IcicleScene,
    camera: IcicleCamera,
    row: float,
    theme: Theme,
    places: list[int],
    colour: QColor,
) -> None:
    """Mark the nodes of a path below the root, each as a box of the colour, however narrow."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen, width in ((theme.color("panel"), 5.0), (colour, 2.6)):
        painter.setPen(QPen(pen, width, j=Qt.PenJoinStyle.MiterJoin))
        for place in places[1:]:
            _outline(painter, spot_of(scene, camera, row, place), camera)


def spot_of_new(scene: IcicleScene, camera: IcicleCamera, row: float, parent: int) -> QRectF:
    """Return where a new child of a node will be, as wide as its first simulation makes it."""
    icicle = scene.icicle
    assert icicle is not None
    nodes, strips = icicle.parents == parent, icicle.strips.parents == parent
    left, width = float(scene.lefts[parent]), float(scene.widths[parent])
    ends = np.concatenate([(scene.lefts + scene.widths)[nodes], (scene.strip_lefts + scene.strip_widths)[strips]])
    width /= int(icicle.backups[parent]) + 1
    left = min(float(ends.max(initial=left)), left + float(scene.widths[parent]) - width)
    spot = spot_of(scene, camera, row, parent)
    return QRectF(camera.x_of(left), spot.bottom(), camera.x_of(left + width) - camera.x_of(left), row)


def paint_new(
    painter: QPainter, spot: QRectF, camera: IcicleCamera, theme: Theme, text: tuple[str, str], colour: QColor
) -> None:
    """Paint a node that is being added as a dashed box, with the longest of two texts that fits in it."""
    painter.setBrush(theme.color("panel"))
    painter.setPen(QPen(colour, 2.0, Qt.PenStyle.DashLine))
    _outline(painter, spot, camera)
    painter.setPen(theme.color("text"))
    metrics = painter.fontMetrics()
    shown = next((words for words in text if metrics.horizontalAdvance(words) <= spot.width() - 2 * MARGIN), "")
    painter.drawText(spot.adjusted(MARGIN, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, shown)


def _around(scene: IcicleScene, camera: IcicleCamera, row: float, places: NDArray[np.int32]) -> QPainterPath:
    """Return the outline of nodes each of which is a child of the one before."""
    path = QPainterPath()
    icicle = scene.icicle
    if icicle is None or not places.size:
        return path
    ends = np.stack([scene.lefts[places], scene.lefts[places] + scene.widths[places]])
    left, right = np.clip((ends - camera.now.low) / camera.now.width * camera.pixels, -8.0, camera.pixels + 8.0)
    tops = icicle.depths[places] * row - camera.now.top
    bottom = tops[-1] + row - 0.9
    down = np.append(np.repeat(tops + 0.9, 2)[1:], bottom)  # both ends of each node at the left
    up = np.append(np.repeat(tops - 0.9, 2)[1:], bottom)
    up[0] = tops[0] + 0.9
    xs = np.concatenate([np.repeat(left + 0.9, 2), np.repeat(right - 0.9, 2)[::-1]])
    corners = np.stack([xs, np.concatenate([down, up[::-1]])], 1).tolist()
    path.moveTo(*corners[0])
    for x, y in corners[1:]:
        path.lineTo(x, y)
    path.closeSubpath()
    return path


def _outline(painter: QPainter, spot: QRectF, camera: IcicleCamera) -> None:
    if spot.right() < 0 or spot.left() > camera.pixels:
        return
    if spot.width() < NARROW:
        spot = QRectF(spot.center().x() - NARROW / 2, spot.y(), NARROW, spot.height())
    painter.drawRect(spot.adjusted(0.75, 0.75, -1.25, -1.75))
