"""Whether a search finds the moves of a concept, after few simulations and after many: what the net may learn later."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.engine import Search
from core.engine.evaluator import Evaluator
from core.games import Position
from core.games.spec import Concept
from core.search import Limit, SearchSettings
from models.audit.shapes import cell_of
from models.inside.concepts import labels_of
from models.inside.probes import UNKNOWN, Score, Scorer, score_of
from models.inside.sample import Sample, Stop

SIMULATIONS: Final = (1, 10, 100)
_MOST: Final = 200  # positions
_PLAIN: Final = SearchSettings(max_batch=1, memory_mb=16)  # one simulation after the other


def searched(
    evaluator: Evaluator, concept: Concept, sample: Sample, most: int = _MOST, stop: Stop = lambda: False
) -> list[Score]:
    """In which share of the positions that have a move of the concept a search of 1, 10 and 100 simulations puts its
    first choice on one.  All unknown where no move is of it, or where it was stopped.

    Positions in which all moves are of the concept are left out: any choice would count."""
    asked: list[tuple[int, Position, frozenset[int]]] = []
    labels = labels_of(concept, sample.positions).reshape(len(sample.positions), -1)
    for number, (position, row) in enumerate(zip(sample.positions, labels, strict=True)):
        legal = position.legal_actions()
        good = frozenset(a for a in legal if (cell := cell_of(position, a)) is not None and row[cell] == 1.0)
        if good and len(good) < len(legal) and len(asked) < most:
            asked.append((number, position, good))
    hits: list[Sequence[bool]] = []
    for _, position, good in asked:
        if stop():
            return [UNKNOWN] * len(SIMULATIONS)
        search = Search(position, evaluator, _PLAIN)
        row_of = []
        for simulations in SIMULATIONS:
            search.run(Limit(simulations=simulations - search.simulations))
            row_of.append(search.best_action() in good)
        hits.append(row_of)
    if len(hits) < 2:
        return [UNKNOWN] * len(SIMULATIONS)
    scorer = Scorer(sample.games[[number for number, _, _ in asked]], 0)
    return [score_of(*scorer.means(column)) for column in np.array(hits, np.float64).T]
