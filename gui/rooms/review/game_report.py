"""The report of an analysed game in the window: the players' names, colours of the classes of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from core.glass.review import CLASSES as CLASSES
from core.glass.review import MARKS as MARKS
from core.glass.review import Figures, Grading
from core.glass.review import GameReport as GameReport
from core.glass.review import JudgedMove as JudgedMove
from core.glass.review import Summary as Summary
from core.glass.review import class_of as class_of
from core.glass.review import make_report as make_report_of
from core.glass.review import report_csv as report_csv
from gui.language.language import mark
from gui.widgets.board.board_paint import kind_of

if TYPE_CHECKING:
    from core.games import Position

COLOURS: Final = {  # by theme; each class also has its own shape
    "dark": {mark("inaccuracy"): "#f0e442", mark("mistake"): "#e69f00", mark("blunder"): "#f0603a"},
    "light": {"inaccuracy": "#a08400", "mistake": "#c76a00", "blunder": "#b3261e"},
}


def class_colour(kind: str, dark: bool) -> str:
    """Return the colour of a class as "#rrggbb", on a dark or a light background."""
    return COLOURS["dark" if dark else "light"][kind]


def make_report(
    positions: Sequence[Position], figures: Callable[[Position], Figures | None], grading: Grading | None = None
) -> GameReport:
    """Judge the moves that lead from each position to the next."""
    kind = kind_of(positions[0].game.name)
    return make_report_of(positions, figures, kind.players, kind.names, grading)
