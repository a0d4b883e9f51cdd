"""The search of one position of a game that is analysed move by move."""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from core.engine.evaluator import Evaluator
from core.engine.ownership import agreed_margin
from core.engine.search import Search
from core.games import Position, dispatch
from core.games.spec import DISCS
from core.glass.review import FIRST_FEW, Figures
from core.glass.snapshot import STOPPED
from core.search import Limit, SearchSettings
from core.solve import MoveValue, Solution, Solver

EXACT_EMPTIES: Final = 14  # up to which games won by discs are solved, in well under a second
_PROVED: Final = {1: 1.0, 2: 0.0, 3: -1.0}  # by core.search.proofs' codes: win, draw, loss


def evaluate(
    position: Position,
    evaluator: Evaluator | None,
    settings: SearchSettings,
    simulations: int,
    should_stop: Callable[[], bool],
) -> Figures | None:
    """Search a position with a new tree and seed 0, as ``plyscope analyze`` does; None when stopped early.

    An ended game that players count has the result of that count, without the stones that seem dead.  The end of a game
    that is won by discs is solved instead: values are exact and leads are differences of discs.
    """
    if position.game.solver == DISCS and np.count_nonzero(position.cells() == 0) <= EXACT_EMPTIES:
        return _exact(position, should_stop)
    if position.is_over:
        return ended(position, evaluator, evaluator is not None and evaluator.encoding.leads)
    search = Search(position, evaluator, settings)
    if search.run(Limit(simulations=simulations), should_stop) == STOPPED:
        return None
    snapshot = search.snapshot()
    root, best = snapshot.root, snapshot.best
    if best < 0:
        return Figures(snapshot.value, exact=bool(root.proof), visits=root.visits, lead=root.lead)
    at = root.best_index
    proof, tried = int(root.proofs[at]), bool(root.visits_of[at])
    firsts = [best, *(row.action for row in root.rows if row.visits and row.action != best)][:FIRST_FEW]
    lead = float(root.leads[at]) if root.leads.size and tried else math.nan
    return Figures(
        value=snapshot.value,
        exact=bool(root.proof),
        best=(best, *root.same.get(best, ())),
        best_value=_PROVED.get(proof, float(root.qs[at]) if tried else snapshot.value),
        best_exact=bool(proof),
        pv=snapshot.pv,
        visits=root.visits,
        lead=root.lead,
        best_lead=root.lead if math.isnan(lead) else lead,
        firsts=tuple(move for action in firsts for move in (action, *root.same.get(action, ()))),
    )


def _exact(position: Position, should_stop: Callable[[], bool]) -> Figures | None:
    """The exact result of a position won by discs, as a search's; None when stopped."""
    solver = Solver(position.game)
    solution = solver.solve(position, should_stop)
    if solution is None:
        return None
    lead = float(_score(solution))
    best = solution.best
    ranked = sorted(solution.moves, key=lambda move: (-_score(move), move.action))
    return Figures(
        value=float(solution.value),
        exact=True,
        best=best,
        best_value=float(solution.value) if best else math.nan,
        best_exact=bool(best),
        pv=_best_line(solver, position, solution),
        lead=lead,
        best_lead=lead if best else math.nan,
        firsts=tuple(move.action for move in ranked[: max(FIRST_FEW, len(best))]),
    )


def _score(answer: Solution | MoveValue) -> int:
    assert answer.score is not None  # no limit was given
    return answer.score


def _best_line(solver: Solver, position: Position, solution: Solution) -> tuple[int, ...]:
    """The best moves of both sides to the end of the game, from a solved position."""
    line: list[int] = []
    while solution.best:
        line.append(solution.best[0])
        position = position.play(line[-1])
        answer = solver.solve(position)
        assert answer is not None  # no limit was given
        solution = answer
    return tuple(line)


def ended(position: Position, evaluator: Evaluator | None, has_leads: bool) -> Figures:
    """The result of an ended game, with its points if the other positions have leads."""
    side = 1 if position.to_move == 0 else -1
    value, margin = float(position.returns[position.to_move]), dispatch.margin(position.state)
    if (agreed := agreed_margin(position, evaluator)) is not None:
        value, margin = float((agreed > 0) - (agreed < 0)) * side, agreed
    return Figures(value, exact=agreed is None, lead=margin * side if has_leads else math.nan)
