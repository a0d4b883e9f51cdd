"""The table of the charts of a search: what each draws of a snapshot, and its figures as CSV.

A new chart is a row of ``CHARTS``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.charts.lines import (
    BARS,
    DASHED,
    DOTTED,
    NEAREST,
    POINTS,
    USUAL,
    ChartSpec,
    Drawing,
    Floats,
    Line,
    Role,
    Span,
    Table,
    View,
    nearest,
)
from gui.widgets.figures import count, percent, plain, signed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.glass import MoveRow, Snapshot
    from core.glass.curves import Curves

SHOWN: Final = 6  # moves with a curve of their own
FEW: Final = 0.005  # of the visits: a curve with fewer is ignored for the scale
RECENT: Final = 0.03  # of the simulations, over which batches are counted
EARLY: Final = 0.03  # of the simulations: the first values vary too much to set the scale
WIDE: Final = 2.4  # px, the best move's line
WHOLE: Final = 100.0  # per cent
WARM = ("#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442")  # after Okabe and Ito (2008), without the blues
WARM_ON_WHITE = ("#d55e00", "#009e73", "#cc79a7", "#b07800", "#7a6fb0")


@dataclass(frozen=True, eq=False)
class SearchedTree:
    """What the charts show: a search, perhaps an earlier moment of it, and a place in the colours for each move."""

    snapshot: Snapshot
    earlier: Snapshot | None
    colours: dict[int, int]  # action -> place, see :class:`Colours`

    @property
    def curves(self) -> Curves | None:
        """The curves, if there are some of moves shown."""
        curves = self.snapshot.curves
        return curves if curves is not None and len(curves.actions) and self.colours else None

    @property
    def moves(self) -> list[tuple[MoveRow, int, Role]]:
        """The moves with a curve, the best one first, then by visits; each with its edge in the curves and a colour."""
        assert self.snapshot.curves is not None
        edges = {action: edge for edge, action in enumerate(self.snapshot.curves.actions.tolist())}
        rows = [row for row in self.snapshot.moves if row.action in self.colours and row.action in edges]
        rows.sort(key=lambda row: (self.colours[row.action] >= 0, -row.visits))
        return [(row, edges[row.action], move_colour(self.colours[row.action])) for row in rows]

    @property
    def now(self) -> str:
        """The earlier moment in words."""
        return _at(self.earlier.simulations) if self.earlier is not None else ""


def move_colour(place: int) -> Role:
    """Return a move's colour: the board's accent for the best one, a colour of its own for every other."""
    return "accent" if place < 0 else lambda theme: (WARM if theme.dark else WARM_ON_WHITE)[place]


class Colours:
    """Assigns each move but the best a place in the colours; the best has the accent as on the board.

    A move keeps its place while it is shown.
    """

    def __init__(self) -> None:
        self._places: dict[int, int] = {}

    def give(self, actions: list[int]) -> dict[int, int]:
        """Return action -> place; -1 for the first, which is the best."""
        rest = actions[1:]
        kept = {action: self._places[action] for action in rest if action in self._places}
        free = [place for place in range(SHOWN - 1) if place not in kept.values()]
        for action in rest:
            if action not in kept:
                kept[action] = free.pop(0)
        self._places = kept
        return {**kept, actions[0]: -1} if actions else {}


def shown_moves(snapshot: Snapshot) -> list[MoveRow]:
    """Return the moves that get a curve: the one that would be played first, then by visits."""
    visited = [row for row in snapshot.moves if row.visits]
    visited.sort(key=lambda row: row.action != snapshot.best)
    return visited[:SHOWN]


def _at(simulation: float) -> str:
    return tr("at simulation {simulations}").format(simulations=count(round(simulation)))


def _part(value: float) -> str:
    return percent(value / WHOLE)


def whole_of(searched: SearchedTree) -> Span:
    """Return the range of the x axis: that of the slider."""
    return 0.0, max(1.0, float(searched.snapshot.simulations))


def _over_simulations(searched: SearchedTree, lines: Sequence[Line], unit: str, up: Span, **more: Any) -> Drawing:
    return Drawing(lines, across=whole_of(searched), up=up, unit=unit, at=_at, now=searched.now, marker="warn", **more)


# values and visits


def _value(searched: SearchedTree, view: View) -> Drawing:
    curves, snapshot, earlier = searched.curves, searched.snapshot, searched.earlier
    if curves is None:
        return Drawing()
    qs = {row.name: row.q for row in earlier.moves if row.visits} if earlier is not None else {}
    x = curves.simulations.astype(np.float64)
    now = signed(earlier.root.q) if earlier is not None else None
    lines = [Line(tr("position"), x, curves.q.astype(float), "text", DOTTED, text=signed, now=now)]
    for row, edge, colour in searched.moves:
        now = signed(qs.get(row.name, math.nan)) if earlier is not None else None
        y = curves.qs[:, edge].astype(float)
        lines.append(Line(row.name, x, y, colour, text=signed, now=now, width=WIDE if colour == "accent" else USUAL))
    values = [curves.q, *(curves.qs[:, edge] for row, edge, _ in searched.moves if row.share >= FEW)]
    position = snapshot.position
    mover = kind_of(position.game.name).players[position.to_move]
    words = tr("Q for {mover}").format(mover=mover)
    return _over_simulations(searched, lines, words, value_range(curves, values))


def value_range(curves: Curves, lines: list[NDArray[np.float32]]) -> Span:
    """Return the range of the values shown, ignoring the first simulations; within [-1, 1] and a margin."""
    settled = curves.simulations >= EARLY * curves.simulations[-1]
    values = np.concatenate([line[settled] for line in lines]) if lines else np.zeros(0)
    values = values[np.isfinite(values)]
    if not values.size:
        return -1.05, 1.05
    low, high = float(values.min()), float(values.max())
    pad = max(0.06 * (high - low), 0.01)
    return max(-1.05, low - pad), min(1.05, high + pad)


def _visits(searched: SearchedTree, view: View) -> Drawing:
    curves, earlier = searched.curves, searched.earlier
    if curves is None:
        return Drawing()
    x, shares = curves.simulations.astype(np.float64), WHOLE * curves.shares
    past = {row.name: WHOLE * row.share for row in earlier.moves} if earlier is not None else {}
    lines = []
    for row, edge, colour in searched.moves:
        now = _part(past.pop(row.name, 0.0)) if earlier is not None else None
        lines.append(
            Line(row.name, x, shares[:, edge], colour, text=_part, now=now, width=WIDE if colour == "accent" else USUAL)
        )
    others = [e for e in range(len(curves.actions)) if e not in {edge for _, edge, _ in searched.moves}]
    if others:
        name = tr("{count} others", len(others)).format(count=len(others))
        now = _part(sum(past.values())) if earlier is not None else None
        lines.append(Line(name, x, shares[:, others].sum(axis=1), "dim", DOTTED, text=_part, now=now))
    settled = curves.simulations >= EARLY * curves.simulations[-1]
    high = max((float(line.y[settled].max()) for line in lines), default=0.0)
    up = 0.0, min(1.02 * WHOLE, 1.08 * high + 1)
    return _over_simulations(searched, lines, tr("% of the visits N"), up, whole=WHOLE)


def _curves_table(searched: SearchedTree, view: View) -> Table:
    """All samples: simulations of root and search, value of the root, N and Q of each visited move."""
    curves, who = searched.snapshot.curves, _side(searched.snapshot)
    head = ["simulations", "recorded", f"Q root for {who}"]
    if curves is None:
        return head, []
    names = [searched.snapshot.position.game.action_name(a) for a in curves.actions.tolist()]
    for name in names:
        head += [f"N {name}", f"Q {name} for {who}"]
    rows: list[list[Any]] = []
    for s in range(len(curves.simulations)):
        row: list[Any] = [int(curves.simulations[s]), int(curves.records[s]), _figure(curves.q[s])]
        for e in range(len(names)):
            row += [int(curves.visits[s, e]), _figure(curves.qs[s, e])]
        rows.append(row)
    return head, rows


def _side(snapshot: Snapshot) -> str:
    """Return the player that values are for; column names are English in every language."""
    position = snapshot.position
    return kind_of(position.game.name).names[position.to_move]


def _figure(x: float) -> str:
    return "" if np.isnan(x) else f"{float(x):.7g}"


# depth


def _depth(searched: SearchedTree, view: View) -> Drawing:
    curves = searched.snapshot.curves
    if curves is None or curves.nodes.sum() <= 1:
        return Drawing()
    depths = np.arange(len(curves.nodes), dtype=float)
    nodes, ended = curves.nodes.astype(float), curves.ended.astype(float)

    def whole(x: float) -> str:
        return count(int(x))

    lines = [
        Line(tr("nodes"), depths, nodes, "accent", form=BARS, text=whole, now=whole(nodes.sum())),
        Line(tr("simulations ended"), depths, ended, move_colour(0), text=whole, now=whole(ended.sum()), sizes=5),
    ]
    now = tr("now, at simulation {simulations}").format(simulations=count(searched.snapshot.simulations))
    return Drawing(
        lines,
        across=(-0.7, len(depths) - 0.3),
        up=(0, 1.08 * float(max(nodes.max(), ended.max(), 1))),
        unit=tr("plies below the position"),
        at=lambda x: tr("at depth {at}, in plies").format(at=round(x)),
        now=now if searched.earlier is not None else "",
        wholes=True,
    )


def _depths_table(searched: SearchedTree, view: View) -> Table:
    """Nodes and ended simulations by depth below the root."""
    curves = searched.snapshot.curves
    pairs = [] if curves is None else zip(curves.nodes.tolist(), curves.ended.tolist(), strict=True)
    return ["depth", "nodes", "simulations ended"], [[d, n, ended] for d, (n, ended) in enumerate(pairs)]


# prior against visits


def _prior_of(row: MoveRow) -> float:
    """Return the prior used by selection; under a rule without priors, the net's."""
    return row.net_prior if math.isnan(row.prior) else row.prior


def _prior(searched: SearchedTree, view: View) -> Drawing:
    snapshot = searched.earlier or searched.snapshot
    rows = sorted(snapshot.moves, key=_prior_of)
    total = sum(row.visits for row in rows)
    if not total:
        return Drawing(nothing=tr("no move had been visited yet") if searched.earlier is not None else "")
    floor = 0.5 / total  # moves without visits are drawn below one visit
    visited, unseen = [row for row in rows if row.visits], [row for row in rows if not row.visits]

    def points(rows: list[MoveRow], name: str, **look: Any) -> Line:
        def read(place: int, large: bool) -> tuple[str, str]:
            return rows[place].name, _prior_words(rows[place], snapshot)

        x = np.array([max(_prior_of(row), 1e-6) for row in rows])
        y = np.array([row.share if row.visits else floor for row in rows])
        sizes = [9.0 if row.action in searched.colours else 6.0 for row in rows]
        return Line(name, x, y, form=POINTS, read=read, now=count(len(rows)), sizes=sizes, **look)

    roles = [move_colour(searched.colours[row.action]) if row.action in searched.colours else "dim" for row in visited]
    lines = [points(visited, "", colours=roles)]
    if unseen:
        lines.append(points(unseen, tr("not visited"), colour="faint", symbols="t" * len(unseen), hollow=True))
    at = np.log10(np.concatenate([[line.x, line.y] for line in lines], axis=1))
    low, high = at.min(axis=1), at.max(axis=1)
    pads = np.maximum(0.09 * (high - low), 0.12)
    left, right = 10 ** (low - pads), 10 ** np.minimum(high + pads, [0.06, math.inf])
    ends = np.array([min(left), 1.0])
    lines.insert(
        0, Line(tr("dashed: visits equal to the prior"), ends, ends, "faint", DASHED, now="", width=1, beside=True)
    )
    return Drawing(
        lines,
        across=(float(left[0]), float(right[0])),
        up=(float(left[1]), float(right[1])),
        unit=tr("share of the visits over prior, both logarithmic"),
        now=searched.now,
        reads=NEAREST,
        logs=(True, True),
        ticks=(_share_tick, _share_tick),
        labels=[(_prior_of(row), row.share, row.name) for row in shown_moves(snapshot)],
    )


def _share_tick(share: float) -> str:
    return f"{WHOLE * share:.6g} %"


def _prior_words(row: MoveRow, snapshot: Snapshot) -> str:
    prior = tr("prior {prior}, of the net {net_prior}") if snapshot.root.noisy else tr("prior {prior}")
    return tr("{prior} · visits {share} · N {visits}").format(
        prior=prior.format(prior=percent(_prior_of(row)), net_prior=percent(row.net_prior)),
        share=percent(row.share),
        visits=count(row.visits),
    )


def _priors_table(searched: SearchedTree, view: View) -> Table:
    """Prior, visits and value of every move of the root, at the earlier moment if one is shown."""
    snapshot = searched.earlier or searched.snapshot
    head = ["move", "prior", "prior of the net", "visits", "share", f"Q for {_side(snapshot)}"]
    rows: list[list[Any]] = [
        [row.name, _figure(row.prior), _figure(row.net_prior), row.visits, _figure(row.share), _figure(row.q)]
        for row in snapshot.moves
    ]
    return head, rows


# worse moves


def _worse(searched: SearchedTree, view: View) -> Drawing:
    """The net's policy and the visits on moves held to be worse; the last sample is the snapshot's, with what is
    proved."""
    from core.glass.truth import net_priors
    from core.glass.worse import worse_curves

    curves = searched.curves
    if curves is None:
        return Drawing()
    worse = worse_curves(curves, net_priors(searched.snapshot.root))
    present = _worse_now(searched.snapshot)
    past = _worse_now(searched.earlier) if searched.earlier is not None else None
    lines = [
        Line(
            name,
            curves.simulations.astype(np.float64),
            WHOLE * np.append(y[:-1], present[name]),
            move_colour(place),
            text=_part,
            now=_part(WHOLE * past[name]) if past is not None else None,
        )
        for place, (name, y) in enumerate((("P", worse.prior), ("π", worse.share)))
        if not math.isnan(present[name])
    ]
    high = max((float(np.nanmax(line.y)) for line in lines), default=0.0)
    up = 0.0, max(5.0, min(1.04 * WHOLE, 1.08 * high))
    return _over_simulations(searched, lines, tr("% on moves worse by 0.1 or more"), up)


def _worse_now(snapshot: Snapshot) -> dict[str, float]:
    from core.glass.worse import find_worse

    worse = find_worse(snapshot.root)
    return {"P": math.nan, "π": 0.0} if worse is None else {"P": worse.prior, "π": worse.share}


# batches


class Rates(NamedTuple):
    """Where the simulations up to each sample got their values, over the last ``RECENT`` of all; [S] each."""

    hits: Floats  # share answered from the cache
    collisions: Floats  # per simulation
    size: Floats  # mean leaves of a batch


def batch_rates(curves: Curves) -> Rates:
    """Return what the net's batches were like up to each sample; NaN where nothing was recorded."""
    ends = curves.records.astype(np.float64)
    sums = [curves.batches.sums(at) for at in (ends, np.maximum(ends - RECENT * ends[-1], curves.batches.first))]
    recent = [now - before for now, before in zip(*sums, strict=True)]
    simulations, leaves, hits, collisions, batches = recent
    with np.errstate(invalid="ignore", divide="ignore"):
        return Rates(hits / simulations, collisions / simulations, leaves / np.where(batches > 1e-9, batches, np.nan))


def _batches(searched: SearchedTree, view: View) -> Drawing:
    curves = searched.curves
    if curves is None:
        return Drawing()
    if not curves.batches.number:
        return Drawing(nothing=tr("The net's batches were not recorded here: no net, or a search from a file."))
    rates, largest = batch_rates(curves), curves.batches.largest
    x, past = curves.simulations.astype(np.float64), searched.earlier

    def line(name: str, y: Floats, colour: Role, style: int = 0, text: Any = _part) -> Line:
        now = None if past is None else text(float(y[nearest(x, past.simulations)]))
        return Line(name, x, y, colour, style, text=text, now=now)

    lines = [
        line(tr("from the cache"), WHOLE * rates.hits, move_colour(1)),
        line(tr("collisions"), WHOLE * rates.collisions, "warn"),
        line(
            tr("batch, of {largest}").format(largest=largest),
            WHOLE * rates.size / largest,
            "text",
            DOTTED,
            lambda share: plain(share / WHOLE * largest, 1),
        ),
    ]
    words = tr("% of the simulations · batch: mean leaves")
    return _over_simulations(searched, lines, words, (0.0, 1.04 * WHOLE))


def _batches_table(searched: SearchedTree, view: View) -> Table:
    """The batches one by one: simulations of the search after it, its leaves, what was counted between."""
    curves, rows, last = searched.snapshot.curves, [], [0, 0]
    for batch, (recorded, leaves, *counted) in enumerate(curves.batches.rows.tolist() if curves is not None else []):
        if batch:
            rows.append([batch, recorded, leaves, *(now - before for now, before in zip(counted, last, strict=True))])
        last = counted
    return ["batch", "recorded", "leaves", "cache hits", "collisions"], rows


CHARTS: Final[tuple[ChartSpec[SearchedTree], ...]] = (
    ChartSpec(
        "value",
        "Value",
        (
            "Searched value of the position and of its best moves after each simulation. "
            "A click goes to that simulation."
        ),
        _value,
        _curves_table,
        entries=SHOWN,
        presses=True,
    ),
    ChartSpec(
        "visits",
        "Visits",
        "Share of all visits that each move had after each simulation. A click goes to that simulation.",
        _visits,
        _curves_table,
        entries=SHOWN,
        presses=True,
    ),
    ChartSpec(
        "depth",
        "Depth",
        "Number of nodes of the tree at each depth below the position.",
        _depth,
        _depths_table,
        entries=SHOWN,
        zooms=False,
    ),
    ChartSpec(
        "prior",
        "Prior against visits",
        "Each point is a move. Above the dashed line the search visited it more than its prior asked for.",
        _prior,
        _priors_table,
        entries=SHOWN,
        zooms=False,
    ),
    ChartSpec(
        "worse",
        "Worse moves",
        (
            "The net's policy P and the visits π on moves whose Q was lower by 0.1 or more than that of the most "
            "visited move after each simulation; now also on those proved worse. A click goes to that simulation."
        ),
        _worse,
        _curves_table,
        entries=SHOWN,
        presses=True,
    ),
    ChartSpec(
        "batches",
        "Batches",
        (
            "What gave the latest simulations their values: the share answered from the net's cache, descents "
            "given up as their leaf was waiting already, and leaves of a batch. A click goes to that simulation."
        ),
        _batches,
        _batches_table,
        entries=SHOWN,
        presses=True,
    ),
)
