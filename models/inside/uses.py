"""What is asked of concepts that name moves, beside whether they can be read: does the net use them, does a search."""

from collections.abc import Sequence
from typing import NamedTuple

from core.engine.evaluator import Evaluator
from core.games.spec import Concept
from models.inside.knowledge import NetReport
from models.inside.probes import Score
from models.inside.pushing import Pushed, push
from models.inside.sample import Stop
from models.inside.searched import searched
from models.netfiles.tapped import TappedNet


class Use(NamedTuple):
    """Of one concept."""

    pushed: tuple[Pushed | None, ...]
    """Of each block; None where there is nothing to push."""
    searched: tuple[Score, ...]
    """The share of positions in which a search finds a move of it, after ``searched.SIMULATIONS``."""


def uses_of(
    net: TappedNet,
    evaluator: Evaluator,
    report: NetReport,
    concepts: Sequence[Concept],
    stop: Stop = lambda: False,
) -> dict[str, Use]:
    """Name -> the use of each of ``concepts`` that names moves; those that were examined when ``stop`` said so."""
    uses: dict[str, Use] = {}
    for concept in concepts:
        if concept.is_move and not stop():
            pushed = [push(net, report, concept, block, stop=stop) for block in range(len(net.blocks))]
            uses[concept.name] = Use(tuple(pushed), tuple(searched(evaluator, concept, report.sample, stop=stop)))
    return uses
