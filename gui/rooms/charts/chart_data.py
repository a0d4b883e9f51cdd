"""The data of a search's charts: which moves, in which colours, at which simulation; and as CSV.

A function of one Snapshot; knows no widget.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from gui.widgets.board.board_paint import kind_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.glass import MoveRow, Snapshot
    from core.glass.curves import Curves

SHOWN: Final = 6  # moves with a curve of their own
FEW: Final = 0.005  # of the visits: a curve with fewer is ignored for the scale
RECENT: Final = 0.03  # of the simulations, over which batches are counted
EARLY: Final = 0.03  # of the simulations: the first values vary too much to set the scale


def mover(snapshot: Snapshot) -> str:
    """Return the name of the player that values are for."""
    position = snapshot.position
    return kind_of(position.game.name).players[position.to_move]


def _side(snapshot: Snapshot) -> str:
    """Return the same for files, whose column names are English in every language."""
    position = snapshot.position
    return kind_of(position.game.name).names[position.to_move]


def shown_moves(snapshot: Snapshot) -> list[MoveRow]:
    """Return the moves that get a curve: the one that would be played first, then by visits."""
    visited = [row for row in snapshot.moves if row.visits]
    visited.sort(key=lambda row: row.action != snapshot.best)
    return visited[:SHOWN]


class Colours:
    """Assigns each move but the best a place in the theme's series; the best has the accent as on the board.

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


def edge_of(curves: Curves, action: int) -> int:
    """Return the column of a move; -1 if it is not in the curves yet."""
    found = np.flatnonzero(curves.actions == action)
    return int(found[0]) if found.size else -1


def sample_at(curves: Curves, simulation: float) -> int:
    """Return the sample nearest to a simulation of the root."""
    xs = curves.simulations
    right = int(np.clip(np.searchsorted(xs, simulation), 0, len(xs) - 1))
    left = max(0, right - 1)
    return left if abs(simulation - xs[left]) <= abs(xs[right] - simulation) else right


def value_range(curves: Curves, lines: list[NDArray[np.float32]]) -> tuple[float, float]:
    """Return the range of the values shown, ignoring the first simulations; within [-1, 1] and a margin."""
    settled = curves.simulations >= EARLY * curves.simulations[-1]
    values = np.concatenate([line[settled] for line in lines]) if lines else np.zeros(0)
    values = values[np.isfinite(values)]
    if not values.size:
        return -1.05, 1.05
    low, high = float(values.min()), float(values.max())
    pad = max(0.06 * (high - low), 0.01)
    return max(-1.05, low - pad), min(1.05, high + pad)


class Rates(NamedTuple):
    """Where the simulations up to each sample got their values, over the last ``RECENT`` of all; [S] each."""

    hits: NDArray[np.float64]  # share answered from the cache
    collisions: NDArray[np.float64]  # per simulation
    size: NDArray[np.float64]  # mean leaves of a batch


def batch_rates(curves: Curves) -> Rates:
    """Return what the net's batches were like up to each sample; NaN where nothing was recorded."""
    ends = curves.records.astype(np.float64)
    sums = [curves.batches.sums(at) for at in (ends, np.maximum(ends - RECENT * ends[-1], curves.batches.first))]
    found = [now - before for now, before in zip(*sums, strict=True)]
    simulations, leaves, hits, collisions, batches = found
    with np.errstate(invalid="ignore", divide="ignore"):
        return Rates(hits / simulations, collisions / simulations, leaves / np.where(batches > 1e-9, batches, np.nan))


def curves_of(snapshot: Snapshot) -> Curves:
    """Return the curves of a snapshot that has some."""
    assert snapshot.curves is not None
    return snapshot.curves


def _text(rows: list[list[object]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode()


def curves_csv(snapshot: Snapshot) -> bytes:
    """Return all samples: simulations of root and search, value of the root, N and Q of each visited move."""
    curves = snapshot.curves
    assert curves is not None
    who = _side(snapshot)
    names = [snapshot.position.game.action_name(a) for a in curves.actions.tolist()]
    head: list[object] = ["simulations", "recorded", f"Q root for {who}"]
    for name in names:
        head += [f"N {name}", f"Q {name} for {who}"]
    rows: list[list[object]] = [head]
    for s in range(len(curves.simulations)):
        row: list[object] = [int(curves.simulations[s]), int(curves.records[s]), _figure(curves.q[s])]
        for e in range(len(names)):
            row += [int(curves.visits[s, e]), _figure(curves.qs[s, e])]
        rows.append(row)
    return _text(rows)


def batches_csv(snapshot: Snapshot) -> bytes:
    """Return the batches one by one: simulations of the search after it, its leaves, what was counted between."""
    rows: list[list[object]] = [["batch", "recorded", "leaves", "cache hits", "collisions"]]
    last = [0, 0]
    for batch, (recorded, leaves, *counted) in enumerate(curves_of(snapshot).batches.rows.tolist()):
        if batch:
            rows.append([batch, recorded, leaves, *(now - before for now, before in zip(counted, last, strict=True))])
        last = counted
    return _text(rows)


def depths_csv(snapshot: Snapshot) -> bytes:
    """Return nodes and ended simulations by depth below the root."""
    curves = snapshot.curves
    assert curves is not None
    pairs = enumerate(zip(curves.nodes.tolist(), curves.ended.tolist(), strict=True))
    return _text([["depth", "nodes", "simulations ended"], *([d, n, ended] for d, (n, ended) in pairs)])


def priors_csv(snapshot: Snapshot) -> bytes:
    """Return prior, visits and value of every move of the root."""
    who = _side(snapshot)
    head: list[object] = ["move", "prior", "prior of the net", "visits", "share", f"Q for {who}"]
    rows: list[list[object]] = [
        [row.name, _figure(row.prior), _figure(row.net_prior), row.visits, _figure(row.share), _figure(row.q)]
        for row in snapshot.moves
    ]
    return _text([head, *rows])


def _figure(x: float) -> str:
    return "" if np.isnan(x) else f"{float(x):.7g}"
