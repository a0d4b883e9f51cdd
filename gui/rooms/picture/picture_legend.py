"""The legend of a tree's picture: fill, border, size, red and square.  Knows a theme."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from gui.language.language import tr
from gui.widgets.theme import Theme, ramp
from gui.widgets.tree_legend import RAMP, LegendEntry, draw_line, draw_nothing, draw_ramp


def _border(painter: QPainter, theme: Theme) -> None:
    painter.setBrush(ramp(theme.value_ramp, 0.72))
    painter.setPen(QPen(ramp(theme.value_ramp, 0.1), 2.4))
    painter.drawEllipse(QPointF(6, 0), 5.4, 5.4)


def _square(painter: QPainter, theme: Theme) -> None:
    painter.setBrush(ramp(theme.value_ramp, 1.0))
    painter.drawRoundedRect(QRectF(0, -5, 10, 10), 3, 3)


def entries(player: str) -> tuple[LegendEntry, ...]:
    """Return the entries in the current language; all values are for ``player``."""
    return (
        LegendEntry(tr("Fill: Q for {player}").format(player=player), 0, draw_nothing, ""),
        LegendEntry(tr("loses"), RAMP, draw_ramp, tr("wins")),
        LegendEntry("", 12, _border, tr("Border: the net's V")),
        LegendEntry("", 10, _square, tr("proved")),
        LegendEntry("", 18, draw_line, tr("principal variation")),
        LegendEntry(tr("Size: visits"), 0, draw_nothing, ""),
    )


def meaning(player: str) -> str:
    """Return the legend in words."""
    return tr(
        "Fill: Q for {player}, in every node. Border: the net's V for the same player. Size: logarithm of the visits. "
        "Square: proved. Red: principal variation."
    ).format(player=player)
