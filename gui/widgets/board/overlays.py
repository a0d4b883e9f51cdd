"""The board's overlays as values: cell, colour, texts and ring of each mark.

Colours and opacities come from one node (drawn often), texts from another node of the same position (updated a few
times a second), so that numbers stay readable while the picture changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtGui import QColor

from gui.language.language import tr
from gui.model.overlay_table import BY_NAME, OWNERSHIPS
from gui.widgets.board.board_paint import anchor, kind_of, stone_color
from gui.widgets.figures import plain, rough_percent, short_count, short_plies, signed
from gui.widgets.theme import Theme, ramp
from gui.widgets.words import PROVED_VALUES

if TYPE_CHECKING:
    from core.engine.ownership import Ownership
    from core.games import Position
    from core.glass import NodeView
    from core.solve import Solution
    from core.solve.threats import ThreatMap

LOWEST_PRIOR: Final = 1e-3  # the low end of the logarithmic scale of policies
TWIN_OPACITY: Final = 0.5  # of a move searched as its symmetric equivalent
MOST_TEXTS: Final = 24  # at most this many moves get texts, of up to 225
LEAST_SHARE: Final = 0.005  # moves with a smaller share of visits or policy get no text
SOLID_VISITS: Final = 50  # with this many visits the most visited move is drawn solid
CONFIDENCE_Z: Final = 1.96  # 95 % of a normal distribution
FINEST: Final = 1 / 64  # step of opacities and interval ends: invisible, and keeps most marks equal

POLICIES: Final = ("prior", "raw", "policy")
VALUES: Final = ("q", "value", "net")
POINTS: Final = ("lead", "lost")
MOST_LOST: Final = 12.0  # points, at the end of the scale
LEAD_SCALES: Final = (
    1.0,
    2.0,
    3.0,
    5.0,
    7.0,
    10.0,
    15.0,
    20.0,
    30.0,
    50.0,
    70.0,
    100.0,
    200.0,
    400.0,
)  # points at the ends
MOST_DISCS: Final = 24  # difference of discs at the ends of the scale of exact results
LEAST_OWNED: Final = 0.05  # no square for less
RESULTS: Final = {1: "win", 0: "draw", -1: "loss"}

BEST, BETTER, TOP = "best", "better", "top"  # rings: the move to play; higher Q than the most visited; highest policy


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


class Mark(NamedTuple):
    """One move on the board."""

    action: int
    cell: int
    fill: QColor
    opacity: float
    text: str
    sub: str
    ring: str  # "", BEST, BETTER or TOP
    whisker: tuple[float, float] | None = None  # ends of the 95 % interval of a mean value, in [-1, 1]
    chips: tuple[Chip, ...] = ()  # threats drawn instead of a disc
    side: float = 0.0  # of a square drawn instead of a disc, as a share of the cell


def opacities(visits: list[int], most: int) -> list[float]:
    """Opacity of figures with so many visits beside one of ``most``: by their logarithms, 0.2 for none."""
    full, log1p = math.log1p(max(most, SOLID_VISITS)), math.log1p
    return [0.2 + 0.8 * min(1.0, log1p(n) / full) for n in visits]


def overlay_marks(
    position: Position, node: NodeView, text_node: NodeView, overlay: str, best: int, theme: Theme
) -> list[Mark]:
    """Return the marks of an overlay that shows the search; none for the other overlays."""
    if not BY_NAME[overlay].searched or len(node.actions) == 0:
        return []
    figures = figures_of(node, overlay)
    texts = _texts(text_node, overlay)
    visits_of, qs, proofs = node.visits_of.tolist(), node.qs.tolist(), node.proofs.tolist()
    total, most = max(1, sum(visits_of)), int(node.visits_of.argmax())
    solid, best_q = opacities(visits_of, visits_of[most]), qs[most]
    low, high = scale_of(node, overlay)
    top = max(range(len(figures)), key=figures.__getitem__) if overlay in POLICIES else -1
    outstanding = sum(figure >= figures[top] * 0.999 for figure in figures) == 1
    same, marks = node.same, []
    searched_only = overlay not in POLICIES and overlay != "u"
    for i, action in enumerate(node.actions.tolist()):
        visits, figure = visits_of[i], figures[i]
        if math.isnan(figure) or (searched_only and not visits):
            continue
        ring, whisker = "", None
        if overlay in POLICIES:
            t = _log_scale(figure)
            if figure < LOWEST_PRIOR:
                continue
            fill, opacity = ramp(theme.prior_ramp, t), 0.25 + 0.75 * t
            ring = TOP if i == top and outstanding else ""
        elif overlay == "visits":
            fill, opacity = ramp(theme.share_ramp, math.sqrt(visits / total)), solid[i]
        elif overlay == "u":
            t = 1.0 if math.isinf(figure) else (figure - low) / max(1e-9, high - low)
            fill, opacity = ramp(theme.prior_ramp, t), 0.25 + 0.75 * min(1.0, t)
        elif overlay == "lead":
            fill, opacity = ramp(theme.value_ramp, 0.5 + 0.5 * figure / high), solid[i]
        elif overlay == "lost":
            t = math.sqrt(min(1.0, max(0.0, figure) / high))
            fill, opacity = ramp(theme.value_ramp, 1.0 - t), solid[i]
        else:
            fill = ramp(theme.value_ramp, (figure + 1) / 2)
            firm = overlay == "net" or (overlay == "value" and proofs[i])
            opacity = 1.0 if firm else solid[i]
            whisker = None if firm else interval(node, i)
        if visits and i != most and qs[i] > best_q and overlay in ("visits", "q", "value"):
            ring = BETTER
        if action == best and overlay not in POLICIES:
            ring = BEST
        if whisker is not None:
            whisker = _visible_step(whisker[0]), _visible_step(whisker[1])
        text, sub = texts.get(action, ("", ""))
        marks.append(Mark(action, anchor(position, action), fill, _visible_step(opacity), text, sub, ring, whisker))
        for other in same.get(action, ()) if same else ():
            twin, faint = f"= {position.game.action_name(action)}", _visible_step(TWIN_OPACITY * opacity)
            marks.append(Mark(other, anchor(position, other), fill, faint, twin, "", ""))
    return marks


def _visible_step(share: float) -> float:
    """Round to the smallest visible step."""
    return round(share / FINEST) * FINEST


def figures_of(node: NodeView, overlay: str) -> list[float]:
    """Return each move's value [E] in an overlay, as in the search; NaN for none."""
    if overlay == "policy":
        return node.choice.target.tolist() if node.choice is not None else [math.nan] * len(node.actions)
    if overlay == "value":
        known = zip(node.proofs.tolist(), node.qs.tolist(), node.visits_of.tolist(), strict=True)
        return [PROVED_VALUES.get(proof, q if visits else math.nan) for proof, q, visits in known]
    if overlay in POINTS:
        return points_of(node, overlay)
    source = {
        "visits": node.visits_of,
        "prior": node.priors if node.has_priors else node.priors * math.nan,
        "raw": node.net_priors,
        "u": node.us,
        "net": node.values,
        "q": node.qs,
    }[overlay]
    return [float(figure) for figure in source.tolist()]


def points_of(node: NodeView, overlay: str) -> list[float]:
    """Return each move's score lead [E], or the points that it loses beside the move to play; NaN for none."""
    leads: list[float] = node.leads.tolist() or [math.nan] * len(node.actions)
    if overlay == "lead":
        return leads
    best = leads[node.best_index] if node.best_index >= 0 else math.nan
    return [best - lead for lead in leads]


def scale_of(node: NodeView, overlay: str) -> tuple[float, float]:
    """Return the values at the ends of an overlay's colour scale; only U's and the lead's depend on the node."""
    if overlay == "lost":
        return 0.0, MOST_LOST
    if overlay == "lead":
        most = max((abs(lead) for lead in node.leads.tolist() if not math.isnan(lead)), default=0.0)
        high = next((end for end in LEAD_SCALES if end >= most), most)
        return -high, high
    if overlay in VALUES:
        return -1.0, 1.0
    if overlay in POLICIES:
        return LOWEST_PRIOR, 1.0
    if overlay == "u":
        finite = [u for u in node.us.tolist() if math.isfinite(u)]
        return min([0.0, *finite]), max([0.0, *finite])
    return 0.0, 1.0


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


def _texts(node: NodeView, overlay: str) -> dict[int, tuple[str, str]]:
    """Return action -> (text, smaller text below it) for the moves worth reading."""
    figures = figures_of(node, overlay)
    total = max(1, int(node.visits_of.sum()))
    weights = figures if overlay in (*POLICIES, "u") else node.visits_of.tolist()
    order = sorted(range(len(weights)), key=lambda i: -weights[i])
    at_most = node.distances_at_most
    result = {}
    for i in order[:MOST_TEXTS]:
        visits, figure, proof = int(node.visits_of[i]), figures[i], int(node.proofs[i])
        few = visits < LEAST_SHARE * total
        if math.isnan(figure):
            continue
        if overlay in POLICIES:
            texts = None if figure < LEAST_SHARE else (rough_percent(figure), "")
        elif overlay == "visits":
            texts = None if few else (rough_percent(visits / total), short_count(visits))
        elif overlay == "u":
            texts = (plain(figure, 0 if node.selection == "flat" else 3), "")
        elif overlay == "net":
            texts = (signed(figure, 2), "")
        elif overlay in POINTS:
            figure_text = signed(figure, 1) if overlay == "lead" else plain(figure, 1)
            texts = None if few else (figure_text, short_count(visits))
        elif overlay == "value" and proof:
            texts = (tr(RESULTS[round(figure)]), _plies(int(node.distances[i]), bool(at_most[i])))
        else:
            texts = None if few or not visits else (signed(figure, 2), short_count(visits))
        if texts is not None:
            result[int(node.actions[i])] = texts
    return result


def _plies(distance: int | None, at_most: bool = False) -> str:
    return tr("in {plies}").format(plies=short_plies(distance, at_most)) if distance else ""


def _log_scale(prior: float) -> float:
    """Return 0 at ``LOWEST_PRIOR`` and below, 1 for certainty."""
    return 0.0 if prior <= LOWEST_PRIOR else 1.0 - math.log(prior) / math.log(LOWEST_PRIOR)


def unsearched_marks(
    position: Position,
    overlay: str,
    solution: Solution | None,
    threats: ThreatMap | None,
    ownership: Ownership | None,
    theme: Theme,
) -> list[Mark]:
    """Return the marks of an overlay that does not show the search; none while its data are unknown."""
    if overlay == "truth" and solution is not None:
        return truth_marks(position, solution, theme)
    if overlay == "threats" and threats is not None:
        return threat_marks(threats, theme)
    if overlay in OWNERSHIPS and ownership is not None:
        return ownership_marks(ownership, theme)
    return []


def truth_marks(position: Position, solution: Solution, theme: Theme) -> list[Mark]:
    """Return marks with the exact result of every move for its player, and the number of plies or the discs."""
    best = solution.best
    marks = []
    for move in solution.moves:
        if move.value is None:
            continue
        ring = BEST if move.action in best else ""
        cell = anchor(position, move.action)
        share: float = move.value
        texts = tr(RESULTS[move.value]), _plies(move.distance)
        if move.score is not None:
            share = max(-1.0, min(1.0, move.score / MOST_DISCS))
            texts = signed(move.score, 0), texts[0]
        marks.append(Mark(move.action, cell, ramp(theme.value_ramp, (share + 1) / 2), 1.0, *texts, ring))
    return marks


def ownership_marks(ownership: Ownership, theme: Theme) -> list[Mark]:
    """Return a square in the expected owner's colour for each point, whose area is how sure that is; on his own stones
    without a fill."""
    kind, stones = kind_of(ownership.position.game.name), ownership.position.cells().ravel().tolist()
    colours = [stone_color(kind, player, theme) for player in range(2)]
    marks = []
    for cell, point in enumerate(ownership.points.ravel().tolist()):
        if abs(point) >= LEAST_OWNED:
            owner, side = int(point < 0), _visible_step(0.56 * math.sqrt(abs(point)))
            filled = float(stones[cell] != owner + 1)
            marks.append(Mark(cell, cell, colours[owner], filled, "", "", "", side=side))
    return marks


def threat_marks(threats: ThreatMap, theme: Theme) -> list[Mark]:
    """Return a mark for each empty point where a stone of either side makes a three or more."""
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


def threat_strokes(threats: ThreatMap) -> tuple[Stroke, ...]:
    """Return the line of each existing three or more."""
    kinds = threat_kinds(threats)
    lines = [(pattern, (*pattern.cells, *pattern.gaps)) for pattern in threats.patterns if pattern.kind in kinds]
    return tuple(Stroke(pattern.side, min(line), max(line), kinds[pattern.kind][1]) for pattern, line in lines)


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
