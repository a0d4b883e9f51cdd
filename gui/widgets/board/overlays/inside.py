"""The overlay of what the room Inside shows of the net, cell by cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from PySide6.QtGui import QColor

from gui.language.language import tr
from gui.model.shown import HOLLOW, RINGS, SQUARES, CellShown, CellsShown
from gui.widgets.board.overlays.overlay import (
    FIRST,
    INSIDE,
    TOP,
    BoardContent,
    Gauge,
    Legend,
    Mark,
    Overlay,
    mover_words,
    visible_step,
)
from gui.widgets.theme import Theme, ramp

if TYPE_CHECKING:
    from core.games import Position

LEAST_SQUARE: Final = 0.08  # no square for a smaller share
OUTER, INNER = 0.37, 0.25  # radii of the rings, in cells


@dataclass(frozen=True)
class InsideNet(Overlay):
    """What the part of the room Inside that is in sight shows."""

    data: ClassVar[str] = INSIDE

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        cells = content.cells
        if cells is None or cells.position != content.position:
            return []
        return cell_marks(cells, theme)

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        cells = content.cells
        if cells is None or cells.position != position:
            unread = tr("{mover}: not read yet").format(mover=mover_words(position))
            return Legend(tr(self.title), unread, tr(self.tip))
        explained = cells.ramp if cells.low or cells.high or cells.steps else ""
        return Legend(cells.title, cells.text, cells.tip, explained, cells.low, cells.high, steps=cells.steps)


def cell_marks(shown: CellsShown, theme: Theme) -> list[Mark]:
    """The marks of what is shown, one a cell at most."""
    stops, marks = getattr(theme, shown.ramp), []
    for one in shown.cells:
        share = max(0.0, min(1.0, one.share))
        fill, opacity, side = ramp(stops, share), visible_step(one.opacity), 0.0
        rings, ring = _rings(one, theme), FIRST if one.share == HOLLOW else TOP
        if shown.form == RINGS:
            opacity = 0.0
        elif shown.form == SQUARES:
            side = visible_step(0.62 * math.sqrt(share)) if share >= LEAST_SQUARE else 0.0
            fill, opacity = ramp(stops, 0.35 + 0.65 * share), 1.0 if side else 0.0
        elif one.share == HOLLOW:
            fill = theme.color("panel")
        if opacity or rings:
            marks.append(
                Mark(
                    one.action,
                    one.cell,
                    fill,
                    opacity,
                    one.text,
                    "",
                    ring if one.ringed else "",
                    None,
                    (),
                    side,
                    (),
                    rings,
                )
            )
    return marks


def _rings(one: CellShown, theme: Theme) -> tuple[Gauge, ...]:
    rings = []
    if one.outer is not None:
        colour = ramp(theme.value_ramp, 0.0 if one.outer > 0.0 else 1.0)
        rings.append(Gauge(colour, OUTER, visible_step(min(1.0, abs(one.outer)))))
    if one.inner is not None:
        rings.append(Gauge(QColor("#ffffff"), INNER, visible_step(min(1.0, one.inner))))
    return tuple(rings)


INSIDES: Final[tuple[Overlay, ...]] = (
    InsideNet(
        "inside",
        "Inside the net",
        "What the room Inside shows of the net, cell by cell: of the part in sight there",
        "",
        needs=INSIDE,
    ),
)
