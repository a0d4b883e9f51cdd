"""What an overlay of the board is: marks, lines and a legend made of what is known of a position."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from core.text import Words
from gui.language.language import tr
from gui.widgets.board.board_paint import anchors, kind_of
from gui.widgets.figures import short_plies
from gui.widgets.theme import Theme

if TYPE_CHECKING:
    from core.engine.outcomes import Outcomes
    from core.engine.ownership import Ownership
    from core.games import Position
    from core.games.counting import Count
    from core.glass import NodeView
    from core.solve import Solution
    from core.solve.threats import ThreatMap
    from gui.model.shown import CellsShown
    from gui.widgets.board.shapes import Shapes

NET, PRIORS = "net", "priors"  # what only a search by a net has; of these, what only some selection rules use
LEADS, OWNERSHIP, OUTCOMES = "leads", "ownership", "outcomes"  # what only some nets give
INSIDE = "inside"  # what only the room Inside offers
HUMAN = "human"  # what only a human net beside the search gives
CAPTURES, LINES, EXACT = "captures", "lines", "exact"  # what only some games have; positions that can be solved
SOLUTION, THREATS, SHAPES, OWNERS, MEAN_OWNERS = "solution", "threats", "shapes", "owners", "mean owners"

TWIN_OPACITY: Final = 0.5  # of a move searched as its symmetric equivalent
MOST_TEXTS: Final = 24  # at most this many moves get texts, of up to 225
LEAST_SHARE: Final = 0.005  # moves with a smaller share of visits or policy get no text
SOLID_VISITS: Final = 50  # with this many visits the most visited move is drawn solid
FINEST: Final = 1 / 64  # step of opacities and interval ends: invisible, and keeps most marks equal

SOLID: Final[Words] = "The more visits a value is based on (logarithmic), the more opaque it is."
RESULTS: Final[dict[int, Words]] = {1: "win", 0: "draw", -1: "loss"}

BEST, BETTER, TOP, FIRST = "best", "better", "top", "first"  # rings
INTERVAL = "interval"  # the bar of a 95 % interval
SIGNS: Final[dict[str, tuple[Words, Words]]] = {  # what stands round or in a mark: in short, and in a sentence
    BETTER: ("higher Q", "Orange, dotted ring: a higher Q than the most visited move's."),
    BEST: ("best move", "Blue ring: the best move."),
    TOP: ("highest", "Ring: the highest of them."),
    FIRST: ("first move", "Ring: the first move of the line."),
    INTERVAL: ("95 %", "Bar: the 95 % interval of the value, from −1 on the left to +1 on the right."),
}


@dataclass(frozen=True)
class Chip:
    """One side's threat on a point: ``text`` is the number in a row it makes; ``solid`` if it is open or wins."""

    player: int
    text: str
    solid: bool
    wins: bool


@dataclass(frozen=True)
class Stroke:
    """One side's stones in a row with the empty points that complete them, from end to end."""

    player: int
    start: int  # cell
    end: int
    solid: bool


class Gauge(NamedTuple):
    """A circle of which a share is drawn, clockwise from the top, and the rest is dark."""

    colour: QColor
    radius: float  # in cells
    share: float


class Mark(NamedTuple):
    """One move on the board."""

    action: int
    cell: int
    fill: QColor
    opacity: float
    text: str
    sub: str
    ring: str  # "", BEST, BETTER, TOP or FIRST
    whisker: tuple[float, float] | None = None  # ends of the 95 % interval of a mean value, in [-1, 1]
    chips: tuple[Chip, ...] = ()  # threats drawn instead of a disc
    side: float = 0.0  # of a square drawn instead of a disc, as a share of the cell
    shares: tuple[float, ...] = ()  # drawn as a bar of parts in the colours of win, draw and loss
    rings: tuple[Gauge, ...] = ()  # drawn round the disc, or alone where the opacity is 0


@dataclass(frozen=True)
class Legend:
    """The legend's contents; ``ramp``: name of the theme's ramp between two labels; ``steps``: its named colours."""

    title: str = ""
    text: str = ""
    tip: str = ""
    ramp: str = ""
    low: str = ""
    high: str = ""
    centred: bool = False
    steps: tuple[tuple[float, str], ...] = ()
    chips: tuple[tuple[Chip, str], ...] = ()
    signs: tuple[str, ...] = ()  # of SIGNS, those that are on the board


@dataclass
class BoardContent:
    """What is known of one position: its node of the search, exact results, threats and owners; None where unknown."""

    position: Position | None = None
    node: NodeView | None = None  # whose colours are shown
    text_node: NodeView | None = None  # whose numbers are shown
    best: int = -1
    solution: Solution | None = None
    threats: ThreatMap | None = None
    ownership: Ownership | None = None
    outcomes: Outcomes | None = None
    count: Count | None = None
    cells: CellsShown | None = None  # what the room Inside shows
    human: Mapping[int, float] | None = None  # the policy of the human net
    shapes: Shapes | None = None  # of the stones, for the overlays that show them
    forbidden: dict[int, str] = field(default_factory=dict)
    texts: tuple[NodeView, Overlay, dict[int, tuple[str, str]]] | None = None  # of the moves, made for a node

    @classmethod
    def of(cls, position: Position) -> BoardContent:
        """Return the content of a position of which nothing is known yet."""
        return cls(position, forbidden=position.forbidden())


@dataclass(frozen=True)
class Overlay:
    """An overlay that shows nothing: the base of all others."""

    name: str
    title: Words  # wherever it is named: toolbar, menu, palette, legend
    tip: Words
    key: str
    needs: str = ""  # what the search, its net or the game must have; "" for nothing

    searched: ClassVar[bool] = False  # shows results of the search
    data: ClassVar[str] = (
        ""  # what it shows besides the search: SOLUTION, THREATS, SHAPES, OUTCOMES or one of the owners
    )

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        """The marks on moves and points; none while the data are unknown."""
        return []

    def strokes(self, content: BoardContent) -> tuple[Stroke, ...]:
        """The lines over the stones."""
        return ()

    def legend(self, content: BoardContent, note: str = "") -> Legend:
        """What its colours and figures mean; ``note``, why nothing is shown, replaces that."""
        if content.position is None:
            return Legend()
        return Legend(tr(self.title), note, tr(self.tip)) if note else self.meaning(content, content.position)

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        """The legend where there is something to show."""
        return Legend()


class NoOverlay(Overlay):
    """The board alone."""

    def legend(self, content: BoardContent, note: str = "") -> Legend:
        return Legend()


def signs_of(marks: Sequence[Mark]) -> tuple[str, ...]:
    """The signs that marks have, in the order of ``SIGNS``."""
    seen = {mark.ring for mark in marks} | {INTERVAL for mark in marks if mark.whisker is not None}
    return tuple(sign for sign in SIGNS if sign in seen)


def mover_words(position: Position) -> str:
    players = kind_of(position.game.name).players
    return tr("for {player}").format(player=players[position.to_move])


def plies_text(distance: int | None, at_most: bool = False) -> str:
    return tr("in {plies}").format(plies=short_plies(distance, at_most)) if distance else ""


# Overlays of the search


def column(name: str) -> Callable[[NodeView], list[float]]:
    """Return what reads an array of a node as a list of figures [E]."""
    return lambda node: [float(figure) for figure in getattr(node, name).tolist()]


@dataclass(frozen=True)
class SearchOverlay(Overlay):
    """Figures of a node's moves as discs with texts."""

    figures_of: Callable[[NodeView], list[float]] = lambda node: []  # of each move [E]; NaN for none

    searched: ClassVar[bool] = True
    unvisited: ClassVar[bool] = False  # marks moves without a visit, too
    better_ringed: ClassVar[bool] = False  # rings moves of a higher Q than the most visited one

    def figures(self, node: NodeView) -> list[float]:
        return self.figures_of(node)

    def scale(self, node: NodeView) -> tuple[float, float]:
        """The values at the ends of the colours."""
        return 0.0, 1.0

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        """How the disc of move ``i`` is drawn, None for no disc; ``solid``: its opacity by the visits."""
        raise NotImplementedError

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        """Text and smaller text below it; None for no text.  ``few``: the move has hardly any visits."""
        raise NotImplementedError

    def weights(self, node: NodeView, figures: list[float]) -> list[float]:
        """By which the moves are chosen that get a text."""
        return [float(visits) for visits in node.visits_of.tolist()]

    def outstanding(self, figures: list[float]) -> int:
        """Index of a move that is ringed as the highest; -1 for none."""
        return -1

    def best_ringed(self) -> bool:
        """Whether the move to play is ringed."""
        return True

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        node, position = content.node, content.position
        if node is None or content.text_node is None or position is None or len(node.actions) == 0:
            return []
        figures, texts, cells = self.figures(node), self._texts(content), anchors(position)
        visits_of, qs = node.visits_of.tolist(), node.qs.tolist()
        most = int(node.visits_of.argmax())
        solid, best_q = opacities(node.visits_of), qs[most]
        _, high = self.scale(node)
        top, same, marks = self.outstanding(figures), node.same, []
        best = content.best if self.best_ringed() else -1
        for i, action in enumerate(node.actions.tolist()):
            visits, figure = visits_of[i], figures[i]
            if math.isnan(figure) or not (visits or self.unvisited):
                continue
            look = self.paint(node, i, figure, solid[i], high, theme)
            if look is None:
                continue
            ring = TOP if i == top else ""
            if self.better_ringed and visits and i != most and qs[i] > best_q:
                ring = BETTER
            if action == best:
                ring = BEST
            whisker = look.whisker and (visible_step(look.whisker[0]), visible_step(look.whisker[1]))
            text, sub = texts.get(action, ("", ""))
            opacity = visible_step(look.opacity)
            marks.append(Mark(action, cells.get(action, -1), look.fill, opacity, text, sub, ring, whisker))
            for other in same.get(action, ()) if same else ():
                twin, faint = f"= {position.game.action_name(action)}", visible_step(TWIN_OPACITY * look.opacity)
                marks.append(Mark(other, cells.get(other, -1), look.fill, faint, twin, "", ""))
        return marks

    def _texts(self, content: BoardContent) -> dict[int, tuple[str, str]]:
        """Action -> (text, smaller text below it) for the moves worth reading, made once for a node."""
        node = content.text_node
        assert node is not None
        if content.texts is None or content.texts[0] is not node or content.texts[1] is not self:
            content.texts = node, self, self._make_texts(node)
        return content.texts[2]

    def _make_texts(self, node: NodeView) -> dict[int, tuple[str, str]]:
        figures = self.figures(node)
        total, visits = max(1, int(node.visits_of.sum())), node.visits_of.tolist()
        weights = self.weights(node, figures)
        order = sorted(range(len(weights)), key=weights.__getitem__, reverse=True)
        result = {}
        for i in order[:MOST_TEXTS]:
            texts = None
            if not math.isnan(figures[i]):
                texts = self.text(node, i, figures[i], visits[i] < LEAST_SHARE * total)
            if texts is not None:
                result[int(node.actions[i])] = texts
        return result

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        node = content.node
        if position.is_over:
            return Legend(tr(self.title), tr("The game is over."))
        if node is None or len(node.actions) == 0:
            return Legend(tr(self.title), tr("{mover}: not analysed yet").format(mover=mover_words(position)))
        return self.explain(node, mover_words(position))

    def explain(self, node: NodeView, mover: str) -> Legend:
        """The legend of a node that was searched; ``mover``: for whom its figures are, in words."""
        raise NotImplementedError


class Paint(NamedTuple):
    """How a disc is drawn; ``whisker``: the ends of an interval of its value."""

    fill: QColor
    opacity: float
    whisker: tuple[float, float] | None = None


def opacities(visits: NDArray[np.integer]) -> list[float]:
    """Opacity of figures with so many visits beside that with the most: by their logarithms, 0.2 for none."""
    full = math.log1p(max(int(visits.max(initial=0)), SOLID_VISITS))
    opacity: list[float] = (0.2 + 0.8 * np.log1p(visits) / full).tolist()
    return opacity


def visible_step(share: float) -> float:
    """Round to the smallest visible step."""
    return round(share / FINEST) * FINEST
