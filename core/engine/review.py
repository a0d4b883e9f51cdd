"""The search of one position of a game that is analysed move by move.  Knows no game's report."""

import math
from collections.abc import Callable
from typing import Final

from core.engine.dead_stones import agreed_margin
from core.engine.evaluator import Evaluator, encoding_of
from core.engine.search import Search
from core.games import Position, dispatch
from core.glass.review import FIRST_FEW, Figures
from core.glass.snapshot import STOPPED
from core.search import Limit, SearchSettings

_PROVED: Final = {1: 1.0, 2: 0.0, 3: -1.0}  # by core.search.formulas' codes: win, draw, loss


def evaluate(
    position: Position,
    evaluator: Evaluator | None,
    settings: SearchSettings,
    simulations: int,
    should_stop: Callable[[], bool],
) -> Figures | None:
    """Search a position with a new tree and seed 0, as ``plyscope analyze`` does; None when stopped early.

    An ended game that players count has the result of that count, without the stones that seem dead.
    """
    if position.is_over:
        return ended(position, evaluator, evaluator is not None and encoding_of(evaluator, position.game).leads)
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
        firsts=tuple(one for action in firsts for one in (action, *root.same.get(action, ()))),
    )


def ended(position: Position, evaluator: Evaluator | None, has_leads: bool) -> Figures:
    """The result of an ended game, with its points if the other positions have leads."""
    side = 1 if position.to_move == 0 else -1
    value, margin = float(position.returns[position.to_move]), dispatch.margin(position.state)
    if (agreed := agreed_margin(position, evaluator)) is not None:
        value, margin = float((agreed > 0) - (agreed < 0)) * side, agreed
    return Figures(value, exact=agreed is None, lead=margin * side if has_leads else math.nan)
