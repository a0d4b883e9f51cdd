"""One search under several seeds: how much of its result is chance."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.engine.endings import Stop, never
from core.engine.evaluator import Evaluator
from core.engine.search import Search
from core.games import Position
from core.glass.snapshot import STOPPED
from core.search.settings import Limit, SearchSettings


class Run(NamedTuple):
    """The result of a search under one seed."""

    seed: int
    best: int  # the move it would play; -1 for none
    moves: dict[int, tuple[float, float]]  # action -> (share of the visits, Q for the side to move), of those visited


@dataclass(frozen=True)
class Spread:
    """What several runs say of one move."""

    action: int
    played: int  # runs in which it is the best
    shares: tuple[float, ...]  # of the visits, in each run
    qs: tuple[float, ...]  # of the runs that visited it


def run_with_seed(
    position: Position,
    evaluator: Evaluator | None,
    settings: SearchSettings,
    simulations: int,
    seed: int,
    only: Iterable[int] = (),
    should_stop: Stop = never,
) -> Run | None:
    """Search ``position`` to so many simulations; None when it was stopped before."""
    search = Search(position, evaluator, settings, seed, only)
    if search.run(Limit(simulations=simulations), should_stop) == STOPPED:
        return None
    snapshot = search.snapshot()
    return Run(seed, snapshot.best, {row.action: (row.share, row.q) for row in snapshot.moves if row.visits})


def spreads(runs: Sequence[Run]) -> tuple[Spread, ...]:
    """The moves of the runs, those played most often first, of equal ones those with the most visits."""
    actions = {action for run in runs for action in run.moves}
    moves = [
        Spread(
            action,
            sum(run.best == action for run in runs),
            tuple(run.moves[action][0] if action in run.moves else 0.0 for run in runs),
            tuple(run.moves[action][1] for run in runs if action in run.moves),
        )
        for action in actions
    ]
    return tuple(sorted(moves, key=lambda move: (-move.played, -sum(move.shares), move.action)))


def is_certain(runs: Sequence[Run]) -> bool:
    """Whether all runs have the same result: nothing in the search depends on the seed."""
    return len(runs) > 1 and all(run[1:] == runs[0][1:] for run in runs)
