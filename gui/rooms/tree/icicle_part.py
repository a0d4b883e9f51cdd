"""The tree as an icicle, in the room of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gui.language.language import tr
from gui.rooms.tree.drawn_tree import DrawnTree
from gui.widgets.icicle.icicle_canvas import IcicleCanvas
from gui.widgets.theme import Theme, ramp
from gui.widgets.tree_legend import LegendEntry, draw_nothing

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.games import Position
    from core.glass import Snapshot
    from core.glass.icicle import Icicle, IcicleView
    from core.glass.nodes import TreeNodes
    from gui.model.extras import Extras

REQUESTER = "icicle"


def _hatching(painter: QPainter, theme: Theme) -> None:
    painter.fillRect(QRectF(0, -5, 16, 10), ramp(theme.value_ramp, 0.85))
    painter.setPen(QPen(theme.color("panel"), 1.6))
    painter.setClipRect(QRectF(0, -5, 16, 10))
    for x in (3, 10, 17):
        painter.drawLine(x + 5, -6, x - 6, 5)
    painter.setClipping(False)


def _strip(painter: QPainter, theme: Theme) -> None:
    for x in range(0, 15, 3):
        painter.fillRect(QRectF(x, -5, 2, 10), ramp(theme.value_ramp, 0.7))


def _free(painter: QPainter, theme: Theme) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("faint"), 1))
    painter.drawRect(QRectF(0.5, -4.5, 12, 9))


class IciclePart(DrawnTree):
    """The icicle; it asks for the part in view."""

    canvas: IcicleCanvas

    def __init__(self, extras: Extras, parent: QWidget | None = None) -> None:
        super().__init__(IcicleCanvas, parent)
        self._extras = extras
        self.canvas.view_asked.connect(self._want)

    def entries(self, mode: str) -> tuple[LegendEntry, ...]:
        return (
            LegendEntry(tr("Width: share of visits"), 0, draw_nothing, ""),
            LegendEntry("", 16, _hatching, tr("proved")),
            LegendEntry("", 15, _strip, tr("moves too narrow to draw")),
            LegendEntry("", 13, _free, tr("ended there")),
        )

    def meaning(self) -> str:
        return tr(
            "A row for each ply; each node's children lie below it, most visited first, as wide as their share of "
            "its visits. What is free at the right are the simulations that ended at the node itself. Upright "
            "lines: moves too narrow to be drawn, in their mean colour; click to zoom in. Hatched: proved. Red: "
            "principal variation."
        )

    def _nodes_of(self, snapshot: Snapshot) -> Icicle | None:
        return snapshot.icicles.get(REQUESTER)

    def _draw(self, nodes: TreeNodes | None, root: Position | None) -> None:
        self.canvas.show_icicle(cast("Icicle | None", nodes), root, self._line)

    def _want(self, view: IcicleView) -> None:
        self._extras.request_icicle(view if self._in_sight else None, REQUESTER)

    def _request(self) -> None:
        if self._in_sight:
            self.canvas.ask()
        else:
            self._extras.request_icicle(None, REQUESTER)
