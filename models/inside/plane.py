"""Positions in the plane by what a block of a net makes of them, and the positions that it finds similar.

The outputs of a block [C, H, W] are a row of D = C * H * W numbers; the mean row of the sample is taken off.  The plane
is that of the two directions in which the rows differ most (principal components); two positions are as similar as
their rows point in one direction (cosine).  Each position is turned first as :func:`canonical` says, so that mirrored
ones are one.

Letters: N positions, D numbers of each.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.games.net_inputs import inputs_of_all
from core.text import Text
from models.inside.lens import positions_for
from models.inside.probes import LEAST, Score, Scorer, score_of
from models.inside.sample import Sample, Stop
from models.netfiles.tapped import TappedNet

NEAREST: Final = 10
MOST_POINTS: Final = 1_500
LEAST_POINTS: Final = 3
ANCHORS: Final = 500  # positions whose neighbours are judged
V: Final = "V"
EXACT: Final = "exact"
RESULT: Final = "result"
_MOST_BYTES: Final = 96 << 20
_BATCH: Final = 64

Array = NDArray[np.float32]


class NetMap(NamedTuple):
    """The positions of a sample by one block of a net."""

    block: int
    sample: Sample
    points: Array
    """[N, 2] where each is in the plane."""
    shares: tuple[float, float]
    """Of the variance of the rows, that of each axis."""
    values: Array
    """[N] V of the net, for the side to move."""
    rows: Array
    """[N, D] less the mean."""
    mean: Array
    """[D]"""
    axes: Array
    """[2, D] of unit length."""
    boards: NDArray[np.int8]
    """[N, H * W] the turned boards: 0 empty, 1 a stone of the side to move, 2 of the other."""


class Neighbour(NamedTuple):
    """A position of the sample beside another one."""

    place: int
    """In the sample."""
    distance: float
    """1 less the cosine of the angle between the rows: 0 for the same direction, 1 for none in common."""
    equal: float
    """Share of cells that are the same on both boards, turned, as the side to move sees them."""


class Located(NamedTuple):
    """A position among those of a plane."""

    position: Position
    point: tuple[float, float]
    value: float
    by_net: tuple[Neighbour, ...]
    """The nearest by the block, one of each game."""
    by_board: tuple[Neighbour, ...]
    """Those with the most equal cells, one of each game."""


class Likeness(NamedTuple):
    """How far a value differs from that of the nearest position of another game: means, intervals over games."""

    kind: str
    """V, EXACT or RESULT (where not all are exact)."""
    positions: int
    by_net: Score
    by_board: Score
    at_random: Score
    """From all positions of other games."""


def points_at_most(net: TappedNet) -> int:
    """How many positions of a net's game are put into a plane."""
    each: int = net.channels * net.game.num_cells * 4
    return min(MOST_POINTS, positions_for(net), max(LEAST_POINTS, _MOST_BYTES // each))


def canonical(position: Position) -> Position:
    """The image of a position under a symmetry of its game that is the same for all its images.

    It is the one whose board reads first, of several such the one whose moves do; the moves that led to it are turned
    with it."""
    game = position.game
    cells, moves = position.cells(), list(position.moves)

    def image(symmetry: int) -> tuple[bytes, list[int]]:
        return game.transform_planes(cells, symmetry).tobytes(), game.symmetries[symmetry, moves].tolist()

    first = min(range(len(game.symmetries)), key=image)
    if first == 0:
        return position
    start = position.start
    if start.moves or start.cells().any():
        start = game.set_up(game.transform_planes(start.cells(), first), start.to_move)
    for action in image(first)[1]:
        start = start.play(action)
    return start


def make_plane(
    net: TappedNet,
    sample: Sample,
    block: int,
    stop: Stop = lambda: False,
    taken: Callable[[int], object] = lambda positions: None,
) -> NetMap | None:
    """Put the positions of a sample into the plane of a block; None when stopped.

    taken: told how many positions are read.  ValueError for too few; BadNet or ValueError when the net fails."""
    number = len(sample.positions)
    if number < LEAST_POINTS:
        raise ValueError(Text("a map needs {least} positions; there are {number}", least=LEAST_POINTS, number=number))
    rows = np.empty((number, net.channels * net.game.num_cells), np.float32)
    values = np.empty(number, np.float32)
    boards = np.empty((number, net.game.num_cells), np.int8)
    for start in range(0, number, _BATCH):
        part = slice(start, start + _BATCH)
        turned = [canonical(position) for position in sample.positions[part]]
        rows[part], values[part] = _rows(net, turned, block)
        boards[part] = [_board(position) for position in turned]
        taken(min(start + _BATCH, number))
        if stop():
            return None
    mean = rows.mean(0, dtype=np.float64).astype(np.float32)
    rows -= mean
    axes, shares = principal_axes(rows)
    return NetMap(block, sample, rows @ axes.T, shares, values, rows, mean, axes, boards)


def _rows(net: TappedNet, turned: list[Position], block: int) -> tuple[Array, Array]:
    """The outputs of a block [B, D] for positions, and V [B]."""
    tapped = net.run(inputs_of_all(turned, net.encoding))
    return tapped.blocks[block].reshape(len(turned), -1), tapped.answer.values


def _board(position: Position) -> NDArray[np.int8]:
    cells = position.cells().ravel()
    return cells if position.to_move == 0 else np.where(cells > 0, 3 - cells, 0).astype(np.int8)


def principal_axes(rows: Array) -> tuple[Array, tuple[float, float]]:
    """The two directions [2, D] in which rows [N, D] with mean 0 differ most, and their shares of the variance.

    The smaller of the matrices of products of columns and of rows is taken apart, which have the same eigenvalues.  Of
    each axis the row that is furthest out is on the side of the positive numbers."""
    number, size = rows.shape
    wide = rows.astype(np.float64)
    values, vectors = np.linalg.eigh(wide.T @ wide if size <= number else wide @ wide.T)
    axes = vectors[:, ::-1][:, :2].T if size <= number else vectors[:, ::-1][:, :2].T @ wide
    axes = np.concatenate([axes, np.zeros((2 - len(axes), size))])
    lengths = np.linalg.norm(axes, axis=1, keepdims=True)
    total, most = max(0.0, float(values.clip(0).sum())), [*values[::-1][:2].clip(0).tolist(), 0.0, 0.0]
    known = np.array(most[:2])[:, None] > 1e-12 * total
    axes = np.where(known & (lengths > 0), axes / np.maximum(lengths, 1e-300), 0.0)
    points = wide @ axes.T
    furthest = points[np.abs(points).argmax(0), [0, 1]]
    axes = np.where(furthest < 0, -1.0, 1.0)[:, None] * axes
    shares = (most[0] / total, most[1] / total) if total else (0.0, 0.0)
    return axes.astype(np.float32), shares


def locate(net: TappedNet, plane: NetMap, position: Position, nearest: int = NEAREST) -> Located:
    """Where a position is in a plane, and its nearest neighbours.  BadNet or ValueError when the net fails."""
    turned = canonical(position)
    rows, values = _rows(net, [turned], plane.block)
    row = rows - plane.mean
    distances, equal = _distances(plane, row)[0], _equal(plane, _board(turned)[None])[0]
    x, y = (row[0] @ plane.axes.T).tolist()

    def first(order: NDArray[np.int64]) -> tuple[Neighbour, ...]:
        found: dict[int, Neighbour] = {}
        for place in order.tolist():
            game = int(plane.sample.games[place])
            found.setdefault(game, Neighbour(place, float(distances[place]), float(equal[place])))
            if len(found) == nearest:
                break
        return tuple(found.values())

    by_net, by_board = np.argsort(distances, kind="stable"), np.argsort(-equal, kind="stable")
    return Located(position, (x, y), float(values[0]), first(by_net), first(by_board))


def _distances(plane: NetMap, rows: Array) -> NDArray[np.float64]:
    """The cosine distances [B, N] of rows less the mean [B, D] from those of the plane."""
    lengths = np.linalg.norm(plane.rows.astype(np.float64), axis=1)
    own = np.linalg.norm(rows.astype(np.float64), axis=1)
    products = (rows.astype(np.float64) @ plane.rows.astype(np.float64).T) / np.maximum(
        own[:, None] * lengths[None, :], 1e-300
    )
    none = (own[:, None] == 0) & (lengths[None, :] == 0)
    return np.where(none, 0.0, np.clip(1.0 - products, 0.0, 2.0))


def _equal(plane: NetMap, boards: NDArray[np.int8]) -> NDArray[np.float64]:
    """The shares of equal cells [B, N]."""
    kinds = [(boards == kind).astype(np.float32) @ (plane.boards == kind).astype(np.float32).T for kind in range(3)]
    shares: NDArray[np.float64] = sum(kinds).astype(np.float64) / plane.boards.shape[1]
    return shares


def agreements(plane: NetMap, seed: int = 0) -> tuple[Likeness, ...]:
    """How far values differ between neighbours: V, and what is known without the net where that is enough.

    V is computed from the same numbers, so that its neighbours agree in any net; the known values are not."""
    values = plane.values.astype(np.float64)
    found = [_agreement(plane, V, values, np.arange(len(values)), seed)]
    known = np.array([origin.value for origin in plane.sample.origins], np.float64)
    places = np.flatnonzero(np.isfinite(known))
    if len(places):
        kind = EXACT if all(plane.sample.origins[i].is_exact for i in places) else RESULT
        found.append(_agreement(plane, kind, known, places, seed))
    return tuple(one for one in found if one is not None)


def _agreement(
    plane: NetMap, kind: str, values: NDArray[np.float64], places: NDArray[np.int64], seed: int
) -> Likeness | None:
    """The differences of ``values`` [N] among the positions ``places``; None where there are too few games."""
    games = plane.sample.games[places]
    if len(np.unique(games)) < LEAST:
        return None
    rng = np.random.default_rng(seed)
    chosen = np.sort(rng.choice(len(places), min(ANCHORS, len(places)), replace=False))
    anchors = places[chosen]
    distances = _distances(plane, plane.rows[anchors])[:, places]
    equal = _equal(plane, plane.boards[anchors])[:, places]
    same = games[chosen][:, None] == games[None, :]
    apart = np.abs(values[anchors][:, None] - values[places][None, :])
    scorer = Scorer(games[chosen], seed)

    def nearest(costs: NDArray[np.float64]) -> Score:
        costs = np.where(same, np.inf, costs)
        least = costs == costs.min(1, keepdims=True)  # of several that are equally near, their mean
        return score_of(*scorer.means((apart * least).sum(1) / least.sum(1)))

    others = ~same
    at_random = score_of(*scorer.means((apart * others).sum(1) / others.sum(1)))
    return Likeness(kind, len(chosen), nearest(distances), nearest(-equal), at_random)
