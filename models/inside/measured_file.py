"""What was measured of concepts, as parts of a file: scores of blocks beside their baselines, and shares of searches.

Letters: T concepts, K blocks, S searches.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.files.arrays import Unpacked
from core.files.reading import BadFile
from core.games.spec import Concept
from models.inside.knowledge import BlockReport, ConceptReport
from models.inside.probes import UNKNOWN, Score
from models.inside.uses import SIMULATIONS

MOST_COUNT: Final = 1e12  # a larger one is damage
_OF_BLOCK: Final = len(BlockReport._fields)

Searched = Mapping[str, tuple[Score, ...]]  # of each concept that names moves, a share for each of ``SIMULATIONS``


def measured_parts(
    reports: Sequence[ConceptReport], searched: Searched, blocks: int
) -> dict[str, NDArray[Any] | bytes]:
    """The parts: ``figures`` [T, 3], rows, mean, whether there are scores; ``scores`` [T, 1 + 4 K, 3], of the bare
    board and each block; ``searched`` [T, S, 3].  Lines are not written."""
    unknown, unused = (BlockReport(*[UNKNOWN] * _OF_BLOCK),) * blocks, (UNKNOWN,) * len(SIMULATIONS)
    figures = [[row.rows, row.mean, bool(row.blocks)] for row in reports]
    scores = [[row.board, *(score for block in row.blocks or unknown for score in block)] for row in reports]
    return {
        "figures": np.array(figures, np.float64).reshape(-1, 3),
        "scores": np.array(scores, np.float64).reshape(-1, 1 + _OF_BLOCK * blocks, 3),
        "searched": np.array([searched.get(row.name, unused) for row in reports]).reshape(-1, len(SIMULATIONS), 3),
    }


def read_measured(
    parts: Unpacked, concepts: Sequence[Concept], blocks: int
) -> tuple[list[ConceptReport], dict[str, tuple[Score, ...]]]:
    """The reports of these concepts, without lines, and the shares of searches; :class:`BadFile` when a part is not as
    ``measured_parts`` writes it."""
    number = len(concepts)
    figures = parts.array("figures", np.float64, (number, 3))
    scores = parts.array("scores", np.float64, (number, 1 + _OF_BLOCK * blocks, 3)).tolist()
    shares = parts.array("searched", np.float64, (number, len(SIMULATIONS), 3)).tolist()
    if not ((figures[:, 0] >= 0.0) & (figures[:, 0] <= MOST_COUNT)).all():
        raise BadFile("a count is wrong")
    reports, searched = [], {}
    for concept, (rows, mean, is_known), row, share in zip(concepts, figures.tolist(), scores, shares, strict=True):
        board, *rest = (Score(*score) for score in row)
        starts = range(0, len(rest) if is_known else 0, _OF_BLOCK)
        measured = tuple(BlockReport(*rest[start : start + _OF_BLOCK]) for start in starts)
        about = (concept.name, concept.title, concept.per_cell, concept.yes_no, int(rows), mean)
        reports.append(ConceptReport(*about, board, measured, ()))
        if concept.is_move:
            searched[concept.name] = tuple(Score(*score) for score in share)
    return reports, searched
