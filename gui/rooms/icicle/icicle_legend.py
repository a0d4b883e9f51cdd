"""The legend of the icicle for each meaning of its colours.  Knows a theme."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gui.language.language import tr
from gui.widgets.theme import Theme, ramp
from gui.widgets.tree_legend import RAMP, LegendEntry, draw_line, draw_nothing, draw_ramp


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


def entries(mode: str, player: str) -> tuple[LegendEntry, ...]:
    """Return the entries for a meaning of the colours, in the current language."""
    colours = {
        "value": (tr("Q for {player}"), tr("loses"), tr("wins")),
        "change": (tr("Q against the parent's, for {player}"), tr("worse by 0.5"), tr("better by 0.5")),
        "net": (tr("V of the net less Q, for {player}"), tr("net 0.5 too low"), tr("net 0.5 too high")),
        "proof": (tr("Proved for {player}"), tr("loses"), tr("wins")),
    }
    title, low, high = colours[mode]
    return (
        LegendEntry(title.format(player=player), 0, draw_nothing, ""),
        LegendEntry(low, RAMP, draw_ramp, high),
        LegendEntry(tr("Width: share of visits"), 0, draw_nothing, ""),
        LegendEntry("", 16, _hatching, tr("proved")),
        LegendEntry("", 18, draw_line, tr("principal variation")),
        LegendEntry("", 15, _strip, tr("moves too narrow to draw")),
        LegendEntry("", 13, _free, tr("ended there")),
    )


def meaning(mode: str, player: str) -> str:
    """Return the legend in words."""
    words = {
        "value": tr("Colour: the searched value Q for {player}, the same player in every row."),
        "change": tr("Colour: by how much Q of a node is better for {player} than that of its parent."),
        "net": tr("Colour: by how much the net's own value is higher for {player} than what the search found."),
        "proof": tr("Colour: what is proved for {player}; grey: nothing."),
    }
    return " ".join(
        (
            words[mode].format(player=player),
            tr(
                "A row for each ply; each node's children lie below it, most visited first, as wide as their share of "
                "its visits. What is free at the right are the simulations that ended at the node itself. Upright "
                "lines: moves too narrow to be drawn, in their mean colour; click to zoom in. Hatched: proved. Red: "
                "principal variation."
            ),
        )
    )
