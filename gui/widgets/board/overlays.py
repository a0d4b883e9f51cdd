"""The overlays of the board: a new one is a row of :data:`TABLE`, of a class that is here or a new one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from core.text import Words
from gui.language.language import tr
from gui.widgets.board.board_paint import anchor, kind_of, stone_color
from gui.widgets.board.overlay import (
    BEST,
    CAPTURES,
    EXACT,
    LEADS,
    LEAST_SHARE,
    LINES,
    MEAN_OWNERS,
    MOST_TEXTS,
    NET,
    OUTCOMES,
    OWNERS,
    OWNERSHIP,
    PRIORS,
    RESULTS,
    SHAPES,
    SOLUTION,
    THREATS,
    BoardContent,
    Chip,
    Legend,
    Mark,
    NoOverlay,
    Overlay,
    Paint,
    SearchOverlay,
    Stroke,
    mover_words,
    visible_step,
)
from gui.widgets.board.shapes import Shapes, area_shapes, chain_shapes
from gui.widgets.figures import (
    COLUMN_INDEX,
    MINUS,
    column_words,
    percent,
    plain,
    rough_percent,
    short_count,
    short_plies,
    signed,
)
from gui.widgets.theme import Theme, ramp
from gui.widgets.words import PROVED_VALUES

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import NodeView, Snapshot
    from core.solve import Solution
    from core.solve.threats import ThreatMap

LOWEST_PRIOR: Final = 1e-3  # the low end of the logarithmic scale of policies
CONFIDENCE_Z: Final = 1.96  # 95 % of a normal distribution
MOST_LOST: Final = 12.0  # points, at the end of the scale
LEAD_SCALES: Final = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 400)  # points at the ends
MOST_DISCS: Final = 24  # difference of discs at the ends of the scale of exact results
LEAST_OWNED: Final = 0.05  # no square for less
RINGS: Final[Words] = "Rings: blue, the move to play; orange and dotted, a higher Q than the most visited move's."
TOP_RING: Final[Words] = "Ring: the highest of them."
BEST_RING: Final[Words] = "Ring: the move to play."
LIBERTIES: Final[Words] = "liberties of {players} and {players_2} · orange: in atari · red: caught in a ladder"
COUNTED: Final[Words] = "of {players} and {players_2}, as counted"
HELD: Final[Words] = "held by {players} or {players_2} for certain"
SOLID: Final[Words] = "The more visits a value is based on (logarithmic), the more opaque it is."


def _column(name: str) -> Callable[[NodeView], list[float]]:
    return lambda node: [float(figure) for figure in getattr(node, name).tolist()]


@dataclass(frozen=True)
class Visits(SearchOverlay):
    """The share of the visits."""

    better_ringed: ClassVar[bool] = True

    def scale(self, node: NodeView) -> tuple[float, float]:
        return 0.0, float(max(1, int(node.visits_of.sum())))

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        return Paint(ramp(theme.share_ramp, visible_step(math.sqrt(figure / high))), solid)

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        total = max(1, int(node.visits_of.sum()))
        return None if few else (rough_percent(figure / total), short_count(int(figure)))

    def explain(self, node: NodeView, mover: str) -> Legend:
        text = tr("share and number, {mover}").format(mover=mover)
        return Legend(tr(self.title), text, f"{tr(self.tip)}. {tr(RINGS)} {tr(SOLID)}", "share_ramp", "0 %", "100 %")


@dataclass(frozen=True)
class Policy(SearchOverlay):
    """Probabilities of the moves on a logarithmic scale."""

    title_of: Callable[[NodeView], tuple[str, str]] | None = None  # title and tip that depend on the search
    of_net: bool = True

    unvisited: ClassVar[bool] = True

    def scale(self, node: NodeView) -> tuple[float, float]:
        return LOWEST_PRIOR, 1.0

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        if figure < LOWEST_PRIOR:
            return None
        t = _log_scale(figure)
        return Paint(ramp(theme.prior_ramp, t), 0.25 + 0.75 * t)

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        return None if figure < LEAST_SHARE else (rough_percent(figure), "")

    def weights(self, node: NodeView, figures: list[float]) -> list[float]:
        return figures

    def outstanding(self, figures: list[float]) -> int:
        top = max(range(len(figures)), key=figures.__getitem__)
        return top if sum(figure >= figures[top] * 0.999 for figure in figures) == 1 else -1

    def best_ringed(self) -> bool:
        return False

    def explain(self, node: NodeView, mover: str) -> Legend:
        title, tip = (tr(self.title), tr(self.tip)) if self.title_of is None else self.title_of(node)
        figures = self.figures(node)
        if self.of_net and all(map(math.isnan, figures)):
            return Legend(title, tr("this selection rule uses no priors"), tip)
        if self.of_net and math.isnan(node.value) and max(figures) - min(figures) < 1e-4:
            return Legend(title, tr("no net: uniform policy"), tip)
        text = tr("{mover} · log").format(mover=mover)
        return Legend(title, text, f"{tip}. {tr(TOP_RING)}", "prior_ramp", percent(LOWEST_PRIOR), "100 %")


def _log_scale(prior: float) -> float:
    """Return 0 at ``LOWEST_PRIOR`` and below, 1 for certainty."""
    return 0.0 if prior <= LOWEST_PRIOR else 1.0 - math.log(prior) / math.log(LOWEST_PRIOR)


def _priors(node: NodeView) -> list[float]:
    return _column("priors")(node) if node.has_priors else [math.nan] * len(node.actions)


def _target(node: NodeView) -> list[float]:
    return node.choice.target.tolist() if node.choice is not None else [math.nan] * len(node.actions)


def _prior_words(node: NodeView) -> tuple[str, str]:
    tip = "The policy as selection uses it, on a logarithmic scale"
    return tr("P, changed") if node.noisy else "P", tr(tip)


def policy_words(selection: str) -> tuple[str, str]:
    """Return title and meaning of the policy target of a search, as a net would learn it."""
    if selection == "gumbel":
        return "π′", tr("Improved policy: the prior, raised where Q is above the node's value and lowered below")
    if selection == "puct":
        return tr("π pruned"), tr(
            "Visits without those that only noise or early doubt explains, no proved loss among them"
        )
    return "π", tr("Visits without proved losses")


@dataclass(frozen=True)
class Exploration(SearchOverlay):
    """The exploration term U of the selection formula."""

    unvisited: ClassVar[bool] = True

    def scale(self, node: NodeView) -> tuple[float, float]:
        finite = [u for u in node.us.tolist() if math.isfinite(u)]
        return min([0.0, *finite]), max([0.0, *finite])

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        low, _ = self.scale(node)
        t = 1.0 if math.isinf(figure) else (figure - low) / max(1e-9, high - low)
        return Paint(ramp(theme.prior_ramp, t), 0.25 + 0.75 * min(1.0, t))

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        return plain(figure, 0 if node.selection == "flat" else 3), ""

    def weights(self, node: NodeView, figures: list[float]) -> list[float]:
        return figures

    def explain(self, node: NodeView, mover: str) -> Legend:
        title, tip = column_words(COLUMN_INDEX["u"], node.selection)
        least, most = self.scale(node)
        return Legend(title, mover, tip, "prior_ramp", plain(least, 0), plain(most, 3 if most < 10 else 0))


def interval(node: NodeView, edge: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a move's mean value, as if its simulations were independent.

    The half width is that of the search's own lower confidence bound.  None where the search keeps no squares (it does
    for UCB1-tuned and for the final choice by that bound) or has fewer than two visits.
    """
    choice, visits = node.choice, int(node.visits_of[edge])
    if choice is None or choice.node.squares.size == 0 or visits < 2 or node.proofs[edge]:
        return None
    q = float(node.qs[edge])
    count = visits + int(choice.node.begun[1 + edge])  # number of values in the sums
    variance = max(0.0, float(choice.node.squares[1 + edge]) / count - q * q)
    half = CONFIDENCE_Z * math.sqrt((variance + 1.0 / visits) / visits)
    return max(-1.0, q - half), min(1.0, q + half)


@dataclass(frozen=True)
class Value(SearchOverlay):
    """Values of the moves in [-1, 1] for the side that plays them."""

    better_ringed: ClassVar[bool] = True

    def scale(self, node: NodeView) -> tuple[float, float]:
        return -1.0, 1.0

    def firm(self, node: NodeView, i: int) -> bool:
        """Whether a value depends on no number of visits."""
        return False

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        fill = ramp(theme.value_ramp, (figure + 1) / 2)
        return Paint(fill, 1.0) if self.firm(node, i) else Paint(fill, solid, interval(node, i))

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        visits = int(node.visits_of[i])
        return None if few or not visits else (signed(figure, 2), short_count(visits))

    def explain(self, node: NodeView, mover: str) -> Legend:
        tip = f"{tr(self.tip)}. {tr(RINGS)} {tr(SOLID)}"
        return Legend(tr(self.title), mover, tip, "value_ramp", f"{MINUS}1", "+1", centred=True)


@dataclass(frozen=True)
class ProvedValue(Value):
    """The exact value where it is proved, else Q."""

    def firm(self, node: NodeView, i: int) -> bool:
        return bool(node.proofs[i])

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        if not node.proofs[i]:
            return super().text(node, i, figure, few)
        return tr(RESULTS[round(figure)]), _plies(int(node.distances[i]), bool(node.distances_at_most[i]))


@dataclass(frozen=True)
class NetValue(Value):
    """The net's own value of the position after each move."""

    better_ringed: ClassVar[bool] = False

    def firm(self, node: NodeView, i: int) -> bool:
        return True

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        return signed(figure, 2), ""

    def explain(self, node: NodeView, mover: str) -> Legend:
        if all(math.isnan(figure) for figure in self.figures(node)):
            no_net = tr("leaves are evaluated by rollouts: no net")
            reason = no_net if math.isnan(node.value) else tr("the net has not evaluated any move yet")
            return Legend(tr(self.title), reason, tr(self.tip))
        return Legend(tr(self.title), mover, f"{tr(self.tip)}.", "value_ramp", f"{MINUS}1", "+1", centred=True)


def _proved_values(node: NodeView) -> list[float]:
    known = zip(node.proofs.tolist(), node.qs.tolist(), node.visits_of.tolist(), strict=True)
    return [PROVED_VALUES.get(proof, q if visits else math.nan) for proof, q, visits in known]


@dataclass(frozen=True)
class Lead(SearchOverlay):
    """Score leads in points."""

    def scale(self, node: NodeView) -> tuple[float, float]:
        most = max((abs(lead) for lead in node.leads.tolist() if not math.isnan(lead)), default=0.0)
        high = float(next((end for end in LEAD_SCALES if end >= most), most))
        return -high, high

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        return Paint(ramp(theme.value_ramp, 0.5 + 0.5 * figure / high), solid)

    def number(self, figure: float) -> str:
        return signed(figure, 1)

    def text(self, node: NodeView, i: int, figure: float, few: bool) -> tuple[str, str] | None:
        return None if few else (self.number(figure), short_count(int(node.visits_of[i])))

    def explain(self, node: NodeView, mover: str) -> Legend:
        if not node.leads.size:
            return Legend(tr(self.title), tr("the net gives no score leads"), tr(self.tip))
        low, high = self.scale(node)
        text, tip = tr("points, {mover}").format(mover=mover), f"{tr(self.tip)}. {tr(BEST_RING)} {tr(SOLID)}"
        return Legend(tr(self.title), text, tip, "value_ramp", signed(low, 0), signed(high, 0), centred=True)


@dataclass(frozen=True)
class Lost(Lead):
    """Points lost beside the move to play."""

    def scale(self, node: NodeView) -> tuple[float, float]:
        return 0.0, MOST_LOST

    def paint(self, node: NodeView, i: int, figure: float, solid: float, high: float, theme: Theme) -> Paint | None:
        return Paint(ramp(theme.value_ramp, 1.0 - math.sqrt(min(1.0, max(0.0, figure) / high))), solid)

    def number(self, figure: float) -> str:
        return plain(figure, 1)

    def explain(self, node: NodeView, mover: str) -> Legend:
        legend = super().explain(node, mover)
        if not legend.ramp:
            return legend
        return Legend(tr("Points lost"), legend.text, legend.tip, legend.ramp, plain(MOST_LOST, 0), "0")


def leads_of(node: NodeView) -> list[float]:
    """Return each move's score lead [E]; NaN for none."""
    leads: list[float] = node.leads.tolist() or [math.nan] * len(node.actions)
    return leads


def points_lost(node: NodeView) -> list[float]:
    """Return the points that each move loses beside the move to play [E]; NaN for none."""
    leads = leads_of(node)
    best = leads[node.best_index] if node.best_index >= 0 else math.nan
    return [best - lead for lead in leads]


def _plies(distance: int | None, at_most: bool = False) -> str:
    return tr("in {plies}").format(plies=short_plies(distance, at_most)) if distance else ""


# Overlays of what is known without the search


class Exact(Overlay):
    """The exact result of every move for its player, and the number of plies or the discs."""

    data: ClassVar[str] = SOLUTION

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        solution, position = content.solution, content.position
        if solution is None or position is None:
            return []
        marks = []
        for move in solution.moves:
            if move.value is None:
                continue
            ring = BEST if move.action in solution.best else ""
            cell = anchor(position, move.action)
            share: float = move.value
            texts = tr(RESULTS[move.value]), _plies(move.distance)
            if move.score is not None:
                share = max(-1.0, min(1.0, move.score / MOST_DISCS))
                texts = signed(move.score, 0), texts[0]
            marks.append(Mark(move.action, cell, ramp(theme.value_ramp, (share + 1) / 2), 1.0, *texts, ring))
        return marks

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        solution, node = content.solution, content.node
        worse = _worse(node, solution) if node is not None and solution is not None else ""
        if solution is not None and solution.bounds is not None:
            return Legend(
                tr(self.title),
                tr("exact, in discs, {mover}").format(mover=mover_words(position)) + worse,
                tr(
                    "Discs that the side to move has more at the end with best play after each move; empty cells are "
                    "the winner's; ringed: the best moves."
                ),
                "value_ramp",
                steps=tuple((0.5 + 0.5 * sign, signed(sign * MOST_DISCS, 0)) for sign in (1, 0, -1)),
            )
        return Legend(
            tr(self.title),
            tr("exact, {mover}").format(mover=mover_words(position)) + worse,
            tr(
                "Result with best play after each move and the plies to the end, the move counted; "
                "ringed: the best moves."
            ),
            "value_ramp",
            steps=tuple((0.5 + 0.5 * result, tr(word)) for result, word in RESULTS.items()),
        )


def _worse(node: NodeView, solution: Solution) -> str:
    """Return the share of visits that went to moves worse than the best, as text."""
    if node.position.legal_actions() != tuple(move.action for move in solution.moves) or not node.visits_of.sum():
        return ""
    worse = {move.action for move in solution.moves if move.value is not None and move.value < solution.value}
    if solution.score is not None:
        worse = {move.action for move in solution.moves} - {*solution.best}
    if not worse:
        return {1: tr(" · every move wins"), 0: tr(" · every move draws"), -1: tr(" · every move loses")}[
            solution.value
        ]
    wasted = sum(n for a, n in zip(node.actions.tolist(), node.visits_of.tolist(), strict=True) if a in worse)
    return tr(" · {wasted} of the visits on worse moves").format(wasted=percent(wasted / int(node.visits_of.sum())))


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


@dataclass(frozen=True)
class Owners(Overlay):
    """A square in the expected owner's colour on each point, whose area is how sure that is."""

    mean: bool = False  # over the positions of the tree

    @property
    def data(self) -> str:  # type: ignore[override]
        return MEAN_OWNERS if self.mean else OWNERS

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        ownership = content.ownership
        if ownership is None:
            return []
        kind, stones = kind_of(ownership.position.game.name), ownership.position.cells().ravel().tolist()
        colours = [stone_color(kind, player, theme) for player in range(2)]
        marks = []
        for cell, point in enumerate(ownership.points.ravel().tolist()):
            if abs(point) >= LEAST_OWNED:
                owner, side = int(point < 0), visible_step(0.56 * math.sqrt(abs(point)))
                filled = float(stones[cell] != owner + 1)  # on the owner's stones without a fill
                marks.append(Mark(cell, cell, colours[owner], filled, "", "", "", side=side))
        return marks

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        ownership, players = content.ownership, kind_of(position.game.name).players
        title, tip = tr("Mean ownership") if self.mean else tr(self.title), f"{tr(self.tip)}."
        if ownership is None:
            return Legend(title, tr("not analysed yet"), tip)
        text = tr("{first} or {second}, as the net expects it, without search")
        if ownership.positions > 1:
            text = tr("{first} or {second}, mean of {count} positions of the tree")
        text = text.format(first=players[0], second=players[1], count=ownership.positions)
        return Legend(title, text, tip)


class NetOutcomes(Overlay):
    """Win, draw and loss after the moves, as the net expects them."""

    data: ClassVar[str] = OUTCOMES

    def marks(self, content: BoardContent, theme: Theme) -> list[Mark]:
        outcomes, position = content.outcomes, content.position
        if outcomes is None or position is None:
            return []
        rows, marks = outcomes.chances.tolist(), []
        for i in sorted(range(len(rows)), key=lambda i: rows[i][2] - rows[i][0])[:MOST_TEXTS]:
            action, (win, draw, loss) = outcomes.actions[i], rows[i]
            fill = ramp(theme.value_ramp, (1.0 + win - loss) / 2)
            texts, shares = (rough_percent(win), rough_percent(draw)), tuple(map(visible_step, rows[i]))
            marks.append(Mark(action, anchor(position, action), fill, 1.0, *texts, "", shares=shares))
        return marks

    def meaning(self, content: BoardContent, position: Position) -> Legend:
        text = tr("win and draw, {mover}").format(mover=mover_words(position))
        steps = tuple((0.5 + 0.5 * result, tr(word)) for result, word in RESULTS.items())
        return Legend(tr(self.title), text, f"{tr(self.tip)}.", "value_ramp", steps=steps)


TABLE: Final[tuple[Overlay, ...]] = (
    Visits(
        "visits",
        "visits",
        "Visits",
        "Share of the visits and their number",
        "Overlay: visits",
        "F5",
        figures_of=_column("visits_of"),
    ),
    Exploration(
        "u",
        "visits",
        "U",
        "Exploration term of the selection formula",
        "Overlay: U, the exploration term",
        "U",
        figures_of=_column("us"),
    ),
    Policy(
        "prior",
        "policy",
        "Prior",
        "The policy as selection uses it, on a logarithmic scale",
        "Overlay: prior",
        "F6",
        needs=PRIORS,
        figures_of=_priors,
        title_of=_prior_words,
    ),
    Policy(
        "raw",
        "policy",
        "Net P",
        "The net's policy before noise, on a logarithmic scale",
        "Overlay: raw net policy",
        "R",
        needs=PRIORS,
        figures_of=_column("net_priors"),
    ),
    Policy(
        "policy",
        "policy",
        "π",
        "The policy that comes out of the search",
        "Overlay: π, the search's policy",
        "Shift+R",
        figures_of=_target,
        title_of=lambda node: policy_words(node.selection),
        of_net=False,
    ),
    Value(
        "q",
        "value",
        "Q",
        "Searched value of each move for the side that plays it, centred at 0",
        "Overlay: Q",
        "F7",
        figures_of=_column("qs"),
    ),
    ProvedValue(
        "value",
        "value",
        "Value",
        "Value of each move: exact where proved, else Q",
        "Overlay: value by move",
        "V",
        figures_of=_proved_values,
    ),
    NetValue(
        "net",
        "value",
        "Net V",
        "The net's own value of the position after each move",
        "Overlay: net value",
        "Shift+V",
        needs=NET,
        figures_of=_column("values"),
    ),
    NetOutcomes(
        "outcomes",
        "value",
        "Net W/D/L",
        "Win, draw and loss after each move, as the net expects them without search; the bar has all three",
        "Overlay: win, draw and loss of the net",
        "Shift+W",
        needs=OUTCOMES,
    ),
    Lead(
        "lead",
        "points",
        "Lead",
        "Score lead in points after each move",
        "Overlay: lead by move",
        "S",
        needs=LEADS,
        figures_of=leads_of,
    ),
    Lost(
        "lost",
        "points",
        "Lost",
        "Points lost by each move: the lead after the move to play less the lead after this one",
        "Overlay: points lost by move",
        "Shift+S",
        needs=LEADS,
        figures_of=points_lost,
    ),
    Owners(
        "ownership",
        "points",
        "Ownership",
        "To whom the net expects each point to belong at the end; the larger the square, the surer",
        "Overlay: ownership",
        "O",
        needs=OWNERSHIP,
    ),
    Owners(
        "mean_ownership",
        "points",
        "Mean own.",
        ("Ownership averaged over the most visited positions of the tree from the one shown on, weighted by visits"),
        "Overlay: mean ownership in the tree",
        "Shift+O",
        needs=OWNERSHIP,
        mean=True,
    ),
    Exact(
        "truth",
        "exact",
        "Truth",
        "Exact result of each move and its distance",
        "Overlay: truth, exact results",
        "T",
        needs=EXACT,
    ),
    Threats(
        "threats",
        "stones",
        "Threats",
        "Fives, fours and threes of both sides",
        "Overlay: threats",
        "Shift+T",
        needs=LINES,
    ),
    Stones(
        "chains",
        "stones",
        "Chains",
        "Liberties of each chain, chains in atari, and chains that a ladder catches",
        "Overlay: chains, liberties and ladders",
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
        "stones",
        "Area",
        "What each side holds even if it passes from now on; when the game is over, whose each point is",
        "Overlay: area and territory",
        "Shift+A",
        needs=CAPTURES,
        shapes_of=area_shapes,
        text=lambda position: COUNTED if position.is_over else HELD,
        details=(
            "A large square: held by chains that live even if their player passes from now on. "
            "Small: counted for that player at the end of the game."
        ),
    ),
    NoOverlay("none", "none", "Off", "The board alone", "No overlay", "F8"),
)
NAMES: Final = tuple(row.name for row in TABLE)
BY_NAME: Final = {row.name: row for row in TABLE}


def given_by(snapshot: Snapshot, net: bool) -> frozenset[str]:
    """Return what overlays need, as far as the search and its position have it; ``net``: whether it asks a net."""
    from core.solve import refusal, threats  # when there is a search, the engine is loaded

    root, game = snapshot.root, snapshot.position.game
    known = {
        NET: net,
        PRIORS: net and root.has_priors,
        LEADS: root.leads.size > 0,
        OWNERSHIP: snapshot.ownership,
        OUTCOMES: snapshot.outcomes,
        LINES: not threats.refusal(game),
        EXACT: refusal(snapshot.position) is None,
    }
    return frozenset(need for need, there in known.items() if there)
