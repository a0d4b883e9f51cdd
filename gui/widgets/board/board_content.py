"""What is known of the position on a board: its node of the search, exact results, threats, owners, and the count of an
ended game; and what an overlay marks of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gui.model.overlay_table import BY_NAME, OWNERSHIPS
from gui.widgets.board.board_tip import board_tip, ownership_tip
from gui.widgets.board.overlays import Mark, Stroke, overlay_marks, threat_strokes, unsearched_marks

if TYPE_CHECKING:
    from core.engine.ownership import Ownership
    from core.games import Position
    from core.games.counting import Count
    from core.glass import NodeView
    from core.solve import Solution
    from core.solve.threats import ThreatMap
    from gui.widgets.board.shapes import Shapes
    from gui.widgets.theme import Theme


@dataclass
class BoardContent:
    """The figures of one position; None where they are not known."""

    position: Position | None = None
    node: NodeView | None = None  # whose colours are shown
    text_node: NodeView | None = None  # whose numbers are shown
    best: int = -1
    solution: Solution | None = None
    threats: ThreatMap | None = None
    ownership: Ownership | None = None
    count: Count | None = None
    shapes: Shapes | None = None  # of the stones, for the overlays that show them
    forbidden: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, position: Position) -> BoardContent:
        """Return the content of a position of which nothing is known yet."""
        return cls(position, forbidden=position.forbidden())

    def marks(self, overlay: str, theme: Theme) -> list[Mark]:
        """Return the marks of an overlay."""
        if self.position is None:
            return []
        if not BY_NAME[overlay].searched:
            return unsearched_marks(self.position, overlay, self.solution, self.threats, self.ownership, theme)
        if self.node is None or self.text_node is None:
            return []
        return overlay_marks(self.position, self.node, self.text_node, overlay, self.best, theme)

    def strokes(self, overlay: str) -> tuple[Stroke, ...]:
        """Return the lines of the threats for their overlay."""
        return threat_strokes(self.threats) if overlay == "threats" and self.threats is not None else ()

    def tip(self, overlay: str, cell: int, action: int) -> str:
        """Return what is known of a cell, -1 for none, and of the move there, -1 for none."""
        if self.position is None:
            return ""
        owner = ownership_tip(self.ownership, cell) if overlay in OWNERSHIPS and cell >= 0 else ""
        return board_tip(self.position, self.text_node, self.solution, self.forbidden, action, owner)
