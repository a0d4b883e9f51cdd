"""Overlays of the stones alone: threats, chains and areas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from core.text import Words
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.overlays.overlay import (
    CAPTURES,
    LINES,
    SHAPES,
    THREATS,
    BoardContent,
    Chip,
    Legend,
    Mark,
    Overlay,
    Stroke,
)
from gui.widgets.board.shapes import Shapes, area_shapes, chain_shapes
from gui.widgets.theme import Theme

if TYPE_CHECKING:
    from core.games import Position
    from core.solve.threats import ThreatMap

LIBERTIES: Final[Words] = "liberties of {players} and {players_2} · orange: atari · red: ladder"
COUNTED: Final[Words] = "of {players} and {players_2}, as counted"
HELD: Final[Words] = "held by {players} or {players_2} for certain"


class Threats(Overlay):
    """Fives, fours and threes of both sides on the empty points, and the lines of those on the board."""

    data: ClassVar[str] = THREATS

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        threats = content.threats
        if threats is None:
            return []
        kinds = threat_kinds(threats)
        marks = []
        for cell in range(threats.kinds.shape[1]):
            chips = []
            for side in range(2):
                kind = kinds.get(threats.best(side, cell))
                if kind is not None:
                    text, solid, wins, _ = kind
                    chips.append(Chip(side, text, solid, wins))
            if chips:
                marks.append(Mark(cell, cell, theme.color("panel"), 1.0, "", "", "", chips=tuple(chips)))
        return marks

    def strokes(self, content: BoardContent) -> tuple[Stroke, ...]:
        if content.threats is None:
            return ()
        kinds = threat_kinds(content.threats)
        rows = [(row, (*row.cells, *row.gaps)) for row in content.threats.patterns if row.kind in kinds]
        return tuple(Stroke(row.side, min(cells), max(cells), kinds[row.kind][1]) for row, cells in rows)

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        kinds = threat_kinds(content.threats).values() if content.threats is not None else ()
        players = kind_of(position.game.name).players
        return Legend(
            tr(self.title),
            tr("made by {players} or {players_2}").format(players=players[0], players_2=players[1]),
            tr(
                "What a stone of either side would make on an empty point: filled when it wins or is open at both "
                "ends, else outlined."
            ),
            chips=tuple((Chip(0, text, solid, wins), name) for text, solid, wins, name in kinds),
        )


def threat_kinds(threats: ThreatMap) -> dict[int, tuple[str, bool, bool, str]]:
    """Return kind of core.solve.threats_lines -> (stones in a row, solid, wins, name) of the threats shown."""
    from core.solve.threats import rules_of
    from core.solve.threats_lines import FIVE, FOUR, OPEN_FOUR, OPEN_THREE, THREE

    k = rules_of(threats.position.game).k
    words = {3: tr("three"), 4: tr("four"), 5: tr("five")}
    rows = [(FIVE, k, True, False), (OPEN_FOUR, k - 1, True, True), (FOUR, k - 1, False, False)]
    if k >= 5:
        rows += [(OPEN_THREE, k - 2, True, True), (THREE, k - 2, False, False)]
    names = {n: words.get(n, tr("{n} in a row").format(n=n)) for _, n, _, _ in rows}
    return {
        kind: (str(n), solid, kind == FIVE, tr("open {row}").format(row=names[n]) if free else names[n])
        for kind, n, solid, free in rows
    }


@dataclass(frozen=True)
class Stones(Overlay):
    """What is drawn of the stones alone."""

    shapes_of: Callable[[Position], Shapes | None] = lambda position: None  # read in a thread
    text: Callable[[Position], str] = lambda position: ""  # of the legend, with {players} and {players_2}
    details: Words = ""

    data: ClassVar[str] = SHAPES

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        players = kind_of(position.game.name).players
        text = tr(self.text(position)).format(players=players[0], players_2=players[1])
        return Legend(tr(self.title), text, tr(self.details))


STONES: Final[tuple[Overlay, ...]] = (
    Threats("threats", "Threats", "Fives, fours and threes of both sides", "Shift+T", needs=LINES),
    Stones(
        "chains",
        "Chains",
        "Liberties of each chain, chains in atari, and chains that a ladder catches",
        "Shift+L",
        needs=CAPTURES,
        shapes_of=chain_shapes,
        text=lambda position: LIBERTIES,
        details=(
            "A number gives a chain's liberties. Orange: in atari, with its last liberty. Red: caught, even if it "
            "runs or captures. Red and dashed: caught if the opponent plays at a triangle now."
        ),
    ),
    Stones(
        "area",
        "Area",
        "What each side holds even if it passes from now on; when the game is over, whose each point is",
        "Shift+A",
        needs=CAPTURES,
        shapes_of=area_shapes,
        text=lambda position: COUNTED if position.is_over else HELD,
        details=(
            "A large square: held by chains that live even if their player passes from now on. "
            "Small: counted for that player at the end of the game."
        ),
    ),
)
