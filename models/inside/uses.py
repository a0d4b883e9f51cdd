"""Is a concept that names moves used?  A block is pushed towards it and the policy asked again; a search is asked, too.

It is pushed by the mean difference between cells with the concept and cells without, which is what changes in the block
where the concept holds; the weights of a fitted line are not (Haufe et al. 2014, "On the interpretation of weight
vectors of linear models in multivariate neuroimaging").  What a search finds after few simulations and after many, the
net may learn later.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.engine import Search
from core.engine.evaluator import Evaluator
from core.games import Position
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of_all
from core.games.spec import Concept
from core.search import Limit, SearchSettings
from models.audit.shapes import cell_of
from models.inside.concepts import Stopped, labels_of
from models.inside.knowledge import Array, NetReport, Progress, cell_rows
from models.inside.probes import LEAST, UNKNOWN, Floats, Score, Scorer, score_of
from models.inside.sample import Sample, Stop
from models.inside.views import legal_of
from models.netfiles.agreement import chances
from models.netfiles.tapped import TappedNet

SIMULATIONS: Final = (1, 10, 100)
_BATCH: Final = 64
_SHUFFLES: Final = 24
_MOST: Final = 600  # positions to learn the difference from, and as many to push
_MOST_SEARCHED: Final = 200  # positions
_PLAIN: Final = SearchSettings(max_batch=1, memory_mb=16)  # one simulation after the other


class Pushed(NamedTuple):
    """How often the probability of a move rises when its cell is pushed towards the concept; the share of positions."""

    along: Score
    at_random: float
    """As far by differences of shuffled labels: the mean of these."""
    outdone: float
    """The share of these by which the probability rises less often than by the concept's."""
    positions: int


class _Push(NamedTuple):
    """A cell to be pushed, and the move that puts a stone there."""

    position: Position
    cell: int
    action: int
    game: int


def push(
    net: TappedNet, report: NetReport, concept: Concept, block: int, seed: int = 0, stop: Stop = lambda: False
) -> Pushed | None:
    """Push one cell of each judged position from "no" to "yes"; None when stopped, or when there is too little to push.

    The cell is that of a random legal move that is not of the concept, whose moves are to be made.  The difference is
    learnt from other positions.  ValueError for a concept that names no moves."""
    if not concept.is_move:
        raise ValueError(f"the concept {concept.name!r} names no moves")
    rng = np.random.default_rng(seed)
    ways = _differences(net, report, concept, block, rng)
    pushes = _pushes(report, concept, rng)
    if ways is None or len(pushes) < LEAST:
        return None
    inputs = inputs_of_all([push.position for push in pushes], net.encoding)
    rises = np.zeros((len(pushes), len(ways)))
    for start in range(0, len(pushes), _BATCH):
        if stop():
            return None
        part = slice(start, start + _BATCH)
        some, shown = pushes[part], Inputs(inputs.planes[part], inputs.features[part])
        output = net.run(shown).blocks[block]
        before = _shares(net.continue_from(block, output, shown).logits, some)
        for number, way in enumerate(ways):
            changed = output.copy()
            for board, one in zip(changed, some, strict=True):
                board.reshape(len(board), -1)[:, one.cell] += way
            rises[part, number] = _shares(net.continue_from(block, changed, shown).logits, some) > before
    along = score_of(*Scorer(np.array([push.game for push in pushes]), seed).means(rises[:, 0]))
    shuffled = rises[:, 1:].mean(0)
    return Pushed(along, float(shuffled.mean()), float((shuffled < along.value).mean()), len(pushes))


def _differences(
    net: TappedNet, report: NetReport, concept: Concept, block: int, rng: np.random.Generator
) -> list[Array] | None:
    """The mean difference of C numbers between cells with and without the concept, then differences of shuffled labels,
    of the same length; None where there are too few cells."""
    fitted = np.setdiff1d(np.arange(len(report.sample.positions)), report.judged)[:_MOST]
    positions = [report.sample.positions[i] for i in fitted.tolist()]
    labels = labels_of(concept, positions).ravel()
    rows = np.flatnonzero(~np.isnan(labels))
    numbers = []
    for start in range(0, len(positions), _BATCH):
        output = net.run(inputs_of_all(positions[start : start + _BATCH], net.encoding)).blocks[block]
        first = start * net.game.num_cells
        inside = rows[(rows >= first) & (rows < first + len(output) * net.game.num_cells)] - first
        numbers.append(cell_rows(output, inside))
    cells, has = np.concatenate(numbers), labels[rows] == 1.0
    if not LEAST <= has.sum() <= len(has) - LEAST:
        return None
    ways = [_difference(cells, has), *(_difference(cells, rng.permutation(has)) for _ in range(_SHUFFLES))]
    length = np.linalg.norm(ways[0])
    return [way * (length / max(float(np.linalg.norm(way)), 1e-12)) for way in ways]


def _difference(cells: Array, has: NDArray[np.bool_]) -> Array:
    difference: Array = cells[has].mean(0) - cells[~has].mean(0)
    return difference


def _pushes(report: NetReport, concept: Concept, rng: np.random.Generator) -> list[_Push]:
    """A random legal move of each judged position that is not of the concept, where there is a choice of moves."""
    judged = report.judged[:_MOST].tolist()
    positions = [report.sample.positions[i] for i in judged]
    pushes = []
    for number, position, row in zip(judged, positions, labels_of(concept, positions), strict=True):
        cells = [(cell_of(position, action), action) for action in position.legal_actions()]
        moves = [(cell, action) for cell, action in cells if cell is not None and row.flat[cell] == 0.0]
        if len(moves) > 1:
            cell, action = moves[int(rng.integers(len(moves)))]
            pushes.append(_Push(position, cell, action, int(report.sample.games[number])))
    return pushes


def _shares(logits: Array, pushes: Sequence[_Push]) -> Floats:
    """The probability of each push's move among the legal ones [N]."""
    policies = chances(logits, legal_of([push.position for push in pushes]))
    shares: Floats = policies[np.arange(len(pushes)), [push.action for push in pushes]]
    return shares


def searched(
    evaluator: Evaluator,
    concepts: Sequence[Concept],
    sample: Sample,
    most: int = _MOST_SEARCHED,
    stop: Stop = lambda: False,
    progress: Progress = lambda part: None,
) -> list[tuple[Score, ...]]:
    """For each of ``concepts``: in which share of the positions that have a move of it a search of 1, 10 and 100
    simulations puts its first choice on one.  All unknown where no move is of it, or where it was stopped.

    At most ``most`` positions of each concept are asked.  Positions in which all moves are of it are left out: any
    choice would count."""
    unknown = [(UNKNOWN,) * len(SIMULATIONS)] * len(concepts)
    try:
        asked = [_moves_of(concept, sample, most, stop) for concept in concepts]
    except Stopped:
        return unknown
    numbers = sorted(set().union(*asked))
    choices: dict[int, list[int]] = {}
    for done, number in enumerate(numbers):
        if stop():
            return unknown
        search = Search(sample.positions[number], evaluator, _PLAIN)
        choices[number] = []
        for simulations in SIMULATIONS:
            search.run(Limit(simulations=simulations - search.simulations))
            choices[number].append(search.best_action())
        progress((done + 1) / len(numbers))
    return [_hits(moves, choices, sample) for moves in asked]


def _moves_of(concept: Concept, sample: Sample, most: int, stop: Stop) -> dict[int, frozenset[int]]:
    """The moves of a concept, by the number of the position."""
    moves: dict[int, frozenset[int]] = {}
    labels = labels_of(concept, sample.positions, stop).reshape(len(sample.positions), -1)
    for number, (position, row) in enumerate(zip(sample.positions, labels, strict=True)):
        if len(moves) == most:
            break
        if not (row == 1.0).any():
            continue
        legal = position.legal_actions()
        good = frozenset(a for a in legal if (cell := cell_of(position, a)) is not None and row[cell] == 1.0)
        if good and len(good) < len(legal):
            moves[number] = good
    return moves


def _hits(moves: Mapping[int, frozenset[int]], choices: Mapping[int, list[int]], sample: Sample) -> tuple[Score, ...]:
    """How often the choices after ``SIMULATIONS`` are among the moves."""
    if len(moves) < 2:
        return (UNKNOWN,) * len(SIMULATIONS)
    hits = np.array([[choice in good for choice in choices[number]] for number, good in moves.items()], np.float64)
    scorer = Scorer(sample.games[list(moves)], 0)
    return tuple(score_of(*scorer.means(column)) for column in hits.T)


class Use(NamedTuple):
    """Of one concept."""

    pushed: tuple[Pushed | None, ...]
    """Of each block; None where there is nothing to push."""
    searched: tuple[Score, ...]
    """The share of positions in which a search finds a move of it, after ``SIMULATIONS``."""


def uses_of(
    net: TappedNet,
    evaluator: Evaluator,
    report: NetReport,
    concepts: Sequence[Concept],
    stop: Stop = lambda: False,
    progress: Progress = lambda part: None,
) -> dict[str, Use]:
    """Name -> the use of each of ``concepts`` that names moves; of none when stopped.  ``progress`` is given a part of
    1."""
    moves, pushed = [concept for concept in concepts if concept.is_move], []
    for number, concept in enumerate(moves):
        pushed.append(tuple(push(net, report, concept, block, stop=stop) for block in range(len(net.blocks))))
        progress((number + 1) / (2 * len(moves)))
    shares = searched(evaluator, moves, report.sample, stop=stop, progress=lambda part: progress((1.0 + part) / 2.0))
    if stop():
        return {}
    return {concept.name: Use(*use) for concept, use in zip(moves, zip(pushed, shares, strict=True), strict=True)}
